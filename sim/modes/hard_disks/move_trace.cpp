#include "sim/modes/hard_disks/move_trace.h"

#include "sim/algo/mpmc/trace.h"
#include "sim/layers/layers.h"

namespace cellscope {

void MoveTrace::clear() {
  marks_.clear();
  paths_.clear();
}

RecordWriter MoveTrace::begin(Backend where, std::int64_t disks) {
  recording_ = wanted_ && disks <= kMostDisks;
  if (!recording_) return {};
  // At most one record per disk and sub-sweep: a disk that leaves its cell may be updated again.
  const std::size_t room = static_cast<std::size_t>(disks) * 4;
  if (recorder_.capacity() < room || recorder_.where() != where) recorder_ = Recorder(where, room);
  recorder_.reset();
  return recorder_.writer();
}

void MoveTrace::finish(const GridInfo& grid, const GridPlacement& placement) {
  if (!recording_) return;
  recording_ = false;
  for (const Record& r : recorder_.read().records) add(r, grid, placement);
}

void MoveTrace::add(const Record& r, const GridInfo& grid, const GridPlacement& placement) {
  const int x = static_cast<int>(r.group) % grid.m, y = static_cast<int>(r.group) / grid.m;
  const auto toX = static_cast<float>(placement.globalX(x, r.number[2]));
  const auto toY = static_cast<float>(placement.globalY(y, r.number[3]));
  const bool moved = r.outcome != 0;
  const auto part = moved ? layers::MovePart::moved : layers::MovePart::rejected;
  PointInstance mark{};
  mark.x = toX;
  mark.y = toY;
  mark.diameter = 1;
  mark.value = static_cast<float>(part);
  marks_.push_back(mark);
  if (!moved) return;
  LineInstance l{};
  l.a[0] = toX - (r.number[2] - r.number[0]);
  l.a[1] = toY - (r.number[3] - r.number[1]);
  l.b[0] = toX;
  l.b[1] = toY;
  l.value = static_cast<float>(part);
  paths_.push_back(l);
}

}  // namespace cellscope
