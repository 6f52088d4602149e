#include "render/sinks.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/gl_loader.h"
#include "render/renderer.h"
#include "sim/base/backend.h"
#include "sim/base/error.h"

namespace cellscope::render {
namespace {

// map and unmap alternate; a caller that breaks this is told which layer.
template <class Layer>
void begin(Layer& layer, const std::string& key) {
  if (layer.mapped) throw RunError(fmt::format("layer {} was mapped twice without unmap", key));
  layer.mapped = true;
}
template <class Layers>
auto& end(Layers& layers, const std::string& key) {
  const auto found = layers.find(key);
  if (found == layers.end() || !found->second.mapped)
    throw RunError(fmt::format("layer {} was unmapped without map", key));
  found->second.mapped = false;
  return found->second;
}

}  // namespace

std::size_t capacityFor(std::size_t bytes) {
  constexpr std::size_t least = 4096;
  return std::max(least, bytes + bytes / 4);
}

bool unfit(std::size_t capacity, std::size_t bytes) {
  return capacity < bytes || capacity > 8 * capacityFor(bytes) || capacity == 0;
}

std::unique_ptr<GlSink> makeInteropSink() {
  if constexpr (kCudaBuilt) return openInteropSink();
  throw InteropError(
      "CUDA-OpenGL interop is not possible: this build has no CUDA (nvcc was not found)");
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
         "; where a display hangs on another GPU, as in hybrid laptops, start with "
         "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia";
}

MappedBuffer HostSink::map(const std::string& layer, std::size_t bytes) {
  Layer& l = layers_[layer];
  begin(l, layer);
  l.data.resize(bytes);
  return {l.data.data(), MemorySpace::host};
}

void HostSink::unmap(const std::string& layer) { end(layers_, layer); }

const std::vector<std::byte>& HostSink::data(const std::string& layer) const {
  static const std::vector<std::byte> none;
  const auto found = layers_.find(layer);
  return found == layers_.end() ? none : found->second.data;
}

CopySink::~CopySink() {
  for (auto& [key, layer] : layers_) glDeleteBuffers(1, &layer.buffer);
}

MappedBuffer CopySink::map(const std::string& layer, std::size_t bytes) {
  Layer& l = layers_[layer];
  begin(l, layer);
  l.bytes = bytes;
  if (unfit(l.staging.size(), bytes)) l.staging.resize(capacityFor(bytes));
  return {l.staging.data(), MemorySpace::host};
}

void CopySink::unmap(const std::string& layer) {
  Layer& l = end(layers_, layer);
  if (!l.buffer) glCreateBuffers(1, &l.buffer);
  if (unfit(l.capacity, l.bytes)) l.capacity = capacityFor(l.bytes);
  glGetError();
  glNamedBufferData(l.buffer, static_cast<GLsizeiptr>(l.capacity), nullptr, GL_STREAM_DRAW);
  if (glGetError() == GL_OUT_OF_MEMORY)
    throw RunError(
        fmt::format("out of graphics memory: layer {} needs {:.1f} MiB more; switch the "
                    "layer off or use fewer particles",
                    layer, static_cast<double>(l.capacity) / (1 << 20)));
  glNamedBufferSubData(l.buffer, 0, static_cast<GLsizeiptr>(l.bytes), l.staging.data());
}

const GlLayer* CopySink::find(const std::string& layer) const {
  const auto found = layers_.find(layer);
  return found == layers_.end() || found->second.mapped ? nullptr : &found->second;
}

void CopySink::release(const std::string& layer) {
  const auto found = layers_.find(layer);
  if (found == layers_.end() || found->second.mapped) return;
  glDeleteBuffers(1, &found->second.buffer);
  layers_.erase(found);
}

}  // namespace cellscope::render
