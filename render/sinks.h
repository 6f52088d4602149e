// Three ways to a layer's reader: plain memory, GL through host staging, GL written by CUDA.
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/api/frame.h"
#include "sim/base/error.h"

struct cudaGraphicsResource;  // of CUDA

// Buffers lent by the renderer, filled by the simulation: the only path from state to picture.
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
// unmap() each draws exactly what was written. Layers that are not named keep what they hold. On
// the thread that owns the GL context. Errors: RunError; after one from map() nothing is mapped.
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

namespace cellscope::render {

// Names of what is mapped: map() and unmap() alternate, and no layer is named twice.
class MappedLayers {
 public:
  // Throws RunError naming what is wrong.
  void begin(const std::vector<LayerSize>& layers) {
    if (names_) throw RunError("layers were mapped twice without unmap");
    std::vector<std::string> names;
    for (const LayerSize& l : layers) {
      if (std::ranges::find(names, l.layer) != names.end())
        throw RunError("layer {} was mapped twice at once", l.layer);
      names.push_back(l.layer);
    }
    names_ = std::move(names);
  }
  // Throws RunError when nothing is mapped.
  std::vector<std::string> end() {
    if (!names_) throw RunError("layers were unmapped without map");
    return *std::exchange(names_, std::nullopt);
  }
  void cancel() { names_.reset(); }  // map() failed
  bool has(const std::string& layer) const {
    return names_ && std::ranges::find(*names_, layer) != names_->end();
  }

 private:
  std::optional<std::vector<std::string>> names_;
};

// No GL: layers end in vectors.
class HostSink final : public FrameSink {
 public:
  std::vector<MappedBuffer> map(const std::vector<LayerSize>& layers) override {
    mapped_.begin(layers);
    std::vector<MappedBuffer> memory;
    for (const LayerSize& l : layers) {
      std::vector<std::byte>& data = layers_[l.layer];
      data.resize(l.bytes);
      memory.push_back({data.data(), MemorySpace::host});
    }
    return memory;
  }
  void unmap() override { mapped_.end(); }
  const char* path() const override { return "host"; }
  // Bytes written last; empty for an unknown layer. Valid until the layer is mapped again.
  const std::vector<std::byte>& data(const std::string& layer) const {
    static const std::vector<std::byte> none;
    const auto found = layers_.find(layer);
    return found == layers_.end() ? none : found->second;
  }

 private:
  std::map<std::string, std::vector<std::byte>> layers_;
  MappedLayers mapped_;
};

struct GlLayer {
  unsigned buffer = 0;  // GL name
  std::size_t bytes = 0, capacity = 0;
  std::vector<std::byte> staging;            // where it goes through host memory,
  cudaGraphicsResource* resource = nullptr;  // or as CUDA knows the buffer
};

// One GL buffer per layer.
class GlSink : public FrameSink {
 public:
  // Null for a layer that was never mapped, or is mapped now.
  const GlLayer* find(const std::string& layer) const {
    const auto found = layers_.find(layer);
    return found == layers_.end() || mapped_.has(layer) ? nullptr : &found->second;
  }
  // Frees its memory, if any.
  void release(const std::string& layer) {
    const auto found = layers_.find(layer);
    if (found == layers_.end() || mapped_.has(layer)) return;
    drop(found->second);
    layers_.erase(found);
  }

 protected:
  virtual void drop(GlLayer& layer) = 0;  // frees its memory

  std::map<std::string, GlLayer> layers_;
  MappedLayers mapped_;
};

// Staging in host memory, then one transfer into an orphaned buffer (no wait for the GPU).
class CopySink final : public GlSink {
 public:
  ~CopySink() override;
  std::vector<MappedBuffer> map(const std::vector<LayerSize>& layers) override;
  void unmap() override;
  const char* path() const override { return "copy"; }

 private:
  void drop(GlLayer& layer) override;
  static void transfer(const std::string& key, GlLayer& layer);
};

// GL buffers registered with CUDA once per allocation; all layers of a frame are mapped in one
// call. Throws InteropError with the reason when the current GL context and CUDA do not share a
// GPU; CUDA's error state is left clean, so that a fallback can carry on.
std::unique_ptr<GlSink> makeInteropSink();

// Implementation of makeInteropSink() and cudaDeviceOfContext() in builds with CUDA.
std::unique_ptr<GlSink> openInteropSink();
int findDeviceOfContext();

// Why there is no interop where `gl` draws and no usable CUDA device owns its context. With such a
// device it names the way to draw on it: hybrid laptops draw on the other GPU unless GL is told.
std::string foreignContext(const std::string& gl, int cudaDevices, const std::string& cause);

// Room for `bytes` with headroom, so that a growing layer is rarely reallocated.
std::size_t capacityFor(std::size_t bytes);
// Too small for `bytes`, or so large that clearing it costs more than the data.
bool unfit(std::size_t capacity, std::size_t bytes);

}  // namespace cellscope::render
