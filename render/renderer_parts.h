// Colour table of a layer on the GPU.
#pragma once
#include <glm/glm.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/camera.h"
#include "render/colour_map.h"
#include "render/gl.h"
#include "render/renderer.h"

namespace cellscope::render {

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

struct ColourTexture {
  ColourScale scale;
  Paint paint = Paint::area;
  ColourTable table;
  GlTexture texture;  // one row

  // Rebuilds the texture only when the colours change.
  void set(const ColourScale& wanted, Paint on);
};

// Picture in which the coverage of tiny particles is summed (shaders/splat.comp): per pixel rgb
// times coverage in linear light, and coverage, as whole numbers.
class DensityTarget {
 public:
  // Rows of this width that the driver lets a shader see at once; at least one.
  static int rowsAtOnce(int width);
  // Binds empty sums of this size to storage binding 1.
  void begin(int width, int height);
  // What was summed can be read from now on.
  void end();

 private:
  GlBuffer sums_;
  int width_ = 0, height_ = 0;
};

// Depths of the boxes in space that the eye meets first, so that no others are filled.
class NearestFaces {
 public:
  // Until end() faces are drawn into empty depths, at the pixels of the framebuffer bound now.
  void begin(const Viewport& viewport);
  void end();
  unsigned depths() const { return depths_; }

 private:
  GlTexture depths_;
  GlFramebuffer framebuffer_;
  int width_ = 0, height_ = 0, target_ = 0;
};

// Numbers that only the GPU knows, read back without waiting.

// One 32-bit integer of a GL buffer: asked for in one frame, known in a later one.
class CountReader {
 public:
  CountReader() = default;
  CountReader(const CountReader&) = delete;
  CountReader& operator=(const CountReader&) = delete;
  ~CountReader();
  // Begin to read from `buffer`, unless the number asked for before is still on its way.
  void request(unsigned buffer);
  // The newest known number, at most `most`; `most` before the first is known.
  std::size_t read(std::size_t most);

 private:
  void poll();

  GlBuffer copy_;
  const std::uint32_t* memory_ = nullptr;
  GLsync arrived_ = nullptr;
  bool known_ = false;
  std::uint32_t value_ = 0;
};

// Time that the GPU spends between two points of the command stream, known some frames later,
// without waiting for it. A GL context must be current.
class GpuTimer {
 public:
  void begin();
  void end();
  // Milliseconds of the last measurement that is known; negative before the first. From the first
  // to the last command, with whatever else the GPU did in between.
  double milliseconds() const { return milliseconds_; }
  void finish();  // waits for the measurements under way

 private:
  static constexpr std::size_t kUnderWay = 8;  // more frames than a driver queues
  struct Query {
    GlQuery name;
    bool asked = false;
  };
  void collect(bool wait);

  std::array<Query, kUnderWay> queries_;
  std::size_t next_ = 0;
  bool running_ = false;
  double milliseconds_ = -1;
};

}  // namespace cellscope::render
