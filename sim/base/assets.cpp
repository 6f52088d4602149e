#include "sim/base/assets.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace cellscope {

std::string assetFolder() {
  namespace fs = std::filesystem;
  const char* set = std::getenv("CELLSCOPE_ASSETS");
  if (set && *set) return set;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share" / "cellscope";
  return !error && fs::is_directory(installed, error) ? installed.string() : CELLSCOPE_ASSET_DIR;
}

}  // namespace cellscope
