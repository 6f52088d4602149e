// The race of methods in the life of the mode.
#include "sim/modes/gcmc/mode.h"

namespace cellscope {

std::vector<Curve> GcmcMode::curves() const {
  std::vector<Curve> all = sampler_.curves(active());
  if (active().inOrder())
    for (Curve& c : flights_.curves()) all.push_back(std::move(c));
  if (active().speculative()) all.push_back(gcmc::speculationChart(speculation_));
  if (auto chart = race_.chart()) all.push_back(std::move(*chart));
  if (replicas_.on())
    for (Curve& c : replicas_.curves(active())) all.push_back(std::move(c));
  return all;
}

void GcmcMode::raceTurn() {
  try {
    race_.advance([this](double) {
      const Preparation now = *preparation();
      reportWork(now.label, now.progress);
    });
  } catch (const Cancelled&) {
    throw;         // the race goes on when the run does
  } catch (...) {  // no memory for a copy: the run goes on without
    race_.stop();
    setByItself(&P::race, false);
    throw;
  }
  if (race_.running()) return;
  setByItself(&P::race, false);
  if (active().keepFastest) keepFastest();
}

void GcmcMode::keepFastest() {
  P p = active();
  if (!race_.apply(p)) return;
  engine_ = prepared(p, engine_->state());
  setByItself(&P::method, p.method);
  setByItself(&P::mapping, p.mapping);
  setByItself(&P::blockSize, p.blockSize);
}

}  // namespace cellscope
