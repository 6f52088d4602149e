#include <chrono>
#include <numbers>

#include "render/renderer_impl.h"

namespace cellscope::render {

constexpr float kImagePixels = 6, kImageOpacity = 0.35f;  // periodic images: from this size on
constexpr float kHiddenOpacity = 0.9f;                    // edges of boxes behind particles
constexpr std::size_t kFewMarks = 500;  // marks of events: more of them shrink with their particles
// Diameter in pixels below which particles are drawn as summed coverage.
constexpr float kDensityPixels2d = 3.0f, kDensityPixels3d = 1.2f;
// Few tiny disks would be too faint to be seen: they are drawn at least as large as this, as long
// as they cover no more than this share of the box. Above it the picture shows true coverage.
constexpr float kSeenPixels = 1.5f, kMostCovered = 0.1f;

Renderer::Impl::Impl(SinkChoice wanted, Backend backend) : choice(wanted) {
  if (wanted == SinkChoice::copy) {
    reason = "copying was asked for";
  } else if (wanted == SinkChoice::automatic && backend == Backend::cpu) {
    reason = "the CPU backend keeps particles in host memory";
  } else {
    try {
      sink = makeInteropSink();
      return;
    } catch (const RunError& e) {
      if (wanted == SinkChoice::interop) throw;
      reason = e.what();
    }
  }
  sink = std::make_unique<CopySink>();
}

LayerDraw Renderer::Impl::drawOf(const HeldLayer& layer, const Camera& camera,
                                 const Viewport& viewport, const Style& style) {
  ColourTexture& c = colours.at(layer.key);
  c.set(c.scale, paintOf(layer.primitive, c.scale, style.dark));
  LayerDraw d;
  d.layer = &layer;
  d.buffer = layer.memory;
  d.count = static_cast<int>(layer.count);
  d.dimension = camera.dimension;
  d.typicalPixels = layer.diameter * static_cast<float>(camera.pixelsPerUnit(viewport));
  d.largestPixels = layer.largestDiameter * static_cast<float>(camera.pixelsPerUnit(viewport));
  d.colours = &c;
  d.filled = c.scale.marks.empty();
  bool arrows = true;  // in colours of their own
  for (const Mark mark : c.scale.marks) {
    d.filled = d.filled || lookOf(mark).faces > 0;
    d.aroundParticles = d.aroundParticles || lookOf(mark).shape != MarkShape::body;
    d.cased = d.cased || lookOf(mark).cased;
    d.hatched = d.hatched || lookOf(mark).hatching != Hatching::none;
    arrows = arrows && lookOf(mark).head > 0 && lookOf(mark).role == ColourRole::own;
  }
  // Arrows begin on particles, which are light in both themes.
  d.casing = backgroundColour(style.dark || arrows);
  d.images = style.images;
  if (const auto& lattice = layer.lattice)
    d.typicalPixels = static_cast<float>(std::min(lattice->width[0], lattice->width[1]) *
                                         camera.pixelsPerUnit(viewport)) /
                      style.scale;
  d.box = &box;
  d.quiet = layer.quiet && style.quiet;
  d.quietColour = quietColour(style.dark);
  if (d.quiet) {
    d.smaller = layer.quietDiameter;
    d.typicalPixels *= d.smaller;
    d.largestPixels *= d.smaller;
  }
  d.fade = layer.events ? style.eventOpacity : 1;
  d.over = layer.over;
  d.crowded = layer.events && layer.count > kFewMarks;
  if (layer.primitive == Primitive::points && !d.aroundParticles) d.rest = style.inside.rest;
  // Beside selected boxes of the simulation box, other cells and boxes are quiet or absent as well.
  const bool boxes = layer.primitive == Primitive::boxes || layer.primitive == Primitive::cells;
  if (boxes && !style.inside.boxes.empty()) d.rest = style.inside.rest;
  if (d.dimension == 2) d.larger = largerToBeSeen(layer, d.typicalPixels, style.scale);
  d.look = layerLook(layer.key);
  return d;
}

void Renderer::Impl::drawLabels(const Camera& camera, const Viewport& viewport,
                                const Style& style) {
  std::vector<LabelDraw> draws;
  for (HeldLayer& layer : layers)
    if (layer.primitive == Primitive::labels)
      draws.push_back(
          {&layer.labels, colours.at(layer.key).scale, layerLook(layer.key), &layer.labelCount});
  glDisable(GL_DEPTH_TEST);
  labels.draw(draws, camera, viewport, style);
}

LayerLook Renderer::Impl::layerLook(const std::string& layer) const {
  const auto look = looks.find(layer);
  return look == looks.end() ? LayerLook{} : look->second;
}

// Null: it is not there.
const HeldLayer* Renderer::Impl::find(const std::string& layer) const {
  const auto held = std::ranges::find(layers, layer, &HeldLayer::key);
  return held == layers.end() ? nullptr : &*held;
}

float Renderer::Impl::largerToBeSeen(const HeldLayer& layer, float pixels, float scale) const {
  const double d = layer.diameter, area = box.length[0] * box.length[1];
  const double covered = static_cast<double>(layer.count) * d * d * (std::numbers::pi / 4) / area;
  if (!(pixels > 0) || !(covered > 0)) return 1;
  const double wanted = std::min(kSeenPixels * scale, kDensityPixels2d) / pixels;
  return static_cast<float>(std::max(1.0, std::min(wanted, std::sqrt(kMostCovered / covered))));
}

void Renderer::Impl::drawParticles(const LayerDraw& d, const Viewport& viewport) {
  const bool plane = d.dimension == 2;
  if (d.typicalPixels < (plane ? kDensityPixels2d : kDensityPixels3d))
    return drawDensity(d, viewport);
  if (plane) return passes.points(d, Instances::all);
  passes.points(d, Instances::active);
  glDepthMask(GL_FALSE);
  passes.points(d, Instances::inactive);
  glDepthMask(GL_TRUE);
}

// In bands of rows that a shader may see at once: one band, but for very large pictures.
void Renderer::Impl::drawDensity(const LayerDraw& d, const Viewport& viewport) {
  const GLboolean depthTest = glIsEnabled(GL_DEPTH_TEST);
  glDisable(GL_DEPTH_TEST);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  GLint64 bytes = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
  const auto rows = static_cast<int>(
      std::clamp<GLint64>(bytes / (DensityTarget::kPixelBytes * viewport.width), 1, 1 << 20));
  for (int row = 0; row < viewport.height; row += rows) {
    const Viewport band{viewport.x, viewport.y + row, viewport.width,
                        std::min(rows, viewport.height - row)};
    density.begin(band.width, band.height);
    passes.splats(d, band);
    density.end();
    glScissor(band.x, band.y, band.width, band.height);
    passes.composite(band);
  }
  glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  if (depthTest) glEnable(GL_DEPTH_TEST);
}

// What leaves the box at one side enters at the other. Only sides that are in view.
void Renderer::Impl::drawImages(LayerDraw d, const Camera& camera, const Viewport& viewport) {
  if (d.typicalPixels < kImagePixels || static_cast<std::size_t>(d.count) > kMostImages) return;
  const bool whole = static_cast<std::size_t>(d.count) <= kFewParticles;
  if (d.layer->atEdges) d.buffer = d.layer->edges, d.count = static_cast<int>(*d.layer->atEdges);
  if (d.count == 0) return;
  const double perUnit = camera.pixelsPerUnit(viewport);
  const double half[2] = {viewport.width / perUnit / 2, viewport.height / perUnit / 2};
  const double centre[2] = {camera.target.x, camera.target.y};
  const auto seen = [&](int axis, int side) {  // whether the strip of images is in view
    if (side == 0) return true;
    const double edge = side > 0 ? box.length[axis] : 0;
    const double width = whole ? box.length[axis] : d.typicalPixels / perUnit;
    return std::abs(edge - centre[axis]) < half[axis] + width;
  };
  d.fade *= kImageOpacity;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      if ((x == 0 && y == 0) || !seen(0, x) || !seen(1, y)) continue;
      const int side[2] = {x, y};
      for (int axis = 0; axis < 2; ++axis) {
        d.imageBox[axis] = whole ? 0 : static_cast<float>(box.length[axis]);
        d.imageOffset[axis] = static_cast<float>(side[axis] * box.length[axis]);
      }
      passes.points(d, Instances::all);
    }
}

