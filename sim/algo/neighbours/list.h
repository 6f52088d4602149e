// Neighbour lists (S1, section 3.4): for each particle the slots of all others within the reach of
// the pair of types. Full lists: a pair stands in the lists of both, in each once; never a particle
// in its own.
//
// Memory is one array. Each type has a room, the most neighbours that a particle of it may have,
// rounded up to a multiple of 8; a prefix sum over the rooms gives the start of each list, and with
// one type a product. Offsets have 64 bits. What does not fit is counted and not stored; then
// grow() makes room for it and the list is built once more.
//
// Lists of clusters: a method may let a row of slots that follow each other (ListInput::cluster)
// share one list, which then holds every slot within the reach of one of them, themselves included,
// each once. There is one room for all rows, whatever their types.
//
// The nearest image decides: distances are RecordBox::distanceSquared(), and a pair within the
// reach (r^2 <= reach^2) is listed once, however many images are; readers of the list look for
// the others.
#pragma once
#include <array>
#include <vector>

#include "sim/algo/neighbours/particle_record.h"
#include "sim/exec/atomic.h"
#include "sim/exec/memory.h"

namespace cellscope {

// Slots whose lists are wanted, of one of several domains; the others have none.
struct OwnSlots {
  std::size_t begin = 0, count = ~std::size_t{0};

  HOST_DEVICE bool has(std::size_t i) const { return i - begin < count; }
  std::size_t end(std::size_t n) const { return count < n - begin ? begin + count : n; }
  std::size_t of(std::size_t n) const { return end(n) - begin; }
};

// f of slots from one on.
template <class F>
struct FromSlot {
  F f;
  std::size_t begin;
  HOST_DEVICE void operator()(std::size_t k) const { f(begin + k); }
};

inline constexpr int kMostDomains = 16;
inline constexpr std::int64_t kLeastOfDomain = 256;  // particles: a thread block has no more

// Domain q has slots [at[q], at[q + 1]).
struct DomainBorders {
  int domains = 1;
  std::uint32_t at[kMostDomains + 1] = {};

  HOST_DEVICE int of(std::uint32_t slot) const {
    int q = 0;
    while (q + 1 < domains && slot >= at[q + 1]) ++q;
    return q;
  }
  OwnSlots own(int q) const { return {at[q], at[q + 1] - at[q]}; }
};

// Slots of each other domain that stand in the lists of one: those before `end`, and those from
// `begin` on. Two ranges, as the box is periodic.
struct NeededSlots {
  std::uint32_t end[kMostDomains] = {}, begin[kMostDomains] = {};

  // None.
  explicit NeededSlots(const DomainBorders& b) {
    for (int q = 0; q < b.domains; ++q) end[q] = b.at[q], begin[q] = b.at[q + 1];
  }
  HOST_DEVICE bool has(int q, std::uint32_t slot) const {
    return slot < end[q] || slot >= begin[q];
  }
  // What another one needs of domain q as well.
  void add(const NeededSlots& other, int q) {
    end[q] = end[q] < other.end[q] ? other.end[q] : end[q];
    begin[q] = begin[q] < other.begin[q] ? begin[q] : other.begin[q];
  }
};

// Some slots, in ranges that follow each other: number k of them is slot at(k).
struct SlotRanges {
  static constexpr int kMost = 2 * kMostDomains - 1;
  std::uint32_t begin[kMost] = {}, before[kMost] = {};  // before: how many come first
  int ranges = 0;                                       // 0: all slots
  std::uint32_t n = 0;

