// Sessions in checkpoint files.
#include <fmt/format.h>

#include <sstream>

#include "sim/api/version.h"
#include "sim/io/container.h"
#include "sim/io/output_file.h"
#include "sim/io/read_file.h"
#include "sim/run/checkpoint_sections.h"
#include "sim/run/session_impl.h"

namespace cellscope {
namespace {

// Parameter values that differ from the start (by edits, or set by the mode itself) travel as
// edits.
std::vector<Edit> currentParameters(const Mode& mode) {
  std::vector<Edit> all;
  for (const Parameter& p : const_cast<Mode&>(mode).parameters().items())
    all.push_back({mode.step(), 0, p.info.key, p.get()});
  return all;
}

// read(in) takes all of a section.
template <class F>
void readAll(const std::string& section, const char* name, F&& read) {
  std::istringstream in(section);
  read(in);
  if (in.peek() != std::istringstream::traits_type::eof())
    throw InputError(fmt::format("it is damaged: bytes follow the {}", name));
}

}  // namespace

Scenario Session::scenarioOf(const std::string& checkpoint, const ModeFactory& modes) {
  return namingFile(checkpoint, [&] {
    return scenarioIn(io::unpack(io::readFile(checkpoint), checkpoint), checkpoint, modes);
  });
}

std::string Session::packed() const {
  std::ostringstream state, averages;
  mode_->save(state);
  history_.save(averages);
  Scenario start = log_.start;
  // The name of a file is no text: it and what belongs to it have sections of their own.
  start.configuration.clear();
  start.replicate = 1;
  io::Container c;
  c.program = programVersion();
  c.sections = {{"mode", mode_->info().key},
                {"name", log_.start.name},
                {"scenario", scenarioText(start)},
                {"configuration", log_.start.configuration},
                {"replicate", fmt::format("{}", log_.start.replicate)},
                {"edits", editsText(log_.edits)},
                {"parameters", editsText(currentParameters(*mode_))},
                {"preparation", fmt::format("{}", preparationUnits_)},
                {"equilibration",
                 fmt::format("{} {}{}", toDiscard_, discardEnd_, startChosen_ ? kStartChosen : "")},
                {"averages", std::move(averages).str()},
                {"state", std::move(state).str()}};
  return io::pack(c);
}

std::string Session::checkpoint() {
  finishStep();
  return packed();
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
    const CheckpointParts parts = partsOf(c, name, modes);
    std::unique_ptr<Session> session(new Session(modes(parts.start.mode, config)));
    session->mode_->watchWork(std::move(report));
    session->takeOver(parts, c.section("state", name), c.section("averages", name));
    return session;
  });
}

void Session::takeOver(const CheckpointParts& parts, const std::string& state,
                       const std::string& averages) {
  requireParameters(*mode_, parts);
  for (const Edit& p : parts.parameters) mode_->parameters().at(p.key).set(p.value);
  readAll(state, "state", [&](std::istream& in) { mode_->load(in); });
  readAll(averages, "averages", [&](std::istream& in) { history_.load(in); });
  requireSteps(parts, mode_->step(), history_.epochStart());
  log_ = {parts.start, parts.edits};
  preparationUnits_ = parts.preparation;
  preparing_ = mode_->preparation().has_value();
  known_ = valuesOf(*mode_);
  toDiscard_ = parts.toDiscard;
  discardEnd_ = parts.discardEnd;
  startChosen_ = parts.startChosen;
}

}  // namespace cellscope
