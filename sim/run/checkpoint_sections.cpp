#include "sim/run/checkpoint_sections.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include "sim/io/utf8.h"
#include "sim/run/replicate.h"

namespace cellscope {
namespace {

constexpr std::array<std::string_view, 11> kSections = {
    "mode",       "name",        "scenario",      "configuration", "replicate", "edits",
    "parameters", "preparation", "equilibration", "averages",      "state"};

[[noreturn]] void damaged(const std::string& what) { throw InputError("it is damaged: " + what); }

// The whole of `text` as a number from `min` to `max`.
std::uint64_t whole(std::string_view text, const char* what, std::uint64_t min, std::uint64_t max) {
  std::uint64_t value = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), value);
  if (r.ec != std::errc() || r.ptr != text.data() + text.size() || value < min || value > max)
    damaged(fmt::format("{} is '{}'; allowed: whole number {} to {}", what, io::shortened(text),
                        min, max));
  return value;
}

void requireSections(const io::Container& c) {
  for (const auto& [name, content] : c.sections)
    if (std::find(kSections.begin(), kSections.end(), name) == kSections.end())
      damaged(fmt::format("unknown section '{}'", io::shortened(name)));
}

void requireOrder(const std::vector<Edit>& edits) {
  for (std::size_t i = 0; i < edits.size(); ++i)
    if (edits[i].preparing > kMostSteps || (i > 0 && edits[i].step < edits[i - 1].step))
      damaged(fmt::format("the change of '{}' at step {} is out of order",
                          io::shortened(edits[i].key), edits[i].step));
}

void readEquilibration(std::string text, CheckpointParts& parts) {
  parts.startChosen = text.ends_with(kStartChosen);
  if (parts.startChosen) text.resize(text.size() - std::string_view(kStartChosen).size());
  const std::size_t space = text.find(' ');
  if (space == text.npos) damaged("its equilibration is not two numbers");
  parts.toDiscard =
      whole(std::string_view(text).substr(0, space), "its equilibration", 0, kMostSteps);
  parts.discardEnd =
      whole(std::string_view(text).substr(space + 1), "its equilibration", 0, kMostSteps);
  if (parts.toDiscard > 0 && parts.discardEnd > 0) damaged("its equilibration ends twice");
}

}  // namespace

Scenario scenarioIn(const io::Container& c, const std::string& file, const ModeFactory& modes) {
  requireSections(c);
  Scenario start = parseScenario(c.section("scenario", file), file, modes);
  if (const std::string& mode = c.section("mode", file); mode != start.mode)
    damaged(fmt::format("its mode is '{}', that of its scenario '{}'", io::shortened(mode),
                        start.mode));
  start.name = c.section("name", file);
  if (!start.name.empty() && !io::isFileName(start.name))
    damaged(fmt::format("the name of its scenario, '{}', is not the name of a file",
                        io::shortened(start.name)));
  start.configuration = c.section("configuration", file);
  if (start.configuration.find('\0') != std::string::npos) damaged("the name of its configuration");
  start.replicate = static_cast<std::int64_t>(
      whole(c.section("replicate", file), "the number of copies", 1, kMostCopies));
  if (start.replicate > 1 && start.configuration.empty())
    damaged("it has copies and no configuration");
  return start;
}

CheckpointParts partsOf(const io::Container& c, const std::string& file, const ModeFactory& modes) {
  CheckpointParts parts;
  parts.start = scenarioIn(c, file, modes);
  parts.edits = editsFromText(c.section("edits", file), file);
  parts.parameters = editsFromText(c.section("parameters", file), file);
  requireOrder(parts.edits);
  parts.preparation = whole(c.section("preparation", file), "its preparation", 0, kMostSteps);
  readEquilibration(c.section("equilibration", file), parts);
  return parts;
}

void requireParameters(Mode& mode, const CheckpointParts& parts) {
  for (const Edit& e : parts.edits) {
    Parameter& parameter = mode.parameters().at(e.key);
    const ParameterValue now = parameter.get();
    parameter.set(e.value);
    parameter.set(now);
  }
  std::set<std::string> keys;
  for (const Edit& p : parts.parameters)
    if (!keys.insert(p.key).second)
      damaged(fmt::format("'{}' is there twice", io::shortened(p.key)));
  for (const Parameter& p : mode.parameters().items())
    if (keys.erase(p.info.key) == 0) damaged(fmt::format("parameter '{}' is missing", p.info.key));
  if (!keys.empty()) mode.parameters().at(*keys.begin());  // throws: unknown
}

void requireSteps(const CheckpointParts& parts, std::uint64_t step, std::uint64_t epochStart) {
  if (step > kMostSteps) damaged(fmt::format("step {} is impossible", step));
  for (const auto& list : {parts.edits, parts.parameters})
    for (const Edit& e : list)
      if (e.step > step)
        damaged(fmt::format("'{}' was changed at step {}, later than the state, {}", e.key, e.step,
                            step));
  if (parts.discardEnd > 0 && parts.discardEnd <= step)
    damaged(fmt::format("its equilibration ended at step {}", parts.discardEnd));
  if (epochStart > step)
    damaged(
        fmt::format("its averages begin at step {}, later than the state, {}", epochStart, step));
}

}  // namespace cellscope
