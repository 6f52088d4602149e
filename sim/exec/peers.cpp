#include "sim/exec/peers.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/exec/machine.h"
#include "sim/exec/memory.h"
#include "sim/exec/ranks.h"

namespace cellscope::exec {

bool reachEachOther(const ExecConfig& a, const ExecConfig& b) {
  if (a.backend == Backend::cpu || a.device == b.device) return true;
  if constexpr (kCudaBuilt)
    return openPeerAccess(a.device, b.device) && openPeerAccess(b.device, a.device);
  return false;
}

ExecConfig ofDomain(const ExecConfig& all, int k) {
  ExecConfig own = all;
  own.domains = own.ranks = 1;
  own.threads = std::max(1, threadsFor(all.threads) / all.domains);
  own.device += k * all.devices / all.domains;
  if (all.ranks > 1 && all.backend == Backend::cuda)
    own.device =
        (own.device + ranks().onNode * all.devices) % static_cast<int>(cudaStatus().devices.size());
  return own;
}

void useDeviceOf(const ExecConfig& config) {
  if (config.backend == Backend::cuda) useCudaDevice(config.device);
}

std::shared_ptr<void> exchangeMemory(Backend backend, std::size_t bytes, bool ofHost) {
  if (ofHost || backend == Backend::cpu)
    return {allocateStaging(backend, bytes), [=](void* p) { releaseStaging(backend, p); }};
  return {allocate(backend, bytes), [=](void* p) { release(backend, p, bytes); }};
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
