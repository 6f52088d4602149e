#include "sim/algo/recorder/recorder.h"

#include <algorithm>
#include <tuple>

namespace cellscope {

Recorder::Recorder(Backend where, std::size_t capacity)
    : records_(where, capacity), written_(where, 1) {
  reset();
}

Recorded Recorder::read() const {
  Recorded all;
  if (written_.size() == 0) return all;
  const std::uint64_t written = written_.get(0);
  const std::size_t kept = std::min<std::uint64_t>(written, capacity());
  all.lost = written - kept;
  all.records = exec::onHost<Record>(records_.where(), records_.data(), kept);
  std::sort(all.records.begin(), all.records.end(), [](const Record& a, const Record& b) {
    return std::tie(a.stage, a.group, a.order) < std::tie(b.stage, b.group, b.order);
  });
  return all;
}

}  // namespace cellscope
