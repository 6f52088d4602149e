// CUDA writes straight into GL buffers: no particle crosses the bus.
#include "render/gl.h"
// gl.h first: it stands in for GL/gl.h.
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>

#include "render/renderer.h"

namespace cellscope::render {
namespace {

// Clears CUDA's error first, so that the caller can continue.
void check(cudaError_t code, const char* operation) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw InteropError("CUDA-OpenGL interop is not possible: {} failed: {} ({})", operation,
                     cudaGetErrorString(code), cudaGetErrorName(code));
}

int usableDevices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  cudaGetLastError();
  return count;
}

// CUDA ordinal of the GPU of the current context. code: the reason if there is none.
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

  // One mapping costs the same for one layer as for many: it waits for the work of GL.
  std::vector<MappedBuffer> map(const std::vector<LayerSize>& layers) override {
    mapped_.begin(layers);
    try {
      useDevice();
      std::vector<cudaGraphicsResource_t> resources = resourcesOf(layers);
      if (!resources.empty())
        check(
            cudaGraphicsMapResources(static_cast<int>(resources.size()), resources.data(), nullptr),
            "mapping the buffers");
      resources_ = std::move(resources);
      std::vector<MappedBuffer> memory;
      for (const LayerSize& l : layers) memory.push_back(memoryOf(l));
      return memory;
    } catch (...) {
      unmapResources();
      mapped_.cancel();
      throw;
    }
  }
  void unmap() override {
    mapped_.end();
    useDevice();
    check(unmapResources(), "unmapping the buffers");
  }
  const char* path() const override { return "interop"; }

 private:
  void useDevice() { check(cudaSetDevice(device_), "choosing the GPU of the OpenGL context"); }
  void drop(GlLayer& layer) override {
    if (layer.resource) {
      cudaSetDevice(device_);
      cudaGraphicsUnregisterResource(layer.resource);
      cudaGetLastError();
    }
    glDeleteBuffers(1, &layer.buffer);
    layer = {};
  }
  void allocate(GlLayer& layer, std::size_t bytes) {
    drop(layer);  // also unregisters: CUDA must not hold a buffer that GL reallocates
    const std::size_t capacity = capacityFor(bytes);
    glCreateBuffers(1, &layer.buffer);
    glGetError();
    glNamedBufferData(layer.buffer, static_cast<GLsizeiptr>(capacity), nullptr, GL_DYNAMIC_DRAW);
    if (glGetError() == GL_OUT_OF_MEMORY)
      throw RunError(
          "out of graphics memory: a layer needs {:.1f} MiB more; switch the layer off or use "
          "fewer particles",
          static_cast<double>(capacity) / (1 << 20));
    check(cudaGraphicsGLRegisterBuffer(&layer.resource, layer.buffer,
                                       cudaGraphicsRegisterFlagsWriteDiscard),
          "registering a buffer");
    layer.capacity = capacity;
  }
  // Large enough for what is to come.
  std::vector<cudaGraphicsResource_t> resourcesOf(const std::vector<LayerSize>& layers) {
    std::vector<cudaGraphicsResource_t> all;
    for (const LayerSize& wanted : layers) {
      GlLayer& l = layers_[wanted.layer];
      if (unfit(l.capacity, wanted.bytes)) allocate(l, wanted.bytes);
      l.bytes = wanted.bytes;
      all.push_back(l.resource);
    }
    return all;
  }
  MappedBuffer memoryOf(const LayerSize& layer) {
    void* pointer = nullptr;
    std::size_t size = 0;
    check(cudaGraphicsResourceGetMappedPointer(&pointer, &size, layers_.at(layer.layer).resource),
          "reading the address of a mapped buffer");
    return {pointer, MemorySpace::device};
  }
  // The first error of CUDA, if any; nothing is mapped afterwards.
  cudaError_t unmapResources() {
    const auto n = static_cast<int>(resources_.size());
    const cudaError_t code =
        n == 0 ? cudaSuccess : cudaGraphicsUnmapResources(n, resources_.data(), nullptr);
    if (code != cudaSuccess) cudaGetLastError();
    resources_.clear();
    return code;
  }
  void dropAll() {
    unmapResources();
    mapped_.cancel();
    for (auto& [key, layer] : layers_) drop(layer);
    layers_.clear();
  }
  // Registers and maps a small buffer: some drivers list the device and then refuse (WSL, remote
  // displays), and that must be known before the first frame.
  void probe() {
    try {
      map({{"", 64}});
      unmap();
    } catch (...) {
      dropAll();
      throw;
    }
    release("");
  }

  int device_ = -1;
  std::vector<cudaGraphicsResource_t> resources_;  // mapped ones
};

}  // namespace

int findDeviceOfContext() {
  cudaError_t code;
  return deviceOfContext(code);
}

std::unique_ptr<GlSink> openInteropSink() { return std::make_unique<InteropSink>(); }

}  // namespace cellscope::render
