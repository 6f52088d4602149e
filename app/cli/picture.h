// Picture of a batch run.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "render/png.h"
#include "render/renderer.h"
#include "sim/run/session.h"

namespace cellscope::cli {

struct PictureOptions {
  int width = 1200, height = 1200;
  bool legend = false;       // with a scale bar
  bool keepColours = false;  // of particles beside layers that explain a structure
  render::SinkChoice sink = render::SinkChoice::automatic;
  std::string select;  // particles to be marked (sim/run/inspector.h); "": none
};

// One step, made so that layers of one step can be drawn after it: phase by phase if a layer
// that the scenario names has nothing to show before.
void makePicturedStep(Session& session);

// Draws the scenario's view, again and again with one renderer. Members throw RunError when OpenGL
// or the requested sink is not available.
class PicturePainter {
 public:
  explicit PicturePainter(const PictureOptions& options) : options_(options) {}
  // `notes`: missing items: a legend, a selection, a range of colours, a layer.
  render::Image draw(Session& session, std::vector<std::string>& notes);

 private:
  PictureOptions options_;
  render::OffscreenContext context_;
  std::optional<render::Renderer> renderer_;  // made with the first frame, which knows its backend
};

// Metadata of a picture: the experiment, its parameters and the step.
render::Metadata pictureMetadata(Session& session);

// Writes a PNG of the scenario's view with the parameters as metadata. Throws RunError when OpenGL
// or the requested sink is not available or the file cannot be written. Returns the notes of
// PicturePainter::draw().
std::vector<std::string> writePicture(const std::string& path, Session& session,
                                      const PictureOptions& options);

// OpenGL version, renderer and sink, or why there is none; for `cellscope info`.
std::string describeGraphics(Backend backend);

}  // namespace cellscope::cli
