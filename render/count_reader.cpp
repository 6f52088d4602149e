#include "render/count_reader.h"

#include <algorithm>

namespace cellscope::render {

CountReader::~CountReader() {
  if (arrived_) glDeleteSync(arrived_);
}

void CountReader::poll() {
  if (!arrived_ || glClientWaitSync(arrived_, 0, 0) == GL_TIMEOUT_EXPIRED) return;
  glDeleteSync(arrived_);
  arrived_ = nullptr;
  value_ = *memory_;
  known_ = true;
}

void CountReader::request(unsigned buffer) {
  poll();
  if (arrived_) return;
  if (!memory_) {
    constexpr GLbitfield access = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    copy_ = makeBuffer();
    glNamedBufferStorage(copy_, sizeof value_, nullptr, access);
    memory_ =
        static_cast<const std::uint32_t*>(glMapNamedBufferRange(copy_, 0, sizeof value_, access));
  }
  if (!memory_) return;  // the driver has no such memory: the number stays unknown
  glCopyNamedBufferSubData(buffer, copy_, 0, 0, sizeof value_);
  arrived_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::size_t CountReader::read(std::size_t most) {
  poll();
  return known_ ? std::min<std::size_t>(most, value_) : most;
}

}  // namespace cellscope::render
