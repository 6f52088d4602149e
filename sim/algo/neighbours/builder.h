// What builds neighbour lists, how it searches, and how many of the listed pairs are near.
#pragma once
#include <optional>

#include "sim/algo/neighbours/cell_grid.h"
#include "sim/exec/context.h"

namespace cellscope {

// How a builder searches. Lists hold the same with both, perhaps in another order.
enum class ListSearch {
  fast,  // what was measured to be fastest on the backend
  paper  // as in S1: n threads for each particle with cells and stencils, one with trees
};

// What S1 varies. Each builder honours what concerns it.
struct ListOptions {
  ListSearch how = ListSearch::fast;
  // As in the paper, with cells and stencils: threads that search for one particle (section 3.1), a
  // power of two up to kMostSearchThreads. 0: timed on a GPU, one on a CPU. The lists are the same.
  int threads = 0;
  int perLeaf = 4;      // w of section 3.2: particles of a leaf, 1 to 8
  double binWidth = 1;  // of section 4.1, with stencils: cells in shortest reaches
  // Section 4.1, with stencils as in the paper: no distance to particles in cells of which all
  // points are within reach.
  bool longestDistance = false;

  ListOptions(ListSearch search = ListSearch::fast) : how(search) {}
  friend bool operator==(const ListOptions&, const ListOptions&) = default;
};

// A fault that is put into finished lists on purpose (SpoilList, sim/algo/verlet/step_kernels.h).
enum class ListFault {
  none,
  dropPair,     // the list of one particle lacks its nearest neighbour, which still has it
  wrongCell,    // one particle is in the cell after its own along x
  shortStencil  // the cells at the end of the stencil along x are not searched
};

inline constexpr int kMostSearchThreads = 16;  // less than a warp has

class BuiltTrees;  // sim/algo/lbvh/built_trees.h

// The cells that a builder has put particles into, in the memory of the backend.
struct BuiltCells {
  CellGrid grid;
  const std::uint32_t* first = nullptr;  // particle of each in their order, with one entry more
  std::uint32_t lists = 1;               // how many of these follow each other: one per type
  const std::uint32_t* slot = nullptr;   // of each particle in that order; null: not kept
};

// What a build that is timed leaves out.
enum class LeftOut {
  search,    // all of it: particles are put into cells, or trees are built
  distances  // the search goes through cells and their particles, or through nodes, only
};

// One way to build a list, on one backend. A builder is made with the exec that it works on, keeps
// its own scratch and structures (cells, tree), and never changes the order of the slots. Slots
// come in the order of a space-filling curve most of the time; nothing may rely on it.
//
// Must be right for any n >= 1, for two and three dimensions, for boxes of any size (one cell per
// axis included) and for particles at the same position.
class ListBuilder {
 public:
  virtual ~ListBuilder() = default;
  // Memory for this input: allocates. Called before the first build and whenever n, box or table
  // have changed.
  virtual void prepare(const ListInput& input) = 0;
  // Writes the whole list. Orders work and does not wait for it; neither allocates nor frees after
  // prepare() with such an input and one build.
  virtual void build(const ListInput& input, const ListView& out) = 0;
  // build() in parts, to be looked at one by one: `out` is used by the last one only.
  virtual int parts() const { return 1; }
  virtual void buildPart(int /*part*/, const ListInput& input, const ListView& out) {
    build(input, out);
  }
  // Whether there is more to do of the part that was ordered last: then it has to be ordered again.
  virtual bool partGoesOn() const { return false; }
  // Builds that had been recorded were run again since the last call of any other function.
  virtual void replayed() {}
  // build() with something left out, to be timed: no list comes of it. False: there is no such
  // part, and nothing was ordered.
  virtual bool buildWithout(LeftOut, const ListInput&, const ListView&) { return false; }
  virtual std::size_t bytes() const = 0;
  // What of the last build is not in its options: "8 threads each". Empty: nothing.
  virtual std::string words() const { return {}; }
  // Cells in whose order it wants the slots, after prepare(); null: any order. With such slots
  // (ListInput::ordered) it needs neither to sort nor the memory for it.
  virtual const CellGrid* order() const { return nullptr; }
  // Of such a builder: room for the first particle of each of these cells, or bins of columns(),
  // and one entry more. Who knows them may write them there and give no ListInput::cellOf.
  virtual std::uint32_t* firstOfCells() { return nullptr; }
  // Whether a build reads nothing but the particles in these cells, which need not be all.
  virtual bool readsByCells(const ListInput&) const { return false; }
  // Slots that share a list (ListInput::cluster). Where these are several, every build needs slots
  // in the order of columns(), which is known after prepare().
  virtual std::uint32_t cluster() const { return 1; }
  virtual const ColumnGrid* columns() const { return nullptr; }
  // What of the last build can be looked at: its cells; those searched around a particle, the
  // nearest first, with those around them that are too far away; its trees.
  virtual std::optional<BuiltCells> cells() const { return std::nullopt; }
  virtual std::vector<StencilCell> searched(const ListInput&, const ParticleRecord&) const {
    return {};
  }
  virtual BuiltTrees* trees() { return nullptr; }
  // How far the part has come that goes on.
  virtual std::string partWords() const { return {}; }
};

// What an engine with neighbour lists lends to its readers: the arrays themselves, in the memory of
// its backend, valid until the engine is used again.
//
// Arrays are by slot. Of lists that clusters share (list.clustered()) row r belongs to slots
// r * list.cluster and those after it, the last row to fewer where n ends; its entries are all
// slots within reach of one of these, themselves included. Particles of a cluster are close to each
// other, but may lie across an edge of the box.
struct ListsLent {
  ListBuilder* builder = nullptr;  // with the structures of the last build
  ListInput input;                 // of that build
  ListReader list;
  const Vec3d *position = nullptr, *velocity = nullptr;  // now
  const ParticleRecord* record = nullptr;                // positions, rounded
  const Vec4* force = nullptr;         // null between a new list and the forces from it
  const Vec2* terms = nullptr;         // half of the energy and virial of each pair
  const std::uint32_t* tag = nullptr;  // number of the particle in the state
  // Parts that a build under way has done: list and structures are not one then. -1: complete.
  int partsDone = -1;
  PairTable cutoffs = {};  // reaches without the buffer
};

// How many of the pairs that a list makes a force pass compute lie within the cutoff. A row is the
// list of one particle, or of a cluster of slots that share it (ListInput::cluster).
struct ListedPairs {
  std::uint64_t computed = 0, within = 0;
};
HOST_DEVICE ListedPairs operator+(const ListedPairs& a, const ListedPairs& b) {
  return {a.computed + b.computed, a.within + b.within};
}

// By row. Distances are those to the nearest image; a pair of a particle with itself, which a list
// shared by a cluster has, is computed and never within.
struct ListFill {
  ListReader list;
  const ParticleRecord* record = nullptr;  // by slot, as they are now
  RecordBox box;
  PairTable cutoffs;  // without the buffer
  std::uint32_t slots = 0, cluster = 1;

