// Buffers lent by the renderer, filled by the simulation: the only path from state to picture.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sim/api/frame.h"

namespace cellscope {

struct MappedBuffer {
  void* data = nullptr;
  MemorySpace space = MemorySpace::host;
};

struct LayerSize {
  std::string layer;
  std::size_t bytes = 0;
};

// Contract, tested on every implementation: map() lends memory for all layers of a frame that go
// this way, in one call; between map() and unmap() each holds at least its bytes, writable; after
// unmap() each layer draws exactly what was written. Layers that are not named keep what they
// hold. On the thread that owns the GL context. Errors: RunError; after one from map() nothing is
// mapped.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual std::vector<MappedBuffer> map(const std::vector<LayerSize>& layers) = 0;
  virtual void unmap() = 0;
  // "interop" (GL buffer mapped by CUDA), "copy" (staging through host memory), "host" (no GL).
  virtual const char* path() const = 0;
};

// Under this name of a layer a sink keeps the number of its instances that are there (one 32-bit
// integer), where that is known on the device alone.
inline std::string countKey(const std::string& layer) { return layer + "#count"; }

// Copies these layers into the sink: mapped once, all together.
void deliver(const std::vector<const LayerData*>& layers, FrameSink& sink);
void deliver(const Frame& frame, FrameSink& sink);

}  // namespace cellscope
