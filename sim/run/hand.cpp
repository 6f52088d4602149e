#include "sim/run/hand.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "sim/base/error.h"
#include "sim/io/text_lines.h"

namespace cellscope {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(fmt::format("hand = '{}': {}", io::shortened(text), why));
}

}  // namespace

std::string handText(const HandMove& m) {
  return fmt::format("{} {} {} {} {} {}{}", kHandWords[static_cast<int>(m.act)], m.at.x, m.at.y,
                     m.at.z, m.radius, m.strength, m.goesOn ? " +" : "");
}

HandMove handMoveOf(const std::string& text) {
  constexpr double kFarthest = 1e7, kLargest = 1e3;
  const std::vector<std::string_view> words = io::wordsOf(text);
  HandMove m;
  m.goesOn = words.size() == 7 && words.back() == "+";
  int act = 0;
  while (act < kHandActs && (words.empty() || words[0] != kHandWords[act])) ++act;
  if (act == kHandActs || words.size() != (m.goesOn ? 7 : 6))
    refuse(
        text,
        "expected grab, pull, release, add, delete or heat, and x y z radius strength behind it");
  m.act = static_cast<HandAct>(act);
  double* const numbers[] = {&m.at.x, &m.at.y, &m.at.z, &m.radius, &m.strength};
  for (std::size_t k = 0; k < 5; ++k) {
    const auto value = io::numberOf<double>(words[k + 1]);
    if (!value) refuse(text, std::string(words[k + 1]) + " is no number");
    if (!(std::abs(*value) <= kFarthest))
      refuse(text, std::string(words[k + 1]) + " is not from -1e7 to 1e7");
    *numbers[k] = *value;
  }
  if (!(m.radius > 0 && m.radius <= kLargest))
    refuse(text, fmt::format("the radius is not above 0 and at most {:g} sigma", kLargest));
  const double least = m.act == HandAct::heat ? 0.01 : 1e-3;
  const double most = m.act == HandAct::heat ? 10 : kLargest;
  if (!(m.strength >= least && m.strength <= most))
    refuse(text, fmt::format("the strength is not from {:g} to {:g}", least, most));
  return m;
}

}  // namespace cellscope
