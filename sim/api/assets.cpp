#include "sim/api/assets.h"

#include <cstdlib>

namespace cellscope {
namespace {

std::string& folder() {
  static std::string path = [] {
    const char* set = std::getenv("CELLSCOPE_ASSETS");
    return std::string(set && *set ? set : CELLSCOPE_ASSET_DIR);
  }();
  return path;
}

}  // namespace

std::string assetFolder() { return folder(); }
void setAssetFolder(const std::string& path) { folder() = path; }

}  // namespace cellscope
