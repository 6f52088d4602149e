#include "sim/run/csv_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/api/inspect.h"
#include "sim/base/build.h"
#include "sim/base/digits.h"
#include "sim/io/text_lines.h"

namespace cellscope {

static bool anySamples(const std::vector<ObservableSeries>& all) {
  return std::ranges::any_of(all, [](const auto& s) { return s.samples > 0; });
}

std::string csvQuoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string csvPlace(const CurveAxis& axis, double x) {
  const auto index = static_cast<std::size_t>(std::max(0.0, x));
  const bool named = axis.scale == AxisScale::named && index < axis.names.size();
  return named ? csvQuoted(axis.names[index]) : fmt::format("{}", x);
}

std::string csvColumns(const ModeInfo& info) {
  std::string columns = "step";
  for (const ObservableInfo& o : info.observables) columns += "," + o.id;
  return columns;
}

const char* const kAverageRule =
    "they begin with sample 0, 32, 64, 128, ... after the last change of a parameter, the first "
    "from which on the first fifth and the last half of every slow observable agree within three "
    "standard errors (Geweke 1992), or after --discard";

std::vector<Average> averagesOf(const Session& session) {
  std::vector<Average> out;
  const bool chosen = session.averagesStartChosen();
  for (const ObservableSeries& s : session.history().series()) {
    Average a{s.info.id, s.info.unit};
    a.mean = chosen ? s.currentMean : s.equilibratedMean;
    a.error = chosen ? s.currentError : s.equilibratedError;
    a.errorKnown = a.error > 0 && (chosen ? s.errorKnown : s.equilibratedErrorKnown);
    a.samples = s.samples == 0 ? 0 : chosen ? s.samples : s.equilibratedSamples;
    a.leavesOut = !chosen && s.leftOut > 0;
    a.from = a.leavesOut ? s.equilibratedFrom : s.epochStart;
    a.equilibrated = s.equilibrated;
    a.grows = s.info.grows;
    a.constant = a.samples > 1 && s.equilibrated && !s.settled && !(a.error > 0);
    out.push_back(std::move(a));
  }
  return out;
}

std::vector<std::string> averageLines(const Session& session) {
  std::vector<std::string> lines, none;
  if (!anySamples(session.history().series())) return lines;
  for (const Average& a : averagesOf(session)) {
    if (a.samples == 0) {  // switched off, or undefined for this state
      none.push_back(a.id);
      continue;
    }
    if (a.grows) {
      lines.push_back(
          fmt::format("{} = {}{}{} (the last sample; it depends on the length of the run)", a.id,
                      textWithError(a.mean, 0), a.unit.empty() ? "" : " ", a.unit));
      continue;
    }
    const char* const note = a.error > 0 && !a.errorKnown
                                 ? "; too few to know the error, which may be larger"
                             : a.constant ? "; all equal: the error is not known"
                                          : "";
    lines.push_back(fmt::format(
        "{} = {}{}{} ({} sample{} {} step {}{}{})", a.id, textWithError(a.mean, a.error),
        a.unit.empty() ? "" : " ", a.unit, a.samples, a.samples == 1 ? "" : "s",
        a.leavesOut ? "from" : "since", a.from, a.leavesOut ? " on" : "", note));
  }
  if (!none.empty())
    lines.push_back(fmt::format("not measured: {} (cellscope list {} explains when)",
                                fmt::join(none, ", "), session.mode().info().key));
  return lines;
}

std::string noSamplesLine(const Session& session) {
  const std::vector<ObservableSeries> all = session.history().series();
  if (all.empty() || anySamples(all)) return "";
  return fmt::format("no samples since step {}; one is taken every {} {}s (--sample-every)",
                     all.front().epochStart, session.log().start.sampleEvery,
                     session.mode().info().stepName);
}

std::string averageStartLine(const Session& session) {
  const std::vector<ObservableSeries> all = session.history().series();
  if (!anySamples(all)) return "";
  const ObservableSeries& s = all.front();
  if (session.averagesStartChosen()) {
    const Equilibration equilibration = equilibrationOf(all);
    const std::string begin =
        fmt::format("averages begin after step {}, as set by --discard", s.epochStart);
    if (equilibration.drifting.empty()) return begin;
    return fmt::format(
        "{}; not in equilibrium over the whole average: {} drifted by more than {} standard errors "
        "from its first fifth to its last half; discard more, or run longer",
        begin, fmt::join(equilibration.drifting, ", "), kDrifts);
  }
  const std::string begin =
      s.leftOut > 0
          ? fmt::format(
                "averages begin at step {}, {} samples after step {} are left out as equilibration",
                s.equilibratedFrom, s.leftOut, s.epochStart)
          : fmt::format("averages include all samples since step {}", s.epochStart);
  if (s.equilibrated) return begin;
  if (session.history().tooFewToTest())
    return begin + ": too few independent ones to tell whether they are in equilibrium";
  return fmt::format(
      "averages are not in equilibrium: slow observables drifted until the end (more than {} "
      "standard errors from the first fifth to the last half, from every beginning that leaves "
      "half of the samples); run longer, or name the steps to leave out with --discard",
      EquilibratedAverages::kLeavesOut);
}

CsvLog::CsvLog(const std::string& path, const Session& session, const std::string& device,
               const EarlierPart& earlier)
    : session_(session),
      file_(std::in_place, path, earlier.found ? io::OpenAs::append : io::OpenAs::replace) {
  if (earlier.found)
    goOn(device, earlier);
  else
    header(device);
  file_->flush();
}

void CsvLog::goOn(const std::string& device, const EarlierPart& earlier) {
  comment(fmt::format("resumed after step {} on {}", session_.step(), device));
  warnings();
  if (const std::string id = runId(session_.log()); id != earlier.run) comment("run: " + id);
  written_ = earlier.parameters;
  for (const Parameter& p : session_.mode().parameters().items())
    written_.try_emplace(p.info.key, toText(p.get()));
  columns_ = earlier.columns;
  if (earlier.last != ~0ull) last_ = earlier.last;
  for (const Edit& e : session_.log().edits)
    if (e.step == session_.step()) edit(e);
  describeColumns();
}

void CsvLog::header(const std::string& device) {
  const ModeInfo& info = session_.mode().info();
  comment(fmt::format("cellscope {}", programVersion()));
  comment("scenario: " + session_.log().start.name);
  comment(fmt::format("mode: {} ({})", info.key, info.label));
  comment("run: " + runId(session_.log()));
  comment("computed on: " + device);
  comment(std::string("rule of averages: ") + kAverageRule);
  comment("reduced units: sigma = 1, k_B = 1; step = " + info.stepName);
  warnings();
  const Scenario& start = session_.log().start;
  if (!start.configuration.empty())
    comment(fmt::format(
        "configuration: {}{}", start.configuration,
        start.replicate > 1 ? fmt::format("; {} copies along every axis", start.replicate) : ""));
  for (const auto& [key, value] : start.parameters) {
    written_[key] = toText(value);
    comment(fmt::format("parameter {} = {}", key, written_[key]));
  }
  for (const Edit& e : session_.log().edits) edit(e);
  describeColumns();
  file_->write(csvColumns(info) + "\n");
}

// Columns whose description is new: some depend on the parameters.
void CsvLog::describeColumns() {
  for (const ObservableInfo& o : session_.mode().info().observables) {
    std::string words = io::oneLine(fmt::format("column {}: {}{}{}", o.id, o.label,
                                                o.unit.empty() ? "" : " (" + o.unit + ")",
                                                o.equation.empty() ? "" : "; " + o.equation));
    if (words == columns_[o.id]) continue;
    comment(words);
    columns_[o.id] = std::move(words);
  }
}

void CsvLog::warnings() {
  if (const auto step = session_.touchedAt())
    comment(fmt::format("touched by hand at step {}", *step));
  for (const std::string& e : session_.experiments())
    comment(fmt::format("WRONG ON PURPOSE: experiment '{}' is on; do not use these numbers", e));
}

void CsvLog::edit(const Edit& e) {
  written_[e.key] = toText(e.value);
  comment(fmt::format("changed after step {}: {} = {}", e.step, e.key, written_[e.key]));
}

// Changes made by the mode: the tuner freezes d, a jammed compression keeps the packing reached.
void CsvLog::changes(std::uint64_t step) {
  bool any = false;
  for (const Parameter& p : session_.mode().parameters().items()) {
    std::string& written = written_[p.info.key];
    std::string now = toText(p.get());
    if (now == written) continue;
    written = std::move(now);
    any = true;
    const auto& own = session_.ownChanges();
    const auto made = std::find_if(own.rbegin(), own.rend(), [&](const auto& c) {
      return c.step <= step && c.key == p.info.key && c.value == p.get();
    });
    comment(made != own.rend()
                ? fmt::format("changed after step {}: {} = {}", made->step, p.info.key, written)
                : fmt::format("changed before step {}: {} = {}", step, p.info.key, written));
  }
  if (any) describeColumns();
}

std::string CsvLog::missing(std::uint64_t to) {
  const std::string gap = fmt::format("the samples after step {}, up to step {}", last_, to);
  comment(gap + ", are missing here");
  last_ = to;
  return gap;
}

void CsvLog::write(std::uint64_t step, const std::vector<double>& values) {
  std::string line = fmt::format("{}", step);
  for (const double v : values) line += std::isnan(v) ? ",nan" : fmt::format(",{}", v);
  file_->write(line + "\n");
  last_ = step;
}

void CsvLog::row(std::uint64_t step, const std::vector<double>& values) {
  const std::uint64_t every = session_.log().start.sampleEvery;
  if (step > last_ + every)
    comment(fmt::format("no samples after step {}, up to step {}: the state was being prepared",
                        last_, step - every));
  changes(step);
  write(step, values);
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ < std::chrono::seconds(1)) return;
  file_->flush();
  flushed_ = now;
}