  HOST_DEVICE std::uint32_t first(std::size_t row) const {
    return static_cast<std::uint32_t>(row) * cluster;
  }
  HOST_DEVICE std::uint32_t size(std::size_t row) const {
    const std::uint32_t left = slots - first(row);
    return left < cluster ? left : cluster;
  }
  HOST_DEVICE bool within(std::uint32_t i, std::uint32_t j) const {
    const ParticleRecord p = record[i], q = record[j];
    return i != j && box.distanceSquared(p, q) < cutoffs.reachSquared(p.type, q.type);
  }
  HOST_DEVICE ListedPairs operator()(std::size_t row) const { return part(row, 0, 1); }
  // Of entries from, from + step, ... of a row.
  HOST_DEVICE ListedPairs part(std::size_t row, std::uint32_t from, std::uint32_t step) const {
    const std::uint32_t count = list.count[row], begin = first(row), members = size(row);
    const std::uint32_t* const items = list.items + list.head[row];
    ListedPairs sum;
    for (std::uint32_t k = from; k < count; k += step) {
      sum.computed += members;
      for (std::uint32_t m = 0; m < members; ++m) sum.within += within(begin + m, items[k]) ? 1 : 0;
    }
    return sum;
  }
};

// Of rows at equal distances, no more than kMostRows of them: a measurement while a run goes on
// must not take as long as a force pass. A row is shared by kParts, as its partners are far apart
// in memory.
struct ListFillOfSome {
  static constexpr std::size_t kMostRows = 32768, kParts = 16;
  ListFill of;
  std::size_t stride;

  ListFillOfSome(const ListFill& fill, std::size_t rows)
      : of(fill), stride((rows + kMostRows - 1) / kMostRows) {}
  std::size_t parts(std::size_t rows) const { return (rows + stride - 1) / stride * kParts; }
  HOST_DEVICE ListedPairs operator()(std::size_t k) const {
    return of.part(k / kParts * stride, static_cast<std::uint32_t>(k % kParts), kParts);
  }
};

}  // namespace cellscope
