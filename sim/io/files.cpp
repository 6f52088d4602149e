// Files that are read as a whole, and those that one program at a time writes to.
#include "sim/io/files.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "sim/base/error.h"

namespace cellscope::io {
namespace {

[[noreturn]] void cannotRead(const std::string& path, const std::string& why) {
  throw InputError("cannot read '{}': {}", path, why);
}

class InputFile {
 public:
  // Opening a pipe does not wait for its writer.
  explicit InputFile(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (!file_.isOpen()) cannotRead(path, std::strerror(errno));
    if (::fstat(file_.fd(), &info_) != 0) cannotRead(path, std::strerror(errno));
  }

  bool isRegular() const { return S_ISREG(info_.st_mode); }
  std::uint64_t size() const { return static_cast<std::uint64_t>(info_.st_size); }

  // 0 at the end, and for a pipe whose writer has not opened it yet.
  std::size_t read(char* to, std::size_t most) {
    for (;;) {
      const ssize_t n = ::read(file_.fd(), to, most);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno == EAGAIN)
        await();
      else if (errno != EINTR)
        cannotRead(path_, std::strerror(errno));
    }
  }

  // Until there is something to read, or the writer has closed it.
  void await() const {
    pollfd wanted{file_.fd(), POLLIN, 0};
    const int found = ::poll(&wanted, 1, ::isatty(file_.fd()) == 1 ? -1 : 1000 * kPatience);
    if (found < 0) throw RunError("reading '{}' was interrupted by a signal", path_);
    if (found == 0)
      cannotRead(path_, fmt::format("nothing arrived from it for {} seconds; start the program "
                                    "that writes to it, or name a file",
                                    kPatience));
  }

 private:
  const std::string& path_;
  Descriptor file_;
  struct stat info_ {};
};

}  // namespace

std::string readFile(const std::string& path) {
  InputFile in(path);
  if (!in.isRegular()) cannotRead(path, "it is not a regular file; name one that is");
  try {
    std::string text(in.size(), '\0');
    std::size_t filled = 0;
    while (const std::size_t n = in.read(text.data() + filled, text.size() - filled)) filled += n;
    text.resize(filled);
    return text;
  } catch (const std::bad_alloc&) {
    cannotRead(path, fmt::format("its {} bytes do not fit into memory", in.size()));
  }
}

std::string readText(const std::string& path) {
  InputFile in(path);
  std::string text;
  char block[65536];
  if (!in.isRegular()) in.await();
  while (const std::size_t n = in.read(block, sizeof block)) {
    text.append(block, n);
    if (text.size() > kMostText)
      cannotRead(path, fmt::format("it holds more than {} MiB; name a text file", kMostText >> 20));
    if (!in.isRegular()) in.await();
  }
  return text;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

bool lock(int descriptor) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return true;
  if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return true;
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool lockedByAnother(const std::string& path) {
  // Opening a pipe would wait for its other end.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return file.isOpen() && !lock(file.fd());
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
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_.isOpen()) return;
  // lockedByAnother() has it for microseconds.
  for (int attempt = 0; attempt < 20; ++attempt, ::usleep(5000))
    if (lock(folder_.fd())) return;
  throw InputError(lockedText(folder));
}

static std::string lockFileOf(const std::string& path) { return behindLinks(path) + ".lock"; }

FileClaim::FileClaim(const std::string& path) {
  if (path.empty() || !isRegularOrAbsent(path) || isOpenAlready(path)) return;
  lockFile_ = lockFileOf(path);
  for (;;) {
    claim_ = Descriptor(::open(lockFile_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!claim_.isOpen()) return;
    const bool ours = lock(claim_.fd());
    // Another program may have removed the file between its opening and its locking.
    if (ours && isBehind(claim_.fd(), lockFile_)) return;
    claim_.close();
    if (!ours) throw InputError(lockedText(path));
  }
}

FileClaim::~FileClaim() {
  if (claim_.isOpen()) ::unlink(lockFile_.c_str());
}

bool isClaimed(const std::string& path) { return lockedByAnother(lockFileOf(path)); }

static std::string wayOut(int error) {
  static const std::pair<const char*, std::vector<int>> kWays[] = {
      {"free some space or choose another disk", {ENOSPC, EDQUOT}},
      {"raise the limit on the size of files (ulimit -f), or write less", {EFBIG}},
      {"choose a folder that you may write to", {EACCES, EPERM, EROFS}},
      {"choose another folder", {ENOENT, ENOTDIR, ELOOP}},
      {"choose a shorter name", {ENAMETOOLONG}},
      {"close other files or programs", {EMFILE, ENFILE}},
      {"choose another disk", {EIO, ENODEV, ENXIO}},
      {"name a file, not a folder", {EISDIR}}};
  for (const auto& [words, errors] : kWays)
    if (std::ranges::find(errors, error) != errors.end()) return fmt::format("; {}", words);
  return "; choose another file or folder";
}

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
      "under this name; leave the files of a run where they are until it ends",
      path);
}

namespace fs = std::filesystem;

static fs::path numbered(const fs::path& file, int k) {
  return file.parent_path() /
         fmt::format("{}.{}{}", file.stem().string(), k, file.extension().string());
}

std::vector<std::pair<std::string, std::string>> keepOlder(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;  // to be renamed, links followed
  std::error_code error;
  for (const std::string& path : paths) {
    if (!fs::is_regular_file(path, error) || isOpenAlready(path)) continue;
    if (lockedByAnother(path)) throw InputError(lockedText(path));
    files.push_back(fs::is_symlink(path, error) ? fs::canonical(path, error) : fs::path(path));
  }
  const auto taken = [&](int k) {
    return std::ranges::any_of(files, [&](const fs::path& file) {
      return fs::exists(fs::symlink_status(numbered(file, k), error));
    });
  };
  int k = 1;
  while (taken(k)) ++k;
  std::vector<std::pair<std::string, std::string>> renamed;
  for (const fs::path& file : files) {
    const fs::path older = numbered(file, k);
    fs::rename(file, older, error);
    if (error)
      throw InputError(
          "'{}' holds older results and cannot be kept as '{}': {}; choose another name, or "
          "replace it with --overwrite",
          file.string(), older.string(), error.message());
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
