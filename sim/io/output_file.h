// Files that notice when they cannot be written: every failure names file, cause and what was kept.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace cellscope::io {

enum class OpenAs { replace, append };

// Buffered output. write(), flush() and close() throw RunError; the text up to the last successful
// flush() is complete on disk. flushToDisk() and close() also throw it if the name no longer refers
// to the file. The destructor closes without reporting. While it is open, no other program of
// this kind writes to the file (sim/io/file_lock.h). A signal ends the wait for the reader of a
// pipe (sim/io/output_file.h).
class OutputFile {
 public:
  // standsFor: the file that `path` is written in place of, and which is whole whatever happens;
  // messages name it.
  OutputFile(const std::string& path, OpenAs how, const std::string& standsFor = "");
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  void write(std::string_view text);
  void flush();
  void flushToDisk();  // flush and wait until the device has it
  void close();

 private:
  [[noreturn]] void fail(const char* what);

  std::string path_, standsFor_;
  std::FILE* file_ = nullptr;
  std::uint64_t before_ = 0;  // bytes that the file held when it was opened
};

// Replace file `name` by `text` as a whole: written beside it, flushed to the device, then renamed.
// On failure throws RunError and an older file is left as it was. A link stays, and the file behind
// it is replaced. Devices, pipes and what the shell opened (/dev/stdout) are written directly.
void replaceFile(const std::string& name, std::string_view text);

// Whether the process was started with the file open for writing, as after > and >> in the shell.
bool isOpenAlready(const std::string& path);

// Leaves the first `bytes` bytes of a file. On failure throws RunError and the file is as it was.
void cutFile(const std::string& path, std::uint64_t bytes);

// The target of a link, which need not exist yet. A link of /proc may lead to a pipe, which
// has no name: then the link itself.
std::string behindLinks(const std::string& path);

bool isRegularOrAbsent(const std::string& path);

// Throws InputError when `path` cannot be written (no such folder, a folder, not allowed, being
// written by another program), before any work is spent on a result that could not be kept. Tries
// it, and leaves no trace. asWhole: for files that replaceFile() will write.
void checkWritable(const std::string& path, bool asWhole = false);

// Whether two names lead to the same file, or would: links and detours such as ./ are followed.
bool sameFile(const std::string& a, const std::string& b);

// A folder and all above it that are missing. Throws InputError.
void createFolder(const std::string& path);

// Output to a named pipe: whoever reads it may be slow, or not there yet.

// What a signal handler sets (not 0): from then on nobody is waited for who does not read. Null:
// waits have no end. Both may change at any time.
void stopWaitingAt(const std::atomic<int>* signal);

bool isPipe(const std::string& path);

// Waits for a reader. Returns a descriptor, or -1 with errno, EINTR after a signal.
int openPipe(const std::string& path);

// A stream that closes the descriptor of openPipe(). After a signal a write fails with EINTR where
// nothing was read for kPatienceAfterSignal.
inline constexpr int kPatienceAfterSignal = 2000;  // milliseconds
std::FILE* pipeStream(int descriptor);

}  // namespace cellscope::io
