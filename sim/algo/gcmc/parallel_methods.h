// How each method of blocks and threads orders its kernels.
#pragma once
#include "sim/algo/gcmc/parallel_engine.h"
#include "sim/base/error.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// One kernel per move.
void orderBlockMoves(auto& exec, const char* name, exec::TeamShape shape, const auto& kernel,
                     std::uint64_t moves) {
  for (std::uint64_t k = 0; k < moves; ++k) exec.teams(name, shape, kernel);
}
inline exec::TeamShape gcmcShape(int teams, int threads) {
  return {teams, threads, sizeof(double) * static_cast<std::size_t>(threads)};
}

template <class Exec>
class GcmcAllParticlesMethod {
 public:
  static constexpr bool kCells = false, kSlotMajor = false;
  explicit GcmcAllParticlesMethod(const GcmcOptions& o)
      : threads_(o.blockSize > 0 ? o.blockSize : kThreads) {}
  std::uint32_t entries() const { return 0; }

  GcmcShare share(const GcmcCube&) const { return {GcmcSharing::particles, {}, {}, 1, threads_}; }

  template <class Trace>
  void order(Exec& exec, const GcmcArrays& a, std::uint32_t n, std::uint64_t moves,
             const Trace& trace) {
    const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(n + moves, a.capacity));
    const auto each = static_cast<std::uint32_t>(threads_);
    const int teams = std::clamp(static_cast<int>((most + each - 1) / each), 1, kMostTeams);
    const GcmcAllParticles share{static_cast<std::uint32_t>(teams) * each, threads_};
    orderBlockMoves(
        exec, Trace::kOn ? "move (all particles), recorded" : "move (all particles)",
        gcmcShape(teams, threads_),
        GcmcBlockMove<GcmcAllParticles, Trace>{a, share, teams, threads_, ofTeam_.data(), trace},
        moves);
  }

 private:
  static constexpr int kThreads = 256, kMostTeams = 4096;
  int threads_;  // of a block
  exec::Array<double> ofTeam_{Exec::backend, kMostTeams};
};

template <class Exec>
class GcmcCellsMethod {
 public:
  static constexpr bool kCells = true, kSlotMajor = false;
  explicit GcmcCellsMethod(const GcmcOptions& o)
      : row_(o.mapping),
        blockSize_(o.blockSize),
        entries_(static_cast<std::uint32_t>(std::max(1, o.cellCapacity))) {}
  std::uint32_t entries() const { return entries_; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) {
    const auto rows = gcmcMappings(box.dimension);
    if (row_ < 0 || row_ >= static_cast<int>(rows.size()))
      throw InputError("mapping = " + std::to_string(row_) + " is not a row of the list of " +
                       std::to_string(rows.size()) + " mappings; choose 0 to " +
                       std::to_string(rows.size() - 1));
    mapping_ = gcmcWithBlockSize(rows[static_cast<std::size_t>(row_)], blockSize_);
    if (mapping_.lanes < 1 || mapping_.threads() > kGcmcMostThreads)
      throw InputError("block_size = " + std::to_string(blockSize_) + ": mapping " + mapping_.key +
                       " needs " + std::to_string(mapping_.across) + " to " +
                       std::to_string(kGcmcMostThreads) + " threads in a block");
    return gcmcCells(box, pair);
  }

  GcmcShare share(const GcmcCube& cube) const {
    return {GcmcSharing::mapping, cube, mapping_, mapping_.lanes, mapping_.threads()};
  }

  template <class Trace>
  void order(Exec& exec, const GcmcArrays& a, std::uint32_t, std::uint64_t moves,
             const Trace& trace) {
    const int teams = mapping_.blocks, threads = mapping_.threads();
    orderBlockMoves(exec, Trace::kOn ? "move (cells), recorded" : "move (cells)",
                    gcmcShape(teams, threads),
                    GcmcBlockMove<GcmcNeighbourCells, Trace>{
                        a, {mapping_}, teams, threads, ofTeam_.data(), trace},
                    moves);
  }

 private:
  int row_, blockSize_;
  std::uint32_t entries_;
  GcmcMapping mapping_{};
  exec::Array<double> ofTeam_{Exec::backend, 27};
};

// many: all moves of a launch in one kernel (S0, 3.3.4).
template <class Exec, bool many>
class GcmcMicrocellsMethod {
 public:
  static constexpr bool kCells = true, kSlotMajor = true;
  explicit GcmcMicrocellsMethod(const GcmcOptions& o)
      : skipBeyond_(o.skipBeyond), blockSize_(o.blockSize) {}
  std::uint32_t entries() const { return kGcmcMicrocellEntries; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) const { return gcmcMicrocells(box, pair); }

  GcmcShare share(const GcmcCube& cube) const {
    return {
        GcmcSharing::oneBlock, cube, {}, 1, gcmcMicrocellThreads(cube, blockSize_), skipBeyond_};
  }

  template <class Trace>
  void order(Exec& exec, const GcmcArrays& a, std::uint32_t, std::uint64_t moves,
             const Trace& trace) {
    const int threads = gcmcMicrocellThreads(a.grid.cube, blockSize_);
    const std::uint64_t each = many ? moves : 1;
    const GcmcMicrocellMoves<Trace> kernel{a, static_cast<int>(each), threads, skipBeyond_, trace};
    const char* const name = Trace::kOn ? "move (microcells), recorded"
                             : many     ? "moves (microcells)"
                                        : "move (microcells)";
    for (std::uint64_t k = 0; k < moves; k += each) exec.teams(name, gcmcShape(1, threads), kernel);
  }

 private:
  bool skipBeyond_;
  int blockSize_;
};

template <class Exec>
std::unique_ptr<GcmcEngine> makeGcmcBlocksOn(const exec::Shared& exec, const GcmcOptions& o) {
  const auto made = [&](auto method) -> std::unique_ptr<GcmcEngine> {
    return std::make_unique<GcmcParallel<Exec, decltype(method)>>(exec, std::move(method), o);
  };
  if (o.blocks == GcmcBlocks::allParticles) return made(GcmcAllParticlesMethod<Exec>(o));
  if (o.blocks == GcmcBlocks::cells) return made(GcmcCellsMethod<Exec>(o));
  if (o.blocks == GcmcBlocks::microcells) return made(GcmcMicrocellsMethod<Exec, false>(o));
  return made(GcmcMicrocellsMethod<Exec, true>(o));
}

}  // namespace GCMC_TYPES
}  // namespace cellscope
