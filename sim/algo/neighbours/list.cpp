#include "sim/algo/neighbours/list.h"

#include <cmath>
#include <numbers>

namespace cellscope {
namespace {

// Side of that cube, in sides of one that holds a cluster: such that rooms are those measured in a
// liquid.
constexpr double kClusterExtent = 0.45;

// Neighbours that a particle of type a has at uniform density, and some more for fluctuations.
std::uint32_t guessedRoom(const ListInput& in, std::uint32_t a) {
  double mean = 0;
  for (std::uint32_t b = 0; b < static_cast<std::uint32_t>(in.table.types); ++b) {
    const double r = in.table.reach(a, b);
    const double around =
        in.box.dimension == 3 ? 4.0 / 3.0 * std::numbers::pi * r * r * r : std::numbers::pi * r * r;
    mean += around / in.box.volume() * static_cast<double>(in.countOfType[b]);
  }
  const double most = static_cast<double>(in.n > 0 ? in.n - 1 : 0);
  return NeighbourList::roundedRoom(
      static_cast<std::uint64_t>(std::min(most, mean + 1.5 * std::sqrt(mean) + 2.0)));
}

// Slots that one of a cluster has within its reach, themselves included: at uniform density, of a
// cube in the middle of them and what is within reach of it.
std::uint32_t guessedRoomOfCluster(const ListInput& in) {
  double mean = 0, largest = 0;
  for (std::size_t b = 0; b < kMostTypes; ++b) {
    const double r = in.table.longest(static_cast<std::uint32_t>(b));
    if (in.countOfType[b] > 0) largest = std::max(largest, r);
  }
  const double density = static_cast<double>(std::max<std::size_t>(in.n, 1)) / in.box.volume();
  const double r = largest, pi = std::numbers::pi;
  const double side = kClusterExtent * std::pow(in.cluster / density, 1.0 / in.box.dimension);
  mean = in.box.dimension == 3 ? side * side * (side + 6 * r) + pi * r * r * (3 * side + 4 * r / 3)
                               : side * (side + 4 * r) + pi * r * r;
  mean = std::max(mean * density, static_cast<double>(in.cluster));
  return NeighbourList::roundedRoom(static_cast<std::uint64_t>(
      std::min(static_cast<double>(in.n), mean + 3 * std::sqrt(mean) + 2.0)));
}

std::uint64_t itemsOf(const std::array<std::size_t, kMostTypes>& count,
                      const std::array<std::uint32_t, kMostTypes>& room) {
  std::uint64_t all = 0;
  for (std::size_t t = 0; t < kMostTypes; ++t) all += count[t] * room[t];
  return all;
}

std::uint64_t wordsOf(std::size_t bytes) {
  return (bytes + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t);
}

std::size_t headsOf(const ListInput& in) {
  return in.table.types > 1 && in.cluster == 1 ? in.n + 1 : 0;
}
// Whose rooms these are, at most: clusters count as particles of the first type.
std::array<std::size_t, kMostTypes> rowsOfType(const ListInput& in) {
  if (in.cluster > 1) return {in.rows()};
  std::array<std::size_t, kMostTypes> rows = in.countOfType;
  for (std::size_t& n : rows) n = std::min(n, in.own.of(in.n));
  return rows;
}
std::array<std::uint32_t, kMostTypes> guessedRooms(const ListInput& in) {
  std::array<std::uint32_t, kMostTypes> room{};
  if (in.cluster > 1) {
    room[0] = guessedRoomOfCluster(in);
    return room;
  }
  for (std::uint32_t t = 0; t < kMostTypes; ++t)
    if (in.countOfType[t] > 0) room[t] = guessedRoom(in, t);
  return room;
}

}  // namespace

std::uint64_t NeighbourList::itemsNeeded() const {
  return std::max<std::uint64_t>(itemsOf(rowsOfType_, room_), wordsOf(scratch_));
}

void NeighbourList::reserveItems(bool more) {
  const std::uint64_t items = itemsNeeded();
  if (items_.size() >= items) return;
  items_ = {};
  items_ = exec::Array<std::uint32_t>(where_, more ? items + items / 4 : items);
  // Kernels read rows four by four, past the last neighbour: so that tools that look for reads of
  // what was never written find others only.
  if (where_ == Backend::cuda) items_.zero();
}

void NeighbourList::prepare(const ListInput& in, std::size_t scratch) {
  const bool keepRooms = in.table.sameReaches(table_) && in.cluster == cluster_;
  const std::array<std::uint32_t, kMostTypes> guess = guessedRooms(in);
  for (std::uint32_t t = 0; t < kMostTypes; ++t)
    room_[t] = keepRooms ? std::max(room_[t], guess[t]) : guess[t];
  if (in.n != n_ || head_.size() != headsOf(in)) {
    head_ = {}, count_ = {};
    head_ = exec::Array<std::uint64_t>(where_, headsOf(in));
    count_ = exec::Array<std::uint32_t>(where_, in.n);
  }
  n_ = in.n, rows_ = in.rows(), scratch_ = scratch;
  cluster_ = in.cluster, own_ = in.own;
  table_ = in.table;
  headsKnown_ = false;
  rowsOfType_ = rowsOfType(in);
  reserveItems(false);
}

void NeighbourList::grow(const ListOverflow& seen) {
  const std::array<std::uint32_t, kMostTypes> before = room_;
  const std::size_t had = items_.size();
  headsKnown_ = false;
  for (std::size_t t = 0; t < kMostTypes; ++t)
    room_[t] = std::max(room_[t], roundedRoom(seen.needed[t]));
  for (const bool more : {true, false}) {
    try {
      reserveItems(more);
      break;
    } catch (const OutOfMemory&) {
      if (more) continue;
      room_ = before;
      items_ = exec::Array<std::uint32_t>(where_, had);
      throw;
    }
  }
  ++growths_;
}

void NeighbourList::download(std::vector<std::vector<std::uint32_t>>& neighbours) const {
  const std::vector<std::uint64_t> heads = head_.get();
  const ListHeads head{heads.empty() ? nullptr : heads.data(), room_[0]};
  const std::vector<std::uint32_t> count = count_.get(), items = items_.get();
  neighbours.assign(rows_, {});
  for (std::size_t i = 0; i < rows_; ++i) {
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(head[i]);
    neighbours[i].assign(begin, begin + count[i]);
  }
}

std::size_t NeighbourList::bytesFor(const ListInput& in, std::size_t scratch) {
  const std::uint64_t items = std::max(itemsOf(rowsOfType(in), guessedRooms(in)), wordsOf(scratch));
  return headsOf(in) * sizeof(std::uint64_t) + (in.n + items) * sizeof(std::uint32_t);
}

}  // namespace cellscope
