// The replicas of a grand-canonical run as they are seen: their boxes side by side, packed where
// the chains are.
//
// In the plane rows run along x from the top; in space the wall stands in y and z and faces +x. At
// most 64 boxes and some 400,000 particles are shown, evenly along the range of the replicas; of
// windows, the first chain of each.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/mode.h"
#include "sim/layers/layers.h"
#include "sim/modes/gcmc/replica_run.h"
#include "sim/modes/gcmc/scene.h"

namespace cellscope::gcmc {

inline constexpr std::size_t kMostTiles = 64;

// Which replicas are shown, and where their boxes stand.
struct ReplicaTiles {
  std::vector<std::size_t> replica;  // of each tile
  std::size_t columns = 1, rows = 1;
  Box one;  // each tile
  double gap = 0;

  static ReplicaTiles of(const GcmcParameters& p);
  Box box() const;  // of the whole wall
  Vec3d corner(std::size_t tile) const;
  BoxInstance labelRoom(std::size_t tile) const;  // above a tile
};

class ReplicaWall {
 public:
  explicit ReplicaWall(exec::Shared exec) : packer_(std::move(exec)) {}

  // Whether a view shows the wall in place of the chain.
  static bool asked(const ViewRequest& view, const ReplicaRun& replicas) {
    return replicas.on() && view.shows(layers::kReplicas);
  }
  // frame.box becomes that of the wall.
  void fill(Frame& frame, const ViewRequest& view, const ReplicaRun& replicas,
            const GcmcParameters& p);
  // A particle, or else the box whose front the click hits; -1: none.
  static ParticleId pick(const PickQuery& query, const ReplicaRun& replicas,
                         const GcmcParameters& p);
  std::size_t bytes() const { return packer_.packer()->bytes(); }

 private:
  LayerData particles(const std::string& colouring, const ReplicaTiles& tiles,
                      const ReplicaRun& replicas, const GcmcParameters& p);
  ChainPacker packer_;
};

// A particle of a replica, or the replica itself, as one id.
struct ReplicaPick {
  std::size_t replica = 0;
  ParticleId own = -1;  // -1: the replica itself

  ParticleId id() const;
  // False: of neither.
  static bool from(ParticleId id, ReplicaPick& pick);
};

// "mu -3.25" and "N 123", which goes where there is no room; of windows, which follow each other, N
// alone where there are many.
std::string labelOfReplica(const GcmcParameters& p, std::size_t k, std::uint32_t n,
                           std::size_t boxes);

// Fills the card, and returns the mark of a picked particle. A particle that is gone leaves the
// card of its replica.
std::vector<PointInstance> cardOfReplica(PickedParticle& card, const ReplicaPick& pick,
                                         const ReplicaRun& replicas, const GcmcParameters& p,
                                         Vec3d corner);

}  // namespace cellscope::gcmc
