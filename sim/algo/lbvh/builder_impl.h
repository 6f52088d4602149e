// The builder on one exec. Included by its .cpp and its .cu file. Tiles searches by tiles:
//   static constexpr bool kSearches  // whether it does; false: the trees are walked
//   static void make(Exec&, const LinearTrees&, const ParticleRecord*)  // of sorted particles
//   static void search(Exec&, const LinearTrees&, const TreeQueries&, const ListView&)
//   static void walk(Exec&, const LinearTrees&, const TreeQueries&)
#pragma once
#include "sim/algo/lbvh/built_trees.h"
#include "sim/algo/lbvh/query.h"
#include "sim/algo/lbvh/trees.h"

namespace cellscope {

// Neighbour lists from the trees: one query per particle, in the order of the trees, so that
// threads of a warp walk through the same nodes (S1, section 3.3).

// Writes what a query finds to the list of its slot.
struct ListEntries {
  std::uint32_t* items;
  std::uint32_t room;
  std::uint32_t found = 0;
  HOST_DEVICE void add(std::uint32_t slot) {
    if (found < room) items[found] = slot;
    ++found;
  }
};

template <class Watch>  // NoWatch or CountChecks
struct ListFromTrees {
  TreeQueries queries;
  ListView list;
  std::uint32_t* checks;

  HOST_DEVICE void operator()(std::size_t i) const {
    const TreeParticle p = queries.trees.particle[i];
    const std::uint32_t type = typeOfSorted(queries.trees.part, static_cast<std::uint32_t>(i));
    ListEntries entries{list.items + list.head[p.slot], list.room(p.slot)};
    Watch watch;
    queries.visit(
        {p.x, p.y, p.z, type}, p.slot, [&](std::uint32_t s) { entries.add(s); }, watch);
    list.finish(p.slot, type, entries.found);
    if constexpr (std::is_same_v<Watch, CountChecks>) checks[p.slot] = watch.checks;
  }
};

// The same walk without distances.
struct WalkTrees {
  TreeQueries queries;

  HOST_DEVICE void operator()(std::size_t i) const {
    const TreeParticle p = queries.trees.particle[i];
    const std::uint32_t type = typeOfSorted(queries.trees.part, static_cast<std::uint32_t>(i));
    WalkOnly watch;
    queries.visit(
        {p.x, p.y, p.z, type}, p.slot, [](std::uint32_t) {}, watch);
    watch.read.end();
  }
};

// One query after the other walks through the trees.
struct NoTiles {
  static constexpr bool kSearches = false;
};

template <class Exec, class Tiles = NoTiles>
class TreeBuilderOn final : public ListBuilder, public BuiltTrees {
 public:
  TreeBuilderOn(const exec::Shared& shared, const ListOptions& options)
      : shared_(shared),
        exec_(exec::as<Exec>(shared_)),
        byTiles_(options.how == ListSearch::fast),
        perLeaf_(static_cast<std::uint32_t>(options.perLeaf)) {}

  void prepare(const ListInput& input) override {
    std::vector<std::uint32_t> counts;
    for (int t = 0; t < input.table.types; ++t)
      counts.push_back(static_cast<std::uint32_t>(input.countOfType[static_cast<std::size_t>(t)]));
    if (counts == counts_) return;
    trees_ = {};
    queries_ = TreeQueries();
    trees_ = LinearTrees(Exec::backend, counts, perLeaf_);
    counts_ = counts;
  }

  void build(const ListInput& input, const ListView& out) override {
    grownTo_ = 0;
    makeTrees(input);
    if constexpr (Tiles::kSearches)
      if (nodesOnDemand_) return Tiles::search(exec_, trees_, queries_, out);
    search(input, out);
  }
  bool buildWithout(LeftOut part, const ListInput& input, const ListView&) override {
    makeTrees(input);
    if (part != LeftOut::distances) return true;
    if (!nodesOnDemand_)
      exec_.forEach("trees walked", input.n, WalkTrees{queries_}, kGrain);
    else if constexpr (Tiles::kSearches)
      Tiles::walk(exec_, trees_, queries_);
    return true;
  }
  int parts() const override { return kTreeParts; }
  void buildPart(int part, const ListInput& input, const ListView& out) override {
    switch (static_cast<TreeBuildPart>(part)) {
      case TreeBuildPart::codes:
        bringNodes();  // of the last build: they are looked at until there are new ones
        nodesOnDemand_ = false;
        grownTo_ = 0;
        return trees_.codes(exec_, input.particles, input.box);
      case TreeBuildPart::sort:
        trees_.sort(exec_);
        return trees_.gather(exec_, input.particles);
      case TreeBuildPart::hierarchy:
        trees_.hierarchy(exec_);
        forgetNodes();
        deepest_ = depth();
        grownTo_ = deepest_ + 1;
        return;
      case TreeBuildPart::boxes:
        return trees_.boxes(exec_, --grownTo_);
      case TreeBuildPart::search:
        return search(input, out);
    }
  }

