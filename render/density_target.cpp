#include "render/density_target.h"

#include <algorithm>

namespace cellscope::render {
namespace {

constexpr GLint64 kPixelBytes = 4 * sizeof(GLuint);

}  // namespace

int DensityTarget::rowsAtOnce(int width) {
  GLint64 bytes = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
  return static_cast<int>(std::clamp<GLint64>(bytes / (kPixelBytes * width), 1, 1 << 20));
}

void DensityTarget::begin(int width, int height) {
  if (!sums_ || width != width_ || height != height_) {
    width_ = width;
    height_ = height;
    sums_ = makeBuffer();
    glNamedBufferStorage(sums_, kPixelBytes * width * height, nullptr, 0);
  }
  const GLuint zero = 0;
  glClearNamedBufferData(sums_, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, sums_);
}

// Readers are the composition now and the clearing of the next frame.
void DensityTarget::end() {
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

}  // namespace cellscope::render
