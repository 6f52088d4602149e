// Replicas in words: labels of their boxes, and the card of what was picked.
#pragma once
#include <string>
#include <vector>

#include "sim/modes/gcmc/replica_wall.h"

namespace cellscope::gcmc {

// "mu -3.25  N 123", without the name of the quantity where there is little room.
std::string labelOfReplica(const GcmcParameters& p, std::size_t k, std::uint32_t n, bool longer);

// Fills the card, and returns the mark of a picked particle. A particle that is gone leaves the
// card of its replica.
std::vector<PointInstance> cardOfReplica(PickedParticle& card, const ReplicaPick& pick,
                                         const ReplicaRun& replicas, const GcmcParameters& p,
                                         Vec3d corner);

}  // namespace cellscope::gcmc
