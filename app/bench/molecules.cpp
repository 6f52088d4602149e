// Lennard-Jones molecular dynamics: with Verlet lists (Howard et al. 2016), with placeholder cells
// and of all pairs (van Meel et al. 2008).
#include <fmt/format.h>

#include <numbers>

#include "app/bench/bench.h"
#include "sim/algo/race/race.h"
#include "sim/exec/memory.h"
#include "sim/exec/peers.h"
#include "sim/run/session.h"

namespace cellscope::bench {
namespace {

constexpr double kDensity = 0.8442, kReach = 2.8;  // cutoff 2.5 and buffer 0.3
constexpr double kNeighbours =
    4.0 / 3.0 * std::numbers::pi * kReach * kReach * kReach * kDensity;  // within reach
constexpr double kStateBytes = 48 + 4;  // positions and velocities in double, an identity

// What a step must move at least: the list, positions and velocities to and fro, rounded positions.
double bytesPerParticle() { return 4.0 * kNeighbours + 2 * 48 + 2 * 16; }

// The same with placeholder cells: positions, velocities, forces and slots to and fro; the cells
// around each are read from the cache.
constexpr double kSlotBytes = 2 * 48 + 2 * 16 + 2 * 16;

struct Liquid {
  std::shared_ptr<Mode> mode;
  double buffer = 0, rate = 0;  // steps per second
};

void limitBy(double bytes, Measurement& m, const Size& size, const Setup& setup) {
  const double least = millisecondsFor(bytes * static_cast<double>(size.n), setup.exec);
  m.limit = least > 0 ? 1000.0 / least : 0;
  m.note = fmt::format("{:.0f} bytes per particle and step", bytes);
}

std::string afterLattice(const Mode& mode) {
  return fmt::format("step {} after an fcc lattice", mode.step());
}

// The lattice gives half of its kinetic energy away: T = 0.7.
Settings liquidOf(const Size& size, const std::string& method) {
  return {{"n", size.n}, {"temperature", 1.44}, {"method", method}};
}

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

Liquid startLiquid(double buffer, const Size& size, const Setup& setup) {
  const Settings more = {{"buffer", buffer}, {"dt", 0.005}};
  return {modeWith("md", with(liquidOf(size, size.variant), more), setup.exec), buffer, 0};
}

std::uint64_t stepsOf(const Size& size) {
  return static_cast<std::uint64_t>(size.backend == Backend::cuda ? 4e7 : 4e5) /
             static_cast<std::uint64_t>(size.n) +
         (size.n > 50000000 ? 8 : 20);
}

Liquid warmed(Liquid l, const Size& size) {
  const bool gpu = size.backend == Backend::cuda;
  const std::uint64_t warm = size.n > 50000000         ? 50
                             : size.n > 300000 || !gpu ? 200
                                                       : 2000,
                      steps = stepsOf(size);
  l.mode->advance(warm);
  std::vector<double> rates;
  for (int k = 0; k < 3; ++k)
    rates.push_back(static_cast<double>(steps) / timedOnce([&] { l.mode->advance(steps); }));
  l.rate = medianOf(rates);
  return l;
}

Measurement stepRate(const Liquid& l, const Size& size, const Setup& setup) {
  Measurement m = stepsPerSecond(l.mode, stepsOf(size));
  m.state = afterLattice(*l.mode);
  limitBy(bytesPerParticle(), m, size, setup);
  return m;
}

// With the buffer that makes it fastest.
Measurement stepRate(const Size& size, const Setup& setup, std::initializer_list<double> buffers) {
  Liquid best;
  for (const double buffer : buffers) {
    Liquid other = warmed(startLiquid(buffer, size, setup), size);
    if (other.rate > best.rate) best = std::move(other);
  }
  Measurement m = stepRate(best, size, setup);
  if (buffers.size() > 1) m.note += fmt::format(" at 0.3; buffer {}, the best", best.buffer);
  return m;
}

// 1, 2, 4, ... GPUs, as many as there are. The energy at the end is that of one.
Measurement domainStepRate(const Size& size, const Setup& given) {
  Setup setup = given;
  setup.exec.devices = setup.exec.domains = std::stoi(size.variant);
  Size cells = size;
  cells.variant = "cells";
  Liquid started;
  const std::string why = whyRefused([&] { started = startLiquid(0.4, cells, setup); });
  if (!why.empty()) return {.skipped = why};
  Measurement m = stepRate(warmed(std::move(started), cells), cells, setup);
  Mode& mode = *m.modes.front();
  m.state += fmt::format("{}{}; potential energy {}", setup.exec.domains > 1 ? ", " : "",
                         exec::domainWords(setup.exec),
                         mode.sample().at(columnOf(mode.info().observables, "potential")));
  m.limit *= setup.exec.devices;
  if (size.named) {  // they look at all particles on the host, for minutes
    m.modes.clear();
    m.state += "; without self-checks";
  }
  return m;
}

// Instructions that an ordered pair needs at least: three coordinate differences that wrap by
// themselves in 32-bit integers, three conversions, a product, two fused multiply-adds and a
// comparison with the cutoff. The pairs inside the cutoff (one in 1,000 at N = 65,536) need more.
constexpr double kInstructionsPerPair = 10;

Measurement pairRate(const Size& size, const Setup& setup) {
  const std::uint64_t steps = size.backend == Backend::cpu ? 5 : size.n < 10000 ? 100 : 10;
  const std::shared_ptr<Mode> mode = modeWith("md", {{"n", size.n}}, setup.exec);
  mode->advance(steps);
  Measurement m = workPerSecond(mode, steps);
  m.state = afterLattice(*mode);
  limitByInstructions(m, kInstructionsPerPair, "pair", setup.exec);
  return m;
}

std::vector<Size> listSizes() {
  const auto gpu = [](const char* method) {
    return numbered(Backend::cuda, {4000, 62500, 256000, 1000188, 4000000}, method, method);
  };
  return joined({numbered(Backend::cpu, {4000, 32000}, "cells", "cells"), gpu("cells"),
                 numbered(Backend::cuda, {256000}, "stencils", "stencils"),
                 numbered(Backend::cuda, {256000}, "tree", "tree"),
                 numbered(Backend::cpu, {32000}, "clusters", "clusters"), gpu("clusters"),
                 numbered(Backend::cuda, {1000188}, "tree", "tree")});  // beside that of a window
}

Measurement liquidRate(const Settings& settings, const Size& size, const Setup& setup) {
  const std::shared_ptr<Mode> mode =
      modeWith("md", with(settings, liquidOf(size, "cells")), setup.exec);
  const std::uint64_t steps = size.backend == Backend::cpu ? 20 : 400;
  mode->advance(10 * steps);
  Measurement m = stepsPerSecond(mode, steps);
  m.state = afterLattice(*mode);
  limitBy(bytesPerParticle(), m, size, setup);
  return m;
}

// What samples cost a run of molecular dynamics: energies, pressure and displacements every ten
// steps, taken, averaged and kept for charts as in any run.

constexpr std::uint64_t kEvery = 10;

// About the fastest (row "md lists").
double bufferFor(std::int64_t n) { return n > 500000 ? 0.35 : 0.5; }

// Variants: a method, or a method and a thermostat.
std::shared_ptr<Session> liquid(const Size& size, const Setup& setup) {
  const std::size_t end = size.variant.find(' ');
  Scenario s = scenarioOf("md", with(liquidOf(size, size.variant.substr(0, end)),
                                     {{"buffer", bufferFor(size.n)}, {"dt", 0.005}}));
  s.sampleEvery = kEvery;
  if (end != std::string::npos) {
    s.parameters.emplace_back("thermostat", size.variant.substr(end + 1));
    s.parameters.emplace_back("bath_temperature", 0.7);
  }
  return std::make_shared<Session>(s, setup.exec);
}

// Steps with and without samples in turn, so that both see the same device.
Measurement sampledSteps(const Size& size, const Setup& setup) {
  const bool gpu = size.backend == Backend::cuda, pairs = size.variant == "all_pairs";
  const double work = (gpu ? 4e7 : 4e5) / (pairs ? 8 : 1);
  const std::uint64_t steps =
      (static_cast<std::uint64_t>(work) / static_cast<std::uint64_t>(size.n) / kEvery + 2) * kEvery;
  const std::shared_ptr<Session> session = liquid(size, setup);
  session->mode().advance(gpu && size.n < 300000 && !pairs ? 2000 : 200);
  session->advance(steps);
  std::vector<double> plain;
  Measurement m{.modes = {std::shared_ptr<Mode>(session, &session->mode())}};
  m.values = repeated([&] {
    const auto rate = [&](const std::function<void()>& run) {
      return static_cast<double>(steps) / timedOnce(run);
    };
    plain.push_back(rate([&] { session->mode().advance(steps); }));
    return rate([&] { session->advance(steps); });
  });
  m.limit = medianOf(plain);
  m.note = fmt::format("{:.4g} steps/s without samples", m.limit);
  m.state =
      fmt::format("step {} after an fcc lattice, buffer {}", session->step(), bufferFor(size.n));
  return m;
}

std::vector<Size> sizes() {
  const auto gpu = [](Numbers numbers, const char* label, const char* method) {
    return numbered(Backend::cuda, numbers, label, method);
  };
  return joined({numbered(Backend::cpu, {4000, 32000}, "cells", "cells"),
                 numbered(Backend::cpu, {4000}, "all pairs", "all_pairs"),
                 numbered(Backend::cpu, {4000}, "placeholder cells", "placeholder_cells"),
                 gpu({4000, 62500, 256000, 1000188}, "cells", "cells"),
                 gpu({4000}, "cells, langevin", "cells langevin"),
                 gpu({4000}, "cells, bussi", "cells bussi"),
                 gpu({256000}, "cells, langevin", "cells langevin"),
                 gpu({256000}, "cells, bussi", "cells bussi"),
                 gpu({256000}, "stencils", "stencils"), gpu({256000}, "tree", "tree"),
                 gpu({4000, 256000}, "clusters", "clusters"), gpu({4000}, "all pairs", "all_pairs"),
                 gpu({62500}, "placeholder cells", "placeholder_cells")});
}

Row stepsRow(const char* name, const std::string& measured, const std::string& limit,
             std::vector<Size> sizes, MeasureCase run) {
  return Row("md", name, "steps per second of " + measured, "steps/s", limit, std::move(sizes),
             std::move(run));
}

Measurement memoryOf(const Size& size, const Setup& setup) {
  const Liquid l = startLiquid(0.3, size, setup);
  l.mode->advance(200);
  const double bytes = static_cast<double>(l.mode->engineBytes());
  const double limit = kStateBytes + 2 * kNeighbours / 2;  // each pair once, two bytes
  return Measurement({bytes / static_cast<double>(size.n)}, limit,
                     fmt::format("{} bytes of state, {:.0f} neighbours", kStateBytes, kNeighbours),
                     afterLattice(*l.mode), {l.mode});
}

}  // namespace

std::vector<Row> moleculeRows() {
  const std::string liquid = "the Lennard-Jones liquid (density 0.8442, T 0.7, cutoff 2.5) ";
  const auto limitOf = [](double bytes) {
    return fmt::format("{:.0f} bytes per particle and step", bytes);
  };
  const std::string limit = limitOf(bytesPerParticle());
  return {// All pairs (van Meel et al. 2008, section 2).
          Row("md", "md", "pair interactions per second", "pairs/s",
              fmt::format("{:.0f} instructions per pair", kInstructionsPerPair),
              {{"4096 all pairs", Backend::cpu, 4096, 2, ""},
               {"4096 all pairs", Backend::cuda, 4096, 0, ""},
               {"65536 all pairs", Backend::cuda, 65536, 0, ""}},
              pairRate),
          stepsRow("md lists", liquid + "with the best buffer of 0.3, 0.35, 0.4, 0.5 and 0.7",
                   limit, listSizes(),
                   [](const Size& size, const Setup& setup) {
                     return stepRate(size, setup, {0.3, 0.35, 0.4, 0.5, 0.7});
                   }),
          Row("md", "md memory", "engine memory per particle of the liquid, buffer 0.3", "B",
              "positions and velocities in double, an identity, each pair once in 16 bits",
              joined({onBoth("cells", "cells", {32000}, {1000188}),
                      onBoth("clusters", "clusters", {32000}, {1000188})}),
              memoryOf),
          stepsRow("md_domains",
                   "one Lennard-Jones liquid (density 0.8442, T 0.7, cutoff 2.5, buffer 0.4) on "
                   "several GPUs",
                   limit + ", of all GPUs",
                   onGpus({1000188, 4000000, 16000000, 64000000, 200000000, 400000000}, 16000000),
                   domainStepRate),
          // The same liquid with friction and noise: what the generator of the noise costs.
          stepsRow("md noise",
                   "the liquid with a Langevin thermostat, whose noise is Philox or the sequence "
                   "of rand48 (van Meel et al. 2008, section 4)",
                   limit + ", and no noise",
                   joined({onBoth("philox", "philox", {32000}, {256000}),
                           onBoth("rand48", "rand48", {32000}, {256000})}),
                   [](const Size& size, const Setup& setup) {
                     return liquidRate({{"thermostat", std::string("langevin")},
                                        {"bath_temperature", 0.7},
                                        {"noise", size.variant}},
                                       size, setup);
                   }),
          // The liquid with the same bits on every processor.
          stepsRow("md exact", "the liquid with kernel = exact", limit,
                   onBoth("cells", "cells", {4000}, {4000, 256000}),
                   [](const Size& size, const Setup& setup) {
                     return liquidRate({{"kernel", std::string("exact")}}, size, setup);
                   }),
          stepsRow("md placeholder cells",
                   liquid + "with placeholder cells (van Meel et al. 2008, section 3)",
                   limitOf(kSlotBytes),
                   onBoth("placeholder cells", "placeholder_cells", {4000}, {4000, 62500, 256000}),
                   [](const Size& size, const Setup& setup) {
                     Measurement m = stepRate(size, setup, {0.3});
                     limitBy(kSlotBytes, m, size, setup);
                     return m;
                   }),
          stepsRow("md sampled every 10",
                   liquid + "with energy, pressure and displacement sampled every ten steps",
                   "the same steps without samples, in turn with them", sizes(), sampledSteps)};
}

}  // namespace cellscope::bench
