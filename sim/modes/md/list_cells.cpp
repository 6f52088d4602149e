// Cells of the builders of neighbour lists and placeholder cells; the list of one particle, and the
// cluster that shares it.
#include <fmt/format.h>

#include "sim/modes/md/list_scene.h"

namespace cellscope::md {
namespace {

constexpr std::size_t kMostSearched = 4000;  // cells around a particle that are drawn

class SearchDrawer {
 public:
  SearchDrawer(const CellGrid& grid, const Box& box, std::uint32_t cell) : grid_(grid), box_(box) {
    const auto c = static_cast<std::int32_t>(cell);
    own_[0] = c % grid.cells[0], own_[1] = c / grid.cells[0] % grid.cells[1];
    own_[2] = c / (grid.cells[0] * grid.cells[1]);
  }
  // The cell at an offset from the particle's own.
  void add(const std::int32_t (&offset)[3], layers::SearchedPart part, const std::string& why) {
    BoxInstance b{};
    for (int a = 0; a < 3; ++a) {
      const double width = a < box_.dimension ? box_.length[a] / grid_.cells[a] : 0.0;
      const std::int32_t c = wrappedCell(own_[a] + offset[a], grid_.cells[a]);
      b.lo[a] = static_cast<float>(width * c), b.hi[a] = static_cast<float>(width * (c + 1));
    }
    b.value = static_cast<float>(part);
    view.boxes.push_back(b);
    if (why.empty()) return;
    const float middle[3] = {0.5f * (b.lo[0] + b.hi[0]), 0.5f * (b.lo[1] + b.hi[1]),
                             0.5f * (b.lo[2] + b.hi[2])};
    view.labels.push_back(labelOf(middle, why));
  }
  const std::int32_t* own() const { return own_; }
  layers::Sketch view{.boxScale = layers::searchedScale()};

