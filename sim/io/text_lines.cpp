#include "sim/io/text_lines.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace cellscope::io {

TextLines::TextLines(const std::string& path) : path_(path), file_(nullptr) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  // A pipe is read from standard input only: any other might wait for a writer forever.
  const bool stream = std::filesystem::is_fifo(status) && path == "/dev/stdin";
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !stream)
    throw InputError("cannot read '{}': it is not a regular file", path);
  file_ = gzopen(path.c_str(), "rb");
  if (!file_) throw InputError("cannot read '{}': {}", path, std::strerror(errno));
}

TextLines::~TextLines() { gzclose(file_); }

bool TextLines::fill() {
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
    throw InputError("cannot read '{}': {}", path_, error == Z_ERRNO ? std::strerror(errno) : why);
  buffer_.resize(held + static_cast<std::size_t>(got));
  return got > 0;
}

bool TextLines::next() {
  if (std::exchange(held_, false)) return true;
  std::size_t end = buffer_.find('\n', next_);
  while (end == buffer_.npos) {
    const std::size_t held = buffer_.size() - next_;
    if (held > kLongestLine)
      throw InputError("{}:{}: the line is longer than {} bytes; this is not a text file", path_,
                       number_ + 1, kLongestLine);
    if (!fill()) break;
    end = buffer_.find('\n', held);
  }
  complete_ = end != buffer_.npos;
  if (!complete_) end = buffer_.size();
  if (!complete_ && end == next_) return false;
  from_ = next_;
  length_ = end - from_;
  next_ = complete_ ? end + 1 : end;
  end_ += next_ - from_;
  ++number_;
  return true;
}

bool TextLines::next(std::string_view& line) {
  if (!next()) return false;
  line = this->line();
  if (number() == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // byte order mark
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

bool TextLines::atEnd() {
  while (next())
    if (line().find_first_not_of(" \t\r") != std::string_view::npos) {
      back();
      return false;
    }
  return true;
}

std::vector<std::string> splitAt(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; (i = line.find_first_not_of(" \t", i)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", i), line.size());
    out.push_back(line.substr(i, end - i));
    i = end;
  }
  return out;
}

constexpr std::string_view kSpaces = " \t";

// Removes the value from the beginning of `rest`.
static std::string takeValue(std::string_view& rest) {
  const char first = rest.empty() ? ' ' : rest[0];
  std::string value;
  std::size_t at = 0;
  if (first == '"' || first == '\'') {
    for (at = 1; at < rest.size() && rest[at] != first; ++at) {
      if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
      value += rest[at];
    }
    ++at;  // the closing one
  } else if (first == '[' || first == '{') {
    int depth = 0;
    do {
      const char c = rest[at++];
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
      value += std::string_view("[]{},").find(c) == std::string_view::npos ? c : ' ';
    } while (depth > 0 && at < rest.size());
  } else {
    at = std::min(rest.find_first_of(kSpaces), rest.size());
    value = rest.substr(0, at);
  }
  rest.remove_prefix(std::min(at, rest.size()));
  return value;
}

std::vector<std::pair<std::string, std::string>> entriesOf(std::string_view rest) {
  std::vector<std::pair<std::string, std::string>> entries;
  const auto skip = [&](std::string_view from) {
    from.remove_prefix(std::min(from.find_first_not_of(kSpaces), from.size()));
    return from;
  };
  for (rest = skip(rest); !rest.empty(); rest = skip(rest)) {
    const std::size_t end = std::min(rest.find_first_of(" \t="), rest.size());
    std::string key(rest.substr(0, end));
    rest.remove_prefix(end);
    const std::string_view behind = skip(rest);
    if (behind.empty() || behind[0] != '=') {
      entries.emplace_back(std::move(key), "T");
      continue;
    }
    const bool apart = behind.size() > 1 && kSpaces.find(behind[1]) != kSpaces.npos;
    rest = skip(behind.substr(1));
    // Nothing stands there if the next word is an entry of its own: some programs write texts
    // without quotes, empty ones too.
    const std::size_t word = std::min(rest.find_first_of(" \t\"'[{="), rest.size());
    const bool nothing = apart && word > 0 && word < rest.size() && rest[word] == '=';
    entries.emplace_back(std::move(key), nothing ? "" : takeValue(rest));
  }
  return entries;
}

std::optional<double> realOf(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (const std::optional<double> value = numberOf<double>(text)) return value;
  const std::size_t at = text.find_first_of("dD");
  if (at == text.npos) return std::nullopt;
  std::string usual(text);
  usual[at] = 'e';
  return numberOf<double>(usual);
}

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
