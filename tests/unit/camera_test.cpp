#include "render/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cellscope::render {
namespace {

const Viewport kView{0, 0, 800, 600};
const Box kPlane{2, {30, 10, 1}}, kSpace{3, {8, 8, 12}};

// Pixel (from the upper left) at which the matrices draw a point.
glm::dvec2 pixelOf(const Camera& c, glm::dvec3 p) {
  const glm::dvec4 clip = c.projection(kView) * c.view() * glm::dvec4(p, 1);
  return {(clip.x / clip.w + 1) / 2 * kView.width, (1 - clip.y / clip.w) / 2 * kView.height};
}

void expectAt(glm::dvec2 pixel, double x, double y, double tolerance = 1e-6) {
  EXPECT_NEAR(pixel.x, x, tolerance);
  EXPECT_NEAR(pixel.y, y, tolerance);
}

TEST(Camera, FitShowsThePlaneWithAMarginOfFourPercent) {
  const Camera c = Camera::fit(kPlane, kView);
  EXPECT_EQ(c.dimension, 2);
  const glm::dvec2 lower = pixelOf(c, {0, 0, 0}), upper = pixelOf(c, {30, 10, 0});
  EXPECT_NEAR(lower.x, 0.04 * 800, 1e-6);
  EXPECT_NEAR(upper.x, 0.96 * 800, 1e-6);
  EXPECT_NEAR((lower.y + upper.y) / 2, 300, 1e-6);
  EXPECT_GT(lower.y, upper.y);  // y points up
  EXPECT_NEAR((upper.x - lower.x) / 30, c.pixelsPerUnit(kView), 1e-9);
}

TEST(Camera, FitShowsDisksAtTheEdgeOfASmallPlaneWhole) {
  const Box small{2, {4, 4, 1}};
  const Camera c = Camera::fit(small, kView, 35, 25, false, 0.5);
  EXPECT_NEAR(pixelOf(c, {0, -0.5, 0}).y, kView.height, 1e-6);
  EXPECT_NEAR(pixelOf(c, {0, 4.5, 0}).y, 0, 1e-6);
  EXPECT_EQ(Camera::fit(kPlane, kView, 35, 25, false, 0.5), Camera::fit(kPlane, kView));
}

TEST(Camera, FitShowsEveryCornerOfTheSpace) {
  for (const Camera& c : {Camera::fit(kSpace, kView), Camera::fit(kSpace, kView, 8, 12)}) {
    double widest = 0;
    for (int i = 0; i < 8; ++i) {
      const glm::dvec2 p = pixelOf(c, {i & 1 ? 8 : 0, i & 2 ? 8 : 0, i & 4 ? 12 : 0});
      widest = std::max({widest, std::abs(p.x / 400 - 1), std::abs(p.y / 300 - 1)});
    }
    EXPECT_NEAR(widest, 0.92, 1e-9);  // the margin, and not further away than needed
  }
}

// From the front an orthographic picture of a box shows its front face alone.
TEST(Camera, FitFillsAnOrthographicPicture) {
  const Camera c = Camera::fit(kSpace, kView, 0, 0, true);
  const glm::dvec2 low = pixelOf(c, {4, 4, 0}), high = pixelOf(c, {4, 4, 12});
  EXPECT_NEAR(low.y - high.y, 0.92 * kView.height, 1e-6);
  EXPECT_NEAR((low.y - high.y) / 12, c.pixelsPerUnit(kView), 1e-9);
}

TEST(Camera, PlanePointsAndPixelsAgree) {
  Camera c = Camera::fit(kPlane, kView);
  c.zoomAbout(kView, {100, 500}, 3.7);
  expectAt(pixelOf(c, {c.toPlane(kView, {617, 45}), 0}), 617, 45);
}

TEST(Camera, ZoomKeepsThePointUnderTheCursor) {
  Camera flat = Camera::fit(kPlane, kView);
  const glm::dvec2 before = flat.toPlane(kView, {650, 120});
  const double height = flat.height;
  flat.zoomAbout(kView, {650, 120}, 2.5);
  expectAt(flat.toPlane(kView, {650, 120}), before.x, before.y, 1e-9);
  EXPECT_NEAR(flat.height, height / 2.5, 1e-12);

  Camera deep = Camera::fit(kSpace, kView);
  glm::dvec3 origin, direction;
  deep.ray(kView, {650, 120}, origin, direction);
  // The point of the ray in the target's plane.
  const glm::dvec3 normal = glm::normalize(deep.target - origin);
  const double t = glm::dot(deep.target - origin, normal) / glm::dot(direction, normal);
  const glm::dvec3 point = origin + t * direction;
  deep.zoomAbout(kView, {650, 120}, 2);
  expectAt(pixelOf(deep, point), 650, 120);
}

TEST(Camera, PanMovesThePictureWithTheCursor) {
  for (const Box& box : {kPlane, kSpace}) {
    Camera c = Camera::fit(box, kView);
    const glm::dvec3 point = c.target;
    const glm::dvec2 before = pixelOf(c, point);
    c.pan(kView, {37, -22});
    expectAt(pixelOf(c, point), before.x + 37, before.y - 22);
  }
}

TEST(Camera, OrbitTurnsAboutTheTargetAndStopsAtThePoles) {
  Camera c = Camera::fit(kSpace, kView);
  c.orbit({50, 10});
  expectAt(pixelOf(c, c.target), 400, 300);
  EXPECT_NEAR(c.yaw, 35 - 15, 1e-9);
  EXPECT_NEAR(c.pitch, 25 + 3, 1e-9);
  c.orbit({0, 10000});
  EXPECT_LT(c.pitch, 90);
  EXPECT_TRUE(std::isfinite(c.view()[0][0]));
  // Dragging to the right turns the near side to the right.
  Camera d = Camera::fit(kSpace, kView);
  glm::dvec3 origin, direction;
  d.ray(kView, {400, 300}, origin, direction);
  const glm::dvec3 nearPoint = origin + 0.8 * d.distance * direction;
  d.orbit({20, 0});
  EXPECT_GT(pixelOf(d, nearPoint).x, 400);
}

TEST(Camera, RaysPassThroughTheirPixels) {
  Camera c = Camera::fit(kSpace, kView);
  c.orbit({-120, 45});
  for (const glm::dvec2 pixel : {glm::dvec2{3, 590}, glm::dvec2{400, 300}, glm::dvec2{777, 12}}) {
    glm::dvec3 origin, direction;
    c.ray(kView, pixel, origin, direction);
    EXPECT_NEAR(glm::length(direction), 1, 1e-12);
    expectAt(pixelOf(c, origin + 5.0 * direction), pixel.x, pixel.y);
  }
  const Camera flat = Camera::fit(kPlane, kView);
  glm::dvec3 origin, direction;
  flat.ray(kView, {400, 300}, origin, direction);
  expectAt(origin, 15, 5, 1e-9);
  EXPECT_EQ(direction, (glm::dvec3{0, 0, -1}));
}

}  // namespace
}  // namespace cellscope::render
