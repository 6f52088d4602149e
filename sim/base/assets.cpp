#include "sim/base/assets.h"

#include <cstdlib>

namespace cellscope {

std::string assetFolder() {
  const char* set = std::getenv("CELLSCOPE_ASSETS");
  return set && *set ? set : CELLSCOPE_ASSET_DIR;
}

}  // namespace cellscope
