#include "sim/io/line_scan.h"

#include <fmt/format.h>
#include <sys/types.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sim/base/error.h"

namespace cellscope::io {

LineScan::LineScan(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
  if (!file_) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
}

LineScan::~LineScan() {
  std::free(text_);
  std::fclose(file_);
}

bool LineScan::next() {
  errno = 0;
  const ssize_t got = ::getline(&text_, &room_, file_);
  if (got < 0 && std::ferror(file_))
    throw InputError(fmt::format("cannot read '{}': {}", path_, std::strerror(errno)));
  if (got <= 0) return false;
  length_ = static_cast<std::size_t>(got);
  begin_ = end_;
  end_ += length_;
  complete_ = text_[length_ - 1] == '\n';
  if (complete_) --length_;
  ++number_;
  return true;
}

std::string_view LineScan::line() const { return {text_, length_}; }

}  // namespace cellscope::io
