#include "app/gui/input_clock.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "app/gui/format.h"
#include "app/gui/gl_window.h"

namespace cellscope::gui {
namespace {

constexpr std::size_t kKept = 256;   // delays
constexpr double kMostSeconds = 10;  // older stamps are of another clock
constexpr double kApart = 0.1;       // seconds between delays that are measured

struct XInput {  // the common beginning of XKeyEvent, XButtonEvent and XMotionEvent
  int type;
  unsigned long serial;
  int sent;
  void* display;
  unsigned long window, root, subwindow, time;  // milliseconds, 32 bits
};
constexpr int kKeyPress = 2, kMotion = 6;

struct Oldest {
  double at, seconds = -1;  // when it was looked for; age
};

// Looks at an event that stays in the queue.
int lookAt(void*, XInput* event, char* found) {
  if (event->type < kKeyPress || event->type > kMotion) return 0;
  auto& oldest = *reinterpret_cast<Oldest*>(found);
  const auto here = static_cast<std::uint32_t>(static_cast<std::uint64_t>(1e3 * oldest.at));
  const auto age = static_cast<std::int32_t>(here - static_cast<std::uint32_t>(event->time));
  if (age < -1 || age > 1e3 * kMostSeconds) return 0;
  oldest.seconds = std::max(oldest.seconds, std::max(0, age) / 1e3);
  return 0;
}

// Age of the oldest input in the queue; negative: there is none, or it is not known.
double oldestWaiting(double at) {
  using Predicate = int (*)(void*, XInput*, char*);
  using CheckIf = int (*)(void*, void*, Predicate, char*);
  static const auto displayOf = fromXlib<void* (*)()>("glfwGetX11Display");
  static const auto nameOf = fromXlib<const char* (*)(void*)>("XDisplayString");
  static const auto checkIf = fromXlib<CheckIf>("XCheckIfEvent");
  void* const display = displayOf ? displayOf() : nullptr;
  if (!display || !nameOf || !checkIf) return -1;
  // Of this computer, whose server stamps events by CLOCK_MONOTONIC.
  if (nameOf(display)[0] != ':') return -1;
  long long event[32];  // an XEvent has 24 longs; none is taken
  Oldest oldest{at};
  checkIf(display, event, lookAt, reinterpret_cast<char*>(&oldest));
  return oldest.seconds;
}

}  // namespace

// On Linux that of the standard library.
double monotonicSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

float quantile(std::vector<float> values, double share) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void InputClock::look() {
  const double at = monotonicSeconds(), age = oldestWaiting(at);
  stamped_ = stamped_ || age >= 0;
  if (age >= 0)
    waiting_ = std::min(waiting_.value_or(at), at - age);
  else if (!stamped_ && !waiting_)
    waiting_ = at;
}

void InputClock::arrived() {
  if (!waiting_) waiting_ = monotonicSeconds();
}

void InputClock::take(bool handled) {
  // The first one counts where several frames answer.
  if (handled && waiting_ && !taken_) {
    taken_ = waiting_;
    read_ = monotonicSeconds();
  }
  waiting_.reset();
}

bool InputClock::measures() const { return taken_ && monotonicSeconds() - measured_ >= kApart; }

std::optional<InputClock::Answer> InputClock::shown() {
  const bool wanted = measures();
  const auto taken = std::exchange(taken_, std::nullopt);
  if (!wanted) return std::nullopt;
  measured_ = monotonicSeconds();
  const auto delay = static_cast<float>(measured_ - *taken);
  if (last_.size() < kKept)
    last_.push_back(delay);
  else
    last_[next_] = delay;
  next_ = (next_ + 1) % kKept;
  return Answer{measured_ - *taken, read_ - *taken};
}

InputClock::Delays InputClock::delays() const {
  Delays d;
  d.count = last_.size();
  d.stamped = stamped_;
  d.median = static_cast<double>(quantile(last_, 0.5));
  d.p95 = static_cast<double>(quantile(last_, 0.95));
  d.most = static_cast<double>(quantile(last_, 1));
  return d;
}

constexpr const char* kPartNames[] = {"input", "panels", "upload", "picture", "files", "display"};

static void keepLonger(FrameClock::Frame& longest, const FrameClock::Frame& frame) {
  if (frame.seconds() > longest.seconds()) longest = frame;
}

double FrameClock::Frame::seconds() const {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

std::string FrameClock::Frame::words() const {
  std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5};
  std::ranges::sort(order, std::greater{}, [&](std::size_t k) { return parts[k]; });
  std::string text;
  for (const std::size_t k : order) {
    if (parts[k] < 0.02 * seconds()) continue;
    text += (text.empty() ? "" : ", ") + std::string(kPartNames[k]) + " " + duration(parts[k]);
  }
  return text;
}

void FrameClock::passed(Part part) {
  const double before = std::exchange(since_, monotonicSeconds());
  now_.parts[part] += since_ - before;
}

const FrameClock::Frame& FrameClock::end() {
  keepLonger(present_, now_);
  keepLonger(longestOfAll_, now_);
  if (since_ - minute_ > kMinute) {
    before_ = std::exchange(present_, {});
    minute_ = since_;
  }
  last_ = std::exchange(now_, {});
  return last_;
}

const FrameClock::Frame& FrameClock::longest() const {
  return before_.seconds() > present_.seconds() ? before_ : present_;
}

void MouseQueue::add(int button, bool down, ImVec2 at) {
  if (button >= 0 && button < kButtons) waiting_.push_back({button, down, at});
}

MouseQueue::Seen MouseQueue::next() {
  Seen seen;
  bool changed[kButtons] = {};
  while (!waiting_.empty() && !changed[waiting_.front().button]) {
    const Change c = waiting_.front();
    waiting_.pop_front();
    changed[c.button] = true;
    down_[c.button] = c.down;
    seen.at = c.at;
  }
  std::copy(down_, down_ + kButtons, seen.down);
  return seen;
}

}  // namespace cellscope::gui
