#include <fmt/format.h>

#include "sim/algo/gcmc/chain_cells.h"
#include "sim/algo/gcmc/chain_serial.h"
#include "sim/algo/gcmc/checkerboard.h"
#include "sim/algo/gcmc/half_warps.h"
#include "sim/algo/gcmc/in_order.h"
#include "sim/algo/gcmc/parallel.h"
#include "sim/algo/gcmc/speculative.h"
#include "sim/base/error.h"

namespace cellscope {

namespace {

template <GcmcBlocks how>
std::unique_ptr<GcmcEngine> inBlocks(const exec::Shared& exec, const GcmcOptions& options) {
  return makeGcmcParallel(how, exec, options);
}

std::unique_ptr<GcmcEngine> board(const exec::Shared& exec, const GcmcOptions& options) {
  return makeGcmcCheckerboard(
      exec, {options.attempts, static_cast<GcmcBoardExperiment>(options.experiment)});
}

}  // namespace

const GcmcMethod& gcmcBoardMethod() {
  static const GcmcMethod method = {"checkerboard", "Checkerboard: all cells of one colour at once",
                                    true, true, board};
  return method;
}

const GcmcMethod& gcmcInOrderMethod() {
  static const GcmcMethod method = {"in_order", "Many moves in flight, decided in order", true,
                                    true, makeGcmcInOrder};
  return method;
}

const std::vector<GcmcMethod>& gcmcMethods() {
  static const std::vector<GcmcMethod> kAll = {
      {"serial", "Serial chain, all particles per move", true, false, makeGcmcSerial},
      {"serial_cells", "Serial chain with cells", true, false, makeGcmcCellChain},
      {"all_particles", "Blocks over all particles", true, true,
       inBlocks<GcmcBlocks::allParticles>},
      {"cells", "Cell list, seven mappings", true, true, inBlocks<GcmcBlocks::cells>},
      {"microcells", "Microcells, one kernel per move", true, true,
       inBlocks<GcmcBlocks::microcells>},
      {"microcells_many", "Microcells, many moves per kernel", true, true,
       inBlocks<GcmcBlocks::microcellsMany>},
      {"speculative", "Speculative moves, several candidates at once", true, true,
       makeGcmcSpeculative},
      {"half_warps", "Half a warp per neighbour cell, many moves per kernel (tuned)", false, true,
       makeGcmcHalfWarps},
  };
  return kAll;
}

std::unique_ptr<GcmcEngine> makeGcmcEngine(const std::string& key, const exec::Shared& exec,
                                           const GcmcOptions& options) {
  std::string keys;
  for (const GcmcMethod* m : {&gcmcBoardMethod(), &gcmcInOrderMethod()})
    if (key == m->key) return m->make(exec, options);
  for (const GcmcMethod& m : gcmcMethods()) {
    if (key == m.key) return m.make(exec, options);
    keys += (keys.empty() ? "" : ", ") + std::string(m.key);
  }
  throw InputError(fmt::format("method = \"{}\" is not known; there are {}, {}, {}", key, keys,
                               gcmcBoardMethod().key, gcmcInOrderMethod().key));
}

}  // namespace cellscope