 private:
  const CellGrid& grid_;
  const Box& box_;
  std::int32_t own_[3];
};

layers::SearchedPart partAt(const std::int32_t (&offset)[3]) {
  const bool own = offset[0] == 0 && offset[1] == 0 && offset[2] == 0;
  return own ? layers::SearchedPart::ownCell : layers::SearchedPart::searched;
}

// Why particles of some types are skipped in a cell of a stencil; "" when none are.
std::string skippedTypes(const PairTable& table, std::uint32_t mine, float distance, bool& all) {
  std::string reaches, types;
  std::size_t count = 0;
  for (std::uint32_t t = 0; t < static_cast<std::uint32_t>(table.types); ++t) {
    const float reach = table.reach(mine, t);
    if (reach > 0 && distance <= reach) continue;
    const char* const between = count++ > 0 ? ", " : "";
    reaches += fmt::format("{}{:.3g}", between, static_cast<double>(reach));
    types += fmt::format("{}{}", between, t + 1);
  }
  all = count == static_cast<std::size_t>(table.types);
  if (count == 0) return "";
  const std::string why = fmt::format("{:.3g} > {}", static_cast<double>(distance), reaches);
  return table.types > 1 ? why + (count > 1 ? ": types " : ": type ") + types : why;
}

layers::CellGridView viewOf(const CellGrid& grid, const Box& box, std::size_t n) {
  layers::CellGridView view{gridPlaceOf(grid, box), box};
  const double mean = static_cast<double>(n) / grid.count();
  view.most = static_cast<std::int32_t>(std::ceil(mean + 3 * std::sqrt(mean)));
  return view;
}

struct Partner {
  float d[3];  // from the picked particle, to the nearest image
  float distance;
  bool inCutoff, inReach;
};
Partner partnerOf(const PickedSlot& p, std::size_t k, const ListsLent& lent, double buffer) {
  const RecordBox box(lent.input.box);
  const ParticleRecord& a = p.now;
  const ParticleRecord& b = p.at[k];
  Partner r{};
  r.d[0] = box.difference(b.x, a.x, 0), r.d[1] = box.difference(b.y, a.y, 1);
  r.d[2] = box.dimension == 3 ? box.difference(b.z, a.z, 2) : 0.0f;
  r.distance = std::sqrt(box.distanceSquared(a, b));
  const float reach = lent.input.table.reach(a.type, b.type);
  r.inCutoff = static_cast<double>(r.distance) < static_cast<double>(reach) - buffer;
  r.inReach = lent.input.cluster <= 1 || r.distance <= reach;
  return r;
}

using Fault = ListTruth::Fault;
constexpr struct {
  const char* name;
  Mark mark;
  Fault fault, orFault;
} kFaultLooks[] = {
    {"missing: within the cutoff, not listed", Mark::missing, Fault::missing, Fault::missing},
    {"listed twice, or in one list only", Mark::wronglyListed, Fault::twice, Fault::oneSided},
    {"listed, but beyond cutoff and buffer", Mark::needless, Fault::beyond, Fault::beyond}};

LineInstance lineFrom(const ParticleRecord& a, const float (&d)[3], std::size_t value,
                      std::uint32_t type) {
  return {{a.x, a.y, a.z},
          {a.x + d[0], a.y + d[1], a.z + d[2]},
          static_cast<float>(value),
          0,
          static_cast<std::uint16_t>(type)};
}

// Of how many particles of the cluster a particle is within the cutoff now. slot: its own; a
// particle is no partner of itself.
std::uint32_t membersWithin(const PickedSlot& picked, const ListsLent& lent,
                            const ParticleRecord& q, std::uint32_t slot) {
  const RecordBox box(lent.input.box);
  std::uint32_t within = 0, member = picked.firstOfCluster;
  for (const ParticleRecord& p : picked.cluster)
    within +=
        member++ != slot && box.distanceSquared(p, q) < lent.cutoffs.reachSquared(p.type, q.type)
            ? 1
            : 0;
  return within;
}

// Around the centres, as images next to the picked particle.
BoxInstance boxOf(const PickedSlot& picked, const ListsLent& lent) {
  const RecordBox box(lent.input.box);
  const ParticleRecord& own = picked.now;
  BoxInstance b{{own.x, own.y, own.z}, {own.x, own.y, own.z}, 0, 0, 0};
  for (const ParticleRecord& p : picked.cluster) {
    const float d[3] = {box.difference(p.x, own.x, 0), box.difference(p.y, own.y, 1),
                        box.dimension == 3 ? box.difference(p.z, own.z, 2) : 0.0f};
    const float from[3] = {own.x, own.y, own.z};
    for (int a = 0; a < 3; ++a) {
      b.lo[a] = std::min(b.lo[a], from[a] + d[a]);
      b.hi[a] = std::max(b.hi[a], from[a] + d[a]);
    }
  }
  return b;
}

}  // namespace

CellGridPlace gridPlaceOf(const CellGrid& grid, const Box& box) {
  CellGridPlace place;
  for (int a = 0; a < 3; ++a) {
    place.cells[a] = grid.cells[a];
    place.width[a] = box.length[a] / grid.cells[a];
  }
  return place;
}

std::optional<layers::CellGridView> cellsOf(const ListsLent& lent) {
  const std::optional<BuiltCells> cells = lent.builder->cells();
  if (!cells) return std::nullopt;
  layers::CellGridView view = viewOf(cells->grid, lent.input.box, lent.input.n);
  view.first = cells->first;
  view.lists = static_cast<std::int32_t>(cells->lists);
  return view;
}

layers::CellGridView cellsOf(const CellsLent& lent, const Box& box, std::size_t n) {
  layers::CellGridView view = viewOf(lent.shape.grid, box, n);
  view.filled = lent.filled;
  view.slots = static_cast<std::int32_t>(lent.shape.slots);
  return view;
}

PickedCell pickedCell(const MdState& state, const PlaceholderShape& shape, std::size_t number) {
  PickedCell picked;
  picked.filled.assign(static_cast<std::size_t>(shape.grid.count()), 0);
  for (std::size_t k = 0; k < state.order.size(); ++k) {
    std::uint32_t& filled = picked.filled[state.cellOf[k]];
    if (state.order[k] == number) picked.cell = state.cellOf[k], picked.slot = filled;
    ++filled;
  }
  return picked;
}

CardRows cellRows(const PlaceholderShape& shape, const PickedCell& picked) {
  const CellGrid& grid = shape.grid;
  const auto c = static_cast<std::int32_t>(picked.cell);
  const std::uint32_t filled = picked.filled[picked.cell];
  return {{"cell", fmt::format("({}, {}, {})", c % grid.cells[0], c / grid.cells[0] % grid.cells[1],
                               c / (grid.cells[0] * grid.cells[1]))},
          {"slot", fmt::format("{} of {}", picked.slot + 1, shape.slots)},
          {"slots of the cell",
           fmt::format("{} particles, {} placeholders", filled, shape.slots - filled)}};
}

layers::Sketch searchedSlots(const PlaceholderShape& shape, const Box& box,
                             const PickedCell& picked) {
  const CellGrid& grid = shape.grid;
  SearchDrawer drawer(grid, box, picked.cell);
  const bool space = box.dimension == 3;
  for (std::int32_t z = space ? -1 : 0; z <= (space ? 1 : 0); ++z)
    for (std::int32_t y = -1; y <= 1; ++y)
      for (std::int32_t x = -1; x <= 1; ++x) {
        const std::int32_t offset[3] = {x, y, z};
        const std::int32_t* own = drawer.own();
        const auto cell = static_cast<std::size_t>(grid.index(
            wrappedCell(own[0] + x, grid.cells[0]), wrappedCell(own[1] + y, grid.cells[1]),
            wrappedCell(own[2] + z, grid.cells[2])));
        drawer.add(offset, partAt(offset),
                   fmt::format("{} of {} slots", picked.filled[cell], shape.slots));
      }
  return drawer.view;
}

layers::Sketch searchedCells(const ListsLent& lent, const PickedSlot& picked) {
  const std::optional<BuiltCells> cells = lent.builder->cells();
  if (!cells)
    return {.reason = lent.list.clustered() ? "lists of clusters search columns, not cells"
                                            : "lists from trees search no cells"};
  const std::uint32_t mine = picked.built.type;
  SearchDrawer drawer(cells->grid, lent.input.box,
                      static_cast<std::uint32_t>(cells->grid.indexOf(picked.built)));
  for (const StencilCell& c : lent.builder->searched(lent.input, picked.built)) {
    if (drawer.view.boxes.size() >= kMostSearched) break;
    const std::int32_t offset[3] = {c.x, c.y, c.z};
    bool nothing = false;
    const std::string why =
        c.distance < 0 ? "" : skippedTypes(lent.input.table, mine, c.distance, nothing);
    drawer.add(offset, nothing ? layers::SearchedPart::skipped : partAt(offset), why);
  }
  return drawer.view;
}

std::size_t withinCutoff(const PickedSlot& picked, const ListsLent& lent, double buffer) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < picked.at.size(); ++k)
    count += partnerOf(picked, k, lent, buffer).inCutoff ? 1 : 0;
  return count;
}

