// Buffers lent by the renderer, filled by the simulation: the only path from state to picture.
#pragma once
#include <cstddef>
#include <string>

#include "sim/api/frame.h"

namespace cellscope {

struct MappedBuffer {
  void* data = nullptr;
  MemorySpace space = MemorySpace::host;
};

// Contract, tested on every implementation: between map(layer) and unmap(layer) the returned memory
// holds at least `bytes` writable bytes; after unmap the layer draws exactly what was written.
// Growing a layer keeps other layers. map and unmap are called once per layer and frame, on the
// thread that owns the GL context. Errors: RunError.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual MappedBuffer map(const std::string& layer, std::size_t bytes) = 0;
  virtual void unmap(const std::string& layer) = 0;
  // "interop" (GL buffer mapped by CUDA), "copy" (staging through host memory), "host" (no GL).
  virtual const char* path() const = 0;
};

// Copy every layer of a frame into the sink.
inline void deliver(const Frame& frame, FrameSink& sink) {
  for (const LayerData& layer : frame.layers) {
    if (!layer.buffer) continue;
    MappedBuffer target = sink.map(layer.key, layer.buffer->bytes());
    layer.buffer->copyTo(target.data, target.space);
    sink.unmap(layer.key);
  }
}

}  // namespace cellscope
