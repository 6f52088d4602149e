#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "render/inside.h"
#include "render/renderer_impl.h"
#include "sim/api/frame.h"
#include "sim/base/error.h"

namespace cellscope::render {

void ColourTexture::set(const ColourScale& wanted, Paint on) {
  if (texture && sameColours(scale, wanted) && paint == on) return;
  scale = wanted;
  paint = on;
  const ColourTable table = tableOf(wanted, on);
  const auto n = static_cast<GLsizei>(table.entries.size());
  std::vector<float> texels;
  for (int i = 0; i < n; ++i) {
    const Rgb& c = table.entries[static_cast<std::size_t>(i)];
    const float mark =
        static_cast<float>(markOf(wanted, table.nearest ? static_cast<float>(i) : 0));
    texels.insert(texels.end(), {c.r, c.g, c.b, mark});
  }
  map = {table.origin, table.span > 0 ? 1 / table.span : 0, table.nearest ? n : 0, table.wraps};
  // Shaders interpolate between entries themselves (shaders/layer.glsl).
  texture = makeTexture(GL_RGBA32F, n, 1);
  glTextureSubImage2D(texture, 0, 0, 0, n, 1, GL_RGBA, GL_FLOAT, texels.data());
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
    depths_ = makeTexture(GL_DEPTH_COMPONENT32F, width_, height_);
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

// From a frame to memory of OpenGL.

void Renderer::Impl::takeColours(const std::string& key, const ColourScale& scale) {
  ColourScale shown = scale;
  if (const auto range = ranges.find(key); range != ranges.end())
    std::tie(shown.lo, shown.hi) = range->second;
  ColourTexture& c = colours[key];
  c.set(shown, c.paint);
}

// Labels are laid out on the host, where they give way to each other: they never go to a sink.
void Renderer::Impl::takeLabels(const LayerData& data, HeldLayer& layer) {
  if (data.drawn) {
    std::uint32_t drawn = 0;
    data.drawn->copyTo(&drawn, MemorySpace::host);
    layer.count = std::min<std::size_t>(drawn, data.count);
  }
  layer.labels.resize(data.buffer->bytes() / sizeof(LabelInstance));  // all of it is copied
  data.buffer->copyTo(layer.labels.data(), MemorySpace::host);
  layer.labels.resize(layer.count);
}

// The few particles of a plane that reach over a side or lie beyond it, in their order: their
// periodic images alone reach into the box. Those of all would have to be tried otherwise, one pass
// for each side and corner.
void Renderer::Impl::takeEdges(HeldLayer& layer, std::span<const PointInstance> all) const {
  if (layer.count <= kFewParticles || layer.count > kMostImages) return;
  const auto width = static_cast<float>(box.length[0]), height = static_cast<float>(box.length[1]);
  std::vector<PointInstance> near;
  for (const PointInstance& p : all) {
    // A little more than the radius: what is drawn is decided by the shader.
    const float reach = 0.501f * p.diameter;
    const bool inside = p.x > reach && p.x < width - reach && p.y > reach && p.y < height - reach;
    if (!inside) near.push_back(p);
  }
  layer.atEdges = near.size();
  if (near.empty()) return;
  layer.edges = makeBuffer();
  glNamedBufferData(layer.edges, static_cast<GLsizeiptr>(near.size() * sizeof(PointInstance)),
                    near.data(), GL_STREAM_DRAW);
}

// What the sinks hold, to be drawn.
void Renderer::Impl::takeMemory(const LayerData& data, HeldLayer& layer) {
  const GlSink& source = sinkOf(data);
  const GlLayer& held = *source.find(data.key);
  layer.memory = held.buffer;
  if (data.primitive == Primitive::cells) return;
  if (data.drawn) {
    const unsigned number = source.find(countKey(data.key))->buffer;
    layer.commands = makeBuffer();
    setCommands(layer.commands, number);
    counts[data.key].request(number);
    return;
  }
  counts.erase(data.key);
  if (data.primitive != Primitive::points || held.staging.empty()) return;
  // What was written last, where it went through host memory.
  const std::span all(reinterpret_cast<const PointInstance*>(held.staging.data()), layer.count);
  for (const PointInstance& p : all)
    layer.largestDiameter = std::max(layer.largestDiameter, p.diameter);
  if (box.dimension == 2) takeEdges(layer, all);
}

void Renderer::Impl::take(const LayerData& data) {
  HeldLayer layer(data);
  if (data.primitive == Primitive::labels)
    takeLabels(data, layer);
  else if (data.buffer)
    takeMemory(data, layer);
  takeColours(data.key, data.scale);
  layers.push_back(std::move(layer));
}

// Device layers are mapped together, once; host layers never pay for a CUDA mapping.
void Renderer::Impl::takeAll(const Frame& frame) {
  layers.clear();
  box = frame.box;
  outlined = frame.outlined;
  std::vector<const LayerData*> shown, host, device;
  for (const LayerData& data : frame.layers) {
    if (data.count == 0 || (!data.buffer && data.primitive != Primitive::cells)) continue;
    if (data.buffer && data.buffer->bytes() < data.count * instanceSize(data.primitive))
      throw RunError("layer {} announces {} instances but holds {} bytes", data.key, data.count,
                     data.buffer->bytes());
    shown.push_back(&data);
    if (data.primitive != Primitive::labels && data.buffer)
      (data.buffer->space() == MemorySpace::host ? host : device).push_back(&data);
  }
  deliver(host, copies);
  deliver(device, *sink);
  for (const LayerData* data : shown) {
    take(*data);
    layers.back().quiet = isQuiet(*data, frame.layers);
    layers.back().quietDiameter = quietDiameter(*data, frame.layers, frame.box.dimension);
  }
}

// Layers that left the picture give their memory back.
void Renderer::Impl::dropUnused(const Frame& frame) {
  for (const HeldLayer& old : layers) {
    const bool kept =
        std::ranges::any_of(frame.layers, [&](const LayerData& l) { return l.key == old.key; });
    if (kept) continue;
    for (const std::string& key : {old.key, countKey(old.key)}) {
      copies.release(key);
      sink->release(key);
    }
    colours.erase(old.key);
    counts.erase(old.key);
  }
}

}  // namespace cellscope::render
