#include "render/frame_sink.h"

namespace cellscope {
namespace {

// A buffer of a layer: its instances, or their number.
struct Part {
  std::string key;
  const FrameBuffer* buffer;
};

}  // namespace

void deliver(const std::vector<const LayerData*>& layers, FrameSink& sink) {
  std::vector<Part> parts;
  for (const LayerData* layer : layers) {
    if (!layer->buffer) continue;
    parts.push_back({layer->key, layer->buffer.get()});
    if (layer->drawn) parts.push_back({countKey(layer->key), layer->drawn.get()});
  }
  if (parts.empty()) return;
  std::vector<LayerSize> sizes;
  for (const Part& part : parts) sizes.push_back({part.key, part.buffer->bytes()});
  const std::vector<MappedBuffer> memory = sink.map(sizes);
  try {
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i].buffer->copyTo(memory[i].data, memory[i].space);
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
