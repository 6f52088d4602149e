#include "render/density_target.h"

namespace cellscope::render {

void DensityTarget::begin(int width, int height) {
  if (!sums_ || width != width_ || height != height_) {
    width_ = width;
    height_ = height;
    sums_ = makeBuffer();
    const auto pixels = static_cast<GLsizeiptr>(width) * height;
    glNamedBufferStorage(sums_, pixels * 4 * static_cast<GLsizeiptr>(sizeof(GLuint)), nullptr, 0);
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
