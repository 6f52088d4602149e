#include "sim/io/write_errors.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace cellscope::io {
namespace {

std::string wayOut(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space or choose another disk";
    case EFBIG:
      return "; raise the limit on the size of files (ulimit -f), or write less";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; choose a folder that you may write to";
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
      return "; choose another folder";
    case ENAMETOOLONG:
      return "; choose a shorter name";
    case EMFILE:
    case ENFILE:
      return "; close other files or programs";
    case EIO:
    case ENODEV:
    case ENXIO:
      return "; choose another disk";
    case EISDIR:
      return "; name a file, not a folder";
    default:
      return "; choose another file or folder";
  }
}

}  // namespace

std::string writeErrorText(const std::string& path, int error) {
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (error == EINTR)
    return fmt::format("cannot write '{}': interrupted by a signal while nobody read it", path);
  if (error == ENOENT && !folder.empty() && !std::filesystem::exists(folder, ignored))
    return fmt::format("cannot write '{}': there is no folder '{}'; create it first", path,
                       folder.string());
  if (error == ENOTDIR && !folder.empty())
    return fmt::format("cannot write '{}': '{}' is not a folder{}", path, folder.string(),
                       wayOut(error));
  return fmt::format("cannot write '{}': {}{}", path, std::strerror(error), wayOut(error));
}

std::string removedText(const std::string& path) {
  return fmt::format(
      "'{}' was removed, renamed or replaced while it was written: what this run wrote is not "
      "under "
      "this name; leave the files of a run where they are until it ends",
      path);
}

}  // namespace cellscope::io
