#include "app/cli/picture.h"

#include <fmt/format.h>

#include "render/legend_image.h"
#include "render/png.h"
#include "render/renderer.h"
#include "render/warning_frame.h"
#include "sim/api/version.h"
#include "sim/io/output_file.h"
#include "sim/run/layer_entries.h"

namespace cellscope::cli {
namespace {

Backend backendOf(const Frame& frame) {
  for (const LayerData& layer : frame.layers)
    if (layer.buffer && layer.buffer->space() == MemorySpace::device) return Backend::cuda;
  return Backend::cpu;
}

render::Camera cameraOf(const Scenario& s, const Box& box, int width, int height) {
  render::Camera camera = render::Camera::fit(box, {0, 0, width, height});
  if (box.dimension == 2) {
    camera.target.x = s.cameraCentre[0] * box.length[0];
    camera.target.y = s.cameraCentre[1] * box.length[1];
    camera.height /= s.cameraZoom;
  } else {
    camera.yaw = s.cameraYaw;
    camera.pitch = s.cameraPitch;
    camera.distance /= s.cameraZoom;
  }
  return camera;
}

ViewRequest viewOf(const Session& session) {
  const Scenario& s = session.log().start;
  const ModeInfo& mode = session.mode().info();
  return {layersOf(s, mode), s.colouring, s.picked, false, looksOf(s.layers, mode)};
}

// Parts of a layer fade with it.
void setLooks(render::Renderer& renderer, const Scenario& s, const ModeWords& mode) {
  const std::map<std::string, LayerLook> looks = looksOf(s.layers, mode);
  for (const LayerInfo& layer : mode.layers) {
    const auto at = looks.find(layer.key);
    if (at == looks.end()) continue;
    renderer.setLook(layer.key, at->second);
    LayerLook faded;
    faded.opacity = at->second.opacity;
    for (const LayerPart& part : layer.parts) renderer.setLook(part.key, faded);
  }
}

}  // namespace

std::string writePicture(const std::string& path, Session& session, const PictureOptions& options) {
  const std::shared_ptr<const Frame> frame = session.mode().frame(viewOf(session));
  render::OffscreenContext context;
  render::Renderer renderer(options.sink, backendOf(*frame));
  renderer.upload(*frame);
  const Scenario& s = session.log().start;
  setLooks(renderer, s, session.mode().info());
  const int width = options.width, height = options.height;
  const render::Camera camera = cameraOf(s, frame->box, width, height);
  render::Style style;
  style.quiet = !options.keepColours;
  render::Image image = render::renderImage(renderer, camera, style, width, height);
  std::string missing;
  if (options.legend)
    missing = render::paintLegend(image, frame->layers, camera.pixelsPerUnit({0, 0, width, height}),
                                  style);
  std::vector<std::pair<std::string, std::string>> notes = {
      {"Software", fmt::format("cellscope {}", programVersion())},
      {"Title", s.title},
      {"step", fmt::format("{}", session.step())}};
  for (const Parameter& p : session.mode().parameters().items())
    notes.emplace_back(p.info.key, toText(p.get()));
  for (const std::string& e : session.experiments())
    notes.emplace_back("Warning", "WRONG ON PURPOSE: experiment '" + e + "' is on");
  if (!session.experiments().empty()) render::paintWarningFrame(image);
  const std::vector<std::uint8_t> png = render::encodePng(image, notes);
  io::replaceFile(path, {reinterpret_cast<const char*>(png.data()), png.size()});
  return missing;
}

std::string describeGraphics(Backend backend) {
  try {
    render::OffscreenContext context;
    render::Renderer renderer(render::SinkChoice::automatic, backend);
    const std::string reason = renderer.sinkReason();
    return fmt::format("{}; particle data by {}{}", renderer.glDescription(),
                       renderer.sink().path(), reason.empty() ? "" : " (" + reason + ")");
  } catch (const std::exception& e) {
    return fmt::format("none without a display: {}", e.what());
  }
}

}  // namespace cellscope::cli
