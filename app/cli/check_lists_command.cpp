// `cellscope check-lists`.
#include <fmt/format.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>

#include "app/cli/check_lists_report.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/common/ending.h"
#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "sim/base/error.h"
#include "sim/exec/context.h"
#include "sim/exec/threads.h"
#include "sim/io/formats/format.h"
#include "sim/io/list_file.h"
#include "sim/io/output_file.h"

namespace cellscope::cli {
namespace {

struct CheckListsOptions {
  std::string file, other, positions;
  std::optional<double> cutoff, skin, tolerance;
  bool half = false, full = false, nearest = false;
  std::string csv, json;
  std::int64_t most = 10;
  common::HardwareOptions hardware;
};

constexpr const char* kAboutLists =
    "Check a neighbour list against all pairs, and tell which are wrong and what they have in "
    "common. Exit code: 0 right, 1 wrong, 2 bad input";

constexpr const char* kListsFooter =
    "Arrays of the file, conventions, cutoffs and a script that writes it: cellscope help lists";

// Of a file of any format.
void takeParticles(const std::string& path, io::ReadList& read) {
  const io::LoadedFrame frame = io::readConfiguration(path);
  for (const std::string& note : frame.notes) common::printError(note);
  io::takeParticles(read, frame.configuration, frame.boxes);
}

PairList loaded(const std::string& path, const CheckListsOptions& o) {
  io::ReadList read = io::readPairList(path);
  PairList& l = read.list;
  if (!o.positions.empty())
    takeParticles(o.positions, read);
  else if (l.size() == 0)
    throw InputError(fmt::format(
        "'{}' has no positions; name a file of the particles, of any format, with --positions",
        path));
  if (o.cutoff) {
    l.cutoff = *o.cutoff;
    l.types = 0;
    l.type.clear(), l.cutoffs.clear(), l.radius.clear();
  } else if (l.cutoff == 0 && l.cutoffs.empty() && l.radius.empty()) {
    throw InputError(fmt::format(
        "'{}' has none of 'cutoff', 'cutoffs' and 'radii'; give --cutoff R, above 0", path));
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

// Starting a GPU takes as long as reading a long list: a thread of its own does it meanwhile. That
// there is none is told by hardwareFor().
std::future<void> startGpu(const common::HardwareOptions& o) {
  if (o.backend != "cuda") return {};
  return std::async(std::launch::async, [o] { exec::makeExec(common::chooseHardware(o, true)); });
}

struct Checked {
  PairList list;
  list_check::Report report;
  Seconds seconds;
};

Checked checked(const std::string& path, const CheckListsOptions& o) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
  const auto lap = [&] {
    const std::chrono::duration<double> passed = Clock::now() - last;
    last += std::chrono::duration_cast<Clock::duration>(passed);
    return passed.count();
  };
  const std::future<void> gpu = startGpu(o.hardware);
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
  CLI::App* c = app.add_subcommand("check-lists", kAboutLists);
  c->add_option("FILE", o.file, "The list: .npz, HDF5 or a LAMMPS dump local")->required();
  const auto length = [&](const char* name, std::optional<double>& to, const char* help) {
    c->add_option(name, to, help)->transform(realNumber(0, 1e9))->type_name("LENGTH");
  };
  length("--cutoff", o.cutoff, "Cutoff of all pairs, instead of that in the file");
  length("--skin", o.skin, "Pairs so much beyond the cutoff may be listed or not");
  length("--tolerance", o.tolerance, "Pairs so close to the cutoff may be listed or not");
  CLI::Option* half = c->add_flag("--half", o.half, "Each pair stands in the list once");
  c->add_flag("--full", o.full, "Each pair stands in the list in both directions")->excludes(half);
  c->add_flag("--nearest", o.nearest, "Of each particle only the nearest image is listed");
  c->add_option("--positions", o.positions,
                "Particles of a list without positions, of any format; pairs are their ids")
      ->check(fileName());
  c->add_option("--most", o.most, "Wrong pairs of each kind to print")
      ->transform(wholeNumber(0, 1'000'000))
      ->capture_default_str();
  c->add_option("--csv", o.csv, "All wrong pairs as a table")->check(fileName());
  c->add_option("--json", o.json, "Counts, causes, structures and all wrong pairs")
      ->check(fileName());
  c->add_option("--compare", o.other,
                "Another list, of another build: which wrong pairs are new, and which are gone")
      ->check(fileName());
  addHardware(*c, o.hardware);
  c->footer(kListsFooter);
  return {c, [options] { return checkLists(*options); }};
}

}  // namespace cellscope::cli
