#include <algorithm>
#include <filesystem>

#include "app/gui/pictures.h"
#include "render/renderer.h"
#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/io/files.h"

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
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  render::Image image = render::readPixels(x, windowHeight - y - height, width, height);
  // The whole window shows the warning as text; a part of it may not.
  const bool part = width < windowWidth || height < windowHeight;
  if (part && now && !now->experiments.empty()) render::paintWarningFrame(image);
  io::replaceFile(path, render::encodePng(image, notes));
}

static render::GlTexture textureOf(int width, int height, GLenum stored, GLenum format,
                                   const std::vector<std::uint8_t>& bytes) {
  render::GlTexture texture = render::makeTexture(stored, width, height, GL_LINEAR);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture, 0, 0, 0, width, height, format, GL_UNSIGNED_BYTE, bytes.data());
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTextureParameteri(texture, wrap, GL_CLAMP_TO_EDGE);
  return texture;
}

static ImTextureID idOf(const render::GlTexture& texture) {
  return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(GLuint{texture}));
}

ImTextureID Textures::of(const render::SwatchLook& look) {
  auto at = std::ranges::find(swatches_, look, &decltype(swatches_)::value_type::first);
  if (at == swatches_.end())
    at = swatches_.emplace(
        at, look, textureOf(look.side, look.side, GL_RGBA8, GL_RGBA, render::swatch(look)));
  return idOf(at->second);
}

// A missing or damaged thumbnail is not an error.
static render::GlTexture load(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  try {
    const render::Image image = render::decodePng(io::readFile(path.string()), path.string());
    return textureOf(image.width, image.height, GL_RGB8, GL_RGB, image.rgb);
  } catch (const InputError&) {
    return {};
  }
}

ImTextureID Textures::of(const Scenario& scenario) {
  const auto [at, fresh] = thumbnails_.try_emplace(scenario.path);
  if (fresh && !scenario.path.empty())
    at->second = load(std::filesystem::path(scenario.path).replace_extension(".png"));
  return idOf(at->second);
}

}  // namespace cellscope::gui
