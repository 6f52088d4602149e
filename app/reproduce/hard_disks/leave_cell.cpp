// Errors caused by disks that may leave their cell, with n_M moves per cell or with one move of
// each disk in a sweep (Anderson et al. 2013, section 2.4).
#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "app/common/ending.h"
#include "app/common/terminal.h"
#include "app/reproduce/hard_disks/disk_study.h"
#include "app/reproduce/report.h"
#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::reproduce {
namespace {

// By default a state whose published pressure is known to 3e-6.
constexpr std::int64_t kDisks = 870;
constexpr double kPacking = 0.67;

struct LeaveCellOptions {
  std::int64_t side = 0;  // 0: kDisks
  double packing = kPacking;
  std::int64_t seed = 1;
  bool onlyOnce = false;

  std::int64_t disks() const { return side > 0 ? side * side : kDisks; }

  template <class V>
  void visit(V& v) {
    v(sidesOption(fmt::format("; {} disks unless given", kDisks)), side);
    v(packingsOption("Packing fraction"), packing);
    v(seedOption(), seed);
    v({.key = "only_once", .help = "Only the rows with one move of each disk in a sweep"},
      onlyOnce);
  }
};

struct Setting {
  double d;
  std::int64_t nMoves;
  bool once = false;
};
constexpr Setting kSettings[] = {{0.08, 32},      {0.16, 4},       {0.16, 16},    {0.16, 32},
                                 {0.08, 4, true}, {0.16, 4, true}, {0.3, 4, true}};

struct Effect {
  Mean pressure, overlaps, order;
  std::uint64_t samples = 0;
  BlockAverage axis, active;
  std::vector<std::complex<double>> psi6;
  // Mean of Re Psi6^2 over mean of |Psi6|^2: 1 when Psi6 always has the phase of bonds along one
  // axis of the cells, -1 for bonds at 15 degrees to it, 0 for no preference. A square box turns
  // Psi6 into -Psi6 by 90 degrees, so only its square shows it.
  Mean direction() const {
    std::complex<double> square = 0;
    double whole = 0;
    for (const auto& p : psi6) square += p * p, whole += std::norm(p);
    const double ratio = square.real() / whole;
    BlockAverage rest;  // the error of a ratio, to first order
    for (const auto& p : psi6) rest.add((p * p).real() - ratio * std::norm(p));
    return {ratio, rest.error() / (whole / static_cast<double>(psi6.size()))};
  }
};

// Share of the disks in cells of the set that was updated last, before the cells are shifted.
double shareInLastSet(const HardDisksMode& mode) {
  const DiskCells cells = mode.cells();
  const GridInfo& g = cells.grid;
  std::uint64_t inside = 0;
  for (int y = 0; y < g.m; ++y)
    for (int x = 0; x < g.m; ++x)
      if (checkerboardSet(x, y) == mode.lastSet()) inside += cells.count.data()[g.cell(x, y)];
  return static_cast<double>(inside) / static_cast<double>(mode.particleCount());
}

// Ten sweeps, the last one phase by phase.
void tenSweeps(Session& session, HardDisksMode& mode, Effect& e) {
  session.advance(9);
  const std::size_t phases = mode.info().phases.size();
  for (std::size_t k = 0; k + 1 < phases; ++k) session.advancePhase();
  e.active.add(shareInLastSet(mode));
  session.finishStep();
  e.axis.add(axisOrder(mode.cells().view()));
  e.psi6.push_back(mode.globalPsi6());
}

Mean average(const Session& session, const std::string& observable) {
  const auto all = session.history().series();
  const ObservableSeries& s = seriesOf(all, observable);
  return {s.currentMean, s.currentError};
}

// `seconds` in all, the preparation included. pressure: which of the observables.
Effect measure(const DiskRun& run, const std::string& pressure, const StudyContext& context,
               double seconds, const common::InterruptGuard& interrupt) {
  common::Progress progress(0, seconds, false);
  const auto session = newSession(run, context.exec, context.modes, [&](const Preparation&) {
    if (interrupt.raised()) throwStopped();
  });
  session->finishPreparation();
  HardDisksMode& mode = disksOf(session->mode());
  const double sampleFrom = progress.elapsed() + 0.2 * (seconds - progress.elapsed());
  Effect e;
  bool sampling = false;
  while (progress.elapsed() < seconds && !interrupt.raised()) {
    if (!sampling && progress.elapsed() > sampleFrom) {
      sampling = true;
      session->resetAverages();
      e = {};
    }
    tenSweeps(*session, mode, e);
    progress.update(mode, 0);
  }
  progress.finish();
  common::requireSound(mode);  // overlaps are expected in the experiment; lost disks are not
  e.pressure = average(*session, pressure);
  e.samples = seriesOf(session->history().series(), pressure).samples;
  e.order = average(*session, "psi6_global");
  e.overlaps = average(*session, "overlapping_pairs");
  return e;
}

DiskRun runOf(const LeaveCellOptions& o, const Setting& s, bool leave) {
  return {"leave-cell",
          o.disks(),
          o.packing,
          {{"d", s.d},
           {"n_M", s.nMoves},
           {"leave_cell", leave},
           {"move_once", s.once},
           {"free_paths", s.once},
           {"seed", o.seed},
           {"degree", std::int64_t{4}},
           {"neighbours", std::string("radius")}},
          10};
}

std::string movesOf(const Setting& s) {
  return s.once ? "one of each disk" : fmt::format("{} of each cell", s.nMoves);
}

Row rowOf(const Setting& s, bool leave, const Effect& e, const Mean& published,
          Verdicts& verdicts) {
  return {fmt::format("{}", s.d),
          movesOf(s),
          leave ? "yes: wrong on purpose" : "no",
          compact(e.pressure),
          leave ? signedText(deviation(e.pressure, published))
                : verdicts.compare(e.pressure, published, e.samples >= kLeastSamples),
          leave ? compact(e.overlaps) : "0",
          compact(e.axis.mean(), e.axis.error()),
          compact(e.active.mean(), e.active.error()),
          compact(e.order),
          compact(e.direction())};
}

constexpr const char* kAboutColumns =
    "Bonds along the cells: mean of cos(4 theta) over pairs nearer than 1.5, 0 in a correct run. "
    "In the set just updated: share of the disks in its cells before the shift, 1/4 in a correct "
    "run. Cells of one set see each other as they were before the sub-sweep, so two of them may "
    "move disks into the same gap, and a disk that left cannot return: the active set is depleted. "
    "Its direction: mean of Re Psi6^2 over mean of |Psi6|^2, 1 when all order "
    "lies along the cells and 0 without a preferred direction. The correct rows are judged by the "
    "published pressure, which holds where the fluid is in equilibrium. One move of each disk in a "
    "sweep, wherever it goes, does not repair leaving: the paper finds a pressure slightly off, "
    "the more so the larger d, and gives no number; these rows take P* from free paths, which have "
    "less noise. Errors are one standard error.";

int run(const LeaveCellOptions& o, const StudyContext& context) {
  const auto references = hardDiskReferences(static_cast<std::uint64_t>(o.disks()), o.packing);
  const ReferenceValue ref =
      references.empty() ? ReferenceValue{"pressure", std::nan(""), 0, "none"} : references.front();
  Report report(
      context,
      fmt::format("Disks allowed to leave their cell (Anderson et al. 2013, section 2.4), N = {}, "
                  "packing {}",
                  o.disks(), o.packing),
      {"d", "moves", "may leave", "P*", "minus published, combined errors", "overlapping pairs",
       "bonds along the cells", "in the set just updated", "global order", "its direction"});
  Verdicts verdicts;
  common::InterruptGuard interrupt;
  std::vector<Setting> settings(std::begin(kSettings), std::end(kSettings));
  if (o.onlyOnce) std::erase_if(settings, [](const Setting& s) { return !s.once; });
  const double seconds = 60 * context.minutes / static_cast<double>(2 * settings.size());
  for (const Setting& s : settings)
    for (const bool leave : {false, true}) {
      common::printError(
          fmt::format("d = {}, moves: {}, {}", s.d, movesOf(s), leave ? "may leave" : "correct"));
      const Effect e = measure(runOf(o, s, leave), s.once ? "pressure_paths" : "pressure", context,
                               seconds, interrupt);
      report.row(rowOf(s, leave, e, {ref.value, ref.error}, verdicts));
      if (interrupt.raised()) throwStopped();
    }
  if (std::isfinite(ref.value))
    report.note(fmt::format("Published: P* = {}, {}", compact(ref.value, ref.error), ref.source));
  report.note(verdicts.note());
  report.note(kAboutColumns);
  return verdicts.exitCode();
}

}  // namespace

Study leaveCell() {
  return makeStudy<LeaveCellOptions>(
      {.name = "leave-cell",
       .about = "effect of disks that may leave their cell, n_M moves of each cell or one of each "
                "disk (Anderson et al. 2013, section 2.4)"},
      run);
}

}  // namespace cellscope::reproduce
