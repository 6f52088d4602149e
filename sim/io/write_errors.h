// Words for files that cannot be written, with the cause and the way out.
#pragma once
#include <string>

namespace cellscope::io {

// error: an errno; EINTR: a signal ended the wait for the reader of a pipe.
std::string writeErrorText(const std::string& path, int error);

// A file whose name no longer refers to it (isBehind(), sim/io/file_lock.h).
std::string removedText(const std::string& path);

}  // namespace cellscope::io
