// How a frame reaches the memory of OpenGL: sinks, and what the renderer takes from them.
#include <fmt/format.h>

#include <tuple>

#include "render/renderer_impl.h"
#include "sim/base/build.h"

namespace cellscope {

void deliver(const std::vector<const LayerData*>& layers, FrameSink& sink) {
  std::vector<const FrameBuffer*> buffers;  // of each layer: its instances, and their number
  std::vector<LayerSize> sizes;
  const auto add = [&](const std::string& key, const FrameBuffer& buffer) {
    buffers.push_back(&buffer);
    sizes.push_back({key, buffer.bytes()});
  };
  for (const LayerData* layer : layers) {
    if (!layer->buffer) continue;
    add(layer->key, *layer->buffer);
    if (layer->drawn) add(countKey(layer->key), *layer->drawn);
  }
  if (buffers.empty()) return;
  const std::vector<MappedBuffer> memory = sink.map(sizes);
  try {
    for (std::size_t i = 0; i < buffers.size(); ++i)
      buffers[i]->copyTo(memory[i].data, memory[i].space);
  } catch (...) {
    sink.unmap();
    throw;
  }
  sink.unmap();
}

void deliver(const Frame& frame, FrameSink& sink) {
  std::vector<const LayerData*> layers;
  for (const LayerData& layer : frame.layers) layers.push_back(&layer);
  deliver(layers, sink);
}

}  // namespace cellscope

namespace cellscope::render {

std::size_t capacityFor(std::size_t bytes) {
  constexpr std::size_t least = 4096;
  return std::max(least, bytes + bytes / 4);
}

bool unfit(std::size_t capacity, std::size_t bytes) {
  return capacity < bytes || capacity > 8 * capacityFor(bytes) || capacity == 0;
}

std::unique_ptr<GlSink> makeInteropSink() {
  if constexpr (kCudaBuilt) return openInteropSink();
  throw InteropError("CUDA-OpenGL interop is not possible: this build has no CUDA ({})",
                     whyNoCuda());
}

int cudaDeviceOfContext() {
  if constexpr (kCudaBuilt) return findDeviceOfContext();
  return -1;
}

std::string foreignContext(const std::string& gl, int cudaDevices, const std::string& cause) {
  const std::string what = fmt::format(
      "CUDA-OpenGL interop is not possible: the picture is drawn by {}, which no CUDA device owns "
      "({})",
      gl, cause);
  if (cudaDevices == 0) return what;
  return what +
         "; where the display is connected to another GPU, as in hybrid laptops, start with "
         "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia";
}

CopySink::~CopySink() {
  for (auto& [key, layer] : layers_) drop(layer);
}

void CopySink::drop(GlLayer& layer) { glDeleteBuffers(1, &layer.buffer); }

std::vector<MappedBuffer> CopySink::map(const std::vector<LayerSize>& layers) {
  mapped_.begin(layers);
  std::vector<MappedBuffer> memory;
  for (const LayerSize& wanted : layers) {
    GlLayer& l = layers_[wanted.layer];
    l.bytes = wanted.bytes;
    if (unfit(l.staging.size(), l.bytes)) l.staging.resize(capacityFor(l.bytes));
    memory.push_back({l.staging.data(), MemorySpace::host});
  }
  return memory;
}

void CopySink::unmap() {
  for (const std::string& key : mapped_.end()) transfer(key, layers_.at(key));
}

void CopySink::transfer(const std::string& key, GlLayer& l) {
  if (!l.buffer) glCreateBuffers(1, &l.buffer);
  if (unfit(l.capacity, l.bytes)) l.capacity = capacityFor(l.bytes);
  glGetError();
  glNamedBufferData(l.buffer, static_cast<GLsizeiptr>(l.capacity), nullptr, GL_STREAM_DRAW);
  if (glGetError() == GL_OUT_OF_MEMORY)
    throw RunError(
        "out of graphics memory: layer {} needs {:.1f} MiB more; switch the layer off or use fewer "
        "particles",
        key, static_cast<double>(l.capacity) / (1 << 20));
  glNamedBufferSubData(l.buffer, 0, static_cast<GLsizeiptr>(l.bytes), l.staging.data());
}

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

// The few particles of a plane that reach over a side, in their order: their images alone reach
// into the box. Those of all would have to be tried otherwise, a pass for each side and corner.
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
