// Trial moves per second against the number of disks, on a GPU, one core and all cores (Anderson et
// al. 2013, section 5.1: Table 4 and Figure 4).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/common/terminal.h"
#include "app/reproduce/hard_disks/disk_study.h"
#include "sim/algo/observables/hard_disk_reference.h"
#include "sim/algo/race/race.h"
#include "sim/exec/machine.h"
#include "sim/modes/hard_disks/mode.h"

namespace cellscope::reproduce {
namespace {

constexpr double kPaperPacking = 0.698;
constexpr const char* kOneCore = "CPU, one core";

struct Table4Options {
  std::vector<std::int64_t> sides = {64, 128, 253, 512, 760, 1520, 3040};
  std::int64_t sweeps = 100, rounds = 11, melting = 1000;

  void visit(auto& v) {
    declareSides(v, sides);
    v("sweeps", 1, 1e6,
      "Sweeps of a round, and before the first one; fewer where a round's share of the "
      "time ends before",
      sweeps);
    v("rounds", 1, 1000, "Rounds, in which all hardware takes turns", rounds);
    v("melting", 0, 1e7, "Sweeps from the lattice on", melting);
  }
};

MpmcParameters movesOfThePaper() { return {.seed = 1, .d = 0.16f, .nMoves = 4}; }

// An engine with a mapping, and what it was timed at.
struct Hardware {
  std::string name, paper;  // paper: key of a DiskSpeed
  std::shared_ptr<MpmcEngine> engine;
  const MpmcMappingInfo* mapping = nullptr;
  std::uint64_t next = 0, sweeps = 1;  // next sweep; sweeps of a round
  std::vector<double> speeds;          // trial moves per second

