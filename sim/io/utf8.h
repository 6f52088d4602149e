// Text for files that others read: names of files may hold any bytes, readers expect UTF-8.
#pragma once
#include <string>
#include <string_view>

namespace cellscope::io {

// Every byte that belongs to no UTF-8 character becomes U+FFFD, the replacement character.
std::string validUtf8(std::string_view text);

// The same as one line: a space for every line end and other control character.
std::string oneLine(std::string_view text);

// At most `most` bytes of it as one line, for messages; "..." stands for the rest.
std::string shortened(std::string_view text, std::size_t most = 80);

// Whether a file can have this name: one part of a path, 1 to 255 bytes, not "." or "..". To be
// asked of every name that comes out of a file before results are named after it.
bool isFileName(std::string_view name);

}  // namespace cellscope::io