// Edges behind particles are solid: dashes would be lost among them.
void Renderer::Impl::drawBoxes(LayerDraw d, bool space) {
  const bool over = std::exchange(d.over, false);
  passes.boxMarks(d);
  if (!space || !over) return;
  d.fade *= kHiddenOpacity;
  d.over = true, d.filled = false;
  glDepthFunc(GL_GREATER);
  passes.boxMarks(d);
  glDepthFunc(GL_LEQUAL);
}

// Of all layers together: what is filled in one hides what lies behind it in another.
void Renderer::Impl::findNearestFaces(std::vector<LayerDraw>& draws, const Viewport& viewport) {
  const auto filled = [](const LayerDraw& d) {
    return d.layer->primitive == Primitive::boxes && d.filled;
  };
  if (std::ranges::none_of(draws, filled)) return;
  faces.begin(viewport);
  for (const LayerDraw& d : draws)
    if (filled(d)) passes.nearestFaces(d);
  faces.end();
  for (LayerDraw& d : draws) d.faces = faces.depths();
}

// In the plane layers cover each other in their order. In space particles come first, since they
// hide what lies behind them; overlays do not.
void Renderer::Impl::drawLayers(const Camera& camera, const Viewport& viewport,
                                const Style& style) {
  const bool space = camera.dimension == 3;
  std::vector<LayerDraw> draws;
  for (const HeldLayer& layer : layers) draws.push_back(drawOf(layer, camera, viewport, style));
  for (const LayerDraw& d : draws) {
    const Primitive primitive = d.layer->primitive;
    if (primitive == Primitive::boxes) passes.boxFills(d);
    if (primitive == Primitive::cells) passes.cellFills(d);
    if (primitive == Primitive::points && space && !d.aroundParticles) drawParticles(d, viewport);
  }
  if (space) {
    glDepthMask(GL_FALSE);
    findNearestFaces(draws, viewport);
  }
  if (style.drawBoxOutline && outlined) passes.boxOutline(box, outlineColour(style.dark));
  for (const LayerDraw& d : draws) {
    const Primitive primitive = d.layer->primitive;
    if (primitive == Primitive::boxes) drawBoxes(d, space);
    if (primitive == Primitive::cells) passes.cellMarks(d);
    // Marks are about single particles: nothing hides them, nor some lines.
    const bool marked = primitive == Primitive::points && d.aroundParticles && d.fade > 0;
    const bool unhidden = space && (marked || (primitive == Primitive::lines && d.over));
    if (unhidden) glDisable(GL_DEPTH_TEST);
    if (primitive == Primitive::lines) passes.lines(d);
    if (marked) passes.marks(d);
    if (unhidden) glEnable(GL_DEPTH_TEST);
    if (primitive == Primitive::points && !space && !d.aroundParticles) {
      if (style.images) drawImages(d, camera, viewport);
      drawParticles(d, viewport);
    }
  }
}

