#include "sim/io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"

namespace cellscope::io {
namespace {

using Stream = std::pair<dev_t, ino_t>;

std::vector<Stream> writableStreams() {
  constexpr int kStreams = 256;  // descriptors inherited from a shell have low numbers
  std::vector<Stream> found;
  for (int fd = 0; fd < kStreams; ++fd) {
    struct stat open {};
    if (::fstat(fd, &open) == 0 && (::fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
      found.emplace_back(open.st_dev, open.st_ino);
  }
  return found;
}

// Checked before main(): later, such numbers may belong to files that other threads open and close.
const std::vector<Stream> kHandedOver = writableStreams();

[[noreturn]] void cannotWrite(const std::string& path, int error, const std::string& kept) {
  throw RunError(writeErrorText(path, error) + kept);
}

// `name` appears in the message.
void tryToOpen(const std::string& path, const std::string& name, int flags) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666));
  if (!file.isOpen()) throw InputError(writeErrorText(name, errno));
}

constexpr int kWait = 50;                   // milliseconds until the signal is looked at again
constexpr int kPatienceAfterSignal = 2000;  // milliseconds

std::atomic<const std::atomic<int>*> signalFlag{nullptr};

bool isSignalled() {
  const std::atomic<int>* flag = signalFlag;
  return flag && *flag != 0;
}

// Until there is room in the pipe. False, with errno: after a signal nothing was read for
// kPatienceAfterSignal.
bool awaitRoom(int descriptor) {
  for (int waited = 0; !isSignalled() || waited < kPatienceAfterSignal;) {
    pollfd wanted{descriptor, POLLOUT, 0};
    if (::poll(&wanted, 1, kWait) > 0) return true;
    if (isSignalled()) waited += kWait;
  }
  errno = EINTR;
  return false;
}

bool isPipe(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

// Waits for a reader. Returns a descriptor, or -1 with errno, EINTR after a signal.
int openPipe(const std::string& path) {
  for (;;) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 || errno != ENXIO) return fd;  // ENXIO: no reader
    if (isSignalled()) break;
    ::poll(nullptr, 0, kWait);
  }
  errno = EINTR;
  return -1;
}

}  // namespace

OutputFile::OutputFile(const std::string& path, OpenAs how, const std::string& standsFor)
    : path_(path), standsFor_(standsFor), isPipe_(isPipe(path)) {
  const std::string& name = standsFor.empty() ? path : standsFor;
  // What the shell opened with >> must not be truncated, and may be shared.
  const bool shells = isOpenAlready(path), append = how == OpenAs::append || shells;
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : 0);
  file_ = Descriptor(isPipe_ ? openPipe(path) : ::open(path.c_str(), flags, 0666));
  if (!file_.isOpen()) cannotWrite(name, errno, "");
  if (isPipe_) return;
  const int fd = file_.fd();
  if (::isatty(fd) == 1) mostWaiting_ = 0;
  if (!shells && !(lock(fd) && isBehind(fd, path))) throw RunError(lockedText(name));
  struct stat info {};
  if (append && ::fstat(fd, &info) == 0) before_ = static_cast<std::uint64_t>(info.st_size);
  if (!append && isRegularOrAbsent(path) && ::ftruncate(fd, 0) != 0) cannotWrite(name, errno, "");
}

OutputFile::~OutputFile() { put(waiting_); }

bool OutputFile::put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file_.fd(), text.data(), text.size());
    if (n > 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else if (!isPipe_ || (errno == EAGAIN ? !awaitRoom(file_.fd()) : errno != EINTR))
      return false;
  }
  return true;
}

void OutputFile::fail(const char* what) {
  const int error = errno;
  std::error_code ignored;
  if (!standsFor_.empty())
    cannotWrite(standsFor_, error,
                std::filesystem::exists(standsFor_, ignored) ? "; the older file is kept" : "");
  // Part of the data may have been written: only the file shows it.
  struct stat info {};
  const int asked = file_.isOpen() ? ::fstat(file_.fd(), &info) : ::stat(path_.c_str(), &info);
  const bool known = asked == 0 && S_ISREG(info.st_mode);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  cannotWrite(path_, error,
              known && size >= before_
                  ? fmt::format(" ({} failed; the first {} bytes of this run are in the file)",
                                what, size - before_)
                  : fmt::format(" ({} failed)", what));
}

