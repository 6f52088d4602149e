#include <fmt/format.h>

#include "sim/algo/gcmc/chain_serial.h"
#include "sim/base/error.h"

namespace cellscope {

const std::vector<GcmcMethod>& gcmcMethods() {
  static const std::vector<GcmcMethod> kAll = {
      {"serial", "Serial chain, all particles per move (S0, Algorithm 1)", true, false,
       makeGcmcSerial},
  };
  return kAll;
}

std::unique_ptr<GcmcEngine> makeGcmcEngine(const std::string& key, const exec::Shared& exec,
                                           const GcmcOptions& options) {
  std::string keys;
  for (const GcmcMethod& m : gcmcMethods()) {
    if (key == m.key) return m.make(exec, options);
    keys += (keys.empty() ? "" : ", ") + std::string(m.key);
  }
  throw InputError(fmt::format("method = \"{}\" is not known; there are {}", key, keys));
}

}  // namespace cellscope