Renderer::Renderer(SinkChoice choice, Backend backend) {
  requireGl();
  impl_ = std::make_unique<Impl>(choice, backend);
}
Renderer::~Renderer() = default;

const FrameSink& Renderer::sink() const { return *impl_->sink; }
std::string Renderer::sinkReason() const { return impl_->reason; }
std::string Renderer::glDescription() const { return glDescriptionOfContext(); }
bool Renderer::setLook(const std::string& layer, const LayerLook& look) {
  if (look == LayerLook{}) return impl_->looks.erase(layer) > 0;
  return std::exchange(impl_->looks[layer], look) != look;
}
bool Renderer::setRange(const std::string& layer, float lo, float hi) {
  Impl& r = *impl_;
  const auto known = r.ranges.find(layer);
  const std::pair<float, float> range(lo, hi);
  if (lo < hi ? known != r.ranges.end() && known->second == range : known == r.ranges.end())
    return false;
  if (lo < hi)
    r.ranges[layer] = range;
  else
    r.ranges.erase(known);
  if (const HeldLayer* const held = r.find(layer)) r.takeColours(layer, held->scale);
  return true;
}
std::size_t Renderer::drawnCount(const std::string& layer) const {
  const HeldLayer* const held = impl_->find(layer);
  if (!held) return 0;
  const auto counted = impl_->counts.find(layer);
  return counted == impl_->counts.end() ? held->count : counted->second.read(held->count);
}
double Renderer::uploadMilliseconds() const { return impl_->milliseconds; }
double Renderer::drawMilliseconds() const { return impl_->timer.milliseconds(); }
LabelCount Renderer::labelCount(const std::string& layer) const {
  const HeldLayer* const held = impl_->find(layer);
  return held ? held->labelCount : LabelCount{};
}
void Renderer::finishDrawing() { impl_->timer.collect(true); }

void Renderer::upload(const Frame& frame) {
  const auto start = std::chrono::steady_clock::now();
  impl_->dropUnused(frame);
  try {
    impl_->takeAll(frame);
  } catch (const RunError& e) {
    // Interop can be lost while running; copying then takes over, from the first layer on.
    if (impl_->choice != SinkChoice::automatic || !impl_->interop()) throw;
    impl_->layers.clear();  // they name buffers of the sink that goes
    impl_->reason = e.what();
    impl_->sink = std::make_unique<CopySink>();
    impl_->takeAll(frame);
  }
  impl_->milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void Renderer::draw(const Camera& camera, const Viewport& viewport, const Style& style) {
  if (viewport.width <= 0 || viewport.height <= 0) return;
  Impl& r = *impl_;
  r.timer.begin();
  const SceneUniforms u = SceneUniforms::of(camera, viewport, style, r.box);
  glNamedBufferData(r.uniforms, sizeof u, &u, GL_STREAM_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, r.uniforms);
  glBindBufferBase(GL_UNIFORM_BUFFER, kMarkBinding, r.marks);
  glViewport(viewport.x - kGuardBand, viewport.y - kGuardBand, viewport.width + 2 * kGuardBand,
             viewport.height + 2 * kGuardBand);
  glEnable(GL_SCISSOR_TEST);
  glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
  glDisable(GL_CULL_FACE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  const Rgb b = backgroundColour(style.dark);
  glClearColor(b.r, b.g, b.b, 1);
  glClearDepth(1);
  const bool space = camera.dimension == 3;
  // A plane uses no depth; a software renderer would pay for clearing it.
  glClear(GL_COLOR_BUFFER_BIT | (space ? GL_DEPTH_BUFFER_BIT : 0u));
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_PROGRAM_POINT_SIZE);
  space ? glEnable(GL_DEPTH_TEST) : glDisable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);

  r.drawLayers(camera, viewport, style);
  r.drawLabels(camera, viewport, style);
  glDepthMask(GL_TRUE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_PROGRAM_POINT_SIZE);
  glBindVertexArray(0);
  glUseProgram(0);
  r.timer.end();
}

}  // namespace cellscope::render
