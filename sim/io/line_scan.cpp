#include "sim/io/line_scan.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"

namespace cellscope::io {

LineScan::LineScan(const std::string& path) : path_(path), file_(nullptr) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  // A pipe is read from standard input only: any other might wait for a writer forever.
  const bool stream = std::filesystem::is_fifo(status) && path == "/dev/stdin";
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !stream)
    throw InputError(fmt::format("cannot read '{}': it is not a regular file", path));
  file_ = gzopen(path.c_str(), "rb");
  if (!file_) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
}

LineScan::~LineScan() { gzclose(file_); }

bool LineScan::fill() {
  constexpr std::size_t kBlock = 65536;
  buffer_.erase(0, next_);
  next_ = 0;
  const std::size_t held = buffer_.size();
  buffer_.resize(held + kBlock);
  errno = 0;
  const int got = gzread(file_, buffer_.data() + held, kBlock);
  int error = Z_OK;
  const char* why = gzerror(file_, &error);
  if (got < 0 || error == Z_BUF_ERROR)  // the latter: the packed text ends too early
    throw InputError(
        fmt::format("cannot read '{}': {}", path_, error == Z_ERRNO ? std::strerror(errno) : why));
  buffer_.resize(held + static_cast<std::size_t>(got));
  return got > 0;
}

bool LineScan::next() {
  std::size_t end = buffer_.find('\n', next_);
  while (end == buffer_.npos) {
    const std::size_t held = buffer_.size() - next_;
    if (held > kLongestLine)
      throw InputError(
          fmt::format("{}:{}: the line is longer than {} bytes; this is not a text file", path_,
                      number_ + 1, kLongestLine));
    if (!fill()) break;
    end = buffer_.find('\n', held);
  }
  complete_ = end != buffer_.npos;
  if (!complete_) end = buffer_.size();
  if (!complete_ && end == next_) return false;
  from_ = next_;
  length_ = end - from_;
  next_ = complete_ ? end + 1 : end;
  begin_ = end_;
  end_ += next_ - from_;
  ++number_;
  return true;
}

std::string_view LineScan::line() const { return {buffer_.data() + from_, length_}; }

}  // namespace cellscope::io
