// CPU engine: vectorised pair loop, or the generic tiles.
#include <algorithm>
#include <cmath>

#include "sim/algo/all_pairs/engine_impl.h"
#include "sim/algo/all_pairs/forces_simd.h"
#include "sim/algo/all_pairs/lattice.h"
#include "sim/algo/neighbours/read_only.h"
#include "sim/exec/cpu_exec.h"
#include "sim/exec/instruction_sets.h"

namespace cellscope {

PairRowsFunction pairRowsFor(const std::string& instructions) {
  const std::string set = exec::instructionSet(instructions);
  return set == "avx512" ? simd_avx512::pairRows
         : set == "avx2" ? simd_avx2::pairRows
                         : simd_sse2::pairRows;
}

TypedRowsFunction typedRowsFor(const std::string& instructions) {
  const std::string set = exec::instructionSet(instructions);
  return set == "avx512" ? simd_avx512::typedRows
         : set == "avx2" ? simd_avx2::typedRows
                         : simd_sse2::typedRows;
}

namespace {

constexpr std::size_t kRowsAtATime = 16;
constexpr std::size_t kPairsPerReport = 10'000'000;  // of each thread: some milliseconds

// number: of the particle at each place; null: as they come.
struct ToLattice {
  const Vec3d* position;
  const std::uint32_t* number;
  std::int32_t *x, *y, *z;
  double steps;

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

// Sums of particle i with all others, for laws that are not vectorised.
template <class Law>
PairSums plainRow(const LatticePositions& p, const ParticleRecord* kind, const Law& law,
                  std::size_t i) {
  PairSums s{};
  const auto typeOf = [&](std::size_t k) { return Law::kByTypes ? kind[k].type : 0u; };
  for (std::size_t j = 0; j < p.n; ++j) {
    const float dx = p.unit * static_cast<float>(latticeDifference(p.x[i], p.x[j]));
    const float dy = p.unit * static_cast<float>(latticeDifference(p.y[i], p.y[j]));
    const float dz = p.unit * static_cast<float>(latticeDifference(p.z[i], p.z[j]));
    const float r2 = dx * dx + dy * dy + dz * dz;
    const auto& pair = law.of(typeOf(i), typeOf(j));
    if (j == i || !(r2 < pair.cutoffSquared)) continue;
    const float held = std::max(r2, static_cast<float>(kCoreSquared));
    const PairTerms<float> t = pair.terms(held, 1.0f / std::sqrt(held));
    s.fx += t.forceOverR * dx, s.fy += t.forceOverR * dy, s.fz += t.forceOverR * dz;
    s.energy += 0.5f * t.energy;
    s.virial += 0.5f * t.forceOverR * r2;
  }
  return s;
}

// To be timed: the coordinates of all partners, and nothing else.
struct ReadPartners {
  LatticePositions at;
  std::uint32_t* unread;
  void operator()(std::size_t i) const {
    const std::int32_t x = at.x[i];  // so that no two sums are the same
    std::uint32_t sum = 0;
    for (std::size_t j = 0; j < at.n; ++j)
      sum += static_cast<std::uint32_t>((at.x[j] & x) ^ at.y[j] ^ at.z[j]);
    ReadOnly read;
    read.take(sum);
    read.end(unread);
  }
};

// Laws that are vectorised: Lennard-Jones of one species, and of several.
template <class Law>
inline constexpr bool kRowsVectorised = false;
template <Truncation truncation>
inline constexpr bool kRowsVectorised<OneLaw<LennardJones<float, truncation>>> = true;
template <class Law>
inline constexpr bool kTypedRowsVectorised = false;
template <Truncation truncation>
inline constexpr bool
    kTypedRowsVectorised<LawByTypes<ScaledPair<LennardJones<float, truncation>, float>>> = true;

template <Truncation truncation>
PairCoefficients coefficientsOf(const LennardJones<float, truncation>& pair) {
  return {static_cast<int>(truncation), pair.cutoffSquared, pair.energyOffset, pair.forceAtCutoff};
}
template <class Pair>
ScaledCoefficients coefficientsOf(const ScaledPair<Pair, float>& p) {
  return {coefficientsOf(p.unit), p.cutoffSquared, p.epsilon, p.sigma, p.inverseSigma2};
}

// Rows of particles as they come, and of particles type by type, on an instruction set.
struct VectorisedRows {
  PairRowsFunction alike;
  TypedRowsFunction typed;
};

// f(begin, end) adds up rows of the law.
template <class Law, class F>
void withRows(TypedRows& at, const ParticleRecord* kind, const Law& law,
              const VectorisedRows& vectorised, PairSums* sums, const F& f) {
  if constexpr (kRowsVectorised<Law>) {
    const PairCoefficients c = coefficientsOf(law.pair);
    f([&](std::size_t begin, std::size_t end) { vectorised.alike(at.at, c, begin, end, sums); });
  } else if constexpr (kTypedRowsVectorised<Law>) {
    ScaledCoefficients c[kMostTypes * kMostTypes];
    for (int k = 0; k < kMostTypes * kMostTypes; ++k) c[k] = coefficientsOf(law.pair[k]);
    at.pair = c;
    f([&](std::size_t begin, std::size_t end) { vectorised.typed(at, begin, end, sums); });
  } else {
    f([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) sums[i] = plainRow(at.at, kind, law, i);
    });
  }
}

class CpuTuned {
 public:
  template <class Exec>
  void run(Exec& exec, const Vec3d* position, const ParticleRecord* kind, PairSums* sums,
           std::size_t n, const Box& box, const PairSettings& settings,
           const PairProgress& progress) {
    const double length = sideOfCube(box);
    const int types = settings.species.types;
    if (at_.x.size() != n + LatticeArrays::kPadding || (types > 1 && at_.number.size() != n))
      allocate(n, types);
    TypedRows typed{
        {at_.x.data(), at_.y.data(), at_.z.data(), n, static_cast<float>(length / kLatticeSteps)},
        at_.number.data(),
        {},
        types,
        nullptr};
    withAllPairsLaw<float>(settings, [&](const auto& law) {
      constexpr bool kByType = kTypedRowsVectorised<std::decay_t<decltype(law)>>;
      if (kByType) sortByType(kind, n, typed);
      exec.forEach("lattice positions", n,
                   ToLattice{position, kByType ? at_.number.data() : nullptr, at_.x.data(),
                             at_.y.data(), at_.z.data(), kLatticeSteps / length});
      const std::size_t part = progress ? rowsPerReport(exec.threads(), n) : n;
      for (std::size_t from = 0; from < n; from += part) {
        withRows(typed, kind, law, rows_, sums, [&](const auto& rows) {
          exec.forRanges("all-pairs forces", std::min(part, n - from), kRowsAtATime,
                         [&](std::size_t b, std::size_t e) { rows(from + b, from + e); });
        });
        if (progress)
          progress(static_cast<double>(std::min(from + part, n)) / static_cast<double>(n));
      }
    });
  }
  // After a pass: reads its coordinates. There are no tiles that could be loaded alone.
  template <class Exec>
  bool walk(Exec& exec, std::size_t n, const Box&, const PairSettings&, bool records,
            std::uint32_t* unread) {
    if (!records || at_.x.size() != n + LatticeArrays::kPadding) return false;
    exec.forEach("all partners read", n,
                 ReadPartners{{at_.x.data(), at_.y.data(), at_.z.data(), n, 0}, unread},
                 kRowsAtATime);
    return true;
  }
  std::size_t bytes() const { return LatticeArrays::layout(0).held(at_); }

 private:
  void allocate(std::size_t n, int types) {
    at_ = LatticeArrays::layout(n, types).make(Backend::cpu);
    for (auto* a : {&at_.x, &at_.y, &at_.z}) a->zero();
  }
  // Places of the particles of each type, one after the other; the work is small beside all pairs.
  void sortByType(const ParticleRecord* kind, std::size_t n, TypedRows& rows) {
    for (std::size_t i = 0; i < n; ++i) ++rows.first[kind[i].type + 1];
    for (int t = 0; t < kMostTypes; ++t) rows.first[t + 1] += rows.first[t];
    std::size_t next[kMostTypes];
    std::copy(rows.first, rows.first + kMostTypes, next);
    for (std::size_t i = 0; i < n; ++i)
      at_.number.data()[next[kind[i].type]++] = static_cast<std::uint32_t>(i);
  }

  VectorisedRows rows_{pairRowsFor(), typedRowsFor()};
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
