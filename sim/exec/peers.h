// How parts of one system on several threads or devices exchange data.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "sim/base/backend.h"

namespace cellscope::exec {

// Whether the devices of both reach each other's memory. Where they can, they do from now on.
bool reachEachOther(const ExecConfig& a, const ExecConfig& b);

// For domain k of this process: its device, or its share of the threads.
ExecConfig ofDomain(const ExecConfig& all, int k);
// The device of a domain becomes that of the calling thread.
void useDeviceOf(const ExecConfig& config);

// Memory by which domains exchange: of the device that is used, or of the host, which all devices
// reach.
std::shared_ptr<void> exchangeMemory(Backend backend, std::size_t bytes, bool ofHost);

}  // namespace cellscope::exec

namespace cellscope {

// Rows or layers of cells that a domain has sent to one beside it, whose halo they are.
struct HaloMessage {
  int from = 0, to = 0;   // domains
  int row = 0, rows = 0;  // the first in the grid, and their number
  bool ahead = false;     // away from row 0
  std::size_t cells = 0, bytes = 0;
};

}  // namespace cellscope

namespace cellscope::exec {

// In words: "3 domains, one thread each, exchange by shared memory"; "" for a single one.
std::string domainWords(const ExecConfig& config);

// Of devices; builds with CUDA only.
bool openPeerAccess(int from, int to);

}  // namespace cellscope::exec
