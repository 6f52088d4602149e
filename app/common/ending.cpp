#include <fmt/format.h>

#include <filesystem>

#include "app/common/ending.h"
#include "app/common/terminal.h"
#include "sim/api/frame.h"
#include "sim/base/error.h"
#include "sim/io/file_lock.h"

namespace cellscope::common {

std::vector<SelfCheck> requireSound(Mode& mode) {
  std::vector<SelfCheck> named;
  for (SelfCheck& c : mode.selfChecks()) {
    if (!c.ok && !c.onPurpose)
      throw RunError(fmt::format("self-check '{}' failed after {} {}: {}", c.label,
                                 mode.info().stepName, mode.step(), c.detail));
    if (!c.ok || isWarning(c)) named.push_back(std::move(c));
  }
  return named;
}

std::string temporaryFolder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : folder.string();
}

std::string keepState(Session& session, const std::string& folder, const std::string& mark) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  constexpr std::size_t kLongest =
      200;  // file systems allow 255 bytes, including number and extension
  const std::string stem = session.log().start.name.substr(0, kLongest) + mark;
  for (const fs::path& parent : {fs::path(folder), fs::path(temporaryFolder())}) {
    fs::path path = parent / (stem + ".checkpoint");
    for (int k = 2; fs::exists(path, ignored) || io::isClaimed(path); ++k)
      path = parent / fmt::format("{}-{}.checkpoint", stem, k);
    path = path.lexically_normal();
    try {
      session.save(path.string());
      return path.string();
    } catch (const RunError& e) {
      printError(e.what());
    }
  }
  return "";
}

}  // namespace cellscope::common
