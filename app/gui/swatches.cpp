#include "app/gui/swatches.h"

#include <glad/gl.h>

#include <algorithm>

namespace cellscope::gui {
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

}  // namespace cellscope::gui
