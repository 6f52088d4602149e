#include "sim/modes/parameter_draft.h"

#include <fmt/format.h>

#include <set>

namespace cellscope {
namespace {

// Values of the parameters of one kind are set to those of `from`.
void copyWhere(ParameterSet& to, const ParameterSet& from, bool ofRestart) {
  for (std::size_t i = 0; i < to.items().size(); ++i) {
    Parameter& p = to.items()[i];
    if ((p.info.effect == Effect::restart) == ofRestart) p.set(from.items()[i].get());
  }
}

}  // namespace

ParameterChange changeBetween(const ParameterSet& before, const ParameterSet& after) {
  ParameterChange change;
  for (std::size_t i = 0; i < before.items().size(); ++i) {
    const Parameter& p = before.items()[i];
    if (p.get() == after.items()[i].get()) continue;
    change.any = true;
    change.touched |= p.info.touches;
  }
  return change;
}

void keepRestartValues(ParameterSet& draft, const ParameterSet& active) {
  copyWhere(draft, active, true);
}

void takeOverChanges(ParameterSet& draft, const ParameterSet& active) {
  copyWhere(draft, active, false);
}

void writeParameters(BinaryWriter& w, const ParameterSet& set) {
  w.value(static_cast<std::uint64_t>(set.items().size()));
  for (const Parameter& item : set.items()) {
    w.text(item.info.key);
    w.text(toText(item.get()));
  }
}

void readParameters(BinaryReader& r, ParameterSet& set) {
  const auto n = r.value<std::uint64_t>("number of parameters");
  if (n > set.items().size())
    throw InputError(fmt::format("checkpoint: it has {} parameters, this version has {}", n,
                                 set.items().size()));
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::string key = r.text("parameter name", 200);
    const std::string text = r.text("parameter value", 200);
    set.at(key).setText(text);
    if (!seen.insert(key).second)
      throw InputError(fmt::format("checkpoint: parameter '{}' is there twice", key));
  }
  for (const Parameter& p : set.items())
    if (!p.info.later && !seen.contains(p.info.key))
      throw InputError(fmt::format("checkpoint: parameter '{}' is missing", p.info.key));
}

void requireStateVersion(BinaryReader& r, std::uint32_t version, const std::string& mode) {
  const auto written = r.value<std::uint32_t>("version");
  if (written == version) return;
  throw InputError(fmt::format(
      "checkpoint: its state ({}) has version {}, this program reads version {}; resume "
      "with the program that wrote it",
      mode, written, version));
}

}  // namespace cellscope
