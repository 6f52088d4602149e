// CUDA writes straight into GL buffers: no particle crosses the bus.
#include "render/gl_loader.h"
// gl_loader.h first: it stands in for GL/gl.h.
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#include <fmt/format.h>

#include "render/renderer.h"
#include "render/sinks.h"
#include "sim/base/error.h"

namespace cellscope::render {
namespace {

// Clears CUDA's error first, so that whoever catches can carry on.
void check(cudaError_t code, const char* operation) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw InteropError(fmt::format("CUDA-OpenGL interop is not possible: {} failed: {} ({})",
                                 operation, cudaGetErrorString(code), cudaGetErrorName(code)));
}

int usableDevices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  cudaGetLastError();
  return count;
}

// CUDA ordinal of the GPU behind the current context. Code says why there is none.
int deviceOfContext(cudaError_t& code) {
  unsigned count = 0;
  int device = -1;
  code = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
  if (code == cudaSuccess && count == 0) code = cudaErrorNoDevice;
  cudaGetLastError();
  return code == cudaSuccess ? device : -1;
}

class InteropSink final : public GlSink {
 public:
  InteropSink() {
    requireGl();
    cudaError_t code;
    device_ = deviceOfContext(code);
    if (device_ < 0)
      throw InteropError(
          foreignContext(glDescriptionOfContext(), usableDevices(), cudaGetErrorString(code)));
    probe();
  }
  ~InteropSink() override { dropAll(); }

  MappedBuffer map(const std::string& layer, std::size_t bytes) override;
  void unmap(const std::string& layer) override;
  const char* path() const override { return "interop"; }
  const GlLayer* find(const std::string& layer) const override {
    const auto found = layers_.find(layer);
    return found == layers_.end() || found->second.mapped ? nullptr : &found->second;
  }
  void release(const std::string& layer) override {
    const auto found = layers_.find(layer);
    if (found == layers_.end() || found->second.mapped) return;
    useDevice();
    drop(found->second);
    layers_.erase(found);
  }

 private:
  struct Layer : GlLayer {
    cudaGraphicsResource_t resource = nullptr;
    void* pointer = nullptr;
    bool mapped = false;
  };

  void useDevice() { check(cudaSetDevice(device_), "choosing the GPU of the OpenGL context"); }
  void allocate(Layer& layer, std::size_t bytes);
  static void drop(Layer& layer);
  void dropAll() {
    for (auto& [key, layer] : layers_) drop(layer);
    layers_.clear();
  }
  void probe();

  int device_ = -1;
  std::map<std::string, Layer> layers_;
};

void InteropSink::drop(Layer& layer) {
  if (layer.resource) {
    if (layer.mapped) cudaGraphicsUnmapResources(1, &layer.resource, nullptr);
    cudaGraphicsUnregisterResource(layer.resource);
    cudaGetLastError();
  }
  glDeleteBuffers(1, &layer.buffer);
  layer = {};
}

void InteropSink::allocate(Layer& layer, std::size_t bytes) {
  drop(layer);  // also unregisters: CUDA must not hold a buffer that GL reallocates
  const std::size_t capacity = capacityFor(bytes);
  glCreateBuffers(1, &layer.buffer);
  glGetError();
  glNamedBufferData(layer.buffer, static_cast<GLsizeiptr>(capacity), nullptr, GL_DYNAMIC_DRAW);
  if (glGetError() == GL_OUT_OF_MEMORY)
    throw RunError(
        fmt::format("out of graphics memory: a layer needs {:.1f} MiB more; switch the "
                    "layer off or use fewer particles",
                    static_cast<double>(capacity) / (1 << 20)));
  check(cudaGraphicsGLRegisterBuffer(&layer.resource, layer.buffer,
                                     cudaGraphicsRegisterFlagsWriteDiscard),
        "registering a buffer");
  layer.capacity = capacity;
}

MappedBuffer InteropSink::map(const std::string& layer, std::size_t bytes) {
  useDevice();
  Layer& l = layers_[layer];
  if (l.mapped) throw RunError(fmt::format("layer {} was mapped twice without unmap", layer));
  if (unfit(l.capacity, bytes)) allocate(l, bytes);
  check(cudaGraphicsMapResources(1, &l.resource, nullptr), "mapping a buffer");
  l.mapped = true;
  l.bytes = bytes;
  std::size_t size = 0;
  check(cudaGraphicsResourceGetMappedPointer(&l.pointer, &size, l.resource),
        "reading the address of a mapped buffer");
  return {l.pointer, MemorySpace::device};
}

void InteropSink::unmap(const std::string& layer) {
  const auto found = layers_.find(layer);
  if (found == layers_.end() || !found->second.mapped)
    throw RunError(fmt::format("layer {} was unmapped without map", layer));
  Layer& l = found->second;
  l.mapped = false;
  check(cudaGraphicsUnmapResources(1, &l.resource, nullptr), "unmapping a buffer");
}

// Registers and maps a small buffer: some drivers list the device and then refuse (WSL, remote
// displays), and that must be known before the first frame.
void InteropSink::probe() {
  try {
    map("", 64);
    unmap("");
  } catch (...) {
    dropAll();
    throw;
  }
  release("");
}

}  // namespace

int findDeviceOfContext() {
  cudaError_t code;
  return deviceOfContext(code);
}

std::unique_ptr<GlSink> openInteropSink() { return std::make_unique<InteropSink>(); }

}  // namespace cellscope::render