void CsvLog::start(Mode& mode) {
  auto* const asked = dynamic_cast<Inspectable*>(&mode);
  if (!asked || mode.step() > 0 || last_ > 0) return;
  row(0, asked->valuesNow());
}

void CsvLog::keptRows() {
  const std::vector<ObservableSeries> all = session_.history().series();
  std::map<std::uint64_t, std::vector<double>> rows;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto steps = all[k].step.recorded(), values = all[k].value.recorded();
    for (std::size_t i = 0; i < std::min(steps.size(), values.size()); ++i) {
      auto& row = rows[static_cast<std::uint64_t>(steps[i])];
      row.resize(all.size(), NAN);
      row[k] = values[i];
    }
  }
  comment(
      fmt::format("{} samples that were kept of the run; a long one keeps every second, fourth, "
                  "... of each observable, nan stands for the others",
                  rows.size()));
  for (const auto& [step, values] : rows) write(step, values);
}

void writeKeptSeries(const std::string& path, const Session& session, const std::string& device) {
  CsvLog log(path, session, device);
  log.keptRows();
  log.finish();
}

void CsvLog::comment(const std::string& text) { file_->write("# " + io::oneLine(text) + "\n"); }

void CsvLog::finish(const std::vector<std::string>& notes) {
  comment(fmt::format("ended after step {}", session_.step()));
  changes(session_.step());
  warnings();
  for (const std::string& note : notes) comment(note);
  for (const std::string& line : averageLines(session_)) comment("average " + line);
  if (const std::string none = noSamplesLine(session_); !none.empty()) comment("average: " + none);
  if (const std::string start = averageStartLine(session_); !start.empty()) comment(start);
  file_->close();
}

std::unique_ptr<io::FrameSink> openTrajectory(const std::string& path, io::OpenAs how,
                                              const std::string& format) {
  return io::formatToWrite(path, format)
      .create(path, fmt::format("cellscope {}", programVersion()), how == io::OpenAs::append);
}

void appendFrame(io::FrameSink& trajectory, Session& session, bool end) {
  const std::string run = runId(session.log());
  io::FrameNotes notes{session.step(),
                       session.mode().time(),
                       run,
                       end,
                       {{"Program", fmt::format("cellscope {}", programVersion())},
                        {"Scenario", session.log().start.name},
                        {"Run", run}}};
  if (const auto step = session.touchedAt())
    notes.texts.emplace_back("Touched", fmt::format("by hand at step {}", *step));
  if (const auto on = session.experiments(); !on.empty())
    notes.texts.emplace_back("Experiments", fmt::format("{}", fmt::join(on, ", ")));
  trajectory.append(session.mode().configuration(), notes);
}

}  // namespace cellscope
