#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <future>
#include <set>
#include <tuple>

#include "app/cli/commands.h"
#include "app/common/terminal.h"
#include "sim/algo/list_check/check.h"
#include "sim/algo/race/race.h"
#include "sim/base/error.h"
#include "sim/exec/context.h"
#include "sim/exec/machine.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"
#include "sim/io/list_file.h"

namespace cellscope::cli {
namespace {

// That a check took: reading the file, then waiting for the device to be ready, then checking.
struct Seconds {
  double read = 0, device = 0, check = 0;
};

using list_check::Kind;
using list_check::kindName;
using list_check::Report;
using list_check::Wrong;

std::string lengthText(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "-"; }

// What a particle is called; "": as its place.
std::string idText(const PairList& l, std::int64_t k) {
  const bool known = k >= 0 && k < static_cast<std::int64_t>(l.id.size());
  return known ? fmt::format("{}", l.id[static_cast<std::size_t>(k)]) : "";
}

// Rows of the first pairs of each kind.
std::string tableText(const PairList& l, const std::vector<Wrong>& wrong, std::size_t most) {
  bool ids = false;  // other ones than places
  for (std::size_t k = 0; k < l.id.size(); ++k) ids |= l.id[k] != static_cast<std::int64_t>(k);
  std::string text;
  std::size_t ofKind = 0;
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    const Wrong& w = wrong[k];
    ofKind = k > 0 && w.kind == wrong[k - 1].kind ? ofKind + 1 : 0;
    if (ofKind >= most) continue;
    text += fmt::format("  {:<18}{:>9}{:>9}   {:<12}{:>12}{:>12}{:>12}", kindName(w.kind), w.i, w.j,
                        fmt::format("{} {} {}", w.shift[0], w.shift[1], w.shift[2]),
                        lengthText(w.distance), lengthText(w.toFace), lengthText(w.toWall)) +
            (ids ? fmt::format("{:>12}{:>12}\n", idText(l, w.i), idText(l, w.j)) : "\n");
  }
  if (text.empty()) return "";
  return fmt::format("  {:<18}{:>9}{:>9}   {:<12}{:>12}{:>12}{:>12}{}\n", "", "i", "j", "S",
                     "distance", "from face", "from wall",
                     ids ? fmt::format("{:>12}{:>12}", "id of i", "id of j") : "") +
         text;
}

using nlohmann::ordered_json;

// One item on a line.
std::string jsonList(const auto& list, const auto& item) {
  std::string all;
  for (const auto& one : list) all += (all.empty() ? "\n    " : ",\n    ") + item(one).dump();
  return "[" + all + "]";
}

// Numbers that are not finite are written as null.
ordered_json jsonOf(const Wrong& w, const PairList& l) {
  ordered_json one = {{"kind", kindName(w.kind)},
                      {"i", w.i},
                      {"j", w.j},
                      {"S", w.shift},
                      {"distance", w.distance},
                      {"from_face", w.toFace},
                      {"from_wall", w.toWall}};
  for (const auto& [key, k] : {std::pair("id_i", w.i), std::pair("id_j", w.j)})
    if (const std::string id = idText(l, k); !id.empty()) one[key] = std::stoll(id);
  return one;
}

using Key = std::tuple<Kind, std::int64_t, std::int64_t, list_check::Shift>;
Key keyOf(const Wrong& w) { return {w.kind, w.i, w.j, w.shift}; }

std::string reportText(const PairList& l, const Report& r, std::size_t most) {
  std::string text = fmt::format("{}: {}\n", l.file, list_check::headLine(l, r));
  const auto add = [&](const char* heading, const std::vector<std::string>& lines) {
    if (!lines.empty()) text += heading;
    for (const std::string& line : lines) text += "  " + line + "\n";
  };
  add("", list_check::noteLines(l, r));
  text += list_check::verdictLine(r) + "\n" + tableText(l, r.wrong, most);
  add("What they have in common:\n", list_check::causeLines(r));
  add("Wrong structures:\n", list_check::faultLines(r));
  return text;
}

std::string reportCsv(const PairList& l, const Report& r) {
  std::string text = "kind,i,j,S_a,S_b,S_c,distance,from_face,from_wall,id_i,id_j\n";
  for (const Wrong& w : r.wrong)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", kindName(w.kind), w.i, w.j,
                        w.shift[0], w.shift[1], w.shift[2], w.distance, w.toFace, w.toWall,
                        idText(l, w.i), idText(l, w.j));
  return text;
}

