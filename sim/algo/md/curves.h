// Histograms of a state, counted where it is: speeds, and distances of pairs by their types.
#pragma once
#include <vector>

#include "sim/algo/md/species.h"
#include "sim/exec/atomic.h"
#include "sim/exec/memory.h"

namespace cellscope {

// Pairs of `sources` particles in a row, the first of which is number `first` (numbers go round at
// n), with all others; and sqrt(m) |v| of all particles, v relative to `mean`.
struct CurveRequest {
  std::size_t first = 0, sources = 0;
  std::size_t pairBins = 0, speedBins = 0;
  double pairBin = 0, speedBin = 0;  // widths
  Vec3d mean{0, 0, 0};
  std::size_t types = 1;

  // How far particle i of n is behind the first.
  HOST_DEVICE std::size_t behind(std::size_t i, std::size_t n) const {
    return i >= first ? i - first : i + n - first;
  }
};

// What lies beyond the last bin is not counted. pairs: types x types x pairBins, the type of the
// source first.
struct CurveCounts {
  std::vector<std::uint32_t> pairs, speeds;
};

HOST_DEVICE void countInBin(double value, double width, std::size_t bins, std::uint32_t* counts) {
  if (!(value < width * static_cast<double>(bins))) return;
  const auto bin = static_cast<std::size_t>(value / width);
  if (bin < bins) exec::addGlobal(counts + bin, 1u);
}

// By slot; `tag`: the number of the particle in it, null where that is the slot.
struct TakeSources {
  const Vec3d* position;
  const std::uint32_t* tag;
  const ParticleRecord* record;  // null: all of type 0
  Vec3d* source;
  std::uint32_t* sourceType;
  std::size_t n;
  CurveRequest q;
  HOST_DEVICE void operator()(std::size_t k) const {
    const std::size_t behind = q.behind(tag ? tag[k] : k, n);
    if (behind >= q.sources) return;
    source[behind] = position[k];
    sourceType[behind] = record ? record[k].type : 0;
  }
};

struct CountCurves {
  const Vec3d *position, *velocity, *source;
  const std::uint32_t *tag, *sourceType;
  const ParticleRecord* record;
  InverseMasses inverseMass;
  std::uint32_t *pairs, *speeds;
  std::size_t n;
  Box box;
  CurveRequest q;

  HOST_DEVICE static double length(Vec3d r) { return sqrt(dot(r, r)); }
  HOST_DEVICE void operator()(std::size_t k) const {
    const std::uint32_t type = record && q.types > 1 ? record[k].type : 0;
    const double speed = length(velocity[k] - q.mean);
    countInBin(speed / sqrt(inverseMass.of[type]), q.speedBin, q.speedBins, speeds);
    const Vec3d r = position[k];
    const std::size_t behind = q.behind(tag ? tag[k] : k, n);
    for (std::size_t s = 0; s < q.sources; ++s) {
      if (s == behind) continue;
      const double apart = length(box.minimumImage(source[s] - r));
      const std::size_t of = q.types > 1 ? sourceType[s] * q.types + type : 0;
      countInBin(apart, q.pairBin, q.pairBins, pairs + of * q.pairBins);
    }
  }
};

// Counts for an engine; keeps its few kilobytes from call to call.
class CurveCounter {
 public:
  template <class Exec>
  CurveCounts count(Exec& exec, const CurveRequest& q, const Box& box, std::size_t n,
                    const Vec3d* position, const Vec3d* velocity, const std::uint32_t* tag,
                    const ParticleRecord* record, const InverseMasses& inverseMass) {
    const std::size_t pairBins = q.types * q.types * q.pairBins, bins = pairBins + q.speedBins;
    if (sources_.size() < q.sources) {
      sources_ = exec::Array<Vec3d>(Exec::backend, q.sources);
      sourceTypes_ = exec::Array<std::uint32_t>(Exec::backend, q.sources);
    }
    if (counts_.size() != bins) counts_ = exec::Array<std::uint32_t>(Exec::backend, bins);
    exec.fill("curves: empty", counts_.data(), bins, 0u);
    exec.forEach("curves: sources", n,
                 TakeSources{position, tag, record, sources_.data(), sourceTypes_.data(), n, q});
    exec.forEach("curves: count", n,
                 CountCurves{position, velocity, sources_.data(), tag, sourceTypes_.data(), record,
                             inverseMass, counts_.data(), counts_.data() + pairBins, n, box, q});
    exec.synchronize();
    const std::vector<std::uint32_t> all = counts_.get();
    const auto split = all.begin() + static_cast<std::ptrdiff_t>(pairBins);
    return {{all.begin(), split}, {split, all.end()}};
  }

 private:
  exec::Array<Vec3d> sources_;
  exec::Array<std::uint32_t> sourceTypes_;
  exec::Array<std::uint32_t> counts_;
};

}  // namespace cellscope
