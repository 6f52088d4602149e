// Speeds of grand-canonical methods beside those of Schwiebert et al. Figures 4 to 9: no cells,
// cells, microcells and optimised microcells, against the number of particles and against the
// cutoff.
#include <array>
#include <span>
#include <utility>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/algo/gcmc/grid.h"
#include "sim/algo/observables/fluid_reference.h"

namespace cellscope::reproduce {
namespace {

struct CutoffOptions {
  std::vector<double> cutoffs = {2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.25};
  std::int64_t particles = 87296;
  std::int64_t moves = 1000000;

  void visit(auto& v) {
    v("cutoffs", 1, 10, "Cutoffs, in sigma", cutoffs);
    declareSystem(v, particles, moves);
  }
};

// The four codes of the figures, the last of them the optimised one, and the fastest one here.
using Codes = std::vector<Timed>;
constexpr std::size_t kOptimised = 3;

Codes timeAll(ChainTimer& timer) {
  return timer.time({{.method = "all_particles"},
                     {.method = "cells"},  // 27x1, as in the figures
                     {.method = "microcells"},
                     {.method = "microcells_many"},
                     {.method = timer.fastest()}});
}

Row columnsAfter(const std::string& first) {
  return Row({first, "no cells (s)", "cells 27x1 (s)", "microcells (s)", "optimised (s)",
              "tuned here (s)", "optimised over no cells", "over cells", "over microcells",
              "paper: no cells (s)", "paper: cells 27x1 (s)", "paper: over no cells",
              "paper: over cells", "paper: over microcells"});
}

// Seconds that Tables 1 and 3 give for a million moves at this N (density 0.6, cutoff 2.5).
std::string paperSeconds(const char* what, std::int64_t n, double cutoff) {
  const auto published = std::fabs(cutoff - gcmcSpeedData().cutoff) < 1e-6
                             ? publishedGcmcSpeed(what, static_cast<double>(n))
                             : std::nullopt;
  return published && std::fabs(published->particles - static_cast<double>(n)) < 1
             ? fmt::format("{:.3g}", 1e6 / published->movesPerSecond)
             : "-";
}
// "8 to 28", "over 4", "up to 19".
std::string rangeText(const GcmcSpeedData::Range& r) {
  if (!std::isfinite(r.most)) return fmt::format("over {:g}", r.least);
  if (!std::isfinite(r.least)) return fmt::format("up to {:g}", r.most);
  return r.least < r.most ? fmt::format("{:g} to {:g}", r.least, r.most)
                          : fmt::format("{:g}", r.least);
}

// The lead over no cells, cells and microcells.
using Leads = std::array<std::string, 3>;
// GTX 550 Ti; K40c.
Leads leadsAtSize(double particles) {
  const GcmcSpeedData& p = gcmcSpeedData();
  const auto both = [](const GcmcSpeedData::Range& gtx, const GcmcSpeedData::Range& k40) {
    return rangeText(gtx) + "; " + rangeText(k40);
  };
  return {both(p.gtxOverNoCells, p.k40OverNoCells), both(p.gtxOverCells, p.k40OverCells),
          both(p.gtxOverMicrocells, p.k40OverMicrocells(particles))};
}
Leads leadsAtCutoff(double cutoff) {
  const GcmcSpeedData& p = gcmcSpeedData();
  const bool there = cutoff > p.cutoffs.least - 1e-6 && cutoff < p.cutoffs.most + 1e-6;
  const std::string text = there ? rangeText(p.overOthers) : "-";
  return {text, text, text};
}

Row rowOf(const std::string& first, const Codes& c, std::int64_t particles, double cutoff,
          const Leads& paper) {
  Row row = {first};
  for (const Timed& t : c) row.push_back(secondsText(t));
  for (std::size_t k = 0; k < kOptimised; ++k) row.push_back(ratioText(c[k], c[kOptimised]));
  for (const char* what : {"all_particles", "27x1"})
    row.push_back(paperSeconds(what, particles, cutoff));
  row.insert(row.end(), paper.begin(), paper.end());
  return row;
}

constexpr const char* kTuned =
    "Tuned here: speculative moves on CUDA, half a warp to a neighbour cell, and the vectorised "
    "serial chain with cells on a CPU.";
constexpr const char* kPaperTimes =
    "Times of the paper: Tables 1 and 3 (GeForce GTX 480, density 0.6, cutoff 2.5) where they have "
    "this N. The points of Figures 4 to 9 are not printed as numbers.";

int runSizes(const SizesOptions& o, const StudyContext& context) {
  ChainTimer timer(context, o.particles.size(), static_cast<std::uint64_t>(o.moves));
  Report report(context,
                "Time of a million moves against N (Schwiebert et al., Figures 4 to 7), density "
                "0.67, cutoff 2.5",
                columnsAfter("N"));
  for (const std::int64_t n : o.particles) {
    timer.begin({n, 0.67, 2.5});
    report.row(
        rowOf(fmt::format("{}", n), timeAll(timer), n, 2.5, leadsAtSize(static_cast<double>(n))));
  }
  timer.noteTiming(report);
  const GcmcSpeedData& paper = gcmcSpeedData();
  report.note(fmt::format(
      "Speed-ups of the paper: those of the optimised microcell list, {}, GTX 550 Ti; K40c. The "
      "text gives them for all N, but for {:g} over microcells beyond a million particles; \"up "
      "to\" and \"over\" where it gives one end only.",
      paper.figureSource, paper.k40OverMicrocells(2e6).least));
  report.note(kPaperTimes);
  report.note(kTuned);
  return 0;
}

// What becomes of the leads from the first to the last cutoff.
std::string leadsHere(const std::vector<std::pair<double, Codes>>& rows) {
  std::string here;
  constexpr const char* kNames[kOptimised] = {"over no cells", "over cells", "over microcells"};
  for (std::size_t k = 0; k < kOptimised; ++k) {
    const auto lead = [&](const Codes& c) { return ratioText(c[k], c[kOptimised]); };
    int faster = 0;
    for (const auto& [cutoff, c] : rows) faster += c[kOptimised].seconds < c[k].seconds;
    here += fmt::format("{}{}: {} at {:g}, {} at {:g}, faster in {} of {} rows",
                        here.empty() ? "" : "; ", kNames[k], lead(rows.front().second),
                        rows.front().first, lead(rows.back().second), rows.back().first, faster,
                        rows.size());
  }
  return "Here: " + here + ".";
}

int runCutoffs(const CutoffOptions& o, const StudyContext& context) {
  const GcmcSpeedData& paper = gcmcSpeedData();
  const double density = paper.cutoffParticles / paper.cutoffVolume;
  ChainTimer timer(context, o.cutoffs.size(), static_cast<std::uint64_t>(o.moves));
  Report report(context,
                fmt::format("Time of a million moves against the cutoff (Schwiebert et al., "
                            "Figures 8 and 9), {} particles, density {:.3f}",
                            o.particles, density),
                columnsAfter("cutoff"));
  std::vector<std::pair<double, Codes>> rows;
  for (const double cutoff : o.cutoffs) {
    timer.begin({o.particles, density, cutoff});
    rows.emplace_back(cutoff, timeAll(timer));
    report.row(rowOf(fmt::format("{:g}", cutoff), rows.back().second, o.particles, cutoff,
                     leadsAtCutoff(cutoff)));
  }
  timer.noteTiming(report);
  report.note(fmt::format(
      "Paper ({}): from cutoff {:g} to {:g} the lead of the optimised microcell list over the "
      "three others declines slowly, and it remains the fastest at all cutoffs; numbers are not "
      "given.",
      paper.cutoffSource, paper.cutoffs.least, paper.cutoffs.most));
  if (!timer.emulated()) report.note(leadsHere(rows));
  report.note(kPaperTimes);
  report.note(kTuned);
  return 0;
}

// Schwiebert et al., Table 1: the serial chain and blocks over all particles. Table 3: the mappings
// of cells against the code without cells.

int runSerial(const SizesOptions& o, const StudyContext& context) {
  ChainTimer timer(context, o.particles.size(), static_cast<std::uint64_t>(o.moves));
  Report report(
      context,
      "Serial chain and blocks over all particles (Schwiebert et al., Table 1), density 0.6",
      {"N", "serial (s)", "blocks (s)", "speed-up", "serial, paper (s)", "CUDA, paper (s)",
       "speed-up, paper"});
  const GcmcSpeedData& paper = gcmcSpeedData();
  for (const std::int64_t n : o.particles) {
    timer.begin({n, kPaperDensity, paper.cutoff});
    const std::vector<Timed> times =
        timer.time({{.method = "serial", .onCore = true}, {.method = "all_particles"}});
    const Timed &serial = times[0], &blocks = times[1];
    const auto a = publishedGcmcSpeed("serial", static_cast<double>(n));
    const auto b = publishedGcmcSpeed("all_particles", static_cast<double>(n));
    const bool same = a && b && a->particles == static_cast<double>(n);
    report.row({fmt::format("{}", n), secondsText(serial), secondsText(blocks),
                ratioText(serial, blocks),
                same ? fmt::format("{:.4g}", 1e6 / a->movesPerSecond) : "-",
                same ? fmt::format("{:.4g}", 1e6 / b->movesPerSecond) : "-",
                same ? fmt::format("{:.3g}", b->movesPerSecond / a->movesPerSecond) : "-"});
  }
  timer.noteTiming(report);
  report.note(fmt::format(
      "Paper: {}; {}. Ours: one core for the serial chain, which looks at all particles.",
      paper.serialHardware, paper.cudaHardware));
  return 0;
}

// "1.43 (1.39)": ours and the paper's.
std::string withPaper(const std::string& ours, const std::string& mapping, std::int64_t n) {
  const auto there = publishedGcmcSpeed(mapping, static_cast<double>(n));
  const auto without = publishedGcmcSpeed("all_particles", static_cast<double>(n));
  if (!there || !without || there->particles != static_cast<double>(n)) return ours + " (-)";
  return fmt::format("{} ({:.2f})", ours, there->movesPerSecond / without->movesPerSecond);
}

// The mapping with the least median, and those whose spread reaches it.
std::string fastestOf(const std::vector<Timed>& times, std::span<const GcmcMapping> mappings) {
  const Timed& best = *std::ranges::min_element(times, {}, &Timed::seconds);
  std::string names;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k].seconds - times[k].spread <= best.seconds + best.spread)
      names += (names.empty() ? "" : " or ") + std::string(mappings[k].key);
  return names;
}