  // Seconds for this number of sweeps, and the trial moves they attempted.
  std::pair<double, double> run(std::uint64_t count) {
    if (mapping) engine->setMapping(*mapping);
    engine->resetCounters();
    const double begin = steadySeconds();
    engine->sweeps(movesOfThePaper(), next, count);
    const double seconds = steadySeconds() - begin;
    next += count;
    double moves = 0;
    for (const std::uint64_t n : engine->counters().attempted) moves += static_cast<double>(n);
    return {seconds, moves};
  }
};

std::vector<Hardware> hardwareFor(const ExecConfig& exec, const DiskCells& start) {
  std::vector<Hardware> all;
  const auto make = [&](const ExecConfig& config) {
    std::shared_ptr<MpmcEngine> engine = makeMpmcEngine(config);
    engine->upload(start);
    return engine;
  };
  if (exec.backend == Backend::cuda) {
    const auto gpu = make(exec);
    for (const MpmcMappingInfo& m : kMpmcMappings)
      if (gpu->offers(m, movesOfThePaper()))
        all.push_back(
            {fmt::format("GPU, {}{}", m.key, &m == &kMpmcMappings[0] ? " (Algorithm 2)" : ""),
             "gpu", gpu, &m});
  }
  const int threads = exec::threadsFor(exec.threads);
  if (threads > 1)
    all.push_back(
        {fmt::format("CPU, {} threads", threads), "cores", make({Backend::cpu, threads, 0})});
  all.push_back({kOneCore, "core", make({Backend::cpu, 1, 0})});
  return all;
}

// From a lattice, which takes no preparation at any size.
DiskCells meltedCells(std::int64_t side, const Table4Options& o, const StudyContext& context,
                      const common::InterruptGuard& interrupt) {
  const Scenario lattice{.name = "table4",
                         .mode = "hard_disks",
                         .parameters = {{"n", side * side},
                                        {"packing", kPaperPacking},
                                        {"start", std::string("hexagonal")}},
                         .sampleEvery = 1u << 30};
  Session session(lattice, context.exec, context.modes);
  session.advanceTo(static_cast<std::uint64_t>(o.melting), [&] { return !interrupt.raised(); });
  if (interrupt.raised()) throwStopped();
  return dynamic_cast<HardDisksMode&>(session.mode()).cells();
}

struct Speed {
  Mean moves;  // median, and standard deviation, of the rounds
  std::uint64_t sweeps = 0;
};

// Of one hardware, by the side of the system.
struct Measured {
  std::string name, paper;  // those of Hardware
  std::map<std::int64_t, Speed> bySide;
};

// All hardware at one size, within `share` seconds as far as single sweeps allow.
void timeSize(std::vector<Measured>& measured, std::int64_t side, std::vector<Hardware> all,
              const Table4Options& o, double share, const common::InterruptGuard& interrupt) {
  const auto most = static_cast<std::uint64_t>(o.sweeps);
  const double each =
      share / static_cast<double>(all.size() * static_cast<std::size_t>(o.rounds + 1));
  for (Hardware& h : all) {
    h.run(1);
    const double one = h.run(1).first;
    h.sweeps = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(each / one), 1, most);
    h.run(h.sweeps);
  }
  for (std::int64_t round = 0; round < o.rounds; ++round)
    for (Hardware& h : all) {
      if (interrupt.raised()) throwStopped();
      const auto [seconds, moves] = h.run(h.sweeps);
      h.speeds.push_back(moves / seconds);
    }
  for (const Hardware& h : all) {
    double mean = 0, squares = 0;
    const auto n = static_cast<double>(h.speeds.size());
    for (const double s : h.speeds) mean += s / n;
    for (const double s : h.speeds) squares += (s - mean) * (s - mean);
    auto known = std::ranges::find(measured, h.name, &Measured::name);
    if (known == measured.end()) known = measured.insert(known, {h.name, h.paper, {}});
    known->bySide[side] = {{medianOf(h.speeds), n > 1 ? std::sqrt(squares / (n - 1)) : 0},
                           h.sweeps};
  }
}

// Hardware, speed, share of the largest, over one core, as Table 4 has them.
Row paperCells(const std::string& key, std::int64_t side) {
  for (const DiskSpeed& s : hardDiskData().speeds)
    for (std::size_t k = 0; k < s.sides.size(); ++k)
      if (s.key == key && s.sides[k] == static_cast<double>(side))
        return {s.hardware, fmt::format("{:.3g}", s.moves[k]),
                fmt::format("{:.3f}", s.ofLargest[k]),
                key == "core" ? "1" : fmt::format("{:.3g}", s.overCore[k])};
  return {"-", "-", "-", "-"};
}

// A mapping may be one that does not take all sizes.
std::vector<Row> rowsOf(const std::vector<Measured>& all) {
  std::vector<Row> rows;
  const Measured& core = *std::ranges::find(all, std::string(kOneCore), &Measured::name);
  for (const Measured& m : all) {
    double largest = 0;
    for (const auto& [side, speed] : m.bySide) largest = std::max(largest, speed.moves.value);
    for (const auto& [side, speed] : m.bySide) {
      const double moves = speed.moves.value;
      Row row({m.name, fmt::format("{}^2", side), fmt::format("{}", speed.sweeps),
               fmt::format("{:.3g}", moves), fmt::format("{:.2g}", speed.moves.error),
               fmt::format("{:.3f}", moves / largest),
               fmt::format("{:.3g}", moves / core.bySide.at(side).moves.value)});
      for (const std::string& cell : paperCells(m.paper, side)) row.push_back(cell);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

int run(const Table4Options& o, const StudyContext& context) {
  Report report(context, "Trial moves per second (Anderson et al. 2013, Table 4 and Figure 4)",
                {"hardware", "N", "sweeps of a round", "trial moves per second",
                 "standard deviation", "of the largest", "over one core", "paper: hardware",
                 "paper: trial moves per second", "paper: of the largest", "paper: over one core"});
  const common::InterruptGuard interrupt;
  const double begin = steadySeconds();
  std::vector<Measured> measured;
  std::vector<std::int64_t> sides = o.sides;
  std::ranges::sort(sides);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    common::printError(fmt::format("{}^2 disks", sides[k]));
    const DiskCells start = meltedCells(sides[k], o, context, interrupt);
    const std::vector<Hardware> all = hardwareFor(context.exec, start);
    // Large systems take the longest: each has what its number of disks leaves.
    double weight = 0;
    for (std::size_t j = k; j < sides.size(); ++j)
      weight += static_cast<double>(sides[j]) / static_cast<double>(sides[k]);
    const double left = std::max(0.0, 60 * context.minutes - (steadySeconds() - begin));
    timeSize(measured, sides[k], all, o, left / weight, interrupt);
    report.interim(rowsOf(measured));
  }
  const std::string about = fmt::format(
      "Speed: attempted trial moves over wall-clock time, median of {} rounds in which all "
      "hardware takes turns, with the standard deviation of a round; packing {}, d = 0.16, n_M = "
      "4, from a lattice {} sweeps before. Rounds of fewer than {} sweeps were shortened to end in "
      "time. Paper: 100 sweeps after 100 of warm-up, median of 11 runs. Times are not judged: its "
      "hardware is of 2013.",
      o.rounds, kPaperPacking, o.melting, o.sweeps);
  report.final(rowsOf(measured), {about, "Paper: " + hardDiskData().speeds.front().source});
  return kAgrees;
}

}  // namespace

Study table4() {
  return makeStudy<Table4Options>(
      {.name = "table4",
       .about = "trial moves per second on a GPU, one core and all cores against the number of "
                "disks (Anderson et al. 2013, Table 4 and Figure 4)",
       .notes = "--minutes includes the preparation of states; with a GPU, CPU cores are timed "
                "beside it.",
       .onCpu = {{"sides", "64,128,253"}, {"melting", "200"}}},
      run);
}

}  // namespace cellscope::reproduce
