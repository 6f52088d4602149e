// Block-cooperative algorithms, written once: teams of threads that work in phases.
//
// A team kernel is a struct with
//
//   struct Shared { ... };    memory shared by one team (CUDA: shared memory), not initialised
//   struct Private { ... };   memory of one thread that lives across phases (CUDA: registers),
//                             value-initialised; trivially destructible
//   HOST_DEVICE int phases(int team) const;       number of phases, the same for all threads
//   HOST_DEVICE void phase(int p, int team, int thread, Shared&, Private&) const;
//
// A phase ends in a barrier on CUDA; on the CPU it is a loop over the threads of the team. A phase
// may read what earlier phases of the same team wrote to Shared, and nothing that another thread
// writes in the same phase.
//
// Where the size of the shared memory is known at the launch only, phase() takes one argument more,
// `std::byte* dynamic`: TeamShape::sharedBytes bytes beside Shared, aligned to 16 bytes.
//
// A kernel may also have
//
//   HOST_DEVICE int finishPhases() const;
//   HOST_DEVICE void finish(int p, int thread, Shared&, Private&) const;  (and `dynamic`, as above)
//
// The last team to be done with its phases goes through these as well. They see all that the other
// teams wrote to memory; Shared and `dynamic` hold anything at their start.
#pragma once
#include <cstddef>

#include "sim/base/host_device.h"

namespace cellscope::exec {

struct TeamShape {
  int teams = 0;                // number of independent teams
  int threads = 1;              // threads per team
  std::size_t sharedBytes = 0;  // of `dynamic`
};

template <class K>
inline constexpr bool kHasFinish = requires(const K& kernel) {
  kernel.finishPhases();
};

// One phase of one thread, with or without dynamic shared memory.
template <class K>
HOST_DEVICE void runPhase(const K& kernel, int p, int team, int thread, typename K::Shared& shared,
                          typename K::Private& mine, std::byte* dynamic) {
  if constexpr (requires { kernel.phase(p, team, thread, shared, mine, dynamic); })
    kernel.phase(p, team, thread, shared, mine, dynamic);
  else
    kernel.phase(p, team, thread, shared, mine);
}
template <class K>
HOST_DEVICE void runFinish(const K& kernel, int p, int thread, typename K::Shared& shared,
                           typename K::Private& mine, std::byte* dynamic) {
  if constexpr (requires { kernel.finish(p, thread, shared, mine, dynamic); })
    kernel.finish(p, thread, shared, mine, dynamic);
  else
    kernel.finish(p, thread, shared, mine);
}

}  // namespace cellscope::exec
