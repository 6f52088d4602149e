// Frame copies of a build without CUDA: host only.
#include "sim/exec/memory.h"
#include "sim/layers/pooled_buffer.h"

namespace cellscope {

void copyFrame(Backend to, void* destination, Backend from, const void* source, std::size_t bytes) {
  exec::copy(to, destination, from, source, bytes);
}

}  // namespace cellscope
