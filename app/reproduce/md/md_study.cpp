#include "app/reproduce/md/md_study.h"

#include "app/common/terminal.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/algo/race/race.h"
#include "sim/modes/md/start.h"

namespace cellscope::reproduce {

MdState latticeState(std::int64_t n, double density, double temperature) {
  const double length = std::cbrt(static_cast<double>(n) / density);
  return {cubicBox(length), md::startLattice(n, length), md::maxwellVelocities(n, temperature, 1)};
}

MdState equilibrated(const exec::Shared& exec, const MdState& start, const PairSettings& pair,
                     double temperature, const std::vector<Steps>& steps, const char* what) {
  const std::unique_ptr<MdEngine> engine = makeVerlet(exec);
  engine->setBath({true, temperature, 1, 1});
  prepare(*engine, start, pair);
  std::uint64_t step = 0;
  for (const auto& [dt, count] : steps) {
    engine->run(dt, step, count, {});
    step += count;
  }
  if (engine->failure()) throw RunError("the {} blew up while it was equilibrated", what);
  MdState state = engine->download();
  state.order.clear(), state.built.clear(), state.history = {};
  return state;
}

void prepare(MdEngine& engine, const MdState& state, const PairSettings& pair) {
  engine.setPair(pair);
  engine.upload(state);
  engine.forces();
}

double medianSeconds(std::int64_t repeats, const std::function<void()>& work) {
  const common::InterruptGuard interrupt;
  std::vector<double> seconds;
  for (std::int64_t k = -1; k < repeats; ++k) {
    const double begin = steadySeconds();
    work();
    if (k >= 0) seconds.push_back(steadySeconds() - begin);
    if (interrupt.raised()) throwStopped();
  }
  return medianOf(std::move(seconds));
}

BuildTime buildTime(const exec::Shared& exec, const MdState& state, const PairSettings& settings,
                    std::int64_t repeats) {
  const std::unique_ptr<MdEngine> engine = makeVerlet(exec);
  prepare(*engine, state, settings);
  const double seconds = medianSeconds(repeats, [&] {
    engine->orderPart(TimedPart::built);
    engine->failure();  // waits
  });
  Lent lent;
  engine->lend(lent, false);
  const auto* const lists = lent.find<ListsLent>();
  return {seconds, lists ? lists->builder->words() : ""};
}

}  // namespace cellscope::reproduce
