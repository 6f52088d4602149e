// What samples cost a run of molecular dynamics: energies, pressure and displacements every ten
// steps, taken, averaged and kept for charts as in any run.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "sim/run/session.h"

namespace cellscope::bench {
namespace {

constexpr std::uint64_t kEvery = 10;

// About the fastest (row "md lists").
double bufferFor(std::int64_t n) { return n > 500000 ? 0.35 : 0.5; }

// Variants: a method, or a method and a thermostat.
std::shared_ptr<Session> liquid(const Size& size, const Setup& setup) {
  const std::size_t end = size.variant.find(' ');
  Scenario s;
  s.name = "bench";
  s.mode = "md";
  s.sampleEvery = kEvery;
  // The lattice gives half of its kinetic energy away: T = 0.7.
  s.parameters = {{"n", size.n},
                  {"temperature", 1.44},
                  {"method", size.variant.substr(0, end)},
                  {"buffer", bufferFor(size.n)},
                  {"dt", 0.005}};
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
  Measurement m;
  m.modes = {std::shared_ptr<Mode>(session, &session->mode())};
  std::vector<double> plain;
  m.values = repeated([&] {
    const auto rate = [&](const std::function<void()>& run) {
      return static_cast<double>(steps) / timedOnce(run);
    };
    plain.push_back(rate([&] { session->mode().advance(steps); }));
    return rate([&] { session->advance(steps); });
  });
  m.limit = median(plain);
  m.note = fmt::format("{:.4g} steps/s without samples", m.limit);
  m.state =
      fmt::format("step {} after an fcc lattice, buffer {}", session->step(), bufferFor(size.n));
  return m;
}

std::vector<Size> sizes() {
  std::vector<Size> all;
  const auto add = [&](Backend where, std::int64_t n, const std::string& method,
                       const std::string& label) {
    all.push_back(
        {fmt::format("{} {}", n, label), where, n, where == Backend::cpu ? 2 : 0, method});
  };
  for (const std::int64_t n : {4000, 32000}) add(Backend::cpu, n, "cells", "cells");
  add(Backend::cpu, 4000, "all_pairs", "all pairs");
  add(Backend::cpu, 4000, "placeholder_cells", "placeholder cells");
  for (const std::int64_t n : {4000, 62500, 256000, 1000188})
    add(Backend::cuda, n, "cells", "cells");
  for (const std::int64_t n : {4000, 256000})
    for (const std::string thermostat : {"langevin", "bussi"})
      add(Backend::cuda, n, "cells " + thermostat, "cells, " + thermostat);
  add(Backend::cuda, 256000, "stencils", "stencils");
  add(Backend::cuda, 256000, "tree", "tree");
  for (const std::int64_t n : {4000, 256000}) add(Backend::cuda, n, "clusters", "clusters");
  add(Backend::cuda, 4000, "all_pairs", "all pairs");
  add(Backend::cuda, 62500, "placeholder_cells", "placeholder cells");
  return all;
}

}  // namespace

Row mdSamples() {
  return {.mode = "md",
          .name = "md sampled every 10",
          .measures =
              "steps per second of the Lennard-Jones liquid (density 0.8442, T 0.7, cutoff 2.5) "
              "with energy, pressure and displacement sampled every ten steps",
          .unit = "steps/s",
          .limit = "the same steps without samples, in turn with them",
          .sizes = sizes(),
          .run = sampledSteps};
}

}  // namespace cellscope::bench
