// Block-cooperative algorithms, written once: teams of threads that work in phases.
//
// A team kernel is a struct with
//
//   struct Shared { ... };    memory shared by one team (CUDA: shared memory)
//   struct Private { ... };   memory of one thread that lives across phases (CUDA: registers)
//   HOST_DEVICE int phases(int team) const;       number of phases, the same for all threads
//   HOST_DEVICE void phase(int p, int team, int thread, Shared&, Private&) const;
//
// A phase ends in a barrier on CUDA; on the CPU it is a loop over the threads of the team. A phase
// may read what earlier phases of the same team wrote to Shared, and nothing that another thread
// writes in the same phase.
#pragma once

namespace cellscope::exec {

struct TeamShape {
  int teams = 0;    // number of independent teams
  int threads = 1;  // threads per team
};

}  // namespace cellscope::exec
