#include "sim/modes/hard_disks/move_trace.h"

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/layers/layers.h"

namespace cellscope {
namespace {

// First and last place of one disk in an update of its cell.
struct Outcome {
  std::int32_t place = -1;
  Vec2 from{}, to{};
  bool moved = false;
};

std::vector<Outcome> outcomesOf(const std::vector<TrialRecord>& trials) {
  std::vector<Outcome> all;
  for (const TrialRecord& t : trials) {
    Outcome* o = nullptr;
    for (Outcome& known : all)
      if (known.place == t.place) o = &known;
    if (!o) o = &all.emplace_back(Outcome{t.place, t.from, t.from, false});
    if (t.outcome != TrialOutcome::accepted) continue;
    o->to = t.to;
    o->moved = true;
  }
  return all;
}

}  // namespace

void MoveTrace::clear() {
  marks_.clear();
  paths_.clear();
}

void MoveTrace::beforeSubSweep(const DiskSystem& system, const MpmcParameters& p,
                               std::uint64_t sweep, int set) {
  DiskCells cells = system.engine().download();
  const DiskCellsView view = cells.view();
  const GridPlacement grid = system.placement();
  const CellRule rule = cellRule(p, view.grid.w, sweep, false);
  for (int y = 0; y < view.grid.m; ++y)
    for (int x = 0; x < view.grid.m; ++x) {
      if (checkerboardSet(x, y) != set || view.count[view.grid.cell(x, y)] == 0) continue;
      const auto trials = traceCellUpdate(readNeighbourhood(view, x, y), rule, view.grid.id(x, y));
      for (const Outcome& o : outcomesOf(trials)) {
        const auto toX = static_cast<float>(grid.globalX(x, o.to.x));
        const auto toY = static_cast<float>(grid.globalY(y, o.to.y));
        const auto part = o.moved ? layers::MovePart::moved : layers::MovePart::rejected;
        marks_.push_back({toX, toY, 0, 1, static_cast<float>(part), 0});
        if (!o.moved) continue;
        LineInstance l{};
        l.a[0] = toX - (o.to.x - o.from.x);
        l.a[1] = toY - (o.to.y - o.from.y);
        l.b[0] = toX;
        l.b[1] = toY;
        l.value = static_cast<float>(part);
        paths_.push_back(l);
      }
    }
}

}  // namespace cellscope
