// Neighbour lists, cells and trees as others write theirs (sim/base/pair_list.h).

#include <algorithm>

#include "sim/algo/lbvh/built_trees.h"
#include "sim/base/pair_list.h"
#include "sim/modes/md/mode.h"

namespace cellscope {
namespace {

void addParticles(const ListsLent& lent, const std::vector<ParticleRecord>& particles,
                  PairList& to) {
  const ListInput& in = lent.input;
  to.single = true;
  to.dimension = in.box.dimension;
  for (int a = 0; a < 3; ++a) {
    to.periodic[a] = a < in.box.dimension;
    to.cell[4 * a] = to.periodic[a] ? in.box.length[a] : 1;
  }
  const auto types = static_cast<std::uint32_t>(in.table.types);
  to.cutoff = static_cast<double>(in.table.reach(0, 0));
  for (const ParticleRecord& p : particles) {
    to.position.insert(to.position.end(), {double{p.x}, double{p.y}, double{p.z}});
    if (types > 1) to.type.push_back(p.type);
  }
  if (types == 1) return;
  to.types = types;
  for (std::uint32_t a = 0; a < types; ++a)
    for (std::uint32_t b = 0; b < types; ++b)
      to.cutoffs.push_back(static_cast<double>(in.table.reach(a, b)));
}

// Of lists that clusters share, the pairs within the reach: what their particles compute.
void addPairs(const ListsLent& lent, const std::vector<ParticleRecord>& particles, Backend where,
              PairList& to) {
  to.half = false, to.nearest = true;
  const ListInput& in = lent.input;
  HostRows rows(lent.list, in.n, where, true);
  const RecordBox box(in.box);
  for (std::size_t i = 0; i < in.n; ++i)
    for (const std::uint32_t j : rows.of(i)) {
      const ParticleRecord &p = particles[i], &q = particles[j];
      if (lent.list.clustered() &&
          (i == j || box.distanceSquared(p, q) > in.table.reachSquared(p.type, q.type)))
        continue;
      to.i.push_back(static_cast<std::int64_t>(i)), to.j.push_back(j);
    }
}

void addCells(const ListsLent& lent, const std::vector<ParticleRecord>& particles, Backend where,
              PairList& to) {
  const std::optional<BuiltCells> cells = lent.builder->cells();
  if (!cells) return;
  const CellGrid& grid = cells->grid;
  const bool together = cells->lists == 1;  // otherwise each type has a row of cells
  const std::uint32_t* const first = together ? cells->first : nullptr;
  if (together && cells->slot) {
    const std::vector<std::uint32_t> items = onHost(where, cells->slot, lent.input.n);
    to.cells.item.assign(items.begin(), items.end());
  }
  std::copy(std::begin(grid.cells), std::end(grid.cells), to.cells.dims);
  for (const ParticleRecord& p : particles) to.cells.of.push_back(grid.indexOf(p));
  if (!first) return;
  const std::vector<std::uint32_t> start =
      onHost(where, first, static_cast<std::size_t>(grid.count()) + 1);
  to.cells.start.assign(start.begin(), start.end());
}

void addTree(const ListsLent& lent, Backend where, PairList& to) {
  BuiltTrees* const trees = lent.builder->trees();
  if (!trees) return;
  trees->depth();  // waits for nodes that are made on demand
  const TreesView v = trees->view();
  const auto nodes = static_cast<std::size_t>(v.nodes);
  const std::vector<TreeNode> node = onHost(where, v.node, nodes);
  const std::vector<std::int32_t> parent = onHost(where, v.parent, nodes);
  const std::vector<TreeParticle> particle = onHost(where, v.particle, v.particles);
  ListedTree& t = to.tree;
  t.left.assign(nodes, -1), t.right.assign(nodes, -1);
  t.leafOf.assign(lent.input.n, -1);
  for (std::size_t k = 0; k < nodes; ++k) {
    const TreeNode& n = node[k];
    t.rope.push_back(n.rope());
    t.lower.insert(t.lower.end(), {double{n.low.x}, double{n.low.y}, double{n.low.z}});
    t.upper.insert(t.upper.end(), {double{n.high.x}, double{n.high.y}, double{n.high.z}});
    if (n.isLeaf()) {
      const LeafRange r = leafRange(n.high.link);
      for (std::uint32_t p = r.first; p < r.first + r.count; ++p)
        t.leafOf[particle[p].slot] = static_cast<std::int64_t>(k);
    } else {
      t.left[k] = n.leftChild();
    }
  }
  for (std::size_t k = 0; k < nodes; ++k) {
    if (parent[k] == kNoNode) continue;
    const auto up = static_cast<std::size_t>(parent[k]);
    if (t.left[up] != static_cast<std::int64_t>(k)) t.right[up] = static_cast<std::int64_t>(k);
  }
}

}  // namespace

void MdMode::requireLists() const {
  if (!active().by().hasLists())
    throw InputError(
        "--lists: this method computes forces without neighbour lists; set 'method' to one with "
        "lists: cells, stencils, tree or clusters");
}

// In the order of memory, which that of cells and trees is made of.
PairList MdMode::neighbourLists() {
  requireLists();
  checkFailure();  // waits
  const auto lists = lent<ListsLent>();
  if (!lists || lists->partsDone >= 0)
    throw InputError("the neighbour list is being built: complete the step");
  const Backend where = exec_->where();
  const std::vector<ParticleRecord> particles =
      onHost(where, lists->input.particles, lists->input.n);
  PairList list;
  addParticles(*lists, particles, list);
  addPairs(*lists, particles, where, list);
  addCells(*lists, particles, where, list);
  addTree(*lists, where, list);
  for (const std::uint32_t tag : onHost(where, lists->tag, lists->input.n))
    list.id.push_back(ids_[tag]);
  return list;
}

}  // namespace cellscope
