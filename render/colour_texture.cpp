#include "render/colour_texture.h"

namespace cellscope::render {

void ColourTexture::set(const ColourScale& wanted, Paint on) {
  if (texture && sameColours(scale, wanted) && paint == on) return;
  scale = wanted;
  paint = on;
  table = tableOf(wanted, on);
  texture = makeTexture(GL_TEXTURE_2D);
  const auto n = static_cast<GLsizei>(table.entries.size());
  std::vector<float> texels;
  for (int i = 0; i < n; ++i) {
    const Rgb& c = table.entries[static_cast<std::size_t>(i)];
    const float mark =
        static_cast<float>(markOf(wanted, table.nearest ? static_cast<float>(i) : 0));
    texels.insert(texels.end(), {c.r, c.g, c.b, mark});
  }
  glTextureStorage2D(texture, 1, GL_RGBA32F, n, 1);
  glTextureSubImage2D(texture, 0, 0, 0, n, 1, GL_RGBA, GL_FLOAT, texels.data());
  // Shaders interpolate between entries themselves (shaders/layer.glsl).
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTextureParameteri(texture, filter, GL_NEAREST);
}

}  // namespace cellscope::render
