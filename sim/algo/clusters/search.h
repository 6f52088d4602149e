// The search for lists of clusters, written once: what is around some clusters that follow each
// other, column by column, and which particles are within reach of one of a cluster's own.
#pragma once
#include <cstdint>

#include "sim/algo/neighbours/cell_grid.h"

namespace cellscope {

// How differences to a cluster are those to the nearest images.
enum class ClusterImages {
  none,     // no image is within reach
  shifted,  // those of the nearest image to its first particle
  each      // has to be found for each pair
};

struct SlotRun {
  std::uint32_t begin, end;
};

// d to the nearest image, also where it is some boxes long.
HOST_DEVICE float toNearest(float d, float length, float inverse) {
  constexpr float kToInteger = 12582912.0f;  // 1.5 * 2^23: adding it rounds to whole numbers
  const float whole = d * inverse + kToInteger;
  return d - length * (whole - kToInteger);
}

// Some clusters that are searched for together.
template <std::uint32_t clusters>
struct Searching {
  ColumnPoint p[clusters * kClusterSize];  // at one place of the box, as images
  float low[3], high[3];                   // around them
  float reach;                             // longest, and what rounding may hide
  ClusterImages images;
  // Columns around them; they may lie outside the box, whose images they are then.
  std::int32_t from[2], columns[2];
  bool round;  // what is within reach may go round the end of a column
};

struct ClusterSearch {
  ColumnGrid grid;
  const std::uint32_t* first;  // slot of each cell
  const ParticleRecord* particles;
  PairTable table;
  ListView out;
  std::uint32_t* checks;
  std::uint32_t n;
  float margin;        // rounding of positions
  float reachSquared;  // of particles of the first type, with the margin

  HOST_DEVICE ColumnPoint imageOf(ColumnPoint q, const ColumnPoint& of) const {
    for (int a = 0; a < 3; ++a)
      q.at[a] = of.at[a] + toNearest(q.at[a] - of.at[a], grid.length[a], grid.inverse[a]);
    return q;
  }
  // Clusters from `row` on; where there are no more particles the last one stands instead.
  template <std::uint32_t clusters>
  HOST_DEVICE Searching<clusters> around(std::uint32_t row) const {
    Searching<clusters> c;
    const std::uint32_t begin = row * kClusterSize;
    const ColumnPoint origin = grid.point(particles[begin]);
    c.reach = 0;
    for (int a = 0; a < 3; ++a) c.low[a] = c.high[a] = origin.at[a];
    for (std::uint32_t k = 0; k < clusters * kClusterSize; ++k) {
      const std::uint32_t i = begin + k < n ? begin + k : n - 1;
      c.p[k] = imageOf(grid.point(particles[i]), origin);
      const float longest = table.longest(c.p[k].type);
      c.reach = longest > c.reach ? longest : c.reach;
      for (int a = 0; a < 3; ++a) {
        c.low[a] = c.p[k].at[a] < c.low[a] ? c.p[k].at[a] : c.low[a];
        c.high[a] = c.p[k].at[a] > c.high[a] ? c.p[k].at[a] : c.high[a];
      }
    }
    findColumns(c, origin);
    return c;
  }
  // origin: the first particle; c has the particles, what is around them, and the longest reach.
  template <std::uint32_t clusters>
  HOST_DEVICE void findColumns(Searching<clusters>& c, const ColumnPoint& origin) const {
    if (c.reach > 0) c.reach += margin;
    bool inside = true, close = true;
    for (int a = 0; a < 3; ++a) {
      const bool axis = grid.inverse[a] != 0;
      const float before = origin.at[a] - c.low[a], behind = c.high[a] - origin.at[a];
      const float furthest = (before > behind ? before : behind) + c.reach;
      close = close && (!axis || furthest < 0.499f * grid.length[a]);
      inside =
          inside && (!axis || (c.low[a] - c.reach > 0 && c.high[a] + c.reach < grid.length[a]));
    }
    c.images =
        !close ? ClusterImages::each : (inside ? ClusterImages::none : ClusterImages::shifted);
    for (int a = 0; a < 2; ++a) {
      const std::int32_t from = floorOf((c.low[a] - c.reach) * grid.perLength[a]);
      const std::int32_t to = floorOf((c.high[a] + c.reach) * grid.perLength[a]);
      const bool all = c.images == ClusterImages::each || to - from >= grid.cells[a];
      c.from[a] = all ? 0 : from;
      c.columns[a] = all ? grid.cells[a] : to - from + 1;
    }
    c.round = c.images == ClusterImages::shifted;
  }

