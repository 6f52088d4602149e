// What the renderer holds between frames. renderer_take.cpp brings frames in, renderer.cpp draws.
#pragma once
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/gl.h"
#include "render/label_pass.h"
#include "render/layer_passes.h"
#include "render/program.h"
#include "render/renderer.h"
#include "render/renderer_parts.h"
#include "render/sinks.h"

namespace cellscope::render {

// Most particles whose periodic images are drawn: a frame has no time for more.
constexpr std::size_t kMostImages = 200000;

// A layer of the last frame, in OpenGL memory.
struct HeldLayer {
  std::string key;
  Primitive primitive = Primitive::points;
  std::size_t count = 0;
  unsigned buffer = 0;
  float typicalDiameter = 1;
  float largestDiameter = 0;  // of points that the host has seen
  bool events = false, over = false, quiet = false;
  float quietDiameter = 1;
  GlBuffer commands;   // only where the device alone knows how many instances there are
  unsigned drawn = 0;  // buffer with their number
  // Those with periodic images, where the host has seen the instances; otherwise all are tried.
  std::optional<std::size_t> atEdges;
  GlBuffer edges;
  std::vector<LabelInstance> labels;
  LabelCount labelCount;  // of the last draw
  ColourScale scale;      // as it came
  std::optional<CellLattice> lattice;
};

struct Renderer::Impl {
  SinkChoice choice;
  std::unique_ptr<GlSink> sink;  // of the renderer's path
  CopySink copies;               // host layers of a frame whose path is interop
  std::string reason;
  LayerPasses passes;
  LabelPass labels;
  GlBuffer uniforms = makeBuffer(), marks = markBuffer();
  std::map<std::string, ColourTexture> colours;
  std::map<std::string, LayerLook> looks;                 // only of layers that have one
  std::map<std::string, std::pair<float, float>> ranges;  // only of layers that have one
  std::map<std::string, CountReader> counts;
  std::vector<HeldLayer> layers;
  Box box;
  bool outlined = true;  // Frame::outlined
  DensityTarget density;
  NearestFaces faces;
  GpuTimer timer;
  double milliseconds = 0;

  Impl(SinkChoice wanted, Backend backend);
  bool interop() const { return std::strcmp(sink->path(), "interop") == 0; }
  void take(const LayerData& data);
  void takeLabels(const LayerData& data);
  void takeColours(const std::string& key, const ColourScale& scale);
  void takeLattice(const LayerData& data, unsigned buffer);
  static float largestOf(const std::byte* instances, std::size_t count);
  void takeEdges(HeldLayer& layer, const std::byte* instances) const;
  void drawLabels(const Camera& camera, const Viewport& viewport, const Style& style);
  GlSink& sinkOf(const LayerData& data) {
    return data.buffer->space() == MemorySpace::host ? copies : *sink;
  }
  void takeAll(const Frame& frame);
  void dropUnused(const Frame& frame);
  LayerDraw drawOf(const HeldLayer& layer, const Camera& camera, const Viewport& viewport,
                   const Style& style);
  void drawLayers(const Camera& camera, const Viewport& viewport, const Style& style);
  void drawPoints(const LayerDraw& d, const Viewport& viewport);
  void drawSpheres(const LayerDraw& d, const Viewport& viewport);
  void drawImages(LayerDraw d, const Camera& camera, const Viewport& viewport);
  void drawDensity(const LayerDraw& d, const Viewport& viewport);
  using Draws = std::vector<std::pair<Primitive, LayerDraw>>;
  void findNearestFaces(Draws& draws, const Viewport& viewport);
  void drawLines(const LayerDraw& d, bool space);
  void drawMarks(const LayerDraw& d, bool space);
  float largerToBeSeen(const HeldLayer& layer, float pixels, float scale) const;
};

}  // namespace cellscope::render
