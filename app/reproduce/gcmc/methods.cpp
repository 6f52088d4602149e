// Schwiebert et al., Figures 4 to 9: no cells, cells, microcells and optimised microcells, against
// the number of particles and against the cutoff.
#include <fmt/format.h>

#include <cmath>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/algo/observables/gcmc_speed_reference.h"

namespace cellscope::reproduce {
namespace {

struct SizeOptions {
  std::vector<std::int64_t> particles = {512,   1024,  2048,   4096,   8192,   16384,
                                         32768, 65536, 131072, 262144, 524288, 1048576};
  std::int64_t moves = 1000000;

  template <class V>
  void visit(V& v) {
    v(particlesOption(), particles);
    v(movesOption(), moves);
  }
};

struct CutoffOptions {
  std::vector<double> cutoffs = {2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.25};
  std::int64_t particles = 87296;
  std::int64_t moves = 1000000;

  template <class V>
  void visit(V& v) {
    v({.key = "cutoffs", .min = 1, .max = 10, .help = "Cutoffs, in sigma"}, cutoffs);
    v(particlesOption(), particles);
    v(movesOption(), moves);
  }
};

constexpr double kVolume = 131072;  // "128K sigma^3", of 87,296 particles

// The four codes of the figures, and the fastest one here.
struct Codes {
  Timed none, cells, microcells, optimised, fastest;
};
constexpr std::size_t kCodes = 5;

Codes timeAll(ChainTimer& timer, const StudyContext& context) {
  const bool cuda = context.exec.backend == Backend::cuda;
  Codes c;
  c.none = timer.time({"all_particles"});
  c.cells = timer.time({"cells", 0});  // 27x1, as in the figures
  c.microcells = timer.time({"microcells"});
  c.optimised = timer.time({"microcells_many"});
  c.fastest = timer.time({cuda ? "half_warps" : "serial_cells"});
  return c;
}

Row columnsAfter(const std::string& first) {
  return {first,
          "no cells (s)",
          "cells 27x1 (s)",
          "microcells (s)",
          "optimised (s)",
          "tuned here (s)",
          "optimised over no cells",
          "over cells",
          "over microcells",
          "paper: no cells (s)",
          "paper: cells 27x1 (s)",
          "paper: over no cells",
          "paper: over cells",
          "paper: over microcells"};
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
// Of both cards, as the text states them: "8 to 28; 1 to 19", or "over 4" where it gives no end.
std::string paperRange(const GcmcSpeedData::Range& gtx, const GcmcSpeedData::Range& k40) {
  const auto words = [](const GcmcSpeedData::Range& r) {
    return r.most > r.least ? fmt::format("{:g} to {:g}", r.least, r.most)
                            : fmt::format("over {:g}", r.least);
  };
  return words(gtx) + "; " + words(k40);
}
Row rowOf(const std::string& first, const Codes& c, std::int64_t particles, double cutoff) {
  const GcmcSpeedData& p = gcmcSpeedData();
  return {first,
          secondsText(c.none),
          secondsText(c.cells),
          secondsText(c.microcells),
          secondsText(c.optimised),
          secondsText(c.fastest),
          ratioText(c.none, c.optimised),
          ratioText(c.cells, c.optimised),
          ratioText(c.microcells, c.optimised),
          paperSeconds("all_particles", particles, cutoff),
          paperSeconds("27x1", particles, cutoff),
          paperRange(p.gtxOverNoCells, p.k40OverNoCells),
          paperRange(p.gtxOverCells, p.k40OverCells),
          paperRange(p.gtxOverMicrocells, p.k40OverMicrocells)};
}

std::string paperInWords() {
  const GcmcSpeedData& p = gcmcSpeedData();
  return fmt::format(
      "Paper, {} (the points of its figures are not printed as numbers): the optimised microcell "
      "list is {:g} to {:g} times as fast as no cells on the GTX 550 Ti and up to {:g} times on "
      "the "
      "K40c; more than {:g} times, and {:g} to {:g} times, as fast as cells; {:g} to {:g} times, "
      "and "
      "{:g} to {:g} times, as fast as microcells with a kernel per move. Tuned here: {}.",
      p.figureSource, p.gtxOverNoCells.least, p.gtxOverNoCells.most, p.k40OverNoCells.most,
      p.gtxOverCells.least, p.k40OverCells.least, p.k40OverCells.most, p.gtxOverMicrocells.least,
      p.gtxOverMicrocells.most, p.k40OverMicrocells.least, p.k40OverMicrocells.most,
      "half a warp per neighbour cell on CUDA, the vectorised serial chain with cells on the CPU");
}

constexpr const char* kPaperColumns =
    "Columns of the paper: times of Tables 1 and 3 (GeForce GTX 480, density 0.6) where they have "
    "this N; speed-ups of the optimised microcell list as the text on Figures 6 and 7 gives them "
    "for all N, GTX 550 Ti; K40c. The points of Figures 4 to 9 are not printed as numbers.";

int runSizes(const SizeOptions& o, const StudyContext& context) {
  const auto moves = static_cast<std::uint64_t>(o.moves);
  ChainTimer timer(context, o.particles.size(), kCodes, moves);
  Report report(context,
                "Time of a million moves against N (Schwiebert et al., Figures 4 to 7), density "
                "0.67, cutoff 2.5",
                columnsAfter("N"));
  for (const std::int64_t n : o.particles) {
    timer.begin({n, 0.67, 2.5});
    report.row(rowOf(fmt::format("{}", n), timeAll(timer, context), n, 2.5));
  }
  timer.noteTiming(report);
  report.note(paperInWords());
  report.note(kPaperColumns);
  return 0;
}

int runCutoffs(const CutoffOptions& o, const StudyContext& context) {
  const auto moves = static_cast<std::uint64_t>(o.moves);
  constexpr double density = 87296 / kVolume;
  ChainTimer timer(context, o.cutoffs.size(), kCodes, moves);
  Report report(
      context,
      fmt::format("Time of a million moves against the cutoff (Schwiebert et al., Figures "
                  "8 and 9), {} particles, density {:.3f}",
                  o.particles, density),
      columnsAfter("cutoff"));
  for (const double cutoff : o.cutoffs) {
    timer.begin({o.particles, density, cutoff});
    report.row(rowOf(fmt::format("{:g}", cutoff), timeAll(timer, context), o.particles, cutoff));
  }
  timer.noteTiming(report);
  report.note(
      "Paper: the lead of the optimised microcell list over the three others shrinks slowly as the "
      "cutoff grows, and it stays the fastest of the four at every cutoff.");
  report.note(kPaperColumns);
  return 0;
}

}  // namespace

std::unique_ptr<Study> chainSizes() {
  return std::make_unique<FunctionStudy<SizeOptions>>(
      StudyInfo{.name = "gcmc_sizes",
                .about =
                    "time of a million grand-canonical moves by four methods against the number "
                    "of particles (Schwiebert et al., Figures 4 to 7)"},
      runSizes);
}

std::unique_ptr<Study> chainCutoffs() {
  return std::make_unique<FunctionStudy<CutoffOptions>>(
      StudyInfo{.name = "gcmc_cutoffs",
                .about =
                    "time of a million grand-canonical moves by four methods against the cutoff "
                    "(Schwiebert et al., Figures 8 and 9)"},
      runCutoffs);
}

}  // namespace cellscope::reproduce
