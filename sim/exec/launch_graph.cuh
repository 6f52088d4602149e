// Recorded launches that CUDA replays as one, and what they are: a replay counts as all of them.
#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <type_traits>
#include <utility>

#include "sim/exec/cuda_check.h"
#include "sim/exec/profile.h"

namespace cellscope::exec {

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

}  // namespace cellscope::exec
