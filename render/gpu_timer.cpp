#include "render/gpu_timer.h"

namespace cellscope::render {

void GpuTimer::begin() {
  collect(false);
  Query& q = queries_[next_];
  running_ = !q.asked;  // otherwise the driver is far behind: this one is not measured
  if (!running_) return;
  if (!q.name) q.name = makeQuery(GL_TIME_ELAPSED);
  glBeginQuery(GL_TIME_ELAPSED, q.name);
}

void GpuTimer::end() {
  if (!running_) return;
  glEndQuery(GL_TIME_ELAPSED);
  queries_[next_].asked = true;
  next_ = (next_ + 1) % kUnderWay;
  running_ = false;
}

void GpuTimer::finish() { collect(true); }

// From the oldest on, which are known first.
void GpuTimer::collect(bool wait) {
  for (std::size_t k = 0; k < kUnderWay; ++k) {
    Query& q = queries_[(next_ + k) % kUnderWay];
    if (!q.asked) continue;
    GLuint known = GL_TRUE;
    if (!wait) glGetQueryObjectuiv(q.name, GL_QUERY_RESULT_AVAILABLE, &known);
    if (!known) return;
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(q.name, GL_QUERY_RESULT, &nanoseconds);
    milliseconds_ = 1e-6 * static_cast<double>(nanoseconds);
    q.asked = false;
  }
}

}  // namespace cellscope::render
