#include "sim/modes/hard_disks/move_trace.h"

#include "sim/algo/mpmc/trace.h"
#include "sim/layers/layers.h"

namespace cellscope {

void MoveTrace::clear() {
  marks_.clear();
  paths_.clear();
  lost_ = 0;
}

RecordWriter MoveTrace::begin(Backend where, std::int64_t disks) {
  recording_ = wanted_ && disks <= kMostDisks;
  if (!recording_) return {};
  // A disk that leaves its cell for one of a later set is updated again.
  const std::size_t room = static_cast<std::size_t>(disks) * 2 + 64;
  if (recorder_.capacity() < room || recorder_.where() != where) recorder_ = Recorder(where, room);
  recorder_.reset();
  return recorder_.writer();
}

void MoveTrace::finish(const GridInfo& grid, const GridPlacement& placement) {
  if (!recording_) return;
  recording_ = false;
  const Recorded seen = recorder_.read();
  for (const Record& r : seen.records) add(r, grid, placement);
  lost_ += seen.lost;
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
