#include "sim/io/utf8.h"

namespace cellscope::io {

std::size_t characterBytes(std::string_view text) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > most) return 0;
  for (std::size_t k = 2; k < count; ++k)
    if (byte(k) < 0x80 || byte(k) > 0xbf) return 0;
  return count;
}

std::string validUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t n = characterBytes(text);
    out += n > 0 ? text.substr(0, n) : "\xef\xbf\xbd";
    text.remove_prefix(n > 0 ? n : 1);
  }
  return out;
}

std::string oneLine(std::string_view text) {
  std::string out = validUtf8(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  return oneLine(text.substr(0, most)) + (text.size() > most ? "..." : "");
}

bool isFileName(std::string_view name) {
  constexpr std::size_t kLongest = 255;  // of file systems
  return !name.empty() && name.size() <= kLongest && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\0", 2)) == name.npos;
}

}  // namespace cellscope::io