  // Slots of the particles around lie in runs, 0 to runs() - 1, one for each column, or
  // two where its part within reach may go round the edge of the box; some are empty.
  template <std::uint32_t clusters>
  HOST_DEVICE static std::uint32_t runs(const Searching<clusters>& c) {
    return static_cast<std::uint32_t>(c.columns[0] * c.columns[1]) << (c.round ? 1 : 0);
  }
  template <std::uint32_t clusters>
  HOST_DEVICE SlotRun run(const Searching<clusters>& c, std::uint32_t number) const {
    const std::uint32_t column = c.round ? number / 2 : number;
    const auto across = static_cast<std::uint32_t>(c.columns[1]);
    const std::int32_t at[2] = {c.from[0] + static_cast<std::int32_t>(column / across),
                                c.from[1] + static_cast<std::int32_t>(column % across)};
    float left = c.reach * c.reach * 1.0001f;  // what remains of it across the column
    for (int a = 0; a < 2; ++a) {
      const bool part = c.columns[a] != grid.cells[a];
      const float edge = static_cast<float>(at[a]) * grid.width[a];
      const float before = c.low[a] - (edge + grid.width[a]), behind = edge - c.high[a];
      const float d = (before > behind ? before : behind) - margin;
      left -= part && d > 0 ? d * d : 0.0f;
    }
    const std::int32_t bins = grid.cells[2];
    std::int32_t from = 0, to = bins - 1;
    if (c.images != ClusterImages::each) {
      if (!(left >= 0)) return {0, 0};
      const float far = sqrtf(left) + margin;
      from = floorOf((c.low[2] - far) * grid.perLength[2]);
      to = floorOf((c.high[2] + far) * grid.perLength[2]);
      if (to - from + 1 >= bins) from = 0, to = bins - 1;
    }
    std::int32_t begin = from < 0 ? 0 : from, last = to < bins ? to : bins - 1;
    if (c.round && number % 2 == 1) {
      begin = from < 0 ? from + bins : 0;
      last = from < 0 ? bins - 1 : to - bins;
    }
    if (begin > last) return {0, 0};
    const std::int32_t x = wrapped(at[0], grid.cells[0]), y = wrapped(at[1], grid.cells[1]);
    const std::int32_t one = grid.index(x, y, begin), other = grid.index(x, y, last);
    return {first[one < other ? one : other], first[(one < other ? other : one) + 1]};
  }

  // As the image that differences are taken to.
  template <std::uint32_t clusters>
  HOST_DEVICE ColumnPoint candidate(const Searching<clusters>& c, std::uint32_t slot) const {
    const ColumnPoint q = grid.point(particles[slot]);
    return c.images == ClusterImages::shifted ? imageOf(q, c.p[0]) : q;
  }
  template <bool each>
  HOST_DEVICE float squared(const ColumnPoint& p, const ColumnPoint& q) const {
    float r2 = 0;
    for (int a = 0; a < 3; ++a) {
      float d = p.at[a] - q.at[a];
      if constexpr (each) d = toNearest(d, grid.length[a], grid.inverse[a]);
      r2 += d * d;
    }
    return r2;
  }
  // Whether a particle of a cluster, the first of which is p, reaches so far. Pairs beyond the
  // reach by no more than rounding may be taken.
  template <bool oneType, bool each>
  HOST_DEVICE bool within(const ColumnPoint* p, const ColumnPoint& q) const {
    bool found = false;
    for (std::uint32_t k = 0; k < kClusterSize; ++k) {
      float far2 = reachSquared;
      if constexpr (!oneType) {
        const float reach = table.reach(p[k].type, q.type), far = reach + margin;
        far2 = reach > 0 ? far * far : -1.0f;
      }
      found |= squared<each>(p[k], q) <= far2;
    }
    return found;
  }

  HOST_DEVICE void operator()(std::size_t at) const {
    const auto row = static_cast<std::uint32_t>(at);
    const Searching<1> c = around<1>(row);
    const std::uint64_t head = out.head[row];
    const std::uint32_t room = out.room(row), all = c.reach > 0 ? runs(c) : 0;
    std::uint32_t found = 0, checked = 0;
    for (std::uint32_t r = 0; r < all; ++r) {
      const SlotRun slots = run(c, r);
      checked += slots.end - slots.begin;
      for (std::uint32_t j = slots.begin; j < slots.end; ++j) {
        const ColumnPoint q = candidate(c, j);
        if (!(c.images == ClusterImages::each ? within<false, true>(c.p, q)
                                              : within<false, false>(c.p, q)))
          continue;
        if (found < room) out.items[head + found] = j;
        ++found;
      }
    }
    finish(row, found, checked);
  }
  HOST_DEVICE void finish(std::uint32_t row, std::uint32_t found, std::uint32_t checked) const {
    out.finish(row, 0, found);
    if (!checks) return;
    for (std::uint32_t k = 0; k < kClusterSize && row * kClusterSize + k < n; ++k)
      checks[row * kClusterSize + k] = checked > 0 ? checked - 1 : 0;  // not with itself
  }

 private:
  HOST_DEVICE static std::int32_t floorOf(float x) { return static_cast<std::int32_t>(floorf(x)); }
  // A cell that lies out of the box by no more than its length.
  HOST_DEVICE static std::int32_t wrapped(std::int32_t c, std::int32_t cells) {
    return c < 0 ? c + cells : (c < cells ? c : c - cells);
  }
};

}  // namespace cellscope
