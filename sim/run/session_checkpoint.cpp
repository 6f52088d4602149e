// Sessions in checkpoint files. What their sections hold is checked: a file with a valid checksum
// may still be damaged, forged or of another program.
#include <fmt/format.h>

#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/io/container.h"
#include "sim/io/files.h"
#include "sim/io/text_lines.h"
#include "sim/run/session.h"

namespace cellscope {

namespace {

constexpr std::uint64_t kMostSteps = 1ull << 53;  // exact as a double

constexpr std::string_view kStartChosen = " chosen";  // after the steps of equilibration

// read(), with the name of the file in every message.
auto namingFile(const std::string& file, auto&& read) {
  const auto named = [&file](std::string what) {
    if (what.find(file) != std::string::npos) return what;
    if (const std::string prefix = "checkpoint: "; what.rfind(prefix, 0) == 0)
      what.erase(0, prefix.size());
    return fmt::format("'{}': {}", file, what);
  };
  try {
    return read();
  } catch (const InputError& e) {
    throw InputError(named(e.what()));
  } catch (const RunError& e) {
    throw RunError(named(e.what()));
  } catch (const std::bad_alloc&) {
    throw InputError(named("it is damaged, or needs more memory than there is"));
  } catch (const std::length_error&) {
    throw InputError(named("it is damaged: a length in it is impossible"));
  }
}

constexpr std::array<std::string_view, 12> kSections = {
    "mode",        "name",          "scenario", "configuration", "replicate", "edits", "parameters",
    "preparation", "equilibration", "averages", "state",         "compare"};  // optional

template <class... Args>
[[noreturn]] void damaged(fmt::format_string<Args...> what, Args&&... values) {
  throw InputError("it is damaged: {}", fmt::format(what, std::forward<Args>(values)...));
}

// The whole of `text` as a number from `min` to `max`.
std::uint64_t whole(std::string_view text, const char* what, std::uint64_t min, std::uint64_t max) {
  const auto value = io::numberOf<std::uint64_t>(text);
  if (!value || *value < min || *value > max)
    damaged("{} is '{}'; allowed: whole number {} to {}", what, io::shortened(text), min, max);
  return *value;
}

Scenario scenarioIn(const io::Container& c, const std::string& file, const ModeFactory& modes) {
  for (const auto& [name, content] : c.sections)
    if (!hasItem(kSections, name)) damaged("unknown section '{}'", io::shortened(name));
  Scenario start = parseScenario(c.section("scenario", file), file, modes);
  if (const std::string& mode = c.section("mode", file); mode != start.mode)
    damaged("its mode is '{}', that of its scenario '{}'", io::shortened(mode), start.mode);
  start.name = c.section("name", file);
  if (!start.name.empty() && !io::isFileName(start.name))
    damaged("the name of its scenario, '{}', is not the name of a file", io::shortened(start.name));
  start.configuration = c.section("configuration", file);
  if (start.configuration.find('\0') != std::string::npos) damaged("the name of its configuration");
  for (const auto& [name, content] : c.sections)
    if (name == "compare") start.compare = content;
  if (start.compare.find('\0') != std::string::npos)
    damaged("the name of the file to compare with");
  start.replicate = static_cast<std::int64_t>(
      whole(c.section("replicate", file), "the number of copies", 1, kMostCopies));
  if (start.replicate > 1 && start.configuration.empty())
    damaged("it has copies and no configuration");
  return start;
}

// Sets the parameters to their values now.
void takeParameters(Mode& mode, const std::vector<Edit>& edits, const std::vector<Edit>& now) {
  for (const Edit& e : edits) {
    if (e.key == Session::kHand) handMoveOf(toText(e.value));
    if (e.key == Session::kHand || e.key == Session::kHeat) continue;
    Parameter& parameter = mode.parameters().at(e.key);
    const ParameterValue before = parameter.get();
    parameter.set(e.value);
    parameter.set(before);
  }
  std::set<std::string> keys;
  for (const Edit& p : now)
    if (!keys.insert(p.key).second) damaged("'{}' is there twice", io::shortened(p.key));
  for (const Parameter& p : mode.parameters().items())
    if (keys.erase(p.info.key) == 0 && !p.info.later)
      damaged("parameter '{}' is missing", p.info.key);
  if (!keys.empty()) mode.parameters().at(*keys.begin());  // throws: unknown
  for (const Edit& p : now) mode.parameters().at(p.key).set(p.value);
}

// read(in) takes all of a section.
void readAll(const std::string& section, const char* name, auto&& read) {
  std::istringstream in(section);
  read(in);
  if (in.peek() != std::istringstream::traits_type::eof())
    throw InputError("it is damaged: bytes follow the {}", name);
}

}  // namespace

Scenario Session::scenarioOf(const std::string& checkpoint, const ModeFactory& modes) {
  return namingFile(checkpoint, [&] {
    return scenarioIn(io::unpack(io::readFile(checkpoint), checkpoint), checkpoint, modes);
  });
}

std::string Session::checkpoint(bool files) {
  finishStep();
  std::ostringstream state, averages;
  mode_->save(state);
  history_.save(averages);
  Scenario start = log_.start;
  // The name of a file is no text: it and what belongs to it have sections of their own.
  start.configuration.clear(), start.compare.clear();
  start.replicate = 1;
  // Parameter values that differ from the start (by edits, or set by the mode itself) travel as
  // edits.
  std::vector<Edit> parameters;
  for (const Parameter& p : mode_->parameters().items())
    parameters.push_back({mode_->step(), 0, p.info.key, p.get()});
  io::Container c;
  c.program = programVersion();
  c.sections = {{"mode", mode_->info().key},
                {"name", log_.start.name},
                {"scenario", scenarioText(start)},
                {"configuration", files ? log_.start.configuration : ""},
                {"replicate", fmt::format("{}", files ? log_.start.replicate : 1)},
                {"edits", editsText(log_.edits)},
                {"parameters", editsText(parameters)},
                {"preparation", fmt::format("{}", preparationUnits_)},
                {"equilibration",
                 fmt::format("{} {}{}", toDiscard_, discardEnd_, startChosen_ ? kStartChosen : "")},
                {"averages", std::move(averages).str()},
                {"state", std::move(state).str()}};
  if (files && !log_.start.compare.empty()) c.sections.push_back({"compare", log_.start.compare});
  return io::pack(c);
}

void Session::save(const std::string& path) { io::replaceFile(path, checkpoint()); }

std::unique_ptr<Session> Session::resume(const std::string& path, const ExecConfig& config,
                                         const ModeFactory& modes, WorkReport report) {
  return resumeFrom(io::readFile(path), path, config, modes, std::move(report));
}

std::unique_ptr<Session> Session::resumeFrom(const std::string& bytes, const std::string& name,
                                             const ExecConfig& config, const ModeFactory& modes,
                                             WorkReport report) {
  return namingFile(name, [&] {
    const io::Container c = io::unpack(bytes, name);
    Scenario start = scenarioIn(c, name, modes);
    std::unique_ptr<Session> session(new Session(modes(start.mode, config)));
    session->mode_->watchWork(std::move(report));
    session->log_.start = std::move(start);
    session->takeOver(c, name);
    return session;
  });
}

void Session::takeOver(const io::Container& c, const std::string& file) {
  log_.edits = editsFromText(c.section("edits", file), file);
  const std::vector<Edit> parameters = editsFromText(c.section("parameters", file), file);
  for (std::size_t i = 0; i < log_.edits.size(); ++i)
    if (const Edit& e = log_.edits[i];
        e.preparing > kMostSteps || (i > 0 && e.step < log_.edits[i - 1].step))
      damaged("the change of '{}' at step {} is out of order", io::shortened(e.key), e.step);
  preparationUnits_ = whole(c.section("preparation", file), "its preparation", 0, kMostSteps);
  std::string_view numbers = c.section("equilibration", file);
  startChosen_ = numbers.ends_with(kStartChosen);
  if (startChosen_) numbers.remove_suffix(kStartChosen.size());
  const std::size_t space = numbers.find(' ');
  if (space == numbers.npos) damaged("its equilibration is not two numbers");
  toDiscard_ = whole(numbers.substr(0, space), "its equilibration", 0, kMostSteps);
  discardEnd_ = whole(numbers.substr(space + 1), "its equilibration", 0, kMostSteps);
  if (toDiscard_ > 0 && discardEnd_ > 0) damaged("its equilibration ends twice");
  takeParameters(*mode_, log_.edits, parameters);
  readAll(c.section("state", file), "state", [&](std::istream& in) { mode_->load(in); });
  readAll(c.section("averages", file), "averages", [&](std::istream& in) { history_.load(in); });
  history_.takeWords(mode_->info().observables);
  const std::uint64_t step = mode_->step();
  if (step > kMostSteps) damaged("step {} is impossible", step);
  for (const auto& list : {log_.edits, parameters})
    for (const Edit& e : list)
      if (e.step > step)
        damaged("'{}' was changed at step {}, later than the state, {}", e.key, e.step, step);
  if (discardEnd_ > 0 && discardEnd_ <= step)
    damaged("its equilibration ended at step {}", discardEnd_);
  if (history_.epochStart() > step)
    damaged("its averages begin at step {}, later than the state, {}", history_.epochStart(), step);
  preparing_ = mode_->preparation().has_value();
  known_ = mode_->parameters().values();
  if (startChosen_) history_.keepBeginning();
  tellAverages();
  resumed_ = true;
}

}  // namespace cellscope
