// What domains of one system with neighbour lists do together, in one process or several.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/algo/md/engine.h"

namespace cellscope {

// What single domains do for calls, by kind: engine e, call c, answer.
#define CELLSCOPE_DOMAIN_CALLS(CALL)                                                     \
  CALL(keep, e.keep())                                                                   \
  CALL(restore, e.restore())                                                             \
  CALL(setPair, e.setPair(c.pair))                                                       \
  CALL(setBath, e.setBath(c.bath))                                                       \
  CALL(halfKickDrift, e.halfKickDrift(c.real, c.step))                                   \
  CALL(updateListPart, answer.more = e.updateListPart(static_cast<int>(c.what), c.step)) \
  CALL(forces, e.forces())                                                               \
  CALL(halfKick, e.halfKick(c.real))                                                     \
  CALL(run, e.run(c.real, c.step, c.count, {}))                                          \
  CALL(recheck, e.recheck())                                                             \
  CALL(changeBox, e.changeBox(c.box, c.mean, c.step))                                    \
  CALL(sampleEvery, e.sampleEvery(c.count))                                              \
  CALL(takeSamples, answer.samples = e.takeSamples())                                    \
  CALL(sampleNow, answer.samples = {e.sampleNow(c.real)})                                \
  CALL(collect, e.collect(c.what))                                                       \
  CALL(rescale, e.collect(Engine::kVelocities, true), e.rescale(c.by))                   \
  CALL(setHeat, e.setHeat(c.real))                                                       \
  CALL(scaleVelocities, e.scaleVelocities(c.real, c.mean))                               \
  CALL(followDisplacements, e.followDisplacements())                                     \
  CALL(resetDisplacements, e.resetDisplacements())                                       \
  CALL(listFill, answer.fill = e.listFill())                                             \
  CALL(orderPart, answer.more = e.orderPart(static_cast<TimedPart>(c.what)))

// Process 0 calls it for the others (sim/exec/ranks.h).
struct VerletCall {
#define CELLSCOPE_KIND(kind, ...) kind,
  enum Kind {
    begin,
    end,
    upload,
    failure,
    listGrowths,
    CELLSCOPE_DOMAIN_CALLS(CELLSCOPE_KIND)
  } kind;
#undef CELLSCOPE_KIND
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
#define CELLSCOPE_OBEY(kind, ...) \
  case VerletCall::kind:          \
    __VA_ARGS__;                  \
    return;
    CELLSCOPE_DOMAIN_CALLS(CELLSCOPE_OBEY)
#undef CELLSCOPE_OBEY
    default:  // not by single domains
      return;
  }
}

}  // namespace cellscope
