#include "sim/io/older_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/io/file_lock.h"
#include "sim/io/output_file.h"

namespace cellscope::io {
namespace {

namespace fs = std::filesystem;

fs::path numbered(const fs::path& file, int k) {
  return file.parent_path() /
         fmt::format("{}.{}{}", file.stem().string(), k, file.extension().string());
}

// The files to be renamed, links followed.
std::vector<fs::path> regularFiles(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const std::string& path : paths) {
    if (!fs::is_regular_file(path, error) || isOpenAlready(path)) continue;
    if (lockedByAnother(path)) throw InputError(lockedText(path));
    files.push_back(fs::is_symlink(path, error) ? fs::canonical(path, error) : fs::path(path));
  }
  return files;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> keepOlder(const std::vector<std::string>& paths) {
  const std::vector<fs::path> files = regularFiles(paths);
  const auto taken = [&](int k) {
    std::error_code error;
    return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
      return fs::exists(fs::symlink_status(numbered(file, k), error));
    });
  };
  int k = 1;
  while (taken(k)) ++k;
  std::vector<std::pair<std::string, std::string>> renamed;
  for (const fs::path& file : files) {
    const fs::path older = numbered(file, k);
    std::error_code error;
    fs::rename(file, older, error);
    if (error)
      throw InputError(
          fmt::format("'{}' holds older results and cannot be kept as '{}': {}; choose another "
                      "name, or replace it with --overwrite",
                      file.string(), older.string(), error.message()));
    renamed.emplace_back(file.string(), older.string());
  }
  return renamed;
}

std::string newestOlder(const std::string& path) {
  std::string newest;
  std::error_code error;
  for (int k = 1; fs::is_regular_file(numbered(path, k), error); ++k)
    newest = numbered(path, k).string();
  return newest;
}

}  // namespace cellscope::io
