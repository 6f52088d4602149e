// The renderer and its parts. sinks.cpp brings frames in, renderer.cpp draws.
#pragma once
#include <cstring>

#include "render/colour_map.h"
#include "render/gl.h"
#include "render/label_pass.h"
#include "render/renderer.h"
#include "render/sinks.h"
#include "render/view.h"

namespace cellscope::render {

// Colour table of a layer on the GPU.
struct ColourTexture {
  ColourScale scale;
  Paint paint = Paint::area;
  GlTexture texture;  // one row
  glm::vec4 map{0};   // origin, 1 / span or 0, number of categories or 0, whether it wraps

  // Rebuilds the texture only when the colours change.
  void set(const ColourScale& wanted, Paint on);
};

// A layer of the last frame, in OpenGL memory: nothing of the simulation's is kept.
struct HeldLayer : LayerData {
  explicit HeldLayer(const LayerData& data) : LayerData(data) { buffer.reset(), drawn.reset(); }

  unsigned memory = 0;
  float largestDiameter = 0;  // of points that the host has seen
  bool quiet = false;
  float quietDiameter = 1;
  GlBuffer commands;  // DrawCommands, where the device alone knows how many instances there are
  // Those with periodic images, where the host has seen the instances; otherwise all are tried.
  std::optional<std::size_t> atEdges;
  GlBuffer edges;
  std::vector<LabelInstance> labels;
  LabelCount labelCount;  // of the last draw
};

// What a pass needs besides the scene's uniforms.
struct LayerDraw {
  const HeldLayer* layer = nullptr;  // null: the box of the simulation
  unsigned buffer = 0;
  int count = 0;  // of instances; capacity where the layer has commands
  int dimension = 2;
  float typicalPixels = 0;  // points: diameter on the screen; cells: width, at scale 1
  float largestPixels = 0;  // points: of the largest, where it is known
  const ColourTexture* colours = nullptr;
  bool filled = false;           // boxes: some have faces
  bool aroundParticles = false;  // points: marks around particles instead of disks and spheres
  bool hatched = false;          // points of a plane: some have a hatching
  bool crowded = false;          // marks: those of tiny particles would hide everything
  // Lines: nothing hides them. Boxes: edges that particles hide. Neither fades with depth.
  bool over = false;
  bool cased = false;  // lines: some have a casing
  int mark = -1;       // of every instance; -1: from the colour table
  LayerLook look;
  // Drawn once more at an offset; only what reaches into a periodic box of these lengths, 0: all.
  float imageOffset[2] = {0, 0}, imageBox[2] = {0, 0};
  float fade = 1;  // opacity of the whole layer
  Rgb casing{};
  const Box* box = nullptr;
  bool images = false;  // cells: their periodic images beyond the box as well, paler
  bool quiet = false;   // all instances have this colour
  Rgb quietColour{};
  float smaller = 1;        // spheres: factor of their diameters
  Rest rest = Rest::shown;  // particles beside a selection
  bool uncut = false;       // slabs do not act
  unsigned faces = 0;  // boxes in space: texture with depths of the nearest; 0: none are filled
  float larger = 1;    // tiny disks of the plane are enlarged by this factor
};

// The commands of all passes for one layer, as glDraw*Indirect reads them.
struct DrawCommands {
  unsigned quads[4];   // vertices, instances, 0, 0
  unsigned points[4];  // instances, 1, 0, 0
  unsigned edges[5];   // indices, instances, 0, 0, 0
  unsigned faces[4];   // vertices, instances, 0, 0
};
// Commands with the number of instances read from `count`, a GL buffer of one 32-bit integer.
void setCommands(unsigned commands, unsigned count);

enum class Instances { all, active, inactive };  // which instances a draw shows

class LayerPasses {
 public:
  LayerPasses();
  ~LayerPasses();
  void points(const LayerDraw& layer, Instances which);
  // Adds coverage to the sums of a DensityTarget, which are of this part of the picture.
  void splats(const LayerDraw& layer, const Viewport& part);
  // In the plane a box has a fill, which belongs under the particles, and marks: its outline and
  // hatching. In space it has faces and edges, and the nearest faces are looked for first.
  void boxFills(const LayerDraw& layer);
  void nearestFaces(const LayerDraw& layer);
  void boxMarks(const LayerDraw& layer);
  // Cells of a plane: a fill under the particles; outlines and hatching, or one colour, over them.
  void cellFills(const LayerDraw& layer);
  void cellMarks(const LayerDraw& layer);
  void lines(const LayerDraw& layer);
  void marks(const LayerDraw& layer);  // around particles
  // The simulation box from the origin to `length`.
  void boxOutline(const Box& box, const Rgb& colour);
  // Full-screen triangle of these sums; what lies outside the part must be cut off.
  void composite(const Viewport& part);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Pixels by which the GL viewport exceeds the picture on each side.
inline constexpr int kGuardBand = 64;

struct SceneUniforms {  // std140
  glm::mat4 view, projection;
  glm::vec4 frame, scale, cue, background;
  glm::vec4 eye;      // x = 1: orthographic
  glm::vec4 slab[4];  // normal, middle
  glm::vec4 slabHalf;
  glm::vec4 select;        // place, radius
  glm::vec4 selectBox;     // lengths of the box
  glm::uvec4 selectTypes;  // bits, number of selected boxes
  glm::vec4 selectLo[kMostSelectedBoxes], selectHi[kMostSelectedBoxes];

