#include "render/colour_texture.h"

namespace cellscope::render {

void ColourTexture::set(const ColourScale& wanted) {
  if (texture && sameColours(scale, wanted)) return;
  scale = wanted;
  table = tableOf(wanted);
  texture = makeTexture(GL_TEXTURE_2D);
  const auto n = static_cast<GLsizei>(table.entries.size());
  glTextureStorage2D(texture, 1, GL_RGB32F, n, 1);
  glTextureSubImage2D(texture, 0, 0, 0, n, 1, GL_RGB, GL_FLOAT, table.entries.data());
  const GLint filter = table.nearest ? GL_NEAREST : GL_LINEAR;
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, filter);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_S, table.wraps ? GL_REPEAT : GL_CLAMP_TO_EDGE);
}

}  // namespace cellscope::render
