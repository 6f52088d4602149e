// Processes that compute one system together, started by mpirun. Number 0 is the program: it reads,
// decides and writes; the others do what it orders. One process without mpirun, and in a build
// without MPI.
#pragma once
#include <cstddef>
#include <string>

namespace cellscope::exec {

// While it lives. Only the first one of a process does anything.
class RankSession {
 public:
  RankSession();
  ~RankSession();
  RankSession(const RankSession&) = delete;
  RankSession& operator=(const RankSession&) = delete;
};

struct Ranks {
  int own = 0, count = 1;
  int onNode = 0;  // own number among those of this machine
};
const Ranks& ranks();

// "Open MPI v4.1.4", or "none in this build".
std::string mpiWords();

// The bytes of number 0, to all.
void broadcast(void* data, std::size_t bytes);
void sendTo(int rank, const void* data, std::size_t bytes);
void receiveFrom(int rank, void* data, std::size_t bytes);
// At the same time.
void sendAndReceive(int to, const void* out, int from, void* in, std::size_t bytes);
// After a failure in the middle of an exchange: the session ends by ending all processes.
void abandonRanks();
bool ranksAbandoned();

}  // namespace cellscope::exec
