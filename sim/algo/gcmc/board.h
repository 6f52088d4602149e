// Checkerboard grand-canonical Monte Carlo: the cells of one colour at once make a fixed number of
// attempts each, with the other cells fixed; then the next colour, and after all of them the grid
// is shifted at random.
//
// Active cells are at least the cutoff apart, so that the weight of what they hold factorises given
// all that is outside, and moves within the cells leave it invariant. In a cell of volume v with
// n particles:
//   displacement  min(1, exp(-dU / T)), rejected when it would leave the cell
//   insertion     min(1, z v / (n + 1) exp(-dU / T)) at a uniform point of the cell
//   deletion      min(1, n / (z v) exp(-dU / T)) of one of the n
// The number of attempts and the shares of their kinds are the same for every cell, empty ones
// included.
//
// Tail correction: U_tail = c N^2 / V, c < 0, couples all cells. With a = |c| / (V T) and
// y ~ Normal(2 a N, 2 a) drawn anew before every colour, exp(a N^2) is the integral of
// exp(y N - y^2 / (4 a)) over y: given y, the cells are independent at ln z + y, without tail.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/grid.h"
#include "sim/algo/gcmc/state.h"
#include "sim/base/host_device.h"
#include "sim/core/gcmc_rules.h"
#include "sim/exec/atomic.h"

namespace cellscope {

// Wrong on purpose: each breaks one condition of the proof.
enum class GcmcBoardExperiment {
  none,
  attemptsByCount,  // 1 + n attempts in a cell that holds n when its turn comes
  skipEmpty         // none in an empty cell
};

// What changes from colour to colour.
struct GcmcBoardHead {
  std::uint64_t turn = 0;  // colours done since move 0; colour `turn % colours` in its sweep
  std::uint64_t end = 0;   // turns below it are asked for
  std::uint32_t n = 0;
  std::uint32_t stopped = 0;  // a cell might run out of room: nothing happens until it has grown
  std::uint32_t most = 0;     // particles in the fullest cell as of the last binning
  std::uint32_t current = 0;  // buffer that holds the particles
  int colour = 0;             // of this turn
  std::uint32_t shift[3] = {0, 0, 0};  // of the grid: cell 0 begins at this word
  double y = 0;                        // of the tail correction; 0 without
  GcmcCounters counters;
};

// Particles by cell, at cell * cellStride + k * entryStride, k < filled[cell].
struct GcmcBoardCells {
  std::uint32_t* filled;
  std::uint32_t *x, *y, *z;
  ParticleId* id;
};

struct GcmcBoard {
  GcmcRules rules;
  GcmcCube cube;  // an even number of cells along each axis, at least four
  int attempts;
  GcmcBoardExperiment experiment;
  ParticleId idBase;
  std::uint32_t capacity;
  std::size_t cellStride, entryStride;
  const std::uint32_t* edge;  // as GcmcGrid::edge
  GcmcBoardHead* head;
  GcmcBoardCells buffer[2];

  HOST_DEVICE int colours() const { return 1 << rules.dimension; }
  HOST_DEVICE std::size_t active() const { return cube.allCells() / colours(); }  // cells
  HOST_DEVICE std::uint64_t movesOfTurn() const { return active() * attempts; }
  HOST_DEVICE std::size_t at(std::uint32_t cell, std::uint32_t k) const {
    return cell * cellStride + k * entryStride;
  }
  HOST_DEVICE GcmcPoint fromGrid(GcmcPoint p) const {  // relative to the grid
    return {p.x - head->shift[0], p.y - head->shift[1], p.z - head->shift[2]};
  }
  HOST_DEVICE bool idle() const { return head->stopped != 0 || head->turn >= head->end; }
};

// Random numbers of turns and sweeps: blocks of the stream of moves that no move draws.
inline constexpr std::uint32_t kBoardShiftBlock = 2, kBoardOrderBlock = 3, kBoardTailBlock = 4;

// The colour of a turn: those of a sweep in an order of its own.
HOST_DEVICE int gcmcBoardColour(const GcmcBoard& b, std::uint64_t turn) {
  const auto colours = static_cast<std::uint32_t>(b.colours());
  const std::uint64_t sweep = turn / colours;
  int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (std::uint32_t i = colours - 1; i > 0; --i) {
    const Random4 r =
        draw(b.rules.key, RngPurpose::gcmcMove, sweep, b.rules.chain, kBoardOrderBlock + (i << 8));
    const std::uint32_t j = scaleWord(r.w[0], i + 1);
    const int kept = order[i];
    order[i] = order[j], order[j] = kept;
  }
  return order[turn % colours];
}

// Active cell `index` of a colour.
struct GcmcBoardPlace {
  int at[3];
  std::uint32_t cell;
};
HOST_DEVICE GcmcBoardPlace gcmcBoardPlace(const GcmcBoard& b, int colour, std::size_t index) {
  GcmcBoardPlace p;
  auto rest = static_cast<std::uint32_t>(index);
  for (int k = 0; k < 3; ++k) {
    if (k >= b.rules.dimension) {
      p.at[k] = 0;
      continue;
    }
    const auto half = static_cast<std::uint32_t>(b.cube.count[k] / 2);
    p.at[k] = static_cast<int>(2 * (rest % half)) + (colour >> k & 1);
    rest /= half;
  }
  p.cell = b.cube.number(p.at[0], p.at[1], p.at[2]);
  return p;
}

// The attempts of one cell in one turn, by one thread.
class GcmcBoardCell {
 public:
  HOST_DEVICE GcmcBoardCell(const GcmcBoard& b, const GcmcBoardPlace& place)
      : b_(b), c_(b.buffer[b.head->current]), place_(place) {
    n_ = c_.filled[place.cell];
    double share = 1;
    const std::uint32_t* edge = b.edge;
    for (int k = 0; k < b.rules.dimension; ++k) {
      first_[k] = edge[place.at[k]];
      width_[k] = edge[place.at[k] + 1] - first_[k];
      share *= width_[k] * (1.0 / 4294967296.0);
      edge += b.cube.count[k] + 1;
    }
    const double fugacity = exp(b.head->y);
    insertFactor_ = b.rules.insertFactor * share * fugacity;
    deleteFactor_ = b.rules.deleteFactor / (share * fugacity);
  }