int runMappings(const SizesOptions& o, const StudyContext& context) {
  const auto mappings = gcmcMappings(3);
  ChainTimer timer(context, o.particles.size(), static_cast<std::uint64_t>(o.moves));
  Row columns = {"N", "no cells (s)"};
  std::vector<TimedMethod> methods = {{.method = "all_particles"}};
  for (std::size_t k = 0; k < mappings.size(); ++k) {
    columns.push_back(fmt::format("{} (paper)", mappings[k].key));
    methods.push_back({.method = "cells", .mapping = static_cast<int>(k)});
  }
  if (!timer.emulated()) columns.emplace_back("fastest");
  Report report(context,
                "Speed-up of the mappings of cells over the code without cells (Schwiebert et al., "
                "Table 3), density 0.6",
                columns);
  const GcmcSpeedData& paper = gcmcSpeedData();
  for (const std::int64_t n : o.particles) {
    timer.begin({n, kPaperDensity, paper.cutoff});
    std::vector<Timed> times = timer.time(methods);
    const Timed without = times.front();
    times.erase(times.begin());
    Row row = {fmt::format("{}", n), secondsText(without)};
    for (std::size_t k = 0; k < mappings.size(); ++k)
      row.push_back(withPaper(ratioText(without, times[k]), mappings[k].key, n));
    if (!timer.emulated()) row.push_back(fastestOf(times, mappings));
    report.row(row);
  }
  timer.noteTiming(report);
  if (!timer.emulated())
    report.note("Fastest: the least median, and those that its and their own spread reach.");
  report.note(
      fmt::format("Paper: {}; it finds 27x1 and 9x3 fastest, and prints no column of 1x1x27.",
                  paper.mappingHardware));
  return 0;
}

}  // namespace

std::vector<Study> chainStudies() {
  return {
      makeStudy<SizesOptions>(
          {.name = "gcmc_serial",
           .about =
               "time of a million grand-canonical moves, serial and by blocks over all particles "
               "(Schwiebert et al., Table 1)"},
          runSerial, {{512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144}}),
      makeStudy<SizesOptions>({.name = "gcmc_mappings",
                               .about = "speed-up of the mappings of cells to blocks and threads "
                                        "(Schwiebert et al., Table 3)"},
                              runMappings,
                              {{1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144}}),
      makeStudy<SizesOptions>(
          {.name = "gcmc_sizes",
           .about = "time of a million grand-canonical moves by four methods against the number of "
                    "particles (Schwiebert et al., Figures 4 to 7)"},
          runSizes,
          {{512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576}}),
      makeStudy<CutoffOptions>(
          {.name = "gcmc_cutoffs",
           .about = "time of a million grand-canonical moves by four methods against the cutoff "
                    "(Schwiebert et al., Figures 8 and 9)"},
          runCutoffs)};
}

}  // namespace cellscope::reproduce