  void add(std::uint32_t from, std::uint32_t to) {
    if (from >= to) return;
    begin[ranges] = from, before[ranges++] = n;
    n += to - from;
  }
  // What is needed of domain q.
  void add(const DomainBorders& b, const NeededSlots& needed, int q) {
    add(b.at[q], needed.end[q]);
    add(needed.begin[q] < needed.end[q] ? needed.end[q] : needed.begin[q], b.at[q + 1]);
  }
  std::size_t of(std::size_t all) const { return ranges > 0 ? n : all; }
  std::uint32_t end(int r) const {
    return begin[r] + (r + 1 < ranges ? before[r + 1] : n) - before[r];
  }
  HOST_DEVICE int rangeOf(std::uint32_t k) const {
    int r = ranges - 1;
    while (k < before[r]) --r;
    return r;
  }
  HOST_DEVICE std::uint32_t at(std::uint32_t k) const {
    if (ranges == 0) return k;
    const int r = rangeOf(k);
    return begin[r] + (k - before[r]);
  }
};

// What a list is built from.
struct ListInput {
  const ParticleRecord* particles = nullptr;  // n, by slot, in the memory of the backend
  std::size_t n = 0;
  Box box;
  PairTable table;
  std::array<std::size_t, kMostTypes> countOfType{};  // their sum is n
  // Distance checks made for each slot are written here where it is not null (n).
  std::uint32_t* checks = nullptr;
  // Whether every build comes with slots in the order of the cells of ListBuilder::order(): then
  // these are the cells of the sorted particles (null: from ListBuilder::firstOfCells()), and
  // their slots (null: 0, 1, 2 ...).
  bool ordered = false;
  // Slots that share a list: a power of two.
  std::uint32_t cluster = 1;
  OwnSlots own;  // all, with clusters
  const std::uint32_t* cellOf = nullptr;
  const std::uint32_t* slotOf = nullptr;

  std::size_t rows() const { return (n + cluster - 1) / cluster; }
};

// In device memory: what went beyond the room.
struct ListOverflow {
  std::uint32_t any;                 // not 0: some list is not complete
  std::uint32_t needed[kMostTypes];  // most neighbours found, of types that had too little room
};

// Where the list of each slot begins.
struct ListHeads {
  const std::uint64_t* at = nullptr;  // n + 1; null: all lists have the same room
  std::uint32_t even = 0;             // that room
  OwnSlots own = {};                  // others have none, and begin nowhere

  HOST_DEVICE std::uint64_t operator[](std::size_t i) const {
    return at ? at[i] : (i - own.begin) * even;
  }
  HOST_DEVICE std::uint32_t room(std::size_t i) const {
    if (at) return static_cast<std::uint32_t>(at[i + 1] - at[i]);
    return own.has(i) ? even : 0;
  }
};

// The list in kernels. A builder calls, for each slot i, put(i, k, j) for k = 0, 1, 2 ... in an
// order that does not depend on the order of threads, then finish(i, type, number found).
struct ListView {
  ListHeads head;
  std::uint32_t* count = nullptr;  // n: neighbours stored
  std::uint32_t* items = nullptr;  // slots
  ListOverflow* overflow = nullptr;

  HOST_DEVICE bool own(std::size_t i) const { return head.own.has(i); }
  HOST_DEVICE std::uint32_t room(std::size_t i) const { return head.room(i); }
  // Neighbour number k of slot i, where there is room. Kernels with much to do take head[i] and
  // room(i) once and write by themselves.
  HOST_DEVICE void put(std::size_t i, std::uint32_t k, std::uint32_t j) const {
    if (k < room(i)) items[head[i] + k] = j;
  }
  HOST_DEVICE void finish(std::size_t i, std::uint32_t type, std::uint32_t found) const {
    if (!own(i)) return;
    const std::uint32_t most = room(i);
    count[i] = found < most ? found : most;
    if (found <= most) return;
    exec::maxGlobal(&overflow->needed[type], found);
    exec::maxGlobal(&overflow->any, 1u);
  }
};

// The same for readers.
struct ListReader {
  ListHeads head;
  const std::uint32_t* count = nullptr;
  const std::uint32_t* items = nullptr;
  std::uint32_t cluster = 1;  // slots that share a list

  HOST_DEVICE bool clustered() const { return cluster > 1; }
  HOST_DEVICE std::size_t rowOf(std::size_t i) const { return clustered() ? i / cluster : i; }
  std::size_t rows(std::size_t n) const { return (n + cluster - 1) / cluster; }
};

class NeighbourList {
 public:
  static constexpr std::uint32_t kRoomStep = 8;
  static constexpr std::uint32_t roundedRoom(std::uint64_t neighbours) {
    return static_cast<std::uint32_t>((neighbours + kRoomStep - 1) / kRoomStep * kRoomStep);
  }

