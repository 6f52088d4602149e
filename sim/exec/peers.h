// How parts of one system on several threads or devices exchange data.
#pragma once
#include <string>

#include "sim/base/backend.h"

namespace cellscope::exec {

// Whether the devices of both reach each other's memory. Where they can, they do from now on.
bool reachEachOther(const ExecConfig& a, const ExecConfig& b);

// In words: "3 domains, one thread each, exchange by shared memory"; "" for a single one.
std::string domainWords(const ExecConfig& config);

// Of devices; builds with CUDA only.
bool openPeerAccess(int from, int to);

}  // namespace cellscope::exec
