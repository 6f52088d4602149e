#include "sim/io/file_claim.h"

#include <fcntl.h>
#include <unistd.h>

#include "sim/base/error.h"
#include "sim/io/file_lock.h"
#include "sim/io/output_file.h"

namespace cellscope::io {
namespace {

std::string lockFileOf(const std::string& path) { return behindLinks(path) + ".lock"; }

}  // namespace

FileClaim::FileClaim(const std::string& path) {
  if (path.empty() || !isRegularOrAbsent(path) || isOpenAlready(path)) return;
  lockFile_ = lockFileOf(path);
  for (;;) {
    descriptor_ = ::open(lockFile_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) return;
    const bool ours = lock(descriptor_);
    // Another program may have removed the file between its opening and its locking.
    if (ours && isBehind(descriptor_, lockFile_)) return;
    ::close(descriptor_);
    descriptor_ = -1;
    if (!ours) throw InputError(lockedText(path));
  }
}

FileClaim::~FileClaim() {
  if (descriptor_ < 0) return;
  ::unlink(lockFile_.c_str());
  ::close(descriptor_);
}

bool isClaimed(const std::string& path) { return lockedByAnother(lockFileOf(path)); }

}  // namespace cellscope::io
