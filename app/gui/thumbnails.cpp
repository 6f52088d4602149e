#include "app/gui/thumbnails.h"

#include <glad/gl.h>

#include <filesystem>

#include "render/png.h"
#include "sim/base/error.h"

namespace cellscope::gui {
namespace {

// A missing or damaged thumbnail is not an error.
Thumbnail load(const std::filesystem::path& path) {
  Thumbnail picture;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return picture;
  render::Image image;
  try {
    image = render::readPng(path.string());
  } catch (const InputError&) {
    return picture;
  }
  picture.width = image.width;
  picture.height = image.height;
  glCreateTextures(GL_TEXTURE_2D, 1, &picture.texture);
  glTextureStorage2D(picture.texture, 1, GL_RGB8, image.width, image.height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(picture.texture, 0, 0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE,
                      image.rgb.data());
  glTextureParameteri(picture.texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(picture.texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(picture.texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(picture.texture, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return picture;
}

}  // namespace

Thumbnails::~Thumbnails() {
  for (const auto& [path, picture] : known_) glDeleteTextures(1, &picture.texture);
}

const Thumbnail& Thumbnails::of(const Scenario& scenario) {
  const auto [at, fresh] = known_.try_emplace(scenario.path);
  if (fresh && !scenario.path.empty())
    at->second = load(std::filesystem::path(scenario.path).replace_extension(".png"));
  return at->second;
}

}  // namespace cellscope::gui
