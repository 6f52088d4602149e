// Final results of a batch run, written on success and after errors.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/cli/batch_run.h"
#include "app/common/json.h"
#include "sim/api/frame.h"
#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/io/container.h"
#include "sim/io/list_file.h"
#include "sim/run/inspector.h"
#include "sim/run/lesson.h"

namespace cellscope::cli {

// All charts of a run as one table, for --curves. Comment lines that describe program, scenario,
// step and parameters, a header, and a row per value: chart, series (with the source of published
// ones), x (a name on a named axis), upper edge of x in histograms, y, standard error where there
// is one.
std::string curvesText(Session& session) {
  Mode& mode = session.mode();
  std::string text = fmt::format("# cellscope {}\n# scenario {}\n# after {} {}\n", programVersion(),
                                 session.log().start.name, mode.info().stepName, session.step());
  for (const Parameter& p : mode.parameters().items())
    text += fmt::format("# {} = {}\n", p.info.key, toText(p.get()));
  const std::vector<Curve> all = mode.curves();
  for (const Curve& c : all)
    if (!c.series.empty())
      text += fmt::format("# {}: {}; x: {}, y: {}; {}\n", c.id, c.label,
                          c.x.label.empty() ? "names" : c.x.label, c.y.label, c.equation);
  text += "chart,series,x,x_upper,y,standard_error\n";
  for (const Curve& c : all)
    for (const CurveSeries& s : c.series) {
      const bool steps = s.kind == SeriesKind::steps && s.x.size() > s.y.size();
      const std::string label = s.source.empty() ? s.label : s.label + " (" + s.source + ")";
      for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i)
        text += fmt::format("{},{},{},{},{},{}\n", c.id, csvQuoted(label), csvPlace(c.x, s.x[i]),
                            steps ? fmt::format("{}", s.x[i + 1]) : "", s.y[i],
                            i < s.error.size() ? fmt::format("{}", s.error[i]) : "");
    }
  return text;
}

std::string textOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

// Of the program itself: what it has computed is not to be trusted.
bool isInternal(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const InternalError&) {
    return true;
  } catch (...) {
  }
  return false;
}

std::string lineOf(const SelfCheck& c) {
  return isWarning(c) ? "Warning: " + c.detail
                      : fmt::format("Self-check '{}': {}", c.label, c.detail);
}

LendsLists& lentBy(Mode& mode) {
  if (auto* lists = dynamic_cast<LendsLists*>(&mode)) return *lists;
  throw InputError(
      "--lists: mode '{}' has no neighbour lists; allowed: molecular dynamics ('md') with lists",
      mode.description().key);
}

// A result that cannot be written does not affect the others. The first error is kept, later ones
// are only printed.
static void attempt(std::exception_ptr& error, const auto& act) {
  try {
    act();
  } catch (const std::exception& e) {
    if (!error)
      error = std::current_exception();
    else if (e.what() != textOf(error))
      common::printError(e.what());
  }
}

void BatchRun::finish(double seconds, bool stopped, std::exception_ptr error) {
  const bool failedBefore = error != nullptr;
  if (!failedBefore) session_->finishStep();
  // Failed check; the state must not replace a good checkpoint.
  std::exception_ptr wrong = isInternal(error) ? error : nullptr;
  std::vector<SelfCheck> named;
  attempt(wrong, [&] { named = common::requireSound(session_->mode()); });
  if (wrong) attempt(error, [&] { std::rethrow_exception(wrong); });
  if (!failedBefore) attempt(error, [&] { flushFiles(); });
  std::string kept;  // where the state is
  if (!o_.checkpoint.empty() && !wrong)
    attempt(error, [&] {
      session_->save(o_.checkpoint);
      kept = o_.checkpoint;
      tell("Checkpoint: " + o_.checkpoint);
    });
  writeFiles(wrong, named, error);
  if (!error) report(seconds);
  if (!o_.picture.empty() && !failedBefore)
    attempt(error, [&] {
      try {
        std::vector<std::string> notes;
        common::withDemandedSink([&] {
          const render::Image image = PicturePainter(o_.looks).draw(*session_, notes);
          io::replaceFile(o_.picture, render::encodePng(image, pictureMetadata(*session_)));
        });
        for (const std::string& note : notes) tell(note);
        tell("Picture: " + o_.picture);
      } catch (const RunError& e) {
        if (o_.pictureNeeded) throw;
        tell(fmt::format("No picture: {}", e.what()));
      }
    });
  if (kept.empty() && (stopped || error))  // in the current or the temporary folder
    attempt(error, [&] {
      kept = common::keepState(*session_, "", wrong ? "-failed" : "");
      if (kept.empty())
        throw RunError(
            "the state after step {} could not be saved anywhere; name a writable file with "
            "--checkpoint",
            session_->step());
    });
  if (!kept.empty() && (stopped || error)) {
    std::string where =
        fmt::format("The state after step {} was saved in {}", session_->step(), kept);
    std::error_code ignored;
    if (!wrong)
      where += "; continue with: cellscope run --resume " + common::forShell(kept);
    else if (std::filesystem::exists(o_.checkpoint, ignored))
      where += fmt::format("; {} is unchanged", o_.checkpoint);
    error ? common::printError(where) : tell(where);
  }
  if (error) std::rethrow_exception(error);
  for (const SelfCheck& c : named)
    tell(lineOf(c), isWarning(c) ? common::Tone::warning : common::Tone::plain);
}

// Called before a checkpoint, so that no row or frame before it can still be lost.
void BatchRun::flushFiles() {
  if (csv_) csv_->flushToDisk();
  if (trajectory_) trajectory_->flushToDisk();
}

