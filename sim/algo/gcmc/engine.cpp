#include "sim/algo/gcmc/engine.h"

#include "sim/algo/gcmc/board_domains.h"
#include "sim/algo/gcmc/parallel_engine.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {
constexpr double kStateWords = 4294967296.0;  // 2^32

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

GcmcPair makeGcmcPair(const GcmcSettings& s, const Box& box) {
  const GcmcPair p = s.hard ? hardSpherePair(box.dimension, box.length)
                     : s.cutoff <= 0
                         ? idealGasPair(box.dimension, box.length)
                         : makeGcmcPair(s.potential, s.pair(), box.dimension, box.length);
  return s.mixed ? mixedGcmcPair(p, s.sigma, s.epsilon) : p;
}

TailConstants tailOf(const GcmcSettings& s, int dimension) {
  TailConstants tail;
  if (s.tail && !s.hard && s.cutoff > 0)
    withPotentialEntry(s.potential, [&](auto entry) {
      tail = entry.tail(s.pair(), dimension).value_or(TailConstants{});
    });
  return tail;
}

GcmcRules makeGcmcRules(const GcmcSettings& s, const Box& box) {
  GcmcRules r{};
  r.dimension = box.dimension;
  r.key = hashSeed(s.seed);
  r.chain = s.chain;
  const auto share = [](double x) {
    return static_cast<std::uint64_t>(std::llround(x * kStateWords));
  };
  const std::uint64_t exchange = share(0.5 * (s.ratio[1] + s.ratio[2]));
  // Equal ratios stay exactly equal.
  const std::uint64_t insertion = s.ratio[1] == s.ratio[2] ? exchange : share(s.ratio[1]);
  const std::uint64_t deletion = s.ratio[1] == s.ratio[2] ? exchange : share(s.ratio[2]);
  const std::uint64_t whole = 1ull << 32;
  r.exchangeBelow = whole - std::min(whole, insertion + deletion);
  r.displacementBelow = r.exchangeBelow - std::min(r.exchangeBelow, share(s.ratio[3]));
  r.insertionBelow = whole - deletion;
  for (int k = 0; k < box.dimension; ++k) {
    const double part = s.anywhere ? 0.5 : std::min(0.5, s.maxDisplacement / box.length[k]);
    r.reach[k] = static_cast<std::uint32_t>(part * kStateWords);
  }
  r.beta = 1.0 / s.temperature;
  const double zV = s.activity * box.volume();
  const double odds =
      insertion > 0 ? static_cast<double>(deletion) / static_cast<double>(insertion) : 1.0;
  r.insertFactor = (s.signAsPrinted ? box.volume() / s.activity : zV) * odds;
  r.added = s.oldNumber ? 0.0 : 1.0;
  r.deleteFactor = odds > 0 ? 1.0 / (zV * odds) : 0.0;
  r.tail = tailOf(s, box.dimension).energy / box.volume();
  r.typeBBelow = share(s.shareB);
  r.pair = makeGcmcPair(s, box);
  return r;
}

Vec3d gcmcPosition(const Box& box, GcmcPoint p) {
  const auto at = [&](std::uint32_t word, int axis) {
    return static_cast<double>(word) * (box.length[axis] / kStateWords);
  };
  return {at(p.x, 0), at(p.y, 1), box.dimension == 3 ? at(p.z, 2) : 0.0};
}

GcmcPoint gcmcPointAt(const Box& box, Vec3d r) {
  const auto word = [&](double x, int axis) {
    // The nearest one; 2^32 is 0 again.
    return static_cast<std::uint32_t>(
        static_cast<std::uint64_t>(std::llround(x / box.length[axis] * kStateWords)));
  };
  return {word(r.x, 0), word(r.y, 1), box.dimension == 3 ? word(r.z, 2) : 0u};
}

GcmcSums gcmcOwnPair(const GcmcPair& pair, std::uint32_t type) {
  const float epsilon = pair.epsilon[2 * type];
  return {gcmcPairEnergy(pair, 0, epsilon), gcmcPairVirial(pair, 0, epsilon)};
}

GcmcSums gcmcBruteForce(const GcmcPair& pair, const std::vector<GcmcPoint>& points) {
  GcmcSums sums;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) gcmcAddPair(pair, points[i], points[j], sums);
  return sums;
}

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

std::unique_ptr<GcmcEngine> makeGcmcBlocksCpu(const exec::Shared& exec,
                                              const GcmcOptions& options) {
  return makeGcmcBlocksOn<exec::CpuExec>(exec, options);
}

}  // namespace cellscope
