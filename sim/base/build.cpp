#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "sim/base/build.h"

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

const char* whyNoCuda() { return CELLSCOPE_WHY_NO_CUDA; }

const char* programVersion() { return CELLSCOPE_SIM_VERSION; }

}  // namespace cellscope
