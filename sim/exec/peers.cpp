#include "sim/exec/peers.h"

#include <fmt/format.h>

namespace cellscope::exec {

bool reachEachOther(const ExecConfig& a, const ExecConfig& b) {
  if (a.backend == Backend::cpu || a.device == b.device) return true;
  if constexpr (kCudaBuilt)
    return openPeerAccess(a.device, b.device) && openPeerAccess(b.device, a.device);
  return false;
}

std::string domainWords(const ExecConfig& config) {
  if (config.allDomains() == 1) return "";
  const bool gpu = config.backend == Backend::cuda;
  bool direct = !config.throughHost;
  for (int k = 1; k < config.devices; ++k) {
    ExecConfig a = config, b = config;
    a.device += k - 1;
    b.device += k;
    direct = direct && reachEachOther(a, b);
  }
  std::string where =
      gpu ? fmt::format(" on {} GPU{}", config.devices, config.devices == 1 ? "" : "s")
          : " on threads";
  if (config.ranks > 1)
    where = fmt::format(" in {} processes{}", config.ranks,
                        gpu ? fmt::format(" with {} each", where.substr(4)) : "");
  return fmt::format("{} domains{}, exchange {}{}", config.allDomains(), where,
                     config.ranks > 1 ? "by MPI, within a process " : "",
                     !direct                     ? "through host memory"
                     : gpu && config.devices > 1 ? "by peer access"
                                                 : "in memory");
}

}  // namespace cellscope::exec
