// The modes that exist. Adding one is a folder in sim/modes and a line below.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "sim/api/mode.h"
#include "sim/modes/gcmc/mode.h"
#include "sim/modes/gibbs/mode.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/lists/mode.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/museum/mode.h"

namespace cellscope {
namespace {

struct ModeEntry {
  const ModeDescription& (*describe)();
  std::unique_ptr<Mode> (*make)(const ExecConfig&);
};

// M has a static member describe().
template <class M>
ModeEntry entry() {
  return {&M::describe, [](const ExecConfig& config) -> std::unique_ptr<Mode> {
            return std::make_unique<M>(config);
          }};
}

// Those that show a file and do not advance come last.
const std::vector<ModeEntry>& modeList() {
  static const std::vector<ModeEntry> all = {entry<HardDisksMode>(), entry<MdMode>(),
                                             entry<GcmcMode>(),      entry<GibbsMode>(),
                                             entry<MuseumMode>(),    entry<ListsMode>()};
  return all;
}

const ModeEntry& find(const std::string& key) {
  for (const ModeEntry& m : modeList())
    if (m.describe().key == key) return m;
  throw InputError("unknown mode '{}'{}; one of {}", key, didYouMean(key, modeKeys()),
                   fmt::join(modeKeys(), ", "));
}

}  // namespace

std::vector<std::string> modeKeys() {
  std::vector<std::string> keys;
  for (const ModeEntry& m : modeList())
    if (m.describe().noSteps.empty()) keys.push_back(m.describe().key);
  return keys;
}

std::unique_ptr<Mode> makeMode(const std::string& key, const ExecConfig& config) {
  const ModeEntry& mode = find(key);
  if (config.allDomains() > 1 && !mode.describe().inDomains)
    throw InputError("{} domains: mode '{}' has only one; leave out --domains, --gpus and mpirun",
                     config.allDomains(), key);
  return mode.make(config);
}

const ModeDescription& describeMode(const std::string& key) { return find(key).describe(); }

}  // namespace cellscope
