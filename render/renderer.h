// Draws frames with OpenGL 4.5. A GL context must be current on the calling thread, and its
// functions loaded (render/gl.h; OffscreenContext does it itself).
#pragma once
#include "render/sinks.h"
#include "render/view.h"
#include "sim/api/frame.h"
#include "sim/base/backend.h"
#include "sim/base/error.h"

namespace cellscope::render {

// CUDA cannot write into buffers of the current GL context, or no longer; with the reason.
class InteropError : public RunError {
  using RunError::RunError;
};

enum class SinkChoice { automatic, interop, copy };

struct Style {
  bool dark = true;
  float scale = 1;     // HiDPI and presentation mode: multiplies line widths
  bool shaded = true;  // light and rim on disks and spheres
  bool drawBoxOutline = true;
  bool images = false;     // 2D: faint periodic images of disks that cross the box's border
  float eventOpacity = 1;  // of layers of events
  bool quiet = false;      // particles are grey beside layers that explain a structure
  InsideView inside = {};  // slabs act in 3D only
  bool operator==(const Style&) const = default;
};

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // rows from the top
};

// How many labels of a layer found room, of those that it has at present.
struct LabelCount {
  std::size_t shown = 0, all = 0;
};

class Renderer {
 public:
  // Loads shaders and chooses the path by which particles reach GL. Where `interop` is forced and
  // impossible, throws InteropError with the reason; `automatic` falls back to copy and keeps it.
  Renderer(SinkChoice choice, Backend backend);
  ~Renderer();

  const FrameSink& sink() const;
  std::string sinkReason() const;  // why interop is not used, "" when it is
  // Take over the layers of a frame (maps and fills each buffer once).
  void upload(const Frame& frame);
  // Clear the viewport to the theme's background and draw what was uploaded last into the
  // bound framebuffer: layers in the frame's order, except that the tint of boxes lies under
  // everything, and that in 3D particles come first. 3D needs a depth buffer there. Nothing outside
  // the viewport is touched; blending, depth and scissor tests are left off.
  void draw(const Camera& camera, const Viewport& viewport, const Style& style);
  // How a layer, or part of one, is shown from the next draw() on. True: it was another one.
  bool setLook(const std::string& layer, const LayerLook& look);
  // Colours of a layer's values over this range, from the next draw() on and until changed; lo >=
  // hi: the range that comes with the layer. True: it was another one.
  bool setRange(const std::string& layer, float lo, float hi);
  // Instances of a layer that were drawn, where only the device knew: of an earlier frame, read
  // without waiting. Otherwise those of the last upload; 0 for a layer that is not there.
  std::size_t drawnCount(const std::string& layer) const;
  LabelCount labelCount(const std::string& layer) const;  // of the last draw()
  std::string glDescription() const;                      // "OpenGL 4.5, NVIDIA H200"
  double uploadMilliseconds() const;  // milliseconds the last upload took (map, fill, unmap)
  // Milliseconds the GPU needed for a draw() some frames ago, with whatever else it did meanwhile
  // (a simulation on the same GPU); negative before the first is known.
  double drawMilliseconds() const;
  void finishDrawing();  // waits, so that drawMilliseconds() is of the last draw()

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

int cudaDeviceOfContext();  // CUDA ordinal of the GPU that owns the current GL context, or -1

// A part of the framebuffer bound for reading; x, y: its lower left pixel.
Image readPixels(int x, int y, int width, int height);
// Draw into an off-screen framebuffer of the current context and read it back.
Image renderImage(Renderer& renderer, const Camera& camera, const Style& style, int width,
                  int height);

// Colours shared by renderer and legends: sRGB in 0..1.
struct Rgb {
  float r, g, b;
  bool operator==(const Rgb&) const = default;
};
// What a colour fills. Lines, rings and edges of boxes are thin: theirs keep a contrast of 3 to the
// background. Bodies of particles, cells of the plane and boxes filled with colours of their own
// are large enough without; on light ground only the palest ends of their maps are darker.
enum class Paint { area, thinOnDark, thinOnLight, areaOnLight };
Paint paintOf(Primitive primitive, const ColourScale& scale, bool dark);
Rgb colourOf(const ColourScale& scale, float value, Paint paint = Paint::area);

// OpenGL context without a display, through EGL. Throws RunError naming what is missing.
class OffscreenContext {
 public:
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// PNG files with text metadata (png.cpp), byte by byte.

using Metadata = std::vector<std::pair<std::string, std::string>>;

// The whole file in memory. ASCII texts become tEXt chunks, others iTXt (UTF-8). Throws InputError
// for a keyword that PNG does not allow (1 to 79 printable ASCII characters).
std::string encodePng(const Image& image, const Metadata& metadata);

// Pixels and text chunks of a PNG file; `path` stands in messages. Throws InputError when it cannot
// be read, or declares more pixels than its bytes can hold or than kMostPixelsRead.
inline constexpr std::uint64_t kMostPixelsRead = 1 << 24;
Image decodePng(const std::string& bytes, const std::string& path, Metadata* metadata = nullptr);
// The text chunks alone; no pixel is decoded.
Metadata pngTexts(const std::string& bytes, const std::string& path);

}  // namespace cellscope::render
