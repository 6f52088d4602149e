#include "sim/modes/modes.h"

#include <fmt/format.h>

#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/md/mode.h"

namespace cellscope {
namespace {

template <class M>
std::unique_ptr<Mode> make(const ExecConfig& config) {
  return std::make_unique<M>(config);
}

}  // namespace

const std::vector<ModeEntry>& modeList() {
  static const std::vector<ModeEntry> all = {
      {"hard_disks", &make<HardDisksMode>},
      {"md", &make<MdMode>},
  };
  return all;
}

std::vector<std::string> modeKeys() {
  std::vector<std::string> keys;
  for (const ModeEntry& m : modeList()) keys.push_back(m.key);
  return keys;
}

std::unique_ptr<Mode> makeMode(const std::string& key, const ExecConfig& config) {
  for (const ModeEntry& m : modeList())
    if (m.key == key) return m.make(config);
  const std::string near = closestName(key, modeKeys());
  throw InputError(fmt::format("unknown mode '{}'{}; one of {}", key,
                               near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                               fmt::join(modeKeys(), ", ")));
}

}  // namespace cellscope
