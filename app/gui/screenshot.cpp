#include "app/gui/screenshot.h"

#include <glad/gl.h>

#include <algorithm>

#include "render/renderer.h"
#include "render/warning_frame.h"
#include "sim/api/version.h"

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
  render::writePng(path, image, notes);
}

}  // namespace cellscope::gui