std::string reportJson(const PairList& l, const Report& r, const Seconds& seconds) {
  std::string counts;
  for (std::size_t k = 0; k < list_check::kFaults; ++k)
    counts += fmt::format("{}\"{}\": {}", k > 0 ? ", " : "", list_check::kKindNames[k], r.count[k]);
  const auto cause = [](const list_check::Cause& c) {
    return ordered_json{{"kind", kindName(c.kind)},
                        {"words", c.words},
                        {"share", c.share},
                        {"of_right_pairs", c.usual}};
  };
  const auto fault = [](const list_check::Fault& f) {
    return ordered_json{{"rule", f.rule}, {"count", f.count}, {"first", f.first}};
  };
  return fmt::format(
      R"({{
  "file": {},
  "right": {},
  "particles": {},
  "entries": {},
  "half": {},
  "expected": {},
  "at_cutoff": {},
  "tolerance": {},
  "seconds": {{"read": {:.3f}, "device": {:.3f}, "check": {:.3f}}},
  "counts": {{{}}},
  "causes": {},
  "structures": {},
  "wrong": {}
}}
)",
      ordered_json(l.file).dump(), r.isRight(), l.size(), r.entries, r.half, r.expected, r.atCutoff,
      r.tolerance, seconds.read, seconds.device, seconds.check, counts, jsonList(r.causes, cause),
      jsonList(r.faults, fault), jsonList(r.wrong, [&](const Wrong& w) { return jsonOf(w, l); }));
}

// What of one report is not in the other.
std::string comparisonText(const PairList& l, const Report& r, const PairList& other,
                           const Report& otherReport, std::size_t most) {
  const auto keys = [](const Report& report) {
    std::multiset<Key> all;
    for (const Wrong& w : report.wrong) all.insert(keyOf(w));
    return all;
  };
  const auto without = [](const Report& report, std::multiset<Key> known) {
    std::vector<Wrong> left;
    for (const Wrong& w : report.wrong)
      if (const auto at = known.find(keyOf(w)); at != known.end())
        known.erase(at);
      else
        left.push_back(w);
    return left;
  };
  const std::vector<Wrong> gone = without(r, keys(otherReport)),
                           more = without(otherReport, keys(r));
  std::string text =
      fmt::format("From {} to {}: {} wrong pairs are gone, {} are new, {} stay\n", l.file,
                  other.file, gone.size(), more.size(), r.wrong.size() - gone.size());
  Report changes;
  changes.half = r.half;
  list_check::addChanges(l, other, otherReport, changes);
  text += "  " + list_check::changesLine(l, other, changes) + "\n";
  if (!gone.empty()) text += "Gone:\n" + tableText(l, gone, most);
  if (!more.empty()) text += "New:\n" + tableText(l, more, most);
  if (!changes.wrong.empty()) text += "Changed:\n" + tableText(l, changes.wrong, most);
  return text;
}

struct CheckListsOptions {
  std::string file, other, positions;
  std::optional<double> cutoff, skin, tolerance;
  bool half = false, full = false, nearest = false;
  std::string csv, json;
  std::int64_t most = 10;
  common::HardwareOptions hardware;
};

PairList loaded(const std::string& path, const CheckListsOptions& o) {
  io::ReadList read = io::readPairList(path);
  PairList& l = read.list;
  if (!o.positions.empty()) {
    const io::LoadedFrame frame = io::readConfiguration(o.positions);
    for (const std::string& note : frame.notes) common::printError(note);
    io::takeParticles(read, frame.configuration, frame.boxes);
  } else if (l.size() == 0) {
    throw InputError(
        "'{}' has no positions; name a file of the particles, of any format, with --positions",
        path);
  }
  if (o.cutoff) {
    l.cutoff = *o.cutoff;
    l.types = 0;
    l.type.clear(), l.cutoffs.clear(), l.radius.clear();
  } else if (l.cutoff == 0 && l.cutoffs.empty() && l.radius.empty()) {
    throw InputError("'{}' has none of 'cutoff', 'cutoffs' and 'radii'; give --cutoff R, above 0",
                     path);
  }
  if (o.skin) l.skin = *o.skin;
  if (o.half || o.full) l.half = o.half;
  l.nearest = l.nearest || o.nearest;
  return std::move(l);
}

// Where a list is compared: "auto" takes a GPU, and asks for one, if that is worth starting it.
ExecConfig hardwareFor(const PairList& list, common::HardwareOptions o) {
  const bool chosen = o.backend == "auto";
  if (chosen && !list_check::worthAGpu(list, exec::threadsFor(o.threads)))
    o.backend = "cpu", o.device = -1;
  const ExecConfig config = common::chooseHardware(o, true);
  if (chosen && config.backend == Backend::cuda)
    common::printError(fmt::format("Comparing on {}", common::describe(config)));
  return config;
}

