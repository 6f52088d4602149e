#include <fmt/format.h>

#include <algorithm>

#include "sim/algo/gcmc/board_arrays.h"
#include "sim/algo/gcmc/chain_arrays.h"
#include "sim/algo/gcmc/chain_cells.h"
#include "sim/algo/gcmc/chain_serial.h"
#include "sim/algo/gcmc/checkerboard.h"
#include "sim/algo/gcmc/half_warps.h"
#include "sim/algo/gcmc/in_order.h"
#include "sim/algo/gcmc/microcell_moves.h"
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

// Particles by slot, and cells with so many entries at least.
std::size_t inCells(const GcmcCube& cube, std::uint32_t least, std::size_t n) {
  const double mean = static_cast<double>(n) / static_cast<double>(cube.allCells());
  return GcmcParticleArrays::layout(gcmcRoom(n)).bytes() +
         GcmcCellArrays::layout(cube, gcmcEntries(least, gcmcFullest(mean))).bytes();
}
std::size_t bytesSerial(Backend, const GcmcOptions&, std::size_t n, const Box&, const GcmcPair&) {
  return GcmcParticleArrays::layout(gcmcRoom(n)).bytes();
}
std::size_t bytesOfCellChain(Backend, const GcmcOptions&, std::size_t n, const Box& box,
                             const GcmcPair& pair) {
  return gcmcCellStoreBytes(n, box, pair);
}
std::size_t bytesOfCells(Backend, const GcmcOptions& o, std::size_t n, const Box& box,
                         const GcmcPair& pair) {
  return inCells(gcmcCells(box, pair), static_cast<std::uint32_t>(std::max(1, o.cellCapacity)), n);
}
std::size_t bytesOfMicrocells(Backend, const GcmcOptions&, std::size_t n, const Box& box,
                              const GcmcPair& pair) {
  return inCells(gcmcMicrocells(box, pair), kGcmcMicrocellEntries, n);
}
std::size_t bytesOfHalfWarps(Backend where, const GcmcOptions&, std::size_t n, const Box& box,
                             const GcmcPair& pair) {
  return where == Backend::cuda ? inCells(gcmcCells(box, pair), kGcmcChainEntries, n)
                                : gcmcCellStoreBytes(n, box, pair);
}
std::size_t bytesOfBoard(Backend, const GcmcOptions& o, std::size_t n, const Box& box,
                         const GcmcPair& pair) {
  const bool narrow =
      static_cast<GcmcBoardExperiment>(o.experiment) == GcmcBoardExperiment::narrowCells;
  const GcmcCube cube = gcmcBoardCells(box, pair, narrow ? kGcmcNarrow : 1.0);
  const std::size_t cells = cube.allCells();
  const std::uint32_t entries =
      gcmcBoardEntries(gcmcFullest(static_cast<double>(n) / static_cast<double>(cells)),
                       static_cast<std::uint32_t>(std::max(1, o.attempts)));
  return 2 * GcmcBoardArrays::layout(cells, cells * entries).bytes() +
         gcmcEdges(cube).size() * sizeof(std::uint32_t) + GcmcRowArrays::layout(cells, n).bytes();
}
std::size_t bytesInOrder(Backend where, const GcmcOptions& o, std::size_t n, const Box& box,
                         const GcmcPair& pair) {
  const GcmcCube cube = gcmcCells(box, pair);
  const std::size_t cells = cube.allCells();
  const std::uint32_t slots =
      std::max(static_cast<std::uint32_t>(std::max(1, o.slotsPerCell)),
               gcmcFullest(static_cast<double>(n) / static_cast<double>(cells)));
  return GcmcFlightCells::layout(cells, cells * gcmcWholeVectors(slots), gcmcEdges(cube).size())
             .bytes() +
         GcmcFlightArrays::layout(gcmcSlotTurn(cube), gcmcInFlight(cube, o.movesInFlight, where))
             .bytes() +
         GcmcRowArrays::layout(cells, n).bytes();
}

}  // namespace

const GcmcMethod& gcmcBoardMethod() {
  static const GcmcMethod method = {"checkerboard", "Checkerboard: all cells of one colour at once",
                                    true,           true,
                                    board,          bytesOfBoard};
  return method;
}

const GcmcMethod& gcmcInOrderMethod() {
  static const GcmcMethod method = {
      "in_order",  "Many moves in flight, decided in order", true, true, makeGcmcInOrder,
      bytesInOrder};
  return method;
}

const std::vector<GcmcMethod>& gcmcMethods() {
  static const std::vector<GcmcMethod> kAll = {
      {"serial", "Serial chain, all particles per move", true, false, makeGcmcSerial, bytesSerial},
      {"serial_cells", "Serial chain with cells", true, false, makeGcmcCellChain, bytesOfCellChain},
      {"all_particles", "Blocks over all particles", true, true, inBlocks<GcmcBlocks::allParticles>,
       bytesSerial},
      {"cells", "Cell list, by mapping", true, true, inBlocks<GcmcBlocks::cells>, bytesOfCells},
      {"microcells", "Microcells, one kernel per move", true, true,
       inBlocks<GcmcBlocks::microcells>, bytesOfMicrocells},
      {"microcells_many", "Microcells, many moves per kernel", true, true,
       inBlocks<GcmcBlocks::microcellsMany>, bytesOfMicrocells},
      {"speculative", "Speculative moves, several candidates at once", true, true,
       makeGcmcSpeculative, bytesOfHalfWarps},
      {"half_warps", "Half a warp per neighbour cell, many moves per kernel (tuned)", false, true,
       makeGcmcHalfWarps, bytesOfHalfWarps},
  };
  return kAll;
}

const GcmcMethod& gcmcMethod(const std::string& key) {
  std::string keys;
  for (const GcmcMethod* m : {&gcmcBoardMethod(), &gcmcInOrderMethod()})
    if (key == m->key) return *m;
  for (const GcmcMethod& m : gcmcMethods()) {
    if (key == m.key) return m;
    keys += (keys.empty() ? "" : ", ") + std::string(m.key);
  }
  throw InputError(fmt::format("method = \"{}\" is not known; there are {}, {}, {}", key, keys,
                               gcmcBoardMethod().key, gcmcInOrderMethod().key));
}

std::unique_ptr<GcmcEngine> makeGcmcEngine(const std::string& key, const exec::Shared& exec,
                                           const GcmcOptions& options) {
  return gcmcMethod(key).make(exec, options);
}

}  // namespace cellscope
