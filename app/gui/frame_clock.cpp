#include "app/gui/frame_clock.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "app/gui/format.h"

namespace cellscope::gui {
namespace {

constexpr const char* kPartNames[] = {"input", "panels", "upload", "picture", "files", "display"};

double secondsBetween(std::chrono::steady_clock::time_point a,
                      std::chrono::steady_clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

void keepLonger(FrameClock::Frame& longest, const FrameClock::Frame& frame) {
  if (frame.seconds() > longest.seconds()) longest = frame;
}

}  // namespace

double FrameClock::Frame::seconds() const {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

std::string FrameClock::Frame::words() const {
  std::vector<int> order = {0, 1, 2, 3, 4, 5};
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return parts[static_cast<std::size_t>(a)] > parts[static_cast<std::size_t>(b)];
  });
  std::string text;
  for (const int k : order) {
    const double part = parts[static_cast<std::size_t>(k)];
    if (part < 0.02 * seconds()) continue;
    text += (text.empty() ? "" : ", ") + std::string(kPartNames[k]) + " " + duration(part);
  }
  return text;
}

void FrameClock::begin() { since_ = Clock::now(); }

void FrameClock::passed(Part part) {
  const auto now = Clock::now();
  now_.parts[part] += secondsBetween(since_, now);
  since_ = now;
}

const FrameClock::Frame& FrameClock::end() {
  keepLonger(present_, now_);
  keepLonger(longestOfAll_, now_);
  if (secondsBetween(minute_, since_) > kMinute) {
    before_ = std::exchange(present_, {});
    minute_ = since_;
  }
  last_ = std::exchange(now_, {});
  return last_;
}

const FrameClock::Frame& FrameClock::longest() const {
  return before_.seconds() > present_.seconds() ? before_ : present_;
}

}  // namespace cellscope::gui
