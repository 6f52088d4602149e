// Text for files that others read: names of files may hold any bytes, readers expect UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace cellscope::io {

// Bytes of the character at the beginning of a text, 0 if none begins there: no overlong forms, no
// surrogates, nothing above U+10FFFF (Unicode 15, table 3-7).
std::size_t characterBytes(std::string_view text);

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
