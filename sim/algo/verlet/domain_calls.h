// What domains of one system with neighbour lists do together, in one process or several.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/algo/md/engine.h"

namespace cellscope {

// Process 0 calls it for the others (sim/exec/ranks.h).
struct VerletCall {
  enum Kind {
    begin,
    end,
    upload,
    keep,
    restore,
    setPair,
    setBath,
    halfKickDrift,
    updateListPart,
    forces,
    halfKick,
    run,
    recheck,
    changeBox,
    sampleEvery,
    takeSamples,
    sampleNow,
    collect,
    rescale,
    setHeat,
    scaleVelocities,
    followDisplacements,
    resetDisplacements,
    failure,
    listGrowths,
    listFill,
    orderPart
  } kind;
  std::uint32_t number = 0;  // of the engine
  ExecConfig config{};
  double real = 0;  // dt, heat or factor
  std::uint64_t step = 0, count = 0;
  unsigned what = 0;  // to be collected; number of a part
  Vec3d mean{};
  Box box{};
  PairSettings pair{};
  BathSettings bath{};
  Rescaling by{};
};
// The domains of a process other than 0.
class VerletPart {
 public:
  virtual ~VerletPart() = default;
  virtual void obey(const VerletCall& call) = 0;
};
// What a process other than 0 does for RankWork::liquid.
std::function<void(const void*)> verletDomainService();

// Of a call, by one domain.
struct VerletAnswer {
  bool more = false;
  std::vector<RunSample> samples;
  std::optional<ListedPairs> fill;
};

template <class Engine>
void obeyCall(Engine& e, const VerletCall& c, VerletAnswer& answer) {
  switch (c.kind) {
    case VerletCall::keep:
      return e.keep();
    case VerletCall::restore:
      return e.restore();
    case VerletCall::setPair:
      return e.setPair(c.pair);
    case VerletCall::setBath:
      return e.setBath(c.bath);
    case VerletCall::halfKickDrift:
      return e.halfKickDrift(c.real, c.step);
    case VerletCall::updateListPart:
      answer.more = e.updateListPart(static_cast<int>(c.what), c.step);
      return;
    case VerletCall::forces:
      return e.forces();
    case VerletCall::halfKick:
      return e.halfKick(c.real);
    case VerletCall::run:
      return e.run(c.real, c.step, c.count, {});
    case VerletCall::recheck:
      return e.recheck();
    case VerletCall::changeBox:
      return e.changeBox(c.box, c.mean, c.step);
    case VerletCall::sampleEvery:
      return e.sampleEvery(c.count);
    case VerletCall::takeSamples:
      answer.samples = e.takeSamples();
      return;
    case VerletCall::sampleNow:
      answer.samples = {e.sampleNow(c.real)};
      return;
    case VerletCall::collect:
      return e.collect(c.what);
    case VerletCall::rescale:
      e.collect(Engine::kVelocities, true);
      return e.rescale(c.by);
    case VerletCall::setHeat:
      return e.setHeat(c.real);
    case VerletCall::scaleVelocities:
      return e.scaleVelocities(c.real, c.mean);
    case VerletCall::followDisplacements:
      return e.followDisplacements();
    case VerletCall::resetDisplacements:
      return e.resetDisplacements();
    case VerletCall::listFill:
      answer.fill = e.listFill();
      return;
    case VerletCall::orderPart:
      answer.more = e.orderPart(static_cast<TimedPart>(c.what));
      return;
    default:  // not by single domains
      return;
  }
}

}  // namespace cellscope
