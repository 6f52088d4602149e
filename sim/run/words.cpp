#include "sim/run/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "sim/base/digits.h"
#include "sim/base/error.h"

namespace cellscope {
namespace {

enum class Kind { single, sign, both, word };
Kind kindAt(const std::string& text, std::size_t i) {
  const char c = text[i];
  if (std::strchr("(),", c)) return Kind::single;
  if (std::strchr("<>=!", c)) return Kind::sign;
  return (c == '&' || c == '|') && i + 1 < text.size() && text[i + 1] == c ? Kind::both
                                                                           : Kind::word;
}

}  // namespace

Words::Words(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    const Kind kind = kindAt(text, i);
    std::size_t end = i + (kind == Kind::both ? 2 : 1);
    const bool goesOn = kind == Kind::sign || kind == Kind::word;
    while (goesOn && end < text.size() && kindAt(text, end) == kind &&
           !std::isspace(static_cast<unsigned char>(text[end])))
      ++end;
    all_.push_back(text.substr(i, end - i));
    i = end;
  }
  std::erase_if(all_, [](const std::string& word) {
    constexpr const char* kEmpty[] = {"of", "by", "is", "the", "comes", "turns", "s.d.", "sd"};
    return std::find(std::begin(kEmpty), std::end(kEmpty), word) != std::end(kEmpty);
  });
}

bool Words::skip(const std::string& word) {
  const bool is = nextIs(word);
  next_ += is ? 1 : 0;
  return is;
}

std::string Words::take(const std::string& what) {
  if (atEnd())
    throw InputError(next_ == 0 ? "it is empty; write " + what
                                : fmt::format("{} is missing after '{}'", what, all_[next_ - 1]));
  return all_[next_++];
}

void Words::expect(const std::string& word) {
  const std::string found = take("'" + word + "'");
  if (found != word) throw InputError(fmt::format("'{}': '{}' is expected", found, word));
}

void Words::requireEnd(const std::string& allowed) const {
  if (!atEnd())
    throw InputError(fmt::format("'{}' is not expected there; allowed: {}", all_[next_], allowed));
}

double Words::number(const std::string& what) {
  const std::string text = take(what);
  const auto value = realFrom(text);
  if (!value || !std::isfinite(*value)) throw InputError(fmt::format("'{}' is not {}", text, what));
  return *value;
}

ParticleId Words::id() {
  const std::string text = take("a particle's id");
  const auto value = wholeFrom(text);
  if (!value || *value < 0)
    throw InputError(fmt::format("'{}' is no particle's id; allowed: 0 and above", text));
  return *value;
}

std::string Words::sign(const std::string& also) {
  const std::string by = take("a comparison" + (also.empty() ? "" : " or '" + also + "'"));
  constexpr const char* kSigns[] = {">", "<", ">=", "<=", "==", "!="};
  if (by != also && std::find(std::begin(kSigns), std::end(kSigns), by) == std::end(kSigns))
    throw InputError(fmt::format("'{}' does not compare; allowed: >, <, >=, <=, ==, !={}", by,
                                 also.empty() ? "" : ", " + also));
  return by;
}

bool compares(double x, const std::string& sign, double to) {
  return sign == ">"    ? x > to
         : sign == "<"  ? x < to
         : sign == ">=" ? x >= to
         : sign == "<=" ? x <= to
         : sign == "==" ? x == to
                        : x != to && !std::isnan(x);
}

}  // namespace cellscope
