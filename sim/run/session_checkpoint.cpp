// Sessions in checkpoint files.
#include <fmt/format.h>

#include <sstream>

#include "sim/api/version.h"
#include "sim/io/container.h"
#include "sim/io/output_file.h"
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

// Sections that earlier versions did not write.
const std::string* optional(const io::Container& c, const std::string& name) {
  for (const auto& [key, bytes] : c.sections)
    if (key == name) return &bytes;
  return nullptr;
}

Scenario startOf(const io::Container& c, const std::string& path, const ModeFactory& modes) {
  Scenario start = parseScenario(c.section("scenario", path), path, modes);
  start.name = c.section("name", path);
  if (const std::string* name = optional(c, "configuration")) start.configuration = *name;
  if (const std::string* copies = optional(c, "replicate")) start.replicate = std::stoll(*copies);
  return start;
}

}  // namespace

Scenario Session::scenarioOf(const std::string& checkpoint, const ModeFactory& modes) {
  return startOf(io::unpack(io::readFile(checkpoint), checkpoint), checkpoint, modes);
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
                {"equilibration", fmt::format("{} {}", toDiscard_, discardEnd_)},
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
  const io::Container c = io::unpack(bytes, name);
  const Scenario start = startOf(c, name, modes);
  std::unique_ptr<Session> session(new Session(modes(start.mode, config)));
  session->mode_->watchWork(std::move(report));
  for (const Edit& p : editsFromText(c.section("parameters", name), name))
    session->mode_->parameters().at(p.key).set(p.value);
  std::istringstream state(c.section("state", name)), averages(c.section("averages", name));
  session->mode_->load(state);
  session->log_ = {start, editsFromText(c.section("edits", name), name)};
  session->history_.load(averages);
  session->preparationUnits_ = std::stoull(c.section("preparation", name));
  session->preparing_ = session->mode_->preparation().has_value();
  session->known_ = valuesOf(*session->mode_);
  if (const std::string* text = optional(c, "equilibration"))
    std::istringstream(*text) >> session->toDiscard_ >> session->discardEnd_;
  return session;
}

}  // namespace cellscope
