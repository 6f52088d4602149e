#include "sim/io/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "sim/base/error.h"

namespace cellscope::io {

bool lock(int descriptor) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return true;
  if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return true;
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool lockedByAnother(const std::string& path) {
  // Opening a pipe would wait for its other end.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  const bool ours = lock(fd);
  ::close(fd);
  return !ours;
}

bool isBehind(int descriptor, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

std::string lockedText(const std::string& path) {
  return fmt::format(
      "cannot write '{}': another program is writing there; wait for its end, or choose another "
      "name",
      path);
}

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || lock(descriptor_)) return;
  ::close(descriptor_);
  throw InputError(lockedText(folder));
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace cellscope::io
