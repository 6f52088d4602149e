// Single questions about the state: values, places, cells, and why two particles are in each
// other's list or not; and lists, cells and trees as others write theirs (sim/base/pair_list.h).
#include <fmt/format.h>

#include "sim/algo/md/pair_law.h"
#include "sim/base/digits.h"
#include "sim/base/pair_list.h"
#include "sim/exec/memory.h"
#include "sim/modes/md/mode.h"

namespace cellscope {
namespace {

// One of a pair, as the lists have it.
struct Listed {
  std::uint32_t slot = 0;
  ParticleRecord now{}, built{};
  bool hasOther = false;
};

// What being listed or not means for a pair of this distance.
std::string verdictOf(double r, double reach, double builtAt, double builtReach, bool any,
                      bool both) {
  if (both)
    return r < reach ? "neighbours: within the cutoff, a force acts"
                     : "listed, but beyond the cutoff now: no force";
  if (r >= reach)
    return any ? "in one list only; beyond the cutoff now: no force"
               : "no neighbours: beyond the cutoff";
  if (any) return "WRONG: within the cutoff, and in one list only";
  return builtAt < builtReach
             ? "WRONG: within the cutoff, was within reach of the list, and is missing"
             : "WRONG: within the cutoff and missing: further than the reach when the list was "
               "built, it came too far before the next build";
}

// cost: how often a query by a point or a ray meets the node once it meets the root, times the
// particles of a leaf (sim/algo/lbvh/built_trees.h, TreeStatistics::surfaceCost, is their sum).
Table tableOf(const std::vector<TreeNode>& nodes, const std::vector<std::int32_t>& parents,
              const TreeLayout& layout, int dimension) {
  Table t{{{"node", "Its number; inner nodes come before leaves, the root first"},
           {"depth", "Edges between it and the root of its tree"},
           {"tree", "Type of the particles that are in its tree, from 0"},
           {"children", "Numbers of both children, or how many particles a leaf holds"},
           {"cost", "Surface over that of the root; of a leaf times its particles"},
           {"low", "Lower corner of its box, sigma", true},
           {"high", "Upper corner of its box, sigma", true}},
          {},
          ""};
  for (std::size_t type = 0; type < layout.parts.size(); ++type) {
    const TreePart& part = layout.parts[type];
    const double whole =
        part.leaves > 0 ? measured(nodes[static_cast<std::size_t>(part.root())], dimension).surface
                        : 1;
    for (std::int32_t k = part.firstNode; k < part.firstNode + part.nodes(); ++k) {
      const TreeNode& n = nodes[static_cast<std::size_t>(k)];
      const std::uint32_t held = n.isLeaf() ? leafRange(n.high.link).count : 0;
      const Vec3d lo{n.low.x, n.low.y, n.low.z}, hi{n.high.x, n.high.y, n.high.z};
      const std::string children =
          n.isLeaf() ? fmt::format("{} held", held)
                     : fmt::format("{} {}", n.leftChild(),
                                   nodes[static_cast<std::size_t>(n.leftChild())].rope());
      t.rows.push_back(
          {.cells = {wholeCell(k),
                     wholeCell(depthOf(parents.data(), k)),
                     wholeCell(static_cast<std::int64_t>(type)),
                     {children, n.isLeaf() ? -static_cast<double>(held) : n.leftChild()},
                     numberCell(measured(n, dimension).surface * std::max(1u, held) / whole, 4),
                     {placeText(lo, dimension), lo.x},
                     {placeText(hi, dimension), hi.x}},
           .place = fmt::format("node {}", k),
           .lo = lo,
           .hi = hi});
    }
  }
  return t;
}

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

std::vector<double> MdMode::valuesNow() {
  const RunSample taken = engine_->sampleNow(run_.stepDt);
  md::MdSample s = completed(taken, moment());
  addLists(s, taken, step());
  addFill(s);
  return valuesOf(md::mdObservables(), s);
}

std::vector<std::optional<Vec3d>> MdMode::placesOf(const std::vector<ParticleId>& ids) {
  const MdState s = engine_->download();
  return each(ids, [&](ParticleId id) {
    const auto number = slots_.find(id);
    return number ? std::optional(s.position[*number]) : std::nullopt;
  });
}

std::optional<CellGridPlace> MdMode::cellGrid() {
  if (const auto cells = lent<CellsLent>()) return md::gridPlaceOf(cells->shape.grid, box_);
  const auto lists = lent<ListsLent>();
  if (!lists || lists->partsDone >= 0) return std::nullopt;
  const std::optional<BuiltCells> built = lists->builder->cells();
  if (!built) return std::nullopt;
  return md::gridPlaceOf(built->grid, lists->input.box);
}

Table MdMode::treeNodes() {
  const auto lists = lent<ListsLent>();
  if (!lists || lists->partsDone >= 0)
    return {{}, {}, lists ? "lists are being built" : "this method computes forces without lists"};
  BuiltTrees* const trees = lists->builder->trees();
  if (!trees) return {{}, {}, "the lists are built without trees: choose lists from trees"};
  TreesView view = trees->view();
  trees->statistics();  // waits
  const auto count = static_cast<std::size_t>(view.nodes);
  return tableOf(onHost(exec_->where(), view.node, count),
                 onHost(exec_->where(), view.parent, count), trees->layout(), view.dimension);
}

std::vector<ParticleId> MdMode::inSlots() {
  const auto lists = lent<ListsLent>();
  return lists ? idsBySlot(*lists) : ids_;
}

// Waits for what the engine does.
std::vector<ParticleId> MdMode::idsBySlot(const ListsLent& lists) const {
  engine_->failure();
  return each(onHost(exec_->where(), lists.tag, lists.input.n),
              [this](std::uint32_t number) { return ids_[number]; });
}

std::vector<Neighbour> MdMode::neighboursOf(ParticleId id) {
  const std::optional<std::uint32_t> number = slots_.find(id);
  if (!number) return {};
  const auto lists = lent<ListsLent>();
  const bool complete = lists && lists->partsDone < 0;
  std::vector<ParticleId> listed;
  if (complete) {
    const std::vector<ParticleId> ids = idsBySlot(*lists);
    const auto slot = std::find(ids.begin(), ids.end(), id) - ids.begin();
    HostRows rows(lists->list, lists->input.n, exec_->where(), false);
    for (const std::uint32_t other : rows.of(static_cast<std::size_t>(slot)))
      listed.push_back(ids[other]);
  }
  const MdState s = engine_->download();
  const PairSettings settings = active().pair();
  std::vector<Neighbour> all;
  withLaw<double>(settings.potential, settings.species, [&](const auto& law) {
    for (std::size_t k = 0; k < s.position.size(); ++k) {
      const Vec3d d = s.box.minimumImage(s.position[k] - s.position[*number]);
      const double r2 = dot(d, d), r = std::sqrt(r2);
      const auto& pair = law.of(s.typeOf(*number), s.typeOf(k));
      const bool within = r2 < pair.cutoffSquared;
      const bool inList = hasItem(listed, ids_[k]);
      if (k == *number || (!within && !inList)) continue;
      Neighbour n{ids_[k], r, within, std::nullopt, within ? pair.terms(r2, 1.0 / r).energy : 0};
      if (complete) n.listed = inList;
      all.push_back(n);
    }
  });
  return all;
}

Inspectable::Rows MdMode::aboutPair(ParticleId a, ParticleId b) {
  const auto lists = lent<ListsLent>();
  if (!lists) return {{"lists", "this method computes forces without lists"}};
  if (lists->partsDone >= 0) return {{"lists", "being built"}};
  const Backend where = exec_->where();
  const std::vector<ParticleId> ids = idsBySlot(*lists);
  HostRows rows(lists->list, lists->input.n, where, false);
  Listed of[2];
  for (int k = 0; k < 2; ++k) {
    const auto at = std::find(ids.begin(), ids.end(), k == 0 ? a : b);
    of[k].slot = static_cast<std::uint32_t>(at - ids.begin());
    of[k].now = onHost(where, lists->record + of[k].slot, 1)[0];
    of[k].built = onHost(where, lists->input.particles + of[k].slot, 1)[0];
  }
  for (int k = 0; k < 2; ++k) of[k].hasOther = rows.has(of[k].slot, of[1 - k].slot);
  const bool any = of[0].hasOther || of[1].hasOther, both = of[0].hasOther && of[1].hasOther;
  const double r = distance(of[0].now, of[1].now, box_);
  const double before = distance(of[0].built, of[1].built, lists->input.box);
  const double cutoff = lists->cutoffs.reach(of[0].now.type, of[1].now.type);
  const double reach = lists->input.table.reach(of[0].built.type, of[1].built.type);
  Rows all = {{"verdict", verdictOf(r, cutoff, before, reach, any, both)},
              {"listed", both  ? "each in the list of the other"
                         : any ? fmt::format("in the list of {} only", of[0].hasOther ? a : b)
                               : "in neither list"},
              {"cutoff", fmt::format("{:.4g} sigma, reach of the list {:.4g}", cutoff, reach)},
              {"apart when the list was built", fmt::format("{:.4f} sigma", before)}};
  if (const auto cells = lists->builder->cells())
    for (int k = 0; k < 2; ++k)
      all.push_back(
          {fmt::format("{} was found in cell", k == 0 ? a : b),
           fmt::format("({}, {}, {})", cells->grid.along(of[k].built.x, 0),
                       cells->grid.along(of[k].built.y, 1), cells->grid.along(of[k].built.z, 2))});
  return all;
}

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