LayerData neighbourLines(const PickedSlot* picked, const ListsLent& lent, double buffer,
                         const ListTruth* truth) {
  std::vector<LineInstance> lines;
  std::vector<std::string> names;
  std::vector<Mark> marks;
  for (std::size_t k = 0; picked && k < picked->at.size(); ++k) {
    const Partner r = partnerOf(*picked, k, lent, buffer);
    const auto part = r.inCutoff  ? layers::CheckPart::inCutoff
                      : r.inReach ? layers::CheckPart::inBuffer
                                  : layers::CheckPart::tooFar;
    lines.push_back(lineFrom(picked->now, r.d, static_cast<std::size_t>(part), picked->at[k].type));
  }
  if (picked) {
    names = {"within the cutoff", "within the buffer"};
    marks = {Mark::inCutoff, Mark::inBuffer};
    if (lent.input.cluster > 1) {
      names.emplace_back("beyond: partner of its cluster");
      marks.push_back(Mark::tooFar);
    }
  }
  for (const auto& look : kFaultLooks) {
    const std::size_t before = lines.size();
    for (std::size_t k = 0; truth && k < truth->wrong.size(); ++k) {
      const ListTruth::Pair& p = truth->wrong[k];
      if (p.fault == look.fault || p.fault == look.orFault)
        lines.push_back(lineFrom(p.at, p.d, names.size(), p.at.type));
    }
    if (lines.size() == before) continue;
    names.emplace_back(look.name);
    marks.push_back(look.mark);
  }
  LayerData layer = layerOf(
      layers::kNeighbours, lines,
      layers::categories(picked ? "list of the picked particle" : "pairs of the neighbour lists",
                         std::move(names), std::move(marks)));
  if (lines.empty()) layer.reason = "its list is empty";
  return layer;
}

layers::PickedCluster pickedCluster(const PickedSlot* picked, const ListsLent& lent,
                                    const SpeciesTable& species) {
  layers::PickedCluster c;
  c.size = lent.input.cluster;
  if (!picked) {
    c.reason = "no particle is picked: click one";
    return c;
  }
  c.boxes = {boxOf(*picked, lent)};
  for (std::size_t k = 0; k < picked->neighbours.size(); ++k) {
    const ParticleRecord& q = picked->at[k];
    const std::uint32_t within = membersWithin(*picked, lent, q, picked->neighbours[k]);
    const auto diameter = static_cast<float>(species.diameter(static_cast<int>(q.type)));
    c.partners.push_back({q.x, q.y, q.z, diameter, static_cast<float>(within), 0,
                          static_cast<std::uint16_t>(q.type)});
  }
  return c;
}

CardRows clusterRows(const PickedSlot& picked, const ListsLent& lent) {
  if (lent.input.cluster <= 1) return {};
  const std::size_t size = picked.cluster.size();
  CardRows rows{{"cluster", fmt::format("slots {} to {}", picked.firstOfCluster,
                                        picked.firstOfCluster + size - 1)}};
  if (lent.partsDone >= 0) return rows;
  // The particle itself stands in the list that it shares.
  const std::size_t listed = picked.neighbours.size() + 1, computed = listed * size;
  std::size_t within = membersWithin(picked, lent, picked.now, picked.slot);
  for (std::size_t k = 0; k < picked.neighbours.size(); ++k)
    within += membersWithin(picked, lent, picked.at[k], picked.neighbours[k]);
  rows.push_back({"list of the cluster", fmt::format("{} particles", listed)});
  rows.push_back({"pairs of the cluster",
                  fmt::format("{} computed, {} within the cutoff ({:.0f} %)", computed, within,
                              100.0 * static_cast<double>(within) /
                                  static_cast<double>(std::max<std::size_t>(computed, 1)))});
  return rows;
}

}  // namespace cellscope::md
