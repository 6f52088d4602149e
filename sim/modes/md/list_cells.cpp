// Cells of the builders of neighbour lists, and the list of one particle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "sim/algo/neighbours/cells.h"
#include "sim/algo/stencil/builder.h"
#include "sim/layers/label_of.h"
#include "sim/layers/layer_of.h"
#include "sim/layers/layers.h"
#include "sim/modes/md/list_scene.h"

namespace cellscope::md {
namespace {

constexpr std::size_t kMostSearched = 4000;  // cells around a particle that are drawn

class SearchDrawer {
 public:
  SearchDrawer(const CellGrid& grid, const Box& box, const ParticleRecord& p)
      : grid_(grid), box_(box) {
    own_[0] = grid.along(p.x, 0), own_[1] = grid.along(p.y, 1), own_[2] = grid.along(p.z, 2);
  }
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
  layers::SearchedView view;

 private:
  const CellGrid& grid_;
  const Box& box_;
  std::int32_t own_[3];
};

layers::SearchedPart partAt(const std::int32_t (&offset)[3]) {
  const bool own = offset[0] == 0 && offset[1] == 0 && offset[2] == 0;
  return own ? layers::SearchedPart::ownCell : layers::SearchedPart::searched;
}

layers::SearchedView aroundCell(const CellGrid& grid, const ListsLent& lent,
                                const PickedSlot& picked) {
  SearchDrawer drawer(grid, lent.input.box, picked.built);
  CellSpan span[3];
  for (int a = 0; a < 3; ++a) span[a] = cellSpan(drawer.own()[a], grid.cells[a]);
  for (std::int32_t z = span[2].first; z <= span[2].last; ++z)
    for (std::int32_t y = span[1].first; y <= span[1].last; ++y)
      for (std::int32_t x = span[0].first; x <= span[0].last; ++x) {
        const std::int32_t* own = drawer.own();
        const std::int32_t offset[3] = {x - own[0], y - own[1], z - own[2]};
        drawer.add(offset, partAt(offset), "");
      }
  return drawer.view;
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

// The cells of a stencil, and those around it that are too far away to belong to it, up to where
// it ends along the axes; the nearest first.
std::vector<StencilCell> stencilAndCorners(const Stencils& all, std::uint32_t type, const Box& box,
                                           const CellGrid& grid) {
  const StencilCell* const begin = all.cells.data() + all.first[type];
  const StencilCell* const end = all.cells.data() + all.first[type + 1];
  std::int32_t most = 0;
  double corner = 0;
  for (const StencilCell* c = begin; c != end; ++c)
    most = std::max({most, std::abs(c->x), std::abs(c->y), std::abs(c->z)});
  for (int a = 0; a < box.dimension; ++a)
    corner = std::hypot(corner, most * box.length[a] / grid.cells[a]);
  std::vector<StencilCell> cells = stencilWithin(box, grid, corner);
  std::erase_if(cells, [&](const StencilCell& c) {
    return std::max({std::abs(c.x), std::abs(c.y), std::abs(c.z)}) > most;
  });
  return cells;
}

layers::SearchedView aroundStencil(const StencilBuilder& builder, const ListsLent& lent,
                                   const PickedSlot& picked) {
  const CellGrid grid = builder.cells().grid;
  const std::uint32_t mine = picked.built.type;
  SearchDrawer drawer(grid, lent.input.box, picked.built);
  for (const StencilCell& c : stencilAndCorners(builder.stencils(), mine, lent.input.box, grid)) {
    if (drawer.view.boxes.size() >= kMostSearched) break;
    const std::int32_t offset[3] = {c.x, c.y, c.z};
    bool nothing = false;
    const std::string why = skippedTypes(lent.input.table, mine, c.distance, nothing);
    drawer.add(offset, nothing ? layers::SearchedPart::skipped : partAt(offset), why);
  }
  return drawer.view;
}

}  // namespace

namespace {

void fillGrid(layers::CellGridView& view, const CellGrid& grid, const Box& box, std::size_t n) {
  view.dimension = box.dimension;
  for (int a = 0; a < 3; ++a) {
    view.cells[a] = grid.cells[a];
    view.length[a] = box.length[a];
    view.width[a] = box.length[a] / grid.cells[a];
  }
  const double mean = static_cast<double>(n) / grid.count();
  view.most = static_cast<std::int32_t>(std::ceil(mean + 3 * std::sqrt(mean)));
}

}  // namespace

std::optional<layers::CellGridView> cellsOf(const ListsLent& lent) {
  const CellGrid* grid = nullptr;
  CellGrid ofStencil;
  layers::CellGridView view;
  if (const auto* cells = dynamic_cast<const CellListBuilder*>(lent.builder)) {
    grid = &cells->grid();
    view.first = cells->first();
  } else if (const auto* stencil = dynamic_cast<const StencilBuilder*>(lent.builder)) {
    const StencilCellsView v = stencil->cells();
    ofStencil = v.grid;
    grid = &ofStencil;
    view.first = v.first;
    view.lists = static_cast<std::int32_t>(v.types);
  }
  if (!grid) return std::nullopt;
  fillGrid(view, *grid, lent.input.box, lent.input.n);
  return view;
}

layers::CellGridView cellsOf(const CellsLent& lent, const Box& box, std::size_t n) {
  layers::CellGridView view;
  view.filled = lent.filled;
  view.slots = static_cast<std::int32_t>(lent.shape.slots);
  fillGrid(view, lent.shape.grid, box, n);
  return view;
}

layers::SearchedView searchedSlots(const PlaceholderShape& shape, const Box& box,
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

std::optional<layers::SearchedView> searchedCells(const ListsLent& lent, const PickedSlot& picked) {
  if (const auto* cells = dynamic_cast<const CellListBuilder*>(lent.builder))
    return aroundCell(cells->grid(), lent, picked);
  if (const auto* stencil = dynamic_cast<const StencilBuilder*>(lent.builder))
    return aroundStencil(*stencil, lent, picked);
  return std::nullopt;
}

namespace {

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

}  // namespace

std::size_t withinCutoff(const PickedSlot& picked, const ListsLent& lent, double buffer) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < picked.at.size(); ++k)
    count += partnerOf(picked, k, lent, buffer).inCutoff ? 1 : 0;
  return count;
}

LayerData neighbourLines(const PickedSlot& picked, const ListsLent& lent, double buffer) {
  std::vector<LineInstance> lines;
  for (std::size_t k = 0; k < picked.at.size(); ++k) {
    const Partner r = partnerOf(picked, k, lent, buffer);
    const auto part = r.inCutoff  ? layers::CheckPart::inCutoff
                      : r.inReach ? layers::CheckPart::inBuffer
                                  : layers::CheckPart::tooFar;
    const ParticleRecord& a = picked.now;
    lines.push_back({{a.x, a.y, a.z},
                     {a.x + r.d[0], a.y + r.d[1], a.z + r.d[2]},
                     static_cast<float>(part),
                     0,
                     static_cast<std::uint16_t>(picked.at[k].type)});
  }
  std::vector<std::string> names{"within the cutoff", "within the buffer"};
  std::vector<Mark> marks{Mark::inCutoff, Mark::inBuffer};
  if (lent.input.cluster > 1) {
    names.push_back("beyond: partner of its cluster");
    marks.push_back(Mark::tooFar);
  }
  LayerData layer = layerOf(
      layers::kNeighbours, Primitive::lines, lines,
      layers::categories("list of the picked particle", std::move(names), std::move(marks)));
  if (lines.empty()) layer.reason = "its list is empty";
  return layer;
}

}  // namespace cellscope::md
