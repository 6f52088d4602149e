#include <algorithm>

#include "sim/algo/gcmc/block_moves.h"
#include "sim/algo/gcmc/board_domains.h"
#include "sim/algo/gcmc/board_work.h"
#include "sim/algo/gcmc/chain_arrays.h"
#include "sim/algo/gcmc/chain_store.h"
#include "sim/algo/gcmc/makers.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/base/backend.h"
#include "sim/base/error.h"
#include "sim/exec/ranks.h"

namespace cellscope {

namespace {

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
  return GcmcCellStore::bytesFor(n, box, pair);
}
std::size_t bytesOfCells(Backend, const GcmcOptions& o, std::size_t n, const Box& box,
                         const GcmcPair& pair) {
  return inCells(gcmcCells(box, pair), static_cast<std::uint32_t>(std::max(1, o.cellCapacity)), n);
}
std::size_t bytesOfMicrocells(Backend, const GcmcOptions&, std::size_t n, const Box& box,
                              const GcmcPair& pair) {
  return inCells(gcmcMicrocells(box, pair), kGcmcMicrocellEntries, n);
}
std::size_t bytesOfSpeculative(Backend where, const GcmcOptions&, std::size_t n, const Box& box,
                               const GcmcPair& pair) {
  return gcmcReplicaBytes(where, n, box, pair);
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

// In builds without CUDA there is none.
template <GcmcMaker* ofOneType, GcmcMaker* ofTwo>
constexpr GcmcMaker* onCuda() {
  if constexpr (kCudaBuilt)
    return [](const exec::Shared& exec, const GcmcOptions& o) {
      return (o.mixed ? ofTwo : ofOneType)(exec, o);
    };
  return nullptr;
}
using OneType = GcmcOnCuda<false>;
using TwoTypes = GcmcOnCuda<true>;

GcmcMethod inBlocks(GcmcBlocks how, const char* key, const char* label,
                    decltype(GcmcMethod::bytes) bytes) {
  return {key,  label, makeGcmcBlocksCpu, onCuda<OneType::blocks, TwoTypes::blocks>(), bytes,
          true, how};
}

}  // namespace

std::size_t gcmcReplicaBytes(Backend where, std::size_t n, const Box& box, const GcmcPair& pair) {
  return where == Backend::cuda ? inCells(gcmcCells(box, pair), kGcmcChainEntries, n)
                                : GcmcCellStore::bytesFor(n, box, pair);
}

std::unique_ptr<GcmcReplicas> makeGcmcReplicas(const exec::Shared& exec,
                                               const GcmcOptions& options) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda)
      return (options.mixed ? TwoTypes::replicas : OneType::replicas)(exec, options);
  return makeGcmcReplicasCpu(exec, options);
}

const std::vector<GcmcMethod>& gcmcMethods() {
  using enum GcmcBlocks;
  static const std::vector<GcmcMethod> kAll = {
      {"serial", "Serial chain, all particles per move", makeGcmcSerial, nullptr, bytesSerial},
      {.key = "serial_cells",
       .label = "Serial chain with cells",
       .cpu = makeGcmcCellChain,
       .cuda = makeGcmcCellChain,
       .bytes = bytesOfCellChain,
       .onHost = true,
       .fastest = {.onCpu = true, .onCuda = true}},
      inBlocks(allParticles, "all_particles", "Blocks over all particles", bytesSerial),
      inBlocks(cells, "cells", "Cell list, by mapping", bytesOfCells),
      inBlocks(microcells, "microcells", "Microcells, one kernel per move", bytesOfMicrocells),
      inBlocks(microcellsMany, "microcells_many", "Microcells, many moves per kernel",
               bytesOfMicrocells),
      {.key = "speculative",
       .label = "Speculative moves, several candidates at once",
       .cpu = makeGcmcSpeculativeCpu,
       .cuda = onCuda<OneType::speculative, TwoTypes::speculative>(),
       .bytes = bytesOfSpeculative,
       .fastest = {.onCuda = true},
       .formerly = "half_warps"},
      {.key = "checkerboard",
       .label = "Checkerboard: all cells of one colour at once",
       .cpu = makeGcmcCheckerboardCpu,
       .cuda = onCuda<OneType::checkerboard, TwoTypes::checkerboard>(),
       .bytes = bytesOfBoard,
       .exact = false,
       .inDomains = true},
      {"in_order", "Many moves in flight, decided in order", makeGcmcInOrderCpu,
       onCuda<OneType::inOrder, TwoTypes::inOrder>(), bytesInOrder, false},
  };
  return kAll;
}

const GcmcMethod& gcmcMethod(const std::string& key) {
  std::string keys;
  for (const GcmcMethod& m : gcmcMethods()) {
    if (key == m.key) return m;
    keys += (keys.empty() ? "" : ", ") + std::string(m.key);
  }
  throw InputError("method = \"{}\" is not known; there are {}", key, keys);
}

std::unique_ptr<GcmcEngine> GcmcMethod::make(const exec::Shared& exec,
                                             const GcmcOptions& options) const {
  const Backend where = exec ? exec->where() : Backend::cpu;
  GcmcOptions own = options;
  own.blocks = blocks;
  if (runsOn(where)) return (where == Backend::cuda ? cuda : cpu)(exec, own);
  throw InputError("method = {} does not run on the {} backend; use auto", key,
                   where == Backend::cuda ? "CUDA" : "CPU");
}

std::function<void(const void*)> gcmcBoardService() {
  return exec::rankService<GcmcBoardCall>(
      [](const GcmcBoardCall& call) {
        if constexpr (kCudaBuilt)
          if (call.config.backend == Backend::cuda)
            return (call.mixed ? TwoTypes::boardPart : OneType::boardPart)(call.config);
        return makeGcmcBoardPartCpu(call.config);
      },
      [](GcmcBoardPart& part, const GcmcBoardCall& call) { part.obey(call); });
}

}  // namespace cellscope
