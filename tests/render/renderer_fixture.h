// Drawing one frame off screen and reading its pixels.
#pragma once
#include <glad/gl.h>
#include <gtest/gtest.h>

#include "render/colour_map.h"
#include "scenes.h"

namespace cellscope::render::test {

inline Rgb pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)];
  return {p[0] / 255.0f, p[1] / 255.0f, p[2] / 255.0f};
}

inline float apart(const Rgb& a, const Rgb& b) {
  return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
}

// Of f(colour) over all pixels.
template <class F>
double sumOver(const Image& image, const F& f) {
  double sum = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) sum += f(pixel(image, x, y));
  return sum;
}

class RendererTest : public testing::Test {
 protected:
  static void expectNear(const Rgb& a, const Rgb& b, float tolerance, const std::string& where) {
    EXPECT_NEAR(a.r, b.r, tolerance) << where;
    EXPECT_NEAR(a.g, b.g, tolerance) << where;
    EXPECT_NEAR(a.b, b.b, tolerance) << where;
  }
  Image draw(const Frame& frame, const Style& style, int width, int height, double zoom = 1) {
    renderer.upload(frame);
    const Viewport view{0, 0, width, height};
    Camera camera = Camera::fit(frame.box, view);
    camera.zoomAbout(view, {width / 2.0, height / 2.0}, zoom);
    return renderImage(renderer, camera, style, width, height);
  }
  // Of a square picture.
  Image drawn(const Frame& frame, const Camera& camera, const Style& style, int side) {
    renderer.upload(frame);
    return renderImage(renderer, camera, style, side, side);
  }
  // Of a plane, of which so much is seen from top to bottom.
  Image drawn(const Frame& frame, double height, const Style& style, int side) {
    Camera camera = Camera::fit(frame.box, {0, 0, side, side});
    camera.height = height;
    return drawn(frame, camera, style, side);
  }
  // Where this place of the scene is seen.
  static Rgb at(const Image& image, const Camera& camera, const glm::dvec3& place) {
    const Viewport view{0, 0, image.width, image.height};
    const glm::dvec4 clip = camera.projection(view) * camera.view() * glm::dvec4(place, 1);
    return pixel(image, static_cast<int>((0.5 + 0.5 * clip.x / clip.w) * image.width),
                 static_cast<int>((0.5 - 0.5 * clip.y / clip.w) * image.height));
  }
  // Of a box of side 10, in a square picture.
  static Camera along(int side, double yaw, double pitch = 0, bool parallel = false) {
    Camera camera = Camera::fit(space(10), {0, 0, side, side});
    camera.yaw = yaw, camera.pitch = pitch;
    camera.orthographic = parallel;
    return camera;
  }
  static bool isBackground(const Rgb& c) { return apart(c, backgroundColour(true)) < 0.02f; }
  static double pixelsPerUnit(const Frame& frame, int width, int height) {
    const Viewport view{0, 0, width, height};
    return Camera::fit(frame.box, view).pixelsPerUnit(view);
  }
  static Style flat() {
    Style style = plain();
    style.inside.depthCue = 0;
    return style;
  }
  static Style plain(bool dark = true) {
    return {.dark = dark, .shaded = false, .drawBoxOutline = false};
  }

  OffscreenContext context;
  Renderer renderer{SinkChoice::copy, Backend::cpu};
};

}  // namespace cellscope::render::test
