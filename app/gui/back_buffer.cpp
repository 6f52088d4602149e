#include "app/gui/back_buffer.h"

#include <glad/gl.h>

namespace cellscope::gui {
namespace {

constexpr int kMarks = 7, kApart = 32;  // levels of opacity between 0 and 255, neither included

}  // namespace

bool BackBuffer::keepsLast() const {
  if (mark_ == 0) return false;
  GLubyte pixel[4] = {};
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
  return pixel[3] == mark_ * kApart;
}

void BackBuffer::mark() {
  mark_ = mark_ % kMarks + 1;
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 1, 1);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  glClearColor(0, 0, 0, static_cast<float>(mark_ * kApart) / 255);
  glClear(GL_COLOR_BUFFER_BIT);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace cellscope::gui