  explicit NeighbourList(Backend where) : where_(where), overflow_(where) {}

  // Memory for these particles. Rooms are guessed for a uniform fluid unless they are known from
  // before with the same types and reaches or shorter ones. Allocates; to be called before the
  // first build and when n, types, reaches or own slots have changed. scratch: bytes that the array
  // of neighbours has at least. Throws OutOfMemory.
  void prepare(const ListInput& input, std::size_t scratch = 0);
  // Heads, by type of each slot, no neighbours of others' slots, and no overflow yet. Then a
  // builder may write to the view.
  ListView begin(auto& exec, const ListInput& input);
  // Slots hold other particles than in the last build, perhaps of other types.
  void slotsMoved() { headsKnown_ = false; }

  // After an overflow that the host has seen: room for what was found, a quarter more of memory
  // where there is so much. Where that is too much it throws OutOfMemory, and the rooms are those
  // before.
  void grow(const ListOverflow& seen);
  std::uint64_t growths() const { return growths_; }

  exec::DeviceValue<ListOverflow>& overflow() { return overflow_; }
  ListReader reader() const { return {heads(), count_.data(), items_.data(), cluster_}; }
  ListView view() const { return {heads(), count_.data(), items_.data(), overflow_.data()}; }
  // Memory of a list that is about to be rebuilt, for callers that sort the particles before
  // that: at least as many numbers as there are particles, and as prepare() was asked for.
  exec::Array<std::uint32_t>& itemMemory() { return items_; }
  exec::Array<std::uint32_t>& countMemory() { return count_; }
  // By row: by slot, or by cluster. Waits for nothing: the build must be done.
  void download(std::vector<std::vector<std::uint32_t>>& neighbours) const;
  std::uint32_t roomOf(int type) const { return room_[static_cast<std::size_t>(type)]; }
  std::size_t size() const { return n_; }
  std::size_t bytes() const { return head_.bytes() + count_.bytes() + items_.bytes(); }
  static std::size_t bytesFor(const ListInput& input, std::size_t scratch = 0);

 private:
  ListHeads heads() const { return {head_.data(), room_[0], own_}; }
  std::uint64_t itemsNeeded() const;
  void reserveItems(bool more);

  Backend where_;
  std::size_t n_ = 0, rows_ = 0, scratch_ = 0;
  std::uint32_t cluster_ = 1;
  OwnSlots own_;
  std::uint64_t growths_ = 0;
  std::array<std::size_t, kMostTypes> rowsOfType_{};
  std::array<std::uint32_t, kMostTypes> room_{};
  PairTable table_;
  exec::Array<std::uint64_t> head_;  // empty where all rows have the same room
  bool headsKnown_ = false;
  exec::Array<std::uint32_t> count_, items_;
  exec::DeviceValue<ListOverflow> overflow_;
};

// Functors of begin().
struct RoomOfSlot {
  const ParticleRecord* particles;
  std::uint64_t* head;
  std::uint32_t room[kMostTypes];
  OwnSlots own;
  HOST_DEVICE void operator()(std::size_t i) const {
    head[i] = own.has(i) ? room[particles[i].type] : 0;
  }
};

ListView NeighbourList::begin(auto& exec, const ListInput& input) {
  CELLSCOPE_ASSERT(input.n == n_ && input.cluster == cluster_);
  exec.fill("list: no overflow", overflow_.data(), 1, ListOverflow{});
  if (own_.of(n_) < n_) exec.fill("list: no neighbours", count_.data(), n_, 0u);
  if (head_.size() > 0 && !std::exchange(headsKnown_, true)) {
    RoomOfSlot rooms{input.particles, head_.data(), {}, own_};
    for (std::size_t t = 0; t < kMostTypes; ++t) rooms.room[t] = room_[t];
    exec.forEach("list: rooms", n_, rooms);
    exec.offsets("list: heads", head_.data(), head_.data(), n_);
  }
  return view();
}

}  // namespace cellscope
