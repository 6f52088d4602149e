#include "app/cli/batch_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/common/inside.h"
#include "render/font_atlas.h"
#include "render/legend.h"
#include "sim/base/build.h"
#include "sim/run/inspector.h"
#include "sim/run/scenario.h"

namespace cellscope::cli {
namespace {

render::Camera cameraOf(const Scenario& s, const Box& box, int width, int height) {
  render::Camera camera = render::Camera::fit(box, {0, 0, width, height}, s.cameraYaw,
                                              s.cameraPitch, s.inside.orthographic);
  if (box.dimension == 2) {
    camera.target.x = s.cameraCentre[0] * box.length[0];
    camera.target.y = s.cameraCentre[1] * box.length[1];
    camera.height /= s.cameraZoom;
  } else {
    camera.distance /= s.cameraZoom;
  }
  return camera;
}

std::shared_ptr<const Frame> frameOf(Session& session, const common::LayerLooks& looks) {
  const Scenario& s = session.log().start;
  Mode& mode = session.mode();
  return mode.frame({layersOf(s, mode.info()), s.colouring, s.picked, false, looks});
}

// Layers that the scenario itself, not only the mode's default, switches on and that have nothing
// to show, with the reason. Not those of the picked particle where none is picked, and not what
// flashes while steps come one by one.
std::vector<const LayerData*> emptyLayers(const Scenario& s, const ModeInfo& mode,
                                          const Frame& frame) {
  std::vector<const LayerData*> empty;
  for (const LayerData& data : frame.layers) {
    const auto info = std::ranges::find(mode.layers, data.key, &LayerInfo::key);
    if (info == mode.layers.end() || data.count > 0 || data.reason.empty() || data.events) continue;
    if (info->group == LayerGroup::picked && s.picked < 0) continue;
    if (std::ranges::any_of(s.layers, [&](const std::string& entry) {
          return layerName(entry) == data.key || layerName(entry) == "+" + data.key;
        }))
      empty.push_back(&data);
  }
  return empty;
}

// What the scenario's view asks for and this frame does not have.
std::vector<std::string> missingOf(const Scenario& s, const Frame& frame) {
  std::vector<std::string> notes;
  const std::string why = common::whyNoSelection(s.inside, frame);
  if (s.inside.selection == Selection::nearPicked && !why.empty())
    notes.push_back("view.selection: no particle is picked; name one with view.picked = ID");
  else if (!why.empty())
    notes.push_back("view.selection: " + why);
  for (const auto& [shown, range] : s.colourRanges)
    if (std::ranges::none_of(
            frame.layers, [&](const LayerData& layer) { return common::rangeKey(layer) == shown; }))
      notes.push_back(fmt::format("view.colour_ranges: the picture does not show '{}'", shown));
  return notes;
}

}  // namespace

void makePicturedStep(Session& session) {
  const std::shared_ptr<const Frame> before = frameOf(session, {});
  if (emptyLayers(session.log().start, session.mode().info(), *before).empty())
    return session.advance(1);
  for (const std::uint64_t end = session.step() + 1; session.step() < end;) session.advancePhase();
}

render::Image PicturePainter::draw(Session& session, std::vector<std::string>& notes) {
  const PictureOptions& o = options_;
  const Scenario& s = session.log().start;
  const ModeInfo& mode = session.mode().info();
  const common::LayerLooks looks =
      common::withSelectedLevels(looksOf(s.layers, mode), s.inside, mode);
  std::shared_ptr<const Frame> frame = frameOf(session, looks);
  if (!o.select.empty()) {
    auto marked = std::make_shared<Frame>(*frame);
    addSelection(session.mode(), *marked, o.select);
    frame = std::move(marked);
  }
  if (!renderer_) {
    const bool onDevice = std::ranges::any_of(frame->layers, [](const LayerData& layer) {
      return layer.buffer && layer.buffer->space() == MemorySpace::device;
    });
    renderer_.emplace(o.sink, onDevice ? Backend::cuda : Backend::cpu);
    common::applyLooks(*renderer_, looks, mode);
  }
  common::applyRanges(*renderer_, *frame, s.colourRanges);
  renderer_->upload(*frame);
  const render::Camera camera = cameraOf(s, frame->box, o.width, o.height);
  render::Style style;
  style.quiet = !o.keepColours && !s.keepColours;
  style.inside = common::insideView(s.inside, camera, *frame);
  render::Image image = render::renderImage(*renderer_, camera, style, o.width, o.height);
  notes = missingOf(s, *frame);
  for (const LayerData* layer : emptyLayers(s, mode, *frame))
    notes.push_back(
        fmt::format("view.layers: the picture does not show '{}': {}", layer->key, layer->reason));
  if (o.legend) {
    render::paintLegend(image, common::shownLayers(*frame, s.colourRanges, looks, mode),
                        camera.pixelsPerUnit({0, 0, o.width, o.height}), style,
                        frame->box.dimension);
    if (const std::string why = render::missingFonts(); !why.empty()) notes.push_back(why);
  }
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
    const auto known = std::ranges::find(now.parameters, p.info.key,
                                         [](const auto& entry) { return entry.first; });
    const ParameterValue first = known == now.parameters.end() ? p.fallback : known->second;
    if (!(p.get() == first)) setParameter(now, p.info.key, p.get());
  }
  for (const std::string& e : session.experiments())
    notes.emplace_back("Warning", "WRONG ON PURPOSE: experiment '" + e + "' is on");
  notes.emplace_back(common::kExperimentKey, scenarioText(now));
  return notes;
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
