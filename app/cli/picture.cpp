#include "app/cli/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/common/experiment.h"
#include "app/common/inside.h"
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
    camera.orthographic = s.orthographic;
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

struct PicturePainter::Impl {
  PictureOptions options;
  render::OffscreenContext context;
  std::optional<render::Renderer> renderer;  // made with the first frame, which knows its backend
};

PicturePainter::PicturePainter(const PictureOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
}
PicturePainter::~PicturePainter() = default;

render::Image PicturePainter::draw(Session& session, std::string& missing) {
  const std::shared_ptr<const Frame> frame = session.mode().frame(viewOf(session));
  const PictureOptions& o = impl_->options;
  const Scenario& s = session.log().start;
  if (!impl_->renderer) {
    impl_->renderer.emplace(o.sink, backendOf(*frame));
    setLooks(*impl_->renderer, s, session.mode().info());
  }
  impl_->renderer->upload(*frame);
  const render::Camera camera = cameraOf(s, frame->box, o.width, o.height);
  render::Style style;
  style.quiet = !o.keepColours;
  style.inside = common::insideView(common::insideOf(s), camera, *frame);
  render::Image image = render::renderImage(*impl_->renderer, camera, style, o.width, o.height);
  missing.clear();
  if (o.legend)
    missing = render::paintLegend(image, frame->layers,
                                  camera.pixelsPerUnit({0, 0, o.width, o.height}), style);
  if (!session.experiments().empty()) render::paintWarningFrame(image);
  return image;
}

render::Metadata pictureMetadata(Session& session) {
  Scenario now = session.log().start;
  render::Metadata notes = {{"Software", fmt::format("cellscope {}", programVersion())},
                            {"Title", now.title},
                            {"scenario", now.name},
                            {"mode", now.mode},
                            {"step", fmt::format("{}", session.step())}};
  for (const Parameter& p : session.mode().parameters().items()) {
    notes.emplace_back(p.info.key, toText(p.get()));
    const auto known = std::find_if(now.parameters.begin(), now.parameters.end(),
                                    [&](const auto& entry) { return entry.first == p.info.key; });
    const ParameterValue first = known == now.parameters.end() ? p.fallback : known->second;
    if (!(p.get() == first)) setParameter(now, p.info.key, p.get());
  }
  for (const std::string& e : session.experiments())
    notes.emplace_back("Warning", "WRONG ON PURPOSE: experiment '" + e + "' is on");
  notes.emplace_back(common::kExperimentKey, scenarioText(now));
  return notes;
}

std::string writePicture(const std::string& path, Session& session, const PictureOptions& options) {
  std::string missing;
  const render::Image image = PicturePainter(options).draw(session, missing);
  const std::vector<std::uint8_t> png = render::encodePng(image, pictureMetadata(session));
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
