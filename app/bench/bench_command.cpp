#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>

#include "app/bench/bench.h"
#include "app/common/json.h"
#include "app/common/terminal.h"
#include "app/gui/format.h"
#include "app/window.h"
#include "sim/algo/race/race.h"
#include "sim/base/build.h"
#include "sim/base/words.h"
#include "sim/exec/memory.h"
#include "sim/io/files.h"

namespace cellscope::bench {
namespace {

struct Result {
  Case what;
  Measurement m;
  exec::DeviceLimits device;

  double middle() const { return medianOf(m.values); }
  double fraction() const {  // of the limit, whichever direction is better
    return m.limit <= 0 ? 0 : what.row.largerIsBetter() ? middle() / m.limit : m.limit / middle();
  }
  std::string spread() const {
    const auto [lo, hi] = std::minmax_element(m.values.begin(), m.values.end());
    return fmt::format("{:.3g} to {:.3g}", *lo, *hi);
  }
  std::string limitText() const { return m.limit > 0 ? fmt::format("{:.3g}", m.limit) : "-"; }
  std::string fractionText() const {
    return m.limit > 0 ? fmt::format("{:.1f} %", 100 * fraction()) : "-";
  }
};

std::string markdown(const std::vector<Result>& rows) {
  std::string out =
      "| case | measured | median of 11 | lowest to highest | limit | reached | the limit counts | "
      "measured on |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Result& r : rows)
    out += fmt::format("| {} | {} | {:.3g} {} | {} | {} | {} | {} | {} |\n", r.what.name(),
                       r.what.row.measures, r.middle(), r.what.row.unit, r.spread(), r.limitText(),
                       r.fractionText(), r.m.note, r.m.state);
  return out;
}

std::string csv(const std::vector<Result>& rows) {
  std::string out = "case,backend,device,median,unit,limit,fraction,measured_on\n";
  for (const Result& r : rows)
    out += fmt::format("\"{}\",{},\"{}\",{:.6g},{},{:.6g},{:.4f},\"{}\"\n", r.what.name(),
                       toString(r.what.size.backend), r.device.device, r.middle(), r.what.row.unit,
                       r.m.limit, r.fraction(), r.m.state);
  return out;
}

std::string json(const std::vector<Result>& rows) {
  common::ordered_json out = common::jsonOfKind("bench");
  for (const Result& r : rows)
    out["cases"].push_back({{"case", r.what.name()},
                            {"backend", toString(r.what.size.backend)},
                            {"device", r.device.device},
                            {"unit", r.what.row.unit},
                            {"median", r.middle()},
                            {"limit", r.m.limit},
                            {"values", r.m.values},
                            {"measured_on", r.m.state}});
  return common::textOf(out);
}

// One file per device with its results.
void record(const std::string& folder, const std::vector<Result>& rows) {
  std::set<Backend> done;
  for (const Result& first : rows) {
    const Backend backend = first.what.size.backend;
    if (!done.insert(backend).second) continue;
    std::vector<Result> mine;
    for (const Result& r : rows)
      if (r.what.size.backend == backend) mine.push_back(r);
    const std::time_t now = std::time(nullptr);
    const std::string text = fmt::format(
        "# {}\n\ncellscope {}, {:%Y-%m-%d}, `cellscope bench`. Instruction rate of the device: "
        "{:.3g} per second ({}).\n\n{}",
        first.device.device, programVersion(), fmt::gmtime(now), first.device.instructionRate,
        first.device.source, markdown(mine));
    const std::string name = lowered(gui::fileStem(first.device.device));
    const std::string path = folder + "/" + name + ".md";
    io::replaceFile(path, text);
    common::printLine("Recorded in " + path);
  }
}

bool selected(const Case& c, const BenchOptions& o) {
  if (c.name().find(o.filter) == std::string::npos) return false;
  if (c.size.named && !o.list && o.filter.find('/') == std::string::npos) return false;
  // Nothing is drawn from there.
  if (c.row.needs == Needs::graphics && o.sink == "host") return false;
  if (o.hardware.backend != "auto") return o.hardware.backend == toString(c.size.backend);
  return c.size.backend == Backend::cpu || exec::cudaStatus().usable;
}

// Rows by mode: unit, what the limit counts, sizes.
void list(const std::vector<Case>& cases) {
  std::string mode, row;
  for (const Case& c : cases) {
    if (c.row.mode != mode) common::printLine(fmt::format("Mode {}", mode = c.row.mode));
    if (c.row.measures != row) {
      common::printLine(fmt::format("  {} ({})", row = c.row.measures, c.row.unit));
      common::printLine("    limit: " + (c.row.limit.empty() ? std::string("none") : c.row.limit));
    }
    common::printLine(fmt::format("    {} ({})", c.name(), toString(c.size.backend)));
  }
}

void show(const Result& r) {
  common::printLine(fmt::format("{:<38} {:>10.3g} {:<8} limit {:>9}  {:>7}   {}", r.what.name(),
                                r.middle(), r.what.row.unit, r.limitText(), r.fractionText(),
                                r.device.device));
  if (!r.m.state.empty()) common::printLine("    on " + r.m.state);
  if (!r.m.note.empty())
    common::printLine((r.m.limit > 0 ? "    the limit counts " : "    ") + r.m.note);
}

// Returns whether every case could be measured.
bool measureAll(const std::vector<Case>& cases, const BenchOptions& o, std::vector<Result>& rows) {
  bool complete = true;
  for (const Case& c : cases) {
    if (c.row.needs == Needs::display && !displayNamed()) {
      common::printLine(
          fmt::format("{:<38} not measured: neither DISPLAY nor WAYLAND_DISPLAY is set", c.name()));
      continue;
    }
    const Setup setup{{c.size.backend, c.size.threads > 0 ? c.size.threads : o.hardware.threads,
                       std::max(0, o.hardware.device)},
                      o.sink};
    try {
      Measurement m = measured(c, setup);
      if (!m.skipped.empty()) {
        common::printLine(fmt::format("{:<38} not measured: {}", c.name(), m.skipped));
        continue;
      }
      rows.push_back({c, std::move(m), limitsOf(setup.exec)});
      show(rows.back());
      // After every case, so that an interrupted benchmark keeps its results.
      if (!o.json.empty()) io::replaceFile(o.json, json(rows));
      if (!o.csv.empty()) io::replaceFile(o.csv, csv(rows));
    } catch (const std::exception& e) {
      complete = false;
      common::printError(fmt::format("{}: {}", c.name(), e.what()));
    }
  }
  return complete;
}

}  // namespace

int benchCommand(const BenchOptions& o) {
  common::outliveOutputs();
  common::chooseHardware(o.hardware, true);  // rejects an unavailable GPU
  std::vector<Case> cases;
  for (const Case& c : casesOf(allRows()))
    if (selected(c, o)) cases.push_back(c);
  if (cases.empty())
    throw InputError("no benchmark matches --filter '{}' here; cellscope bench --list names them",
                     o.filter);
  if (o.list) {
    list(cases);
    return common::kDone;
  }
  if (!o.record.empty()) {
    io::createFolder(o.record);
    io::checkWritable(o.record + "/bench.md", true);
  }
  std::vector<Result> rows;
  const bool complete = measureAll(cases, o, rows);
  if (!o.record.empty()) record(o.record, rows);
  return complete ? common::kDone : common::kFailed;
}

}  // namespace cellscope::bench
