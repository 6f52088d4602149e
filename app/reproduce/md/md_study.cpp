#include "app/reproduce/md/md_study.h"

#include <chrono>
#include <cmath>

#include "app/common/ending.h"
#include "app/reproduce/report.h"
#include "sim/algo/race/race.h"
#include "sim/algo/verlet/lists_lent.h"
#include "sim/modes/md/start.h"

namespace cellscope::reproduce {

ParameterInfo particlesOption(const std::string& help, double least) {
  return {.key = "particles", .min = least, .max = 4e6, .help = help};
}

ParameterInfo repeatsOption(const std::string& help) {
  return {.key = "repeats", .min = 1, .max = 10000, .help = help};
}

MdState melted(const exec::Shared& exec, std::int64_t n, double density, double temperature,
               std::uint64_t steps, const PairSettings& settings) {
  constexpr double kTimeStep = 0.005;
  const double length = std::cbrt(static_cast<double>(n) / density);
  MdState state{cubicBox(length), md::startLattice(n, length),
                md::maxwellVelocities(n, temperature, 1)};
  const std::unique_ptr<MdEngine> engine = makeVerlet(exec);
  BathSettings bath;
  bath.on = true, bath.temperature = temperature, bath.friction = 1, bath.seed = 1;
  engine->setPair(settings);
  engine->setBath(bath);
  engine->upload(state);
  engine->forces();
  engine->run(kTimeStep, 0, steps, {});
  if (engine->failure()) throw RunError("the liquid blew up while it was equilibrated");
  state = engine->download();
  state.order.clear(), state.built.clear(), state.history = {};
  return state;
}

double medianSeconds(std::int64_t repeats, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const common::InterruptGuard interrupt;
  std::vector<double> seconds;
  for (std::int64_t k = -1; k < repeats; ++k) {
    const auto begin = Clock::now();
    work();
    if (k >= 0) seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    if (interrupt.raised()) throwStopped();
  }
  return medianOf(std::move(seconds));
}

std::string howListsWereBuilt(MdEngine& engine) {
  Lent lent;
  engine.lend(lent, false);
  const auto* const lists = lent.find<ListsLent>();
  return lists ? lists->builder->words() : "";
}

BuildTime buildTime(const exec::Shared& exec, const MdState& state, const PairSettings& settings,
                    std::int64_t repeats) {
  const std::unique_ptr<MdEngine> engine = makeVerlet(exec);
  engine->setPair(settings);
  engine->upload(state);
  engine->forces();
  const double seconds = medianSeconds(repeats, [&] {
    engine->orderPart(TimedPart::built);
    engine->failure();  // waits
  });
  return {seconds, howListsWereBuilt(*engine)};
}

}  // namespace cellscope::reproduce
