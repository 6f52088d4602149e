// What is seen and checked of placeholder cells.
#include <fmt/format.h>

#include <algorithm>

#include "sim/modes/md/mode.h"

namespace cellscope {
namespace md {

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

}  // namespace md

void MdMode::showCells(const MdState& state, std::size_t i, std::uint32_t needs,
                       layers::Structures& s, PickedParticle& card) {
  const auto* const cells = s.find<CellsLent>();
  if (!cells) return;
  const CellsLent& lent = *cells;
  const md::PickedCell picked = md::pickedCell(state, lent.shape, i);
  const CellGrid& grid = lent.shape.grid;
  const auto c = static_cast<std::int32_t>(picked.cell);
  const std::uint32_t filled = picked.filled[picked.cell];
  card.rows.push_back(
      {"cell", fmt::format("({}, {}, {})", c % grid.cells[0], c / grid.cells[0] % grid.cells[1],
                           c / (grid.cells[0] * grid.cells[1]))});
  card.rows.push_back({"slot", fmt::format("{} of {}", picked.slot + 1, lent.shape.slots)});
  card.rows.push_back({"slots of the cell", fmt::format("{} particles, {} placeholders", filled,
                                                        lent.shape.slots - filled)});
  if (needs & layers::bit(layers::Need::searched))
    s.searched = md::searchedSlots(lent.shape, box_, picked);
}

PlaceholderShape MdMode::cellShape() const {
  Lent lent;
  engine_->lend(lent, false);
  return lent.find<CellsLent>()->shape;
}

SelfCheck MdMode::cellCheck() const {
  const PlaceholderShape shape = cellShape();
  const std::int32_t* cells = shape.grid.cells;
  const std::string sides = box_.dimension == 3
                                ? fmt::format("{} x {} x {}", cells[0], cells[1], cells[2])
                                : fmt::format("{} x {}", cells[0], cells[1]);
  return {"cells", true,
          fmt::format("{} of {} slots, refreshed {} times in {} steps{}", sides, shape.slots,
                      engine_->history().builds, stepsWithLists(),
                      engine_->listGrowths() > 0 ? "; their slots have grown" : "")};
}

// Every particle in one slot, and none too far from its cell.
SelfCheck MdMode::slotCheck(const MdState& s) const {
  const PlaceholderShape shape = cellShape();
  const std::size_t n = s.position.size();
  std::vector<std::uint32_t> filled(static_cast<std::size_t>(shape.grid.count()), 0);
  std::vector<bool> seen(n, false);
  const RecordBox box(s.box);
  std::size_t valid = 0;
  for (std::size_t k = 0; k < s.order.size(); ++k) {
    const std::uint32_t i = s.order[k];
    ++filled[s.cellOf[k]];
    valid += !seen[i] && shape.nextTo(s.cellOf[k], box.record(s.position[i], 0));
    seen[i] = true;
  }
  const std::uint32_t fullest = *std::max_element(filled.begin(), filled.end());
  return {"slots", valid == n && s.order.size() == n,
          fmt::format("{} of {} particles in one slot each, at most {} of {} in a cell", valid, n,
                      fullest, shape.slots)};
}

}  // namespace cellscope
