#include "app/gui/viewport.h"

#include "app/common/inside.h"

namespace cellscope::gui {

constexpr double kReach = 0.5;           // sigma: in dense states every click picks a particle
constexpr int kSettling = 4;             // frames in which a legend finds its size
constexpr float kFlightSeconds = 0.05f;  // 98 % of a move is done after four of these

// Distance that sets how large things look.
static double& reach(render::Camera& camera) {
  return camera.dimension == 2 ? camera.height : camera.distance;
}

void ViewportArea::place(ImVec2 lo, ImVec2 hi, float pixelRatio) {
  lo_ = lo;
  hi_ = ImVec2(std::max(hi.x, lo.x + 1), std::max(hi.y, lo.y + 1));
  ratio_ = pixelRatio;
  const render::Viewport before = view_;
  view_ = {0, 0, std::max(1, static_cast<int>(std::lround((hi_.x - lo_.x) * ratio_))),
           std::max(1, static_cast<int>(std::lround((hi_.y - lo_.y) * ratio_)))};
  if (view_.width != before.width || view_.height != before.height) settling_ = kSettling;
}

void ViewportArea::reserve(float top, float bottom, float cornerHeight, float cornerWidth) {
  top_ = top;
  bottom_ = bottom;
  if (settling_ <= 0 && grows_ && cornerHeight > cornerHeight_) {
    settling_ = kSettling;
    fresh_ = grows_ = false;
  }
  if (settling_ <= 0) return;
  --settling_;
  cornerHeight_ = cornerHeight;
  cornerWidth_ = cornerWidth;
}

void ViewportArea::settle() {
  settling_ = kSettling;
  home_ = wanted_;
}

// The whole box between the upper overlays and `bottom` units above the lower edge, so far away
// that it is in view from the angles of `seen`.
render::Camera ViewportArea::boxAbove(float bottomUnits, const render::Camera& seen) const {
  int top = static_cast<int>(top_ * ratio_), bottom = static_cast<int>(bottomUnits * ratio_);
  if (view_.height - top - bottom < view_.height / 3) top = bottom = 0;
  render::Viewport part = view_;
  part.height -= top + bottom;
  render::Camera camera =
      render::Camera::fit(box_, part, seen.yaw, seen.pitch, wanted_.orthographic, rim_);
  camera.yaw = wanted_.yaw;
  camera.pitch = wanted_.pitch;
  const bool space = camera.dimension == 3;
  (space ? camera.distance : camera.height) *= static_cast<double>(view_.height) / part.height;
  const glm::dvec3 up = space ? glm::dvec3(glm::transpose(camera.view())[1]) : glm::dvec3(0, 1, 0);
  camera.target += 0.5 * (top - bottom) / camera.pixelsPerUnit(view_) * up;
  return camera;
}

// In pixels, of the side that spans most of the picture: walls of replicas are thin along x.
double ViewportArea::widthOf(const render::Camera& camera) const {
  const glm::dvec3 right =
      camera.dimension == 3 ? glm::dvec3(glm::transpose(camera.view())[0]) : glm::dvec3(1, 0, 0);
  int side = 0;
  const auto span = [&](int k) { return std::abs(right[k]) * box_.length[k]; };
  for (int k = 1; k < 3; ++k)
    if (span(k) > span(side)) side = k;
  return box_.length[side] * camera.pixelsPerUnit(view_);
}

render::Camera ViewportArea::wholeBox(const render::Camera& seen) const {
  const render::Camera large = boxAbove(bottom_, seen);
  const bool cornersFree = (view_.width - widthOf(large)) / 2 > (cornerWidth_ + 8) * ratio_;
  return cornersFree ? large : boxAbove(std::max(bottom_, cornerHeight_), seen);
}

float ViewportArea::freeBeside() const {
  return static_cast<float>((view_.width - widthOf(boxAbove(0, home_))) / 2) / ratio_ - 8;
}

void ViewportArea::fit(const Publication& now, bool scenarioView) {
  if (!now.frame) return;
  box_ = now.frame->box;
  for (const LayerData& layer : now.frame->layers)
    if (layer.key == now.mode->layers.front().key) rim_ = 0.5 * layer.diameter;
  if (scenarioView && now.scenario) {
    wanted_.yaw = now.scenario->cameraYaw;
    wanted_.pitch = now.scenario->cameraPitch;
    home_ = wanted_;
  }
  wanted_ = wholeBox(home_);
  fitted_ = true;
  if (!scenarioView) return;
  settling_ = kSettling, fresh_ = true;
  if (const Scenario* s = now.scenario.get(); s && s->cameraZoom != 1 && s->cameraZoom > 0) {
    reach(wanted_) /= s->cameraZoom;
    wanted_.target.x = s->cameraCentre[0] * box_.length[0];
    wanted_.target.y = s->cameraCentre[1] * box_.length[1];
    fitted_ = false;
    declared_ = wanted_;
  }
  shown_ = wanted_;
}

// The box or the window changed: refit if the camera was not moved, otherwise keep the same part of
// the box in view. Another dimension is fitted again.
void ViewportArea::keepFitting(const Publication& now) {
  const Box& box = now.frame->box;
  if (box.dimension != box_.dimension) return fit(now, true);
  bool boxChanged = false;
  for (int k = 0; k < 3; ++k) boxChanged = boxChanged || box.length[k] != box_.length[k];
  // The scenario's own view, until chips and legend are where they stay.
  if (!fitted_ && settling_ > 0 && wanted_ == declared_) {
    const int left = settling_;
    const bool fresh = fresh_;
    fit(now, true);
    settling_ = left, fresh_ = fresh;
  } else if (fitted_) {
    const render::Camera before = wanted_;
    fit(now, false);
    if (before != wanted_ && boxChanged) shown_ = wanted_;
    // Turned in space, the box stays where it is on the screen.
    if (box.dimension == 3 && before.distance == wanted_.distance && !boxChanged)
      shown_.target += wanted_.target - before.target;
  } else if (boxChanged && box_.length[0] > 0) {
    const double ratio = box.length[0] / box_.length[0];
    for (render::Camera* camera : {&wanted_, &shown_}) {
      camera->target *= ratio;
      reach(*camera) *= ratio;
    }
    box_ = box;
  }
}

void ViewportArea::describe(Scenario& s) const {
  render::Camera whole = wholeBox(wanted_), now = wanted_;
  const Scenario defaults;
  s.cameraZoom = fitted_ ? 1 : std::clamp(reach(whole) / reach(now), 0.01, 10000.0);
  for (int k = 0; k < 2; ++k)
    s.cameraCentre[k] = fitted_ ? 0.5 : std::clamp(now.target[k] / box_.length[k], 0.0, 1.0);
  const bool space = now.dimension == 3;
  s.cameraYaw = space ? now.yaw : defaults.cameraYaw;
  s.cameraPitch = space ? now.pitch : defaults.cameraPitch;
}

void ViewportArea::ease(float seconds) {
  moving_ = wanted_ != shown_;
  if (!moving_) return;
  const double share = 1 - std::exp(-seconds / kFlightSeconds);
  const double from = reach(shown_), to = reach(wanted_);
  double next = from * std::pow(to / from, share);
  // The point under the cursor stays put while the height eases.
  double moved = std::abs(to - from) > 1e-9 * to ? (next - from) / (to - from) : share;
  if (std::abs(next / to - 1) < 1e-4) next = to, moved = std::max(moved, share);
  reach(shown_) = next;
  shown_.dimension = wanted_.dimension;
  shown_.fieldOfView = wanted_.fieldOfView;
  if (wanted_.dimension == 2) shown_.distance = wanted_.distance;
  if (wanted_.dimension == 3) shown_.height = wanted_.height;
  shown_.target += (wanted_.target - shown_.target) * moved;
  shown_.yaw += (wanted_.yaw - shown_.yaw) * share;
  shown_.pitch += (wanted_.pitch - shown_.pitch) * share;
  const double far = glm::length(wanted_.target - shown_.target) / to;
  const double turn = std::abs(wanted_.yaw - shown_.yaw) + std::abs(wanted_.pitch - shown_.pitch);
  if (next == to && far < 1e-4 && turn < 0.01) shown_ = wanted_;
}

ImVec2 ViewportArea::onScreen(glm::dvec3 place) const {
  if (shown_.dimension == 2) place.z = 0;
  const glm::dvec4 clip = shown_.projection(view_) * shown_.view() * glm::dvec4(place, 1);
  const double w = std::max(clip.w, 1e-6);
  const double x = 0.5 + 0.5 * clip.x / w, y = 0.5 - 0.5 * clip.y / w;
  return ImVec2(lo_.x + static_cast<float>(x) * (hi_.x - lo_.x),
                lo_.y + static_cast<float>(y) * (hi_.y - lo_.y));
}

glm::dvec3 ViewportArea::placeAt(ImVec2 screen, const glm::dvec3& depth) const {
  const glm::dvec2 pixel = pixelAt(screen);
  if (shown_.dimension == 2) return glm::dvec3(shown_.toPlane(view_, pixel), 0);
  glm::dvec3 origin, direction;
  shown_.ray(view_, pixel, origin, direction);
  const glm::dvec3 eye = shown_.towardsEye();
  return origin + direction * (glm::dot(depth - origin, eye) / glm::dot(direction, eye));
}

void ViewportArea::look(const ViewportArea& other) {
  wanted_ = other.wanted_;
  shown_ = other.shown_;
  home_ = other.home_;
}

PickQuery ViewportArea::queryAt(const Shell& shell, glm::dvec2 pixel) const {
  const Frame& frame = *shell.now->frame;
  const render::InsideView inside = common::insideView(shell.inside, shown_, frame);
  PickQuery query;
  if (shown_.dimension == 2) {
    const glm::dvec2 at = shown_.toPlane(view_, pixel);
    query.origin[0] = at.x;
    query.origin[1] = at.y;
  } else {
    glm::dvec3 origin, direction;
    shown_.ray(view_, pixel, origin, direction);
    query = common::clickAlong(shown_, origin, direction, inside, frame.box);
  }
  const ModeInfo& mode = *shell.now->mode;
  const common::DrawnParticles drawn(frame, mode, shell.lookOf(mode.layers.front().key), inside,
                                     !shell.keepColours);
  query.reach = std::max(kReach, shell.px(8) * ratio_ / shown_.pixelsPerUnit(view_));
  query.size = drawn.size();
  query.isDrawn = drawn;
  return query;
}

void ViewportArea::pick(Shell& shell, glm::dvec2 pixel) {
  const PickQuery query = queryAt(shell, pixel);
  const bool second = ImGui::GetIO().KeyShift;
  second ? shell.runner->pickSecond(query) : shell.runner->pick(query);
  shell.cellShown = false;
  shell.log->write(second ? "click-second" : "click");
}

// cut: slices leave out what is before the picked particle: the eye is never inside a sphere.
void ViewportArea::flyTo(Shell& shell, const glm::dvec3& at, double diameter, bool cut) {
  wanted_.target = glm::dvec3(at.x, at.y, wanted_.dimension == 3 ? at.z : wanted_.target.z);
  wanted_.distance = common::flyDistance(diameter, wanted_);
  wanted_.height = 2 * wanted_.distance * std::tan(glm::radians(wanted_.fieldOfView) / 2);
  if (cut && wanted_.dimension == 3 && !shell.now->findings) {
    shell.inside.cutToPicked = true;
    shell.inside.planes[kViewPlane].on = shell.inside.planes[kViewPlane].halfSpace = true;
  }
  fitted_ = false;
}

void ViewportArea::flyToPicked(Shell& shell) {
  const PickedParticle& picked = shell.now->frame->picked;
  if (picked.id < 0 || picked.deleted || picked.trial) return;
  const auto& layers = shell.now->frame->layers;
  flyTo(shell, {picked.position[0], picked.position[1], picked.position[2]},
        layers.empty() ? 1 : layers.front().diameter, true);
  shell.log->write("fly", std::to_string(picked.id));
}

// Both of a pair, the whole of a cell, or the particle.
void ViewportArea::flyToTarget(Shell& shell) {
  shell.targetReached = true;
  const Target& t = shell.now->target;
  const Vec3d size{t.hi.x - t.lo.x, t.hi.y - t.lo.y, t.hi.z - t.lo.z};
  const double widest = std::max({size.x, size.y, size.z});
  if (widest == 0 && !shell.now->pair) return flyToPicked(shell);
  const Vec3d a = widest > 0 ? t.lo : shell.now->pair->from;
  const Vec3d b = widest > 0 ? t.hi : shell.now->pair->to;
  const double apart = std::hypot(b.x - a.x, b.y - a.y, b.z - a.z);
  flyTo(shell, {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2}, std::max(widest, apart / 2),
        widest == 0);
  shell.log->write("fly", t.words);
}

// Rotates (3D, left button, or the right one beside a tool) or pans once the mouse has moved.
void ViewportArea::drag(Shell& shell) {
  const ImGuiIO& io = ImGui::GetIO();
  const float moved = std::hypot(io.MousePos.x - pressedAt_.x, io.MousePos.y - pressedAt_.y);
  const bool start = !dragged_ && moved > shell.px(4);
  dragged_ = dragged_ || start;
  const ImVec2 from = start ? pressedAt_ : io.MousePos - io.MouseDelta;
  const glm::dvec2 delta((io.MousePos.x - from.x) * ratio_, (io.MousePos.y - from.y) * ratio_);
  // The left button may belong to a tool.
  const int turns = toolNow(shell) == HandTool::select ? 0 : 1;
  if (dragged_ && (delta.x != 0 || delta.y != 0)) {
    for (render::Camera* camera : {&wanted_, &shown_}) {
      if (wanted_.dimension == 3 && button_ == turns) {
        camera->orbit(delta);
      } else {
        camera->pan(view_, delta);
        shell.follow = false;
      }
    }
    fitted_ = fitted_ && wanted_.dimension == 3 && button_ == turns;
  }
}

void ViewportArea::input(Shell& shell) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!shell.now->frame) return;
  keepFitting(*shell.now);
  // With the first frames or steps the layers that are on get their data, and the legend grows:
  // once, as long as nobody has chosen what is shown or clicked on the picture or its legend.
  const bool chosen = shell.view.layers != layers_ || shell.view.colouring != colouring_;
  layers_ = shell.view.layers, colouring_ = shell.view.colouring;
  if (settling_ <= 0 && (chosen || (holds(io.MousePos) && ImGui::IsAnyMouseDown()))) fresh_ = false;
  grows_ = fresh_;
  const PickedParticle& picked = shell.now->frame->picked;
  if (shell.follow && picked.id >= 0 && !picked.deleted && !picked.trial) {
    wanted_.target = glm::dvec3(picked.position[0], picked.position[1],
                                shown_.dimension == 3 ? picked.position[2] : wanted_.target.z);
    fitted_ = false;
  }
  if (shell.flyRequested) flyToPicked(shell);
  if (!shell.targetReached) flyToTarget(shell);
  shell.flyRequested = false;
  wanted_.orthographic = shown_.orthographic = shell.inside.orthographic;
  const bool inside = holds(io.MousePos) && !io.WantCaptureMouse;
  const glm::dvec2 pixel = pixelAt(io.MousePos);
  if (inside && (wheelSizesBrush(shell) || wheelMovesSlice(shell))) {
  } else if (inside && io.MouseWheel != 0) {
    wanted_.zoomAbout(view_, pixel, std::pow(1.2, io.MouseWheel));
    fitted_ = false;
  }
  const bool handed = handInput(shell, *this, inside);
  for (int button : {0, 1, 2}) {
    if (inside && !pressed_ && !(handed && button == 0) && ImGui::IsMouseClicked(button)) {
      pressed_ = true;
      dragged_ = false;
      button_ = button;
      pressedAt_ = io.MousePos;
    }
  }
  if (pressed_ && ImGui::IsMouseDown(button_)) {
    drag(shell);
  } else if (pressed_) {
    if (!dragged_ && button_ == 0 && inside) pick(shell, pixel);
    pressed_ = false;
  }
  ease(static_cast<float>(shell.frameSeconds));
}

}  // namespace cellscope::gui