struct Checked {
  PairList list;
  list_check::Report report;
  Seconds seconds;
};

Checked checked(const std::string& path, const CheckListsOptions& o) {
  double last = steadySeconds();
  const auto lap = [&] {
    const double before = std::exchange(last, steadySeconds());
    return last - before;
  };
  // Starting a GPU takes as long as reading a long list: a thread of its own does it meanwhile.
  // That there is none is told by hardwareFor().
  std::future<void> gpu;
  if (o.hardware.backend == "cuda")
    gpu = std::async(std::launch::async,
                     [&] { exec::makeExec(common::chooseHardware(o.hardware, true)); });
  Checked c{loaded(path, o), {}, {}};
  c.seconds.read = lap();
  const ExecConfig config = hardwareFor(c.list, o.hardware);
  if (gpu.valid()) gpu.wait();
  c.seconds.device = lap();
  c.report = list_check::check(c.list, o.tolerance.value_or(-1), config);
  c.seconds.check = lap();
  common::printError(fmt::format(
      "{}: read in {:.2f} s, checked in {:.2f} s ({})", path, c.seconds.read, c.seconds.check,
      config.backend == Backend::cpu ? common::describe(config)
                                     : fmt::format("{}, ready {:.2f} s after reading",
                                                   common::describe(config), c.seconds.device)));
  return c;
}

// 0: right, 1: not.
int checkLists(const CheckListsOptions& o) {
  checkOutputs({{"--csv", o.csv, true}, {"--json", o.json, true}},
               {{"FILE", o.file}, {"--compare", o.other}, {"--positions", o.positions}});
  const auto most = static_cast<std::size_t>(o.most);
  const Checked c = checked(o.file, o);
  if (!o.csv.empty()) io::replaceFile(o.csv, reportCsv(c.list, c.report));
  if (!o.json.empty()) io::replaceFile(o.json, reportJson(c.list, c.report, c.seconds));
  common::put(reportText(c.list, c.report, most));
  bool right = c.report.isRight();
  if (!o.other.empty()) {
    const Checked other = checked(o.other, o);
    common::put("\n" + reportText(other.list, other.report, 0));
    common::put("\n" + comparisonText(c.list, c.report, other.list, other.report, most));
    right = right && other.report.isRight();
  }
  return right ? common::kDone : common::kFailed;
}

}  // namespace

Command addCheckLists(CLI::App& app) {
  const auto options = std::make_shared<CheckListsOptions>();
  CheckListsOptions& o = *options;
  CLI::App* c = app.add_subcommand(
      "check-lists",
      "Check a neighbour list against all pairs, and tell which are wrong and what they have in "
      "common. Exit code: 0 right, 1 wrong, 2 bad input");
  c->add_option("FILE", o.file, "The list: .npz, HDF5 or a LAMMPS dump local")->required();
  const auto length = [&](const char* name, std::optional<double>& to, const char* help) {
    addReal(*c, name, to, 0, 1e9, help)->type_name("LENGTH");
  };
  length("--cutoff", o.cutoff, "Cutoff of all pairs, instead of that in the file");
  length("--skin", o.skin, "Pairs so much beyond the cutoff may be listed or not");
  length("--tolerance", o.tolerance, "Pairs so close to the cutoff may be listed or not");
  CLI::Option* half = c->add_flag("--half", o.half, "Each pair stands in the list once");
  c->add_flag("--full", o.full, "Each pair stands in the list in both directions")->excludes(half);
  c->add_flag("--nearest", o.nearest, "Of each particle only the nearest image is listed");
  addFile(*c, "--positions", o.positions,
          "Particles of a list without positions, of any format; pairs are their ids");
  addWhole(*c, "--most", o.most, 0, 1'000'000, "Wrong pairs of each kind to print")
      ->capture_default_str();
  addFile(*c, "--csv", o.csv, "All wrong pairs as a table");
  addFile(*c, "--json", o.json, "Counts, causes, structures and all wrong pairs");
  addFile(*c, "--compare", o.other,
          "Another list, of another build: which wrong pairs are new, and which are gone");
  addHardware(*c, o.hardware);
  c->footer(
      "Arrays of the file, conventions, cutoffs and a script that writes it: cellscope help lists");
  return {c, [options] { return checkLists(*options); }};
}

}  // namespace cellscope::cli
