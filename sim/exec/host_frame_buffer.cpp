#include "sim/exec/host_frame_buffer.h"

#include <cstring>

#include "sim/exec/memory.h"

namespace cellscope {

void HostFrameBuffer::copyTo(void* destination, MemorySpace where) const {
  const Backend to = where == MemorySpace::device ? Backend::cuda : Backend::cpu;
  exec::copy(to, destination, Backend::cpu, data_.data(), data_.size());
}

}  // namespace cellscope
