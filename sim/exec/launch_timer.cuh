// Times launches on one stream by events, without waiting: the times are read when the host waits
// for the GPU anyway. Names are string literals.
#pragma once
#include <cuda_runtime.h>

#include <deque>
#include <memory>
#include <type_traits>
#include <utility>

#include "sim/exec/cuda_check.h"
#include "sim/exec/profile.h"

namespace cellscope::exec {

// Recorded launches that CUDA replays as one, and what they are: a replay counts as all of them.
class LaunchGraph {
 public:
  LaunchGraph(cudaGraph_t graph, LaunchCounts launches) : launches_(std::move(launches)) {
    cudaGraphExec_t executable = nullptr;
    checkCuda(cudaGraphInstantiate(&executable, graph, 0), "preparing recorded launches");
    executable_.reset(executable);
  }
  void launch(cudaStream_t stream) const {
    checkCuda(cudaGraphLaunch(executable_.get(), stream), "replaying recorded launches");
  }
  const LaunchCounts& launches() const { return launches_; }

 private:
  struct Destroy {
    void operator()(cudaGraphExec_t g) const { cudaGraphExecDestroy(g); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> executable_;
  LaunchCounts launches_;
};

// While it lives, launches on the stream are recorded instead of made.
class LaunchCapture {
 public:
  explicit LaunchCapture(cudaStream_t stream) : stream_(stream) {
    checkCuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), kAction);
  }
  LaunchCapture(const LaunchCapture&) = delete;
  LaunchCapture& operator=(const LaunchCapture&) = delete;
  ~LaunchCapture() {
    if (!ended_) cudaStreamEndCapture(stream_, &graph_);
    if (graph_) cudaGraphDestroy(graph_);
  }
  LaunchCounts& launches() { return launches_; }
  LaunchGraph end() {
    ended_ = true;
    checkCuda(cudaStreamEndCapture(stream_, &graph_), kAction);
    return LaunchGraph(graph_, std::move(launches_));
  }

 private:
  static constexpr const char* kAction = "recording launches";
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  bool ended_ = false;
  LaunchCounts launches_;
};

class LaunchTimer {
 public:
  LaunchTimer(Profile& profile, const cudaStream_t& stream) : profile_(profile), stream_(stream) {}

  bool due(const char* name) {
    beginStretch();
    return sampling_.due(name);
  }

  // Around a launch that counts as `launches` of them.
  void before(const char* name) {
    beginStretch();
    taken_ = sampling_.take(name) && used_ < kMostIntervals;
    if (taken_) interval(used_).begin.record(stream_, name);
  }
  void after(const char* name, std::uint64_t launches) {
    if (taken_) {
      intervals_[used_].end.record(stream_, name);
      intervals_[used_++].launches = {name, launches};
    }
    made({name, launches});
  }
  // Launches without events of their own.
  void beforeMany() { beginStretch(); }
  void afterMany(const LaunchCounts& launches) {
    for (const LaunchCount& l : launches) made(l);
  }

  void beforeWait() {
    if (open_ && sampling_.together()) intervals_[0].end.record(stream_, "timing launches");
  }
  void afterWait() {
    if (!open_) return;
    open_ = false;
    for (const auto& [name, launches] : stretch_) profile_.count(name, launches);
    if (sampling_.together()) {
      if (number_ > 1) profile_.timedTogether(stretch_, intervals_[0].milliseconds());
      return;
    }
    for (std::size_t k = 0; k < used_; ++k) {
      const LaunchCount& launches = intervals_[k].launches;
      const double ms = intervals_[k].milliseconds();
      profile_.timedAlone(launches.name, launches.count, ms);
      if (number_ == 1) profile_.timedTogether({launches}, ms);
    }
  }

 private:
  static constexpr std::size_t kMostIntervals = 32;  // in a stretch
  struct Interval {
    Event begin{cudaEventDefault}, end{cudaEventDefault};
    LaunchCount launches;
    double milliseconds() const { return begin.millisecondsTo(end); }
  };

  void beginStretch() {
    if (open_) return;
    sampling_.begin(LaunchSampling::Clock::now());
    used_ = number_ = 0;
    stretch_.clear();
    if (sampling_.together()) interval(0).begin.record(stream_, "timing launches");
    open_ = true;
  }
  void made(const LaunchCount& launches) {
    ++number_;
    addLaunches(stretch_, launches.name, launches.count);
  }

  Interval& interval(std::size_t k) {
    return k < intervals_.size() ? intervals_[k] : intervals_.emplace_back();
  }

  Profile& profile_;
  const cudaStream_t& stream_;
  LaunchSampling sampling_;
  bool open_ = false;       // launches were made since the host last waited
  bool taken_ = false;      // the current launch is timed
  std::size_t number_ = 0;  // launches in this stretch, a graph being one for each kernel in it
  LaunchCounts stretch_;    // what they were
  std::deque<Interval> intervals_;
  std::size_t used_ = 0;
};

}  // namespace cellscope::exec
