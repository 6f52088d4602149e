#include <algorithm>

#include "render/renderer_impl.h"

namespace cellscope::render {

void ColourTexture::set(const ColourScale& wanted, Paint on) {
  if (texture && sameColours(scale, wanted) && paint == on) return;
  scale = wanted;
  paint = on;
  table = tableOf(wanted, on);
  texture = makeTexture(GL_TEXTURE_2D);
  const auto n = static_cast<GLsizei>(table.entries.size());
  std::vector<float> texels;
  for (int i = 0; i < n; ++i) {
    const Rgb& c = table.entries[static_cast<std::size_t>(i)];
    const float mark =
        static_cast<float>(markOf(wanted, table.nearest ? static_cast<float>(i) : 0));
    texels.insert(texels.end(), {c.r, c.g, c.b, mark});
  }
  glTextureStorage2D(texture, 1, GL_RGBA32F, n, 1);
  glTextureSubImage2D(texture, 0, 0, 0, n, 1, GL_RGBA, GL_FLOAT, texels.data());
  // Shaders interpolate between entries themselves (shaders/layer.glsl).
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTextureParameteri(texture, filter, GL_NEAREST);
}

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

// As large as the picture reaches, so that pixels have the same places there.
void NearestFaces::begin(const Viewport& v) {
  if (!depths_ || width_ != v.x + v.width || height_ != v.y + v.height) {
    width_ = v.x + v.width;
    height_ = v.y + v.height;
    depths_ = makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(depths_, 1, GL_DEPTH_COMPONENT32F, width_, height_);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      glTextureParameteri(depths_, filter, GL_NEAREST);
    framebuffer_ = makeFramebuffer();
    glNamedFramebufferTexture(framebuffer_, GL_DEPTH_ATTACHMENT, depths_, 0);
    glNamedFramebufferDrawBuffer(framebuffer_, GL_NONE);
  }
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_);
  glDepthMask(GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT);
}

void NearestFaces::end() {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target_));
  glDepthMask(GL_FALSE);
}

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