void BatchRun::writeFiles(const std::exception_ptr& wrong, const std::vector<SelfCheck>& named,
                          std::exception_ptr& error) {
  if (trajectory_)
    attempt(error, [&] {
      writeFrame(!frameIsDue());
      trajectory_->close();
      tell("Trajectory: " + o_.trajectory);
    });
  if (video_)
    attempt(error, [&] {
      video_->finish();
      for (const std::string& note : videoNotes_) tell(note);
      tell(fmt::format("Video: {}, {} pictures", videoTarget_->path, video_->added()));
    });
  if (!o_.curves.empty())
    attempt(error, [&] {
      io::replaceFile(o_.curves, curvesText(*session_));
      tell("Charts: " + o_.curves);
    });
  if (!o_.lists.empty() && !wrong)
    attempt(error, [&] {
      io::replaceFile(o_.lists, io::pairListArchive(lentBy(session_->mode()).neighbourLists()));
      tell("Lists: " + o_.lists);
    });
  for (const auto& [name, file] : o_.tables)
    attempt(error, [&, name = name, file = file] {
      const Table table = tableOfRun(*session_, name, exec_, modes_);
      io::replaceFile(file, csvOf(table));
      tell(fmt::format("Table: {}, {} rows", file, table.rows.size()));
      if (!table.note.empty()) tell(table.note);
    });
  if (!csv_) return;
  attempt(error, [&] {
    std::vector<std::string> notes;
    if (wrong) notes.push_back(textOf(wrong) + ": do not trust the averages");
    for (const SelfCheck& c : named)
      if (isWarning(c)) notes.push_back(lineOf(c));
    if (session_->discarding())
      notes.push_back("average: the run ended before the steps of --discard were complete");
    csv_->finish(notes);
    tell("Time series: " + o_.csv);
  });
}

void BatchRun::report(double seconds) {
  const Mode& mode = session_->mode();
  const double work = mode.work() - workBefore_;
  std::string pace;
  if (work > 0 && seconds > 0)
    pace = fmt::format(", {:.2e} {}/s", work / seconds, mode.info().workUnit);
  tell(fmt::format("{} {}s in {}{}", session_->step() - first_, mode.info().stepName,
                   common::duration(seconds), pace));
  for (const SelfCheck& c : session_->mode().selfChecks())
    if (c.label == "method") tell("  method: " + c.detail);
  if (session_->discarding())
    tell("  not in equilibrium: the run ended before the steps of --discard were complete");
  for (const std::string& line : averageLines(*session_)) tell("  " + line);
  for (const std::string& line : {noSamplesLine(*session_), averageStartLine(*session_)})
    if (!line.empty()) tell("  " + line);
}

void BatchRun::addToVideo() {
  if (lastPictured_ == session_->step()) return;
  lastPictured_ = session_->step();
  common::withDemandedSink([&] { video_->add(painter_->draw(*session_, videoNotes_)); });
}

// What --result and --json hold.

namespace {

using common::jsonOf;
using common::ordered_json;

ordered_json averagesOfRun(const Session& session) {
  ordered_json out = ordered_json::object();
  for (const Average& a : averagesOf(session)) {
    if (a.samples == 0) continue;
    ordered_json& one = out[a.id] = {{"unit", a.unit}, {a.grows ? "last" : "mean", a.mean}};
    one["error"] = a.errorKnown ? ordered_json(a.error) : ordered_json();
    one["samples"] = a.samples;
    one["from_step"] = a.from;
    one["equilibrated"] = a.equilibrated;
  }
  return out;
}

}  // namespace

ordered_json BatchRun::goalJson() const {
  if (o_.until > 0) return {{"until", o_.until}};
  if (o_.steps > 0) return {{"steps", o_.steps}};
  return {{"seconds", o_.seconds}};
}

std::string BatchRun::resultText() const {
  Mode& mode = session_->mode();
  const ordered_json averages = averagesOfRun(*session_);
  ordered_json parameters = ordered_json::object(), changes = ordered_json::array(),
               warnings = ordered_json::array();
  for (const Parameter& p : mode.parameters().items()) parameters[p.info.key] = jsonOf(p.get());
  for (const Edit& e : session_->log().edits)
    changes.push_back({{"after_step", e.step}, {"parameter", e.key}, {"value", jsonOf(e.value)}});
  for (const std::string& e : session_->experiments())
    warnings.push_back("wrong on purpose: experiment '" + e + "' is on");
  if (const auto step = session_->touchedAt())
    warnings.push_back(fmt::format("touched by hand at step {}", *step));
  for (const SelfCheck& c : mode.selfChecks())
    if (isWarning(c)) warnings.push_back(c.detail);
  const bool equilibrated = !averages.empty() && std::ranges::all_of(averages, [](const auto& a) {
    return a.at("equilibrated").template get<bool>();
  });
  std::ostringstream state;  // all that determines how the run goes on
  mode.save(state);
  ordered_json result = common::jsonOfKind("run");
  result.update({{"scenario", session_->log().start.name},
                 {"mode", mode.info().key},
                 {"run", runId(session_->log())},
                 {"goal", goalJson()},
                 {"step", session_->step()},
                 {"particles", mode.particleCount()},
                 {"equilibrated", equilibrated},
                 {"averages", averages},
                 {"parameters", parameters},
                 {"changes", changes},
                 {"warnings", warnings},
                 {"backend", toString(exec_.backend)},
                 {"device", common::describe(exec_)},
                 {"final_state_crc64", fmt::format("{:016x}", io::crc64(state.str()))},
                 {"configuration_hash", fmt::format("{:016x}", lesson::stateHash(mode))}});
  return common::textOf(result);
}

}  // namespace cellscope::cli
