// Howard et al. 2016, section 4.1, figures 6 and 7: time of a list build in a Lennard-Jones liquid
// of which some particles have a longer cutoff, by standard cells, stencils and trees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/common/terminal.h"
#include "app/reproduce/md/md_study.h"
#include "sim/algo/lbvh/tree.h"
#include "sim/core/rng.h"

namespace cellscope::reproduce {
namespace {

// 192,000 particles in a cube of side 72 at T = 1.5; r_AA = 3.
constexpr double kDensity = 192000.0 / (72.0 * 72.0 * 72.0), kTemperature = 1.5, kCutoffA = 3;

struct MixtureOptions {
  std::int64_t n = 192000;
  std::vector<double> fractions = {0.1, 0.2, 0.3, 0.4, 0.5};
  std::vector<double> cutoffs = {3, 4.5, 6, 9, 12, 18};
  std::int64_t melting = 2000;
  std::int64_t repeats = 20;
  Choice threads{0};
  double binWidth = 1;
  std::int64_t perLeaf = kParticlesPerLeaf;

  void visit(auto& v) {
    v("particles", 2000, 4e6,
      "Particles, at the density of the paper; its box, 192000, has room for the "
      "longest cutoff",
      n);
    v("fractions", 0.001, 0.999, "Fractions x_B of long cutoff", fractions);
    v("cutoffs", 3, 18, "Their cutoffs r_BB, in sigma", cutoffs);
    v("melting", 100, 1e7, "Steps from the lattice to the liquid, at T = 1.5", melting);
    v("repeats", 1, 10000, "List builds that are timed, of each method", repeats);
    v("search_threads", {"auto", "1", "2", "4", "8", "16"},
      "Threads for each particle with cells and stencils as published; auto: the fastest, "
      "on a CPU 1",
      threads);
    v("bin_width", 0.25, 3, "Nominal width of the cells of stencils, in cutoffs r_AA (section 4.1)",
      binWidth);
    v("particles_per_leaf", 1, 8, "Of trees as published", perLeaf);
  }
};

// The state with this fraction of its particles, chosen at random, of the second type.
MdState marked(MdState state, double fraction) {
  const RngKey key = hashSeed(1);
  state.type.resize(state.position.size());
  for (std::size_t i = 0; i < state.type.size(); ++i) {
    const Random4 r = draw(key, RngPurpose::test, 0, static_cast<std::uint32_t>(i), 0);
    state.type[i] = uniformOpen(r.w[0], r.w[1]) < fraction ? 1 : 0;
  }
  return state;
}

// Statements of the paper's text; its numbers are in figures only.
const char* publishedStencil(double cutoff) { return cutoff < 6 ? "about 1" : "above 1"; }
const char* publishedTree(double cutoff) { return cutoff < 6 ? "below 1" : "above 1"; }
std::string publishedBoth(double fraction, double cutoff) {
  if (cutoff < 6) return "mostly below 1";
  return cutoff > 6 && fraction < 0.3 ? "above 1" : "-";
}

int runMixture(const MixtureOptions& o, const StudyContext& context) {
  Report report(context,
                fmt::format("List build times of a binary Lennard-Jones mixture (Howard et al. "
                            "2016, figures 6 and 7), N = {}",
                            o.n),
                {"x_B", "r_BB", "cells (ms)", "stencils (ms)", "trees (ms)", "stencils over cells",
                 "paper: stencils over cells", "trees over cells", "paper: trees over cells",
                 "trees over stencils", "paper: trees over stencils", "fast cells (ms)",
                 "fast stencils (ms)", "fast trees (ms)", "threads: cells", "threads: stencils"});
  const double room = 0.5 * std::cbrt(static_cast<double>(o.n) / kDensity);
  const double longest = *std::ranges::max_element(o.cutoffs);
  if (longest > room)
    throw InputError(
        "--cutoffs {:g} does not fit into the box of {} particles: at most {:.3g}, half its side; "
        "use at least --particles {:.0f}",
        longest, o.n, room, std::ceil(kDensity * 8 * longest * longest * longest));
  const exec::Shared exec = exec::makeExec(context.exec);
  PairSettings settings;
  settings.cutoff = kCutoffA;
  settings.species.cutoff[0] = kCutoffA;
  common::printError(fmt::format("melting {} particles", o.n));
  const MdState liquid =
      equilibrated(exec, latticeState(o.n, kDensity, kTemperature), settings, kTemperature,
                   {{0.005, static_cast<std::uint64_t>(o.melting)}}, "liquid");
  settings.buffer = 0;
  settings.search.threads = o.threads.index == 0 ? 0 : 1 << (o.threads.index - 1);
  settings.search.perLeaf = static_cast<int>(o.perLeaf);
  settings.search.binWidth = o.binWidth;
  settings.species.types = 2;
  for (const double x : o.fractions)
    for (const double r : o.cutoffs) {
      settings.species.cutoff[1] = r;
      const MdState state = marked(liquid, x);
      double seconds[3] = {}, fast[3] = {};
      std::string threads[3];
      for (int m = 0; m < 3; ++m) {
        settings.method = m;
        settings.search.how = ListSearch::paper;
        const BuildTime published = buildTime(exec, state, settings, o.repeats);
        seconds[m] = published.seconds;
        threads[m] = published.how.substr(0, published.how.find(' '));
        settings.search.how = ListSearch::fast;
        fast[m] = buildTime(exec, state, settings, o.repeats).seconds;
      }
      const auto text = [](double s) { return fmt::format("{:.3g}", 1e3 * s); };
      const auto ms = [&](int m) { return text(seconds[m]); };
      const auto ratio = [&](int of, int to) {
        return fmt::format("{:.2f}", seconds[of] / seconds[to]);
      };
      report.row({fmt::format("{:g}", x), fmt::format("{:g}", r), ms(0), ms(1), ms(2), ratio(0, 1),
                  publishedStencil(r), ratio(0, 2), publishedTree(r), ratio(1, 2),
                  publishedBoth(x, r), text(fast[0]), text(fast[1]), text(fast[2]), threads[0],
                  threads[1]});
    }
  report.note(
      "Speedups as in the paper: a number above 1 means that the method named first is faster than "
      "the one named second. The paper prints its numbers, measured on a Tesla K80, in figures "
      "only; the columns \"paper\" quote its text (section 4.1).");
  report.note(
      "Times and speedups are those of the algorithms as published: with cells and stencils as "
      "many threads for each particle as in the columns \"threads\" (section 3.1; on a GPU the "
      "fastest of 1 to 16 unless --search-threads asks for a number, on a CPU 1), with trees one. "
      "The columns \"fast\" are those of the searches that this program takes by default.");
  report.note(
      "Buffer 0; the time of a build includes, every 32nd time, the sorting of the particles along "
      "a space-filling curve. Medians.");
  return 0;
}

}  // namespace

Study binaryMixture() {
  return makeStudy<MixtureOptions>(
      {.name = "binary-mixture",
       .about = "list build times of cells, stencils and trees against composition and cutoff "
                "(Howard et al. 2016, figures 6 and 7)",
       .onCpu =
           {{"particles", "20000"}, {"cutoffs", "3,6,9"}, {"melting", "200"}, {"repeats", "3"}}},
      runMixture);
}

}  // namespace cellscope::reproduce
