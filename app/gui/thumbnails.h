// The small picture of each scenario: a PNG beside the scenario file, with the file's name.
#pragma once
#include <imgui.h>

#include <map>
#include <string>

#include "sim/run/scenario.h"

namespace cellscope::gui {

struct Thumbnail {
  unsigned texture = 0;  // 0: there is no picture
  int width = 0, height = 0;

  ImTextureID id() const { return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(texture)); }
};

// Thumbnails as GL textures, loaded on first use.
class Thumbnails {
 public:
  Thumbnails() = default;
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  const Thumbnail& of(const Scenario& scenario);

 private:
  std::map<std::string, Thumbnail> known_;
};

}  // namespace cellscope::gui
