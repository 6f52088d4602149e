// Whole steps of molecular dynamics as one CUDA graph that goes on by itself: a loop whose body
// rebuilds the list if it is no longer valid, then makes a chain of steps. What decides is
// computed on the GPU, so that the host neither waits nor orders anything within a run.
//
// Needs conditional nodes (CUDA 12.4).
#pragma once
#include <cuda_runtime.h>

#include <optional>

#include "sim/algo/neighbours/list.h"
#include "sim/algo/verlet/step_control.h"
#include "sim/algo/verlet/step_kernels.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

struct StepPlace {
  StepControl* control;
  Stopping* stop;
  ListOverflow* overflow;
  bool endsWithSample;  // a step that is sampled is the last of its chain
};

namespace step_graph {

// One thread each.
__global__ void askForList(StepPlace at, cudaGraphConditionalHandle build) {
  cudaGraphSetConditional(build, at.stop->step <= at.control->base);
}
__global__ void listIsBuilt(StepPlace at) {
  StepControl& c = *at.control;
  if (at.overflow->any) {
    c.overflow = 1;
    return;
  }
  ++c.builds;
  if (c.base == c.lastBuild + 1) ++c.dangerous;
  c.lastBuild = c.base;
  at.stop->step = kNoStop;
}
// chain: steps that were ordered since `base`.
__global__ void goOn(StepPlace at, std::uint64_t chain, cudaGraphConditionalHandle again) {
  StepControl& c = *at.control;
  const std::uint64_t stop = at.stop->step;
  c.arrived[0] = c.arrived[1] = 0;
  if (!c.overflow) {
    std::uint64_t reached = c.base + chain;
    if (at.endsWithSample && chain > 0) reached = min(reached, c.endOfPlain() + 1);
    reached = reached < c.last ? reached : c.last;
    c.base = stop < reached ? stop : reached;
  }
  cudaGraphSetConditional(again, !c.overflow && (c.base < c.last || stop <= c.base));
}

}  // namespace step_graph

class StepGraph {
 public:
  // rebuild(): orders sorting and building from the positions that the control names.
  // step(ahead): orders step number `ahead` of the chain.
  template <class Rebuild, class Step>
  StepGraph(exec::CudaExec& exec, const StepPlace& at, std::uint32_t chain, const Rebuild& rebuild,
            const Step& step) {
    Graph whole;
    const cudaGraphConditionalHandle again = handle(whole.graph, "repeating steps");
    record(exec, whole.graph, nullptr, [&] {
      exec.launch("steps: begin",
                  [&] { step_graph::goOn<<<1, 1, 0, exec.stream()>>>(at, 0, again); });
    });
    const Conditional loop =
        conditional(whole.graph, again, cudaGraphCondTypeWhile, "repeating steps");
    const cudaGraphConditionalHandle build = handle(loop.body, "building lists");
    record(exec, loop.body, nullptr, [&] {
      exec.launch("steps: is the list valid",
                  [&] { step_graph::askForList<<<1, 1, 0, exec.stream()>>>(at, build); });
    });
    const Conditional list = conditional(loop.body, build, cudaGraphCondTypeIf, "building lists");
    record(exec, list.body, nullptr, [&] {
      rebuild();
      exec.launch("steps: list is built",
                  [&] { step_graph::listIsBuilt<<<1, 1, 0, exec.stream()>>>(at); });
    });
    record(exec, loop.body, &list.node, [&] {
      for (std::uint32_t m = 0; m < chain; ++m) step(m);
      exec.launch("steps: go on",
                  [&] { step_graph::goOn<<<1, 1, 0, exec.stream()>>>(at, chain, again); });
    });
    executable_.emplace(whole.graph, exec::LaunchCounts{});
  }
  void launch(cudaStream_t stream) const { executable_->launch(stream); }

 private:
  struct Graph {
    cudaGraph_t graph = nullptr;
    Graph() { exec::checkCuda(cudaGraphCreate(&graph, 0), "making a graph"); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() { cudaGraphDestroy(graph); }
  };
  struct Conditional {
    cudaGraphNode_t node = nullptr;
    cudaGraph_t body = nullptr;
  };

  static cudaGraphConditionalHandle handle(cudaGraph_t graph, const char* what) {
    cudaGraphConditionalHandle h{};
    exec::checkCuda(cudaGraphConditionalHandleCreate(&h, graph, 0, cudaGraphCondAssignDefault),
                    what);
    return h;
  }

  // After all that the graph has, which must be a chain of launches.
  static Conditional conditional(cudaGraph_t graph, cudaGraphConditionalHandle decides,
                                 cudaGraphConditionalNodeType type, const char* what) {
    const cudaGraphNode_t last = lastNode(graph, what);
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = decides;
    params.conditional.type = type;
    params.conditional.size = 1;
    Conditional made;
#if CUDART_VERSION >= 13000
    exec::checkCuda(cudaGraphAddNode(&made.node, graph, &last, nullptr, 1, &params), what);
#else
    exec::checkCuda(cudaGraphAddNode(&made.node, graph, &last, 1, &params), what);
#endif
    made.body = params.conditional.phGraph_out[0];
    return made;
  }
  // Of a graph with one node.
  static cudaGraphNode_t lastNode(cudaGraph_t graph, const char* what) {
    cudaGraphNode_t node = nullptr;
    std::size_t count = 1;
    exec::checkCuda(cudaGraphGetNodes(graph, &node, &count), what);
    CELLSCOPE_ASSERT(count == 1);
    return node;
  }

  // What `order` launches goes to `graph`, after `after` if that is not null. The exec believes
  // that it records a graph of its own, which stays empty.
  template <class F>
  static void record(exec::CudaExec& exec, cudaGraph_t graph, const cudaGraphNode_t* after,
                     const F& order) {
    const cudaStream_t stream = exec.stream();
    constexpr const char* kAction = "recording whole steps";
    exec.record([&] {
      cudaGraph_t own = nullptr;
      exec::checkCuda(cudaStreamEndCapture(stream, &own), kAction);
      cudaGraphDestroy(own);
      exec::checkCuda(cudaStreamBeginCaptureToGraph(stream, graph, after, nullptr, after ? 1 : 0,
                                                    cudaStreamCaptureModeThreadLocal),
                      kAction);
      order();
      cudaGraph_t same = nullptr;
      exec::checkCuda(cudaStreamEndCapture(stream, &same), kAction);
      exec::checkCuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), kAction);
    });
  }

  std::optional<exec::LaunchGraph> executable_;
};

}  // namespace cellscope
