#include "render/font_files.h"

#include <filesystem>
#include <initializer_list>

namespace cellscope::render {
namespace {

std::string firstExisting(std::initializer_list<std::string> paths) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return path;
  }
  return {};
}

}  // namespace

std::string wordsFontFile(const std::string& weight) {
  const std::string name = "Inter-" + weight, fonts = "/usr/share/fonts/";
  return firstExisting({fonts + "opentype/inter/" + name + ".otf",
                        fonts + "truetype/inter/" + name + ".ttf",
                        fonts + "inter/" + name + ".otf"});
}

std::string numbersFontFile() {
  const std::string name = "JetBrainsMono-Regular.ttf", fonts = "/usr/share/fonts/";
  return firstExisting({fonts + "truetype/jetbrains-mono/" + name, fonts + "jetbrains-mono/" + name,
                        fonts + "TTF/" + name});
}

}  // namespace cellscope::render