  static SceneUniforms of(const Camera& camera, const Viewport& viewport, const Style& style,
                          const Box& box);
};

// Picture in which the coverage of tiny particles is summed (shaders/splat.glsl): per pixel rgb
// times coverage in linear light, and coverage, as whole numbers.
class DensityTarget {
 public:
  static constexpr std::int64_t kPixelBytes = 4 * sizeof(unsigned);
  // Binds empty sums of this size to storage binding 1.
  void begin(int width, int height) {
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
  // What was summed can be read from now on, and be cleared for the next frame.
  void end() { glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT); }

 private:
  GlBuffer sums_;
  int width_ = 0, height_ = 0;
};

// Depths of the boxes in space that the eye meets first, so that no others are filled.
class NearestFaces {
 public:
  // Until end() faces are drawn into empty depths, at the pixels of the framebuffer bound now: as
  // large as the picture reaches, so that pixels have the same places there.
  void begin(const Viewport& v) {
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
  void end() {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target_));
    glDepthMask(GL_FALSE);
  }
  unsigned depths() const { return depths_; }

 private:
  GlTexture depths_;
  GlFramebuffer framebuffer_;
  int width_ = 0, height_ = 0, target_ = 0;
};

// Most particles whose periodic images are drawn: a frame has no time for more.
constexpr std::size_t kMostImages = 200000;
// Of so few all images are drawn, not only those that reach into the box.
constexpr std::size_t kFewParticles = 32;

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
  static void takeLabels(const LayerData& data, HeldLayer& to);
  void takeMemory(const LayerData& data, HeldLayer& to);
  void takeColours(const std::string& key, const ColourScale& scale);
  void takeEdges(HeldLayer& layer, std::span<const PointInstance> all) const;
  void drawLabels(const Camera& camera, const Viewport& viewport, const Style& style);
  GlSink& sinkOf(const LayerData& data) {
    return data.buffer->space() == MemorySpace::host ? copies : *sink;
  }
  LayerLook layerLook(const std::string& layer) const;
  const HeldLayer* find(const std::string& layer) const;
  void takeAll(const Frame& frame);
  void dropUnused(const Frame& frame);
  LayerDraw drawOf(const HeldLayer& layer, const Camera& camera, const Viewport& viewport,
                   const Style& style);
  void drawLayers(const Camera& camera, const Viewport& viewport, const Style& style);
  void drawParticles(const LayerDraw& d, const Viewport& viewport);
  void drawImages(LayerDraw d, const Camera& camera, const Viewport& viewport);
  void drawDensity(const LayerDraw& d, const Viewport& viewport);
  void findNearestFaces(std::vector<LayerDraw>& draws, const Viewport& viewport);
  void drawBoxes(LayerDraw d, bool space);
  float largerToBeSeen(const HeldLayer& layer, float pixels, float scale) const;
};

}  // namespace cellscope::render