void OutputFile::write(std::string_view text) {
  if (waiting_.size() + text.size() < mostWaiting_) {
    waiting_ += text;
    return;
  }
  flush();
  if (!put(text)) fail("writing");
}

void OutputFile::flush() {
  const bool whole = put(waiting_);
  waiting_.clear();
  if (!whole) fail("writing");
}

void OutputFile::flushToDisk() {
  flush();
  // Pipes and character devices cannot be synchronised; there is nothing to wait for.
  if (::fsync(file_.fd()) != 0 && errno != EINVAL && errno != EROFS) fail("synchronising");
  if (standsFor_.empty() && !isInPlace()) throw RunError(removedText(path_));
}

void OutputFile::close() {
  if (!file_.isOpen()) return;
  flush();
  const bool inPlace = !standsFor_.empty() || isInPlace();
  if (::close(file_.release()) != 0) fail("closing");
  if (!inPlace) throw RunError(removedText(path_));
}

void replaceFile(const std::string& name, std::string_view text) {
  const std::string path = behindLinks(name);
  const bool rename = isRegularOrAbsent(path) && !isOpenAlready(path);
  const std::string target = rename ? path + ".tmp" : path;
  OutputFile out(target, OpenAs::replace, rename ? path : "");
  try {
    out.write(text);
    out.flushToDisk();
    // While it is open, and so locked.
    if (rename && std::rename(target.c_str(), path.c_str()) != 0) cannotWrite(path, errno, "");
    out.close();
  } catch (...) {
    if (rename) ::unlink(target.c_str());
    throw;
  }
  if (!rename) return;
  // Makes it durable: the folder's entry reaches the device too. Not every file system can.
  const auto folder = std::filesystem::path(path).parent_path();
  const Descriptor open(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.isOpen()) ::fsync(open.fd());
}

std::string behindLinks(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path target = fs::canonical(path, error);
  if (!error && fs::is_symlink(path, error)) return target.string();
  target = path;
  for (int k = 0; k < 40 && !fs::exists(target, error) && fs::is_symlink(target, error); ++k)
    target = target.parent_path() / fs::read_symlink(target, error);
  return target.string();
}

bool isRegularOrAbsent(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
}

bool isOpenAlready(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return false;
  return std::ranges::count(kHandedOver, Stream(file.st_dev, file.st_ino)) > 0;
}

void cutFile(const std::string& path, std::uint64_t bytes) {
  if (::truncate(path.c_str(), static_cast<off_t>(bytes)) == 0) return;
  throw RunError("cannot shorten '{}': {}; the file is as it was", path, std::strerror(errno));
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto place = [&error](const std::string& name) {
    const auto path = std::filesystem::absolute(name, error);
    return std::filesystem::weakly_canonical(path, error).lexically_normal();
  };
  const auto placeOfA = place(a);
  return !placeOfA.empty() && placeOfA == place(b);
}

void createFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && std::filesystem::is_directory(path)) return;
  throw InputError("cannot make the folder '{}': {}; choose another one", path,
                   error ? error.message() : "a file of that name is in the way");
}

void checkWritable(const std::string& path, bool asWhole) {
  if (path.empty()) throw InputError("an output file needs a name");
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) throw InputError(writeErrorText(path, errno));
  if (exists && S_ISDIR(info.st_mode)) throw InputError(writeErrorText(path, EISDIR));
  if (exists && !S_ISREG(info.st_mode)) {  // opening a pipe would wait for its reader
    if (::access(path.c_str(), W_OK) != 0) throw InputError(writeErrorText(path, errno));
    return;
  }
  if (exists && isOpenAlready(path)) return;
  if (exists && lockedByAnother(path)) throw InputError(lockedText(path));
  if (exists) {
    tryToOpen(path, path, 0);
    if (!asWhole) return;
  }
  const std::string beside = behindLinks(path) + ".tmp";
  struct stat other {};
  // An existing one may be what another program is writing.
  if (::stat(beside.c_str(), &other) == 0) return tryToOpen(beside, path, 0);
  tryToOpen(beside, path, O_CREAT);
  ::unlink(beside.c_str());
}

void stopWaitingAt(const std::atomic<int>* signal) { signalFlag = signal; }

}  // namespace cellscope::io
