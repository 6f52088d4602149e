// CPU engine: vectorised pair loop, or the generic tiles.

#include "sim/algo/all_pairs/engine_impl.h"
#include "sim/algo/all_pairs/forces_simd.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

CELLSCOPE_CHOICE_OF_SETS(PairRowsFunction, pairRows)

namespace {

constexpr std::size_t kRowsAtATime = 16;
constexpr std::size_t kPairsPerReport = 10'000'000;  // of each thread: some milliseconds

// number: of the particle at each place; null: as they come.
struct ToLattice {
  const Vec3d* position;
  const std::uint32_t* number;
  std::int32_t *x, *y, *z;
  Vec3d steps;

  void operator()(std::size_t i) const {
    const LatticePosition p = latticePosition(position[number ? number[i] : i], steps);
    x[i] = p.x, y[i] = p.y, z[i] = p.z;
  }
};

// Some for every thread, several times this number, so that threads that end early find more.
std::size_t rowsPerReport(int threads, std::size_t n) {
  const auto crew = static_cast<std::size_t>(threads);
  return std::max(4 * kRowsAtATime * crew, kPairsPerReport * crew / n);
}

// To be timed: the coordinates of all partners, and nothing else.
struct ReadPartners {
  LatticePositions at;
  void operator()(std::size_t i) const {
    const std::int32_t x = at.x[i];  // so that no two sums are the same
    std::uint32_t sum = 0;
    for (std::size_t j = 0; j < at.n; ++j)
      sum += static_cast<std::uint32_t>((at.x[j] & x) ^ at.y[j] ^ at.z[j]);
    ReadOnly read;
    read.take(sum);
    read.end();
  }
};

class CpuTuned {
 public:
  void run(auto& exec, const Vec3d* position, const ParticleRecord* kind, PairSums* sums,
           std::size_t n, const Box& box, const PairSettings& settings,
           const PairProgress& progress) {
    const int types = settings.species.types;
    if (at_.x.size() != n + LatticeArrays::kPadding || (types > 1 && at_.number.size() != n))
      allocate(n, types);
    PairRows rows{{at_.x.data(), at_.y.data(), at_.z.data(), n, latticeUnit(box)},
                  types > 1 ? at_.number.data() : nullptr,
                  {0, n}};
    if (types > 1) sortByType(kind, n, rows);
    exec.forEach("lattice positions", n,
                 ToLattice{position, rows.number, at_.x.data(), at_.y.data(), at_.z.data(),
                           latticeSteps(box)});
    withAllPairsLaw<float>(settings, [&](const AnyLaw& law) {
      const std::size_t part = progress ? rowsPerReport(exec.threads(), n) : n;
      for (std::size_t from = 0; from < n; from += part) {
        exec.forRanges(
            "all-pairs forces", std::min(part, n - from), kRowsAtATime,
            [&](std::size_t b, std::size_t e) { rows_(rows, law, from + b, from + e, sums); });
        if (progress)
          progress(static_cast<double>(std::min(from + part, n)) / static_cast<double>(n));
      }
    });
  }
  // After a pass: reads its coordinates. There are no tiles that could be loaded alone.
  bool walk(auto& exec, std::size_t n, const Box&, const PairSettings&, bool records) {
    if (!records || at_.x.size() != n + LatticeArrays::kPadding) return false;
    exec.forEach("all partners read", n,
                 ReadPartners{{at_.x.data(), at_.y.data(), at_.z.data(), n, {}}}, kRowsAtATime);
    return true;
  }
  std::size_t bytes() const { return LatticeArrays::layout(0).held(at_); }

 private:
  void allocate(std::size_t n, int types) {
    at_ = LatticeArrays::layout(n, types).make(Backend::cpu);
    for (auto* a : {&at_.x, &at_.y, &at_.z}) a->zero();
  }
  // Places of the particles of each type, one after the other; the work is small beside all pairs.
  void sortByType(const ParticleRecord* kind, std::size_t n, PairRows& rows) {
    std::fill(std::begin(rows.first), std::end(rows.first), 0);
    for (std::size_t i = 0; i < n; ++i) ++rows.first[kind[i].type + 1];
    for (int t = 0; t < kMostTypes; ++t) rows.first[t + 1] += rows.first[t];
    std::size_t next[kMostTypes];
    std::copy(rows.first, rows.first + kMostTypes, next);
    for (std::size_t i = 0; i < n; ++i)
      at_.number.data()[next[kind[i].type]++] = static_cast<std::uint32_t>(i);
  }

  PairRowsFunction& rows_ = pairRowsFor();
  LatticeArrays at_;
};

}  // namespace

std::unique_ptr<MdEngine> makeAllPairsCpu(const exec::Shared& exec) {
  return std::make_unique<AllPairs<exec::CpuExec, CpuTuned>>(exec);
}

// With the tuned pass in tiles of `tile`.
std::size_t allPairsBytes(Backend where, std::size_t n, int tile, int types) {
  const std::size_t pass = where == Backend::cuda
                               ? TileArrays::layout(n, tileGrid(static_cast<int>(n), tile)).bytes()
                               : LatticeArrays::layout(n, types).bytes();
  // As they are, and as they were kept.
  const std::size_t ofTypes = types > 1 ? n * sizeof(ParticleRecord) : 0;
  return 2 * MdArrays::layout(n).bytes() + Displacements::bytesFor(n) + pass + ofTypes;
}

}  // namespace cellscope