  bool partGoesOn() const override { return grownTo_ > 0 && grownTo_ <= deepest_; }
  void replayed() override { forgetNodes(); }

  std::size_t bytes() const override { return trees_.bytes(); }
  BuiltTrees* trees() override { return this; }
  std::string partWords() const override {
    if (grownTo_ == deepest_) return "boxes of the leaves";
    return "boxes from the leaves up to depth " + std::to_string(grownTo_);
  }
  TreesView view() const override {
    bringNodes();
    return trees_.view();
  }
  bool searchedByTiles() const override { return nodesOnDemand_; }
  std::string words() const override { return nodesOnDemand_ ? "32 children a node" : ""; }
  const TreeLayout& layout() const override { return trees_.layout(); }
  std::int32_t grownTo() const override { return grownTo_; }
  std::int32_t deepest() const override { return deepest_; }
  std::int32_t depth() override {
    bringNodes();
    if (depth_) return *depth_;
    const TreesView view = trees_.view();
    exec_.reduce("tree depth", static_cast<std::size_t>(view.nodes), std::int32_t{0},
                 DepthOf{view.parent}, LargerDepth{}, depthFound_);
    return *(depth_ = exec_.read(depthFound_));
  }

  void walk(std::uint32_t slot, const RecordWriter& writer) override {
    bringNodes();
    exec_.forEach("tree walk", queries_.trees.particles, RecordQuery{queries_, slot, writer});
  }
  std::vector<TreeStatistics> statistics() override {
    bringNodes();
    std::vector<TreeStatistics> all;
    for (const TreePart& part : trees_.layout().parts)
      all.push_back(treeStatistics(exec_, trees_.view(), part));
    return all;
  }

 private:
  static constexpr std::size_t kGrain = 128;  // queries are long

  bool byTiles(const ListInput& input) const {
    return Tiles::kSearches && byTiles_ && !input.checks && !queriesOf(input).imagesMeet();
  }
  TreeQueries queriesOf(const ListInput& input) const {
    return {trees_.view(), input.table, RecordBox(input.box)};
  }
  void makeTrees(const ListInput& input) {
    forgetNodes();
    nodesOnDemand_ = byTiles(input);
    if (!nodesOnDemand_) {
      trees_.build(exec_, input.particles, input.box);
    } else {
      trees_.codes(exec_, input.particles, input.box);
      trees_.sort(exec_);
      if constexpr (Tiles::kSearches) Tiles::make(exec_, trees_, input.particles);
    }
    queries_ = queriesOf(input);
  }
  void search(const ListInput& input, const ListView& out) {
    queries_ = queriesOf(input);
    if (input.checks)
      exec_.forEach("tree list, checks counted", input.n,
                    ListFromTrees<CountChecks>{queries_, out, input.checks}, kGrain);
    else
      exec_.forEach("tree list", input.n, ListFromTrees<NoWatch>{queries_, out, nullptr}, kGrain);
  }

  void forgetNodes() {
    brought_ = false;
    depth_.reset();
  }
  // The nodes over the order of the last build, where that was searched by tiles.
  void bringNodes() const {
    if (!nodesOnDemand_ || brought_) return;
    trees_.hierarchy(exec_);
    trees_.boxes(exec_);
    brought_ = true;
  }

  exec::Shared shared_;
  Exec& exec_;
  bool byTiles_;  // where there is such a search
  std::uint32_t perLeaf_;
  bool nodesOnDemand_ = false;
  mutable bool brought_ = false;  // those of the last build
  std::int32_t grownTo_ = 0, deepest_ = 0;
  std::optional<std::int32_t> depth_;  // of these
  exec::DeviceValue<std::int32_t> depthFound_{Exec::backend};
  std::vector<std::uint32_t> counts_;
  LinearTrees trees_;
  TreeQueries queries_;  // of the last build
};

}  // namespace cellscope
