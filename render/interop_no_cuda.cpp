// Build without CUDA: no interop.
#include "render/renderer.h"
#include "render/sinks.h"

namespace cellscope::render {

int cudaDeviceOfContext() { return -1; }

std::unique_ptr<GlSink> makeInteropSink() {
  throw InteropError(
      "CUDA-OpenGL interop is not possible: this build has no CUDA (nvcc was not found)");
}

}  // namespace cellscope::render
