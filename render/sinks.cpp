#include "render/sinks.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/gl.h"
#include "render/renderer.h"
#include "sim/base/backend.h"
#include "sim/base/build.h"

namespace cellscope {

void deliver(const std::vector<const LayerData*>& layers, FrameSink& sink) {
  std::vector<const FrameBuffer*> buffers;  // of each layer: its instances, and their number
  std::vector<LayerSize> sizes;
  const auto add = [&](const std::string& key, const FrameBuffer& buffer) {
    buffers.push_back(&buffer);
    sizes.push_back({key, buffer.bytes()});
  };
  for (const LayerData* layer : layers) {
    if (!layer->buffer) continue;
    add(layer->key, *layer->buffer);
    if (layer->drawn) add(countKey(layer->key), *layer->drawn);
  }
  if (buffers.empty()) return;
  const std::vector<MappedBuffer> memory = sink.map(sizes);
  try {
    for (std::size_t i = 0; i < buffers.size(); ++i)
      buffers[i]->copyTo(memory[i].data, memory[i].space);
  } catch (...) {
    sink.unmap();
    throw;
  }
  sink.unmap();
}

void deliver(const Frame& frame, FrameSink& sink) {
  std::vector<const LayerData*> layers;
  for (const LayerData& layer : frame.layers) layers.push_back(&layer);
  deliver(layers, sink);
}

}  // namespace cellscope

namespace cellscope::render {

std::size_t capacityFor(std::size_t bytes) {
  constexpr std::size_t least = 4096;
  return std::max(least, bytes + bytes / 4);
}

bool unfit(std::size_t capacity, std::size_t bytes) {
  return capacity < bytes || capacity > 8 * capacityFor(bytes) || capacity == 0;
}

std::unique_ptr<GlSink> makeInteropSink() {
  if constexpr (kCudaBuilt) return openInteropSink();
  throw InteropError("CUDA-OpenGL interop is not possible: this build has no CUDA ({})",
                     whyNoCuda());
}

int cudaDeviceOfContext() {
  if constexpr (kCudaBuilt) return findDeviceOfContext();
  return -1;
}

std::string foreignContext(const std::string& gl, int cudaDevices, const std::string& cause) {
  const std::string what = fmt::format(
      "CUDA-OpenGL interop is not possible: the picture is drawn by {}, which no CUDA device owns "
      "({})",
      gl, cause);
  if (cudaDevices == 0) return what;
  return what +
         "; where the display is connected to another GPU, as in hybrid laptops, start with "
         "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia";
}

CopySink::~CopySink() {
  for (auto& [key, layer] : layers_) drop(layer);
}

void CopySink::drop(GlLayer& layer) { glDeleteBuffers(1, &layer.buffer); }

std::vector<MappedBuffer> CopySink::map(const std::vector<LayerSize>& layers) {
  mapped_.begin(layers);
  std::vector<MappedBuffer> memory;
  for (const LayerSize& wanted : layers) {
    GlLayer& l = layers_[wanted.layer];
    l.bytes = wanted.bytes;
    if (unfit(l.staging.size(), l.bytes)) l.staging.resize(capacityFor(l.bytes));
    memory.push_back({l.staging.data(), MemorySpace::host});
  }
  return memory;
}

void CopySink::unmap() {
  for (const std::string& key : mapped_.end()) transfer(key, layers_.at(key));
}

void CopySink::transfer(const std::string& key, GlLayer& l) {
  if (!l.buffer) glCreateBuffers(1, &l.buffer);
  if (unfit(l.capacity, l.bytes)) l.capacity = capacityFor(l.bytes);
  glGetError();
  glNamedBufferData(l.buffer, static_cast<GLsizeiptr>(l.capacity), nullptr, GL_STREAM_DRAW);
  if (glGetError() == GL_OUT_OF_MEMORY)
    throw RunError(
        "out of graphics memory: layer {} needs {:.1f} MiB more; switch the layer off or use fewer "
        "particles",
        key, static_cast<double>(l.capacity) / (1 << 20));
  glNamedBufferSubData(l.buffer, 0, static_cast<GLsizeiptr>(l.bytes), l.staging.data());
}

}  // namespace cellscope::render
