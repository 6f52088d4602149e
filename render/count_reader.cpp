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
  told_ = false;
}

bool CountReader::request(unsigned buffer, std::size_t offset) {
  poll();
  if (arrived_) return false;
  if (!memory_) {
    constexpr GLbitfield access = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    copy_ = makeBuffer();
    glNamedBufferStorage(copy_, sizeof value_, nullptr, access);
    memory_ =
        static_cast<const std::uint32_t*>(glMapNamedBufferRange(copy_, 0, sizeof value_, access));
  }
  if (!memory_) return false;  // the driver has no such memory: the number stays unknown
  glCopyNamedBufferSubData(buffer, copy_, static_cast<GLintptr>(offset), 0, sizeof value_);
  arrived_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  return true;
}

std::size_t CountReader::read(std::size_t most) {
  poll();
  return known_ ? std::min<std::size_t>(most, value_) : most;
}

std::optional<std::uint32_t> CountReader::arrival() {
  poll();
  if (told_) return {};
  told_ = true;
  return value_;
}

}  // namespace cellscope::render
