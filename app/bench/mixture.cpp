// The binary mixture of Howard et al. (2016, section 4.1): 192,000 Lennard-Jones particles in a box
// of side 72 at T 1.5, a share x_B of which has the cutoff r_BB in place of 3, unlike ones the
// mean. Whole steps with a new list in each of them, and the building of lists alone, for each
// builder.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "app/bench/bench.h"
#include "sim/algo/md/engine.h"
#include "sim/core/rng.h"
#include "sim/modes/md/start.h"

namespace cellscope::bench {
namespace {

constexpr std::int64_t kN = 192000;
constexpr double kSide = 72, kDt = 0.005;

struct Mixture {
  double xB, rBB;
  std::string builder;
  ListOptions search = {};
};

// "0.1 12 tree" or "0.1 12 tree paper": x_B, r_BB, builder, how it searches.
Mixture mixtureOf(const std::string& variant) {
  Mixture m{};
  char builder[32] = {}, search[32] = {};
  std::sscanf(variant.c_str(), "%lf %lf %31s %31s", &m.xB, &m.rBB, builder, search);
  m.builder = builder;
  if (std::string(search) == "paper") m.search = ListSearch::paper;
  return m;
}

PairSettings settingsOf(const Mixture& m, double buffer) {
  PairSettings p;
  for (std::size_t k = 0; k < potentialKeys().size(); ++k)
    if (potentialKeys()[k] == "truncated") p.potential = static_cast<int>(k);
  for (std::size_t k = 0; k < listMethods().size(); ++k)
    if (listMethods()[k].key == m.builder) p.method = static_cast<int>(k);
  p.buffer = buffer, p.search = m.search;
  p.species.types = 2;
  p.species.cutoff[0] = 3, p.species.cutoff[1] = m.rBB;
  return p;
}

// Melted with the short cutoff for all, which the positions hardly feel.
MdState melted(const ExecConfig& config, double xB) {
  MdState s{cubicBox(kSide), md::startLattice(kN, kSide), md::maxwellVelocities(kN, 2.2, 5)};
  const auto engine = makeVerlet(exec::makeExec(config));
  PairSettings p = settingsOf({xB, 3, "cells"}, 0.4);
  p.species.types = 1;
  engine->setPair(p);
  engine->upload(s);
  engine->forces();
  engine->run(kDt, 0, 300, {});
  s = engine->download();
  s.order.clear(), s.built.clear(), s.history = {};
  const RngKey key = hashSeed(17);
  for (std::size_t i = 0; i < s.type.size(); ++i) {
    const Random4 r = draw(key, RngPurpose::test, 2, static_cast<std::uint32_t>(i), 0);
    s.type[i] = uniformOpen(r.w[0], r.w[1]) < xB;
  }
  return s;
}

std::unique_ptr<MdEngine> prepared(const ExecConfig& config, const Mixture& m, double buffer) {
  auto engine = makeVerlet(exec::makeExec(config));
  engine->setPair(settingsOf(m, buffer));
  engine->upload(melted(config, m.xB));
  engine->forces();
  return engine;
}

Measurement measurement(const MdEngine& engine) {
  return {.note = fmt::format("{:.0f} bytes per particle",
                              static_cast<double>(engine.bytes()) / static_cast<double>(kN)),
          .state = "300 steps after a lattice"};
}

// Entries of the lists of one particle on average, in a uniform fluid.
double neighbours(const Mixture& m, double buffer) {
  const double rho = static_cast<double>(kN) / (kSide * kSide * kSide);
  const double share[2] = {1 - m.xB, m.xB}, cutoff[2] = {3, m.rBB};
  double all = 0;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      all += share[a] * share[b] * std::pow(0.5 * (cutoff[a] + cutoff[b]) + buffer, 3);
  return 4.0 / 3.0 * std::numbers::pi * rho * all;
}

// What has to be moved at least, per particle: its record to be sorted, to and fro, and the list
// that is written; in a whole step the list is read again, and positions and velocities go to and
// fro.
constexpr double kSorted = 2 * 16, kStep = 2 * 48;
void limit(Measurement& m, double bytes, const Setup& setup) {
  m.limit = millisecondsFor(bytes * static_cast<double>(kN), setup.exec);
  m.note += fmt::format("; at least {:.0f} bytes to be moved per particle", bytes);
}

Measurement wholeSteps(const Size& size, const Setup& setup) {
  const Mixture of = mixtureOf(size.variant);
  const auto engine = prepared(setup.exec, of, 0);
  const std::uint64_t batch = of.rBB > 10 ? 2 : 10;
  std::uint64_t step = 0;
  const auto advance = [&] {
    engine->run(kDt, step, batch, {});
    engine->kinetic();  // waits
    step += batch;
  };
  advance();
  Measurement m = measurement(*engine);
  for (const double ms : milliseconds(advance)) m.values.push_back(ms / static_cast<double>(batch));
  limit(m, kSorted + kStep + 8 * neighbours(of, 0), setup);
  return m;
}

Measurement builds(const Size& size, const Setup& setup) {
  const Mixture of = mixtureOf(size.variant);
  const auto engine = prepared(setup.exec, of, 0.3);
  engine->orderPart(TimedPart::built);
  Measurement m = measurement(*engine);
  m.values = milliseconds([&] { engine->orderPart(TimedPart::built); });
  limit(m, kSorted + 4 * neighbours(of, 0.3), setup);
  return m;
}

using Cases = std::initializer_list<std::pair<const char*, const char*>>;

std::vector<Size> sizesOf(Cases cases, const char* search = "") {
  std::vector<Size> all;
  for (const auto& [xB, rBB] : cases)
    for (const ListMethod& method : listMethods()) {
      if (*search != 0 && method.cluster > 1) continue;  // not in the paper
      all.push_back({fmt::format("x_B {} r_BB {} {}{}", xB, rBB, method.key, search), Backend::cuda,
                     kN, 0, fmt::format("{} {} {}{}", xB, rBB, method.key, search)});
    }
  return all;
}

}  // namespace

std::vector<Row> mixtureRows() {
  return {
      Row("md", "md mixture",
          "time of a whole step of the binary mixture with a new list in every step", "ms",
          "records sorted, lists written and read once, positions and velocities read and written",
          sizesOf({{"0.1", "3"},
                   {"0.1", "6"},
                   {"0.1", "12"},
                   {"0.1", "18"},
                   {"0.5", "6"},
                   {"0.5", "12"}}),
          wholeSteps),
      // As fast as they are, and as in the paper.
      Row("md", "md list build",
          "time to sort the particles and build the list of the binary mixture, buffer 0.3; paper: "
          "with the algorithms of Howard et al. (2016) as published, n threads for each particle "
          "tuned (stencils and cells)",
          "ms", "records sorted and lists written once",
          joined({sizesOf({{"0.1", "3"}, {"0.1", "4.5"}}),
                  sizesOf({{"0.1", "3"}, {"0.1", "4.5"}, {"0.1", "12"}}, " paper")}),
          builds)};
}

}  // namespace cellscope::bench
