#include <glad/gl.h>

#include <algorithm>
#include <filesystem>

#include "app/gui/pictures.h"
#include "render/png.h"
#include "render/renderer.h"
#include "render/swatch.h"
#include "sim/api/version.h"
#include "sim/base/error.h"
#include "sim/io/output_file.h"
#include "sim/io/read_file.h"

namespace cellscope::gui {

render::Metadata describe(const Publication& now) {
  render::Metadata all = {{"Software", std::string("cellscope ") + programVersion()}};
  if (now.scenario) all.push_back({"scenario", now.scenario->name});
  all.push_back({"mode", now.mode->key});
  all.push_back({"backend", toString(now.backend)});
  all.push_back({"step", std::to_string(now.step)});
  for (const ParameterState& p : now.parameters) all.push_back({p.info.key, toText(p.value)});
  for (const std::string& name : now.experiments)
    all.push_back({"Warning", "WRONG ON PURPOSE: experiment '" + name + "' is on"});
  return all;
}

void savePicture(const std::string& path, const Publication* now, const render::Metadata& notes,
                 int windowWidth, int windowHeight, int x, int y, int width, int height) {
  x = std::clamp(x, 0, windowWidth - 1);
  y = std::clamp(y, 0, windowHeight - 1);
  width = std::clamp(width, 1, windowWidth - x);
  height = std::clamp(height, 1, windowHeight - y);
  const auto row = static_cast<std::size_t>(width) * 3;
  std::vector<std::uint8_t> upsideDown(row * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(x, windowHeight - y - height, width, height, GL_RGB, GL_UNSIGNED_BYTE,
               upsideDown.data());
  render::Image image{width, height, std::vector<std::uint8_t>(upsideDown.size())};
  for (int k = 0; k < height; ++k) {
    const auto from = upsideDown.begin() + static_cast<std::ptrdiff_t>(row) * (height - 1 - k);
    std::copy(from, from + static_cast<std::ptrdiff_t>(row),
              image.rgb.begin() + static_cast<std::ptrdiff_t>(row) * k);
  }
  // The whole window shows the warning as text; a part of it may not.
  const bool part = width < windowWidth || height < windowHeight;
  if (part && now && !now->experiments.empty()) render::paintWarningFrame(image);
  io::replaceFile(path, render::encodePng(image, notes));
}

namespace {

unsigned textureOf(const render::SwatchLook& look) {
  const std::vector<std::uint8_t> rgba = render::swatch(look);
  unsigned texture = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &texture);
  glTextureStorage2D(texture, 1, GL_RGBA8, look.side, look.side);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture, 0, 0, 0, look.side, look.side, GL_RGBA, GL_UNSIGNED_BYTE,
                      rgba.data());
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

}  // namespace

Swatches::~Swatches() {
  for (const auto& [look, texture] : known_) glDeleteTextures(1, &texture);
}

ImTextureID Swatches::of(const render::SwatchLook& look) {
  auto at = std::find_if(known_.begin(), known_.end(),
                         [&](const auto& one) { return one.first == look; });
  if (at == known_.end()) at = known_.insert(at, {look, textureOf(look)});
  return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(at->second));
}

namespace {

// A missing or damaged thumbnail is not an error.
Thumbnail load(const std::filesystem::path& path) {
  Thumbnail picture;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return picture;
  render::Image image;
  try {
    image = render::decodePng(io::readFile(path.string()), path.string());
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