  HOST_DEVICE std::uint32_t count() const { return n_; }
  HOST_DEVICE void attempt(std::uint64_t move) {
    const GcmcDraw d = gcmcDraw(b_.rules, move);
    const int kind = static_cast<int>(d.kind);
    attempted_[kind]++;
    bool accepted = false;
    if (d.kind == GcmcKind::insertion)
      accepted = insertion(d, move);
    else if (n_ > 0)
      accepted = d.kind == GcmcKind::deletion ? deletion(d) : displacement(d);
    accepted_[kind] += accepted ? 1 : 0;
  }
  HOST_DEVICE void end() const {
    const std::uint32_t before = c_.filled[place_.cell];
    c_.filled[place_.cell] = n_;
    exec::addGlobal(&b_.head->n, n_ - before);  // modulo 2^32
    for (int k = 0; k < kGcmcKinds; ++k) {
      exec::addGlobal(&b_.head->counters.attempted[k], attempted_[k]);
      exec::addGlobal(&b_.head->counters.accepted[k], accepted_[k]);
    }
  }

 private:
  HOST_DEVICE bool insertion(const GcmcDraw& d, std::uint64_t move) {
    const std::uint32_t* const shift = b_.head->shift;
    const GcmcPoint p{
        shift[0] + first_[0] + scaleWord(d.point.x, width_[0]),
        shift[1] + first_[1] + scaleWord(d.point.y, width_[1]),
        b_.rules.dimension == 3 ? shift[2] + first_[2] + scaleWord(d.point.z, width_[2]) : 0u};
    const double boltzmann = exp(-b_.rules.beta * energy(p, kNobody));
    if (!(d.a * (n_ + 1.0) < insertFactor_ * boltzmann)) return false;
    put(n_, p);
    c_.id[b_.at(place_.cell, n_)] = b_.idBase + static_cast<ParticleId>(move);
    ++n_;
    return true;
  }
  HOST_DEVICE bool deletion(const GcmcDraw& d) {
    const std::uint32_t k = gcmcSlot(d, n_);
    const double boltzmann = exp(b_.rules.beta * energy(get(place_.cell, k), k));
    if (!(d.a < n_ * deleteFactor_ * boltzmann)) return false;
    --n_;
    put(k, get(place_.cell, n_));
    c_.id[b_.at(place_.cell, k)] = c_.id[b_.at(place_.cell, n_)];
    return true;
  }
  HOST_DEVICE bool displacement(const GcmcDraw& d) {
    const std::uint32_t k = gcmcSlot(d, n_);
    const GcmcPoint from = get(place_.cell, k), to = gcmcDisplaced(b_.rules, d, from);
    if (b_.cube.cellOf(b_.fromGrid(to)) != place_.cell) return false;
    const double dU = energy(to, k) - energy(from, k);
    if (!(d.a < exp(-b_.rules.beta * dU))) return false;
    put(k, to);
    return true;
  }

  // With all particles but entry `self` of this cell.
  HOST_DEVICE double energy(GcmcPoint p, std::uint32_t self) const {
    double u = 0;
    const int deep = b_.rules.dimension == 3 ? 1 : 0;
    for (int z = -deep; z <= deep; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          const std::uint32_t cell = b_.cube.number(along(x, 0), along(y, 1), along(z, 2));
          u += cell == place_.cell ? energyOfOwn(p, self) : energyOf(p, cell);
        }
    return u;
  }
  HOST_DEVICE double energyOf(GcmcPoint p, std::uint32_t cell) const {
    double u = 0;
    const std::uint32_t n = c_.filled[cell];
    for (std::uint32_t k = 0; k < n; ++k) u += gcmcPairAt(b_.rules.pair, p, get(cell, k));
    return u;
  }
  HOST_DEVICE double energyOfOwn(GcmcPoint p, std::uint32_t self) const {
    double u = 0;
    for (std::uint32_t k = 0; k < n_; ++k)
      if (k != self) u += gcmcPairAt(b_.rules.pair, p, get(place_.cell, k));
    return u;
  }
  HOST_DEVICE int along(int offset, int axis) const {
    const int at = place_.at[axis] + offset, count = b_.cube.count[axis];
    return at < 0 ? at + count : at >= count ? at - count : at;
  }
  HOST_DEVICE GcmcPoint get(std::uint32_t cell, std::uint32_t k) const {
    const std::size_t i = b_.at(cell, k);
    return {c_.x[i], c_.y[i], c_.z[i]};
  }
  HOST_DEVICE void put(std::uint32_t k, GcmcPoint p) const {
    const std::size_t i = b_.at(place_.cell, k);
    c_.x[i] = p.x, c_.y[i] = p.y, c_.z[i] = p.z;
  }

  static constexpr std::uint32_t kNobody = ~0u;
  const GcmcBoard& b_;
  const GcmcBoardCells c_;
  const GcmcBoardPlace place_;
  std::uint32_t n_;
  std::uint32_t first_[3] = {0, 0, 0}, width_[3] = {0, 0, 0};
  double insertFactor_, deleteFactor_;
  std::uint32_t attempted_[kGcmcKinds] = {}, accepted_[kGcmcKinds] = {};
};

}  // namespace cellscope
