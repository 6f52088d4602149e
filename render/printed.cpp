#include "render/printed.h"

#include <cstring>
#include <utility>

namespace cellscope::render {
namespace {

constexpr std::pair<const char*, const char*> kGreek[] = {
    {"alpha", "α"},   {"beta", "β"}, {"gamma", "γ"}, {"Delta", "Δ"},  {"delta", "δ"},
    {"epsilon", "ε"}, {"eta", "η"},  {"theta", "θ"}, {"lambda", "λ"}, {"Lambda", "Λ"},
    {"mu", "μ"},      {"pi", "π"},   {"rho", "ρ"},   {"sigma", "σ"},  {"tau", "τ"},
    {"phi", "φ"},     {"Psi", "Ψ"},  {"psi", "ψ"},   {"Omega", "Ω"},  {"omega", "ω"}};
constexpr const char* kSuperscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
constexpr const char* kSubscripts[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};

// Asked for every letter on the panels in every frame.
constexpr bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool digit(char c) { return c >= '0' && c <= '9'; }

bool& symbolsOn() {
  static bool on = true;
  return on;
}

// Length of a Greek letter name at `at` (a whole word, optionally with an index), or 0.
std::size_t greekAt(const std::string& text, std::size_t at, const char*& symbol) {
  if (at > 0 && (letter(text[at - 1]) || text[at - 1] == '_')) return 0;
  for (const auto& [name, sign] : kGreek) {
    if (*name != text[at]) continue;
    const std::size_t length = std::strlen(name);
    if (text.compare(at, length, name) != 0) continue;
    const char next = at + length < text.size() ? text[at + length] : ' ';
    if (letter(next)) continue;
    symbol = sign;
    return length;
  }
  return 0;
}

// "^2", "^-1", "^d": its length, or 0.
std::size_t power(const std::string& text, std::size_t at, std::string& out) {
  std::size_t end = at + 1;
  const bool negative = end < text.size() && text[end] == '-';
  if (negative) ++end;
  const bool dimension =
      end < text.size() && text[end] == 'd' && (end + 1 == text.size() || !letter(text[end + 1]));
  if (end >= text.size() || !(digit(text[end]) || dimension)) return 0;
  if (negative) out += "⁻";
  if (dimension) {
    out += "ᵈ";
    return end + 1 - at;
  }
  while (end < text.size() && digit(text[end])) out += kSuperscripts[text[end++] - '0'];
  return end - at;
}

constexpr const char* kMinus = "\xE2\x88\x92";

// Whether the hyphen at `at` is a minus sign.
bool isMinus(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? text[i] : ' '; };
  const char before = at > 0 ? text[at - 1] : ' ', next = byte(at + 1);
  const bool number = digit(next) || (next == '.' && digit(byte(at + 2)));
  const bool exponent = (before == 'e' || before == 'E') && at > 1 && digit(text[at - 2]);
  if (exponent) return digit(next);
  if (before == '(' && next != ')') return next != '-';  // exp(-beta u)
  if (before == ' ' && next == ' ') return at > 0;       // a - b
  const bool inside = letter(before) || digit(before) || before == '-' || before == '_' ||
                      before == '/' || before == '.' || before == ')' ||
                      static_cast<unsigned char>(before) >= 0x80;
  return number && !inside;
}

}  // namespace

std::string withMinus(const std::string& text) {
  std::size_t at = text.find('-');
  if (at == std::string::npos || !symbolsOn()) return text;
  std::string out = text.substr(0, at);
  for (; at < text.size(); ++at) {
    const bool hyphen = text[at] == '-';
    if (hyphen && at > 0 && text[at - 1] == '+' && !out.empty()) {
      out.pop_back();
      out += "±";
    } else if (hyphen && isMinus(text, at)) {
      out += kMinus;
    } else {
      out += text[at];
    }
  }
  return out;
}

std::string withPlainSigns(std::string text) {
  constexpr std::pair<const char*, const char*> kPlain[] = {
      {"–", "-"}, {kMinus, "-"}, {"…", "..."}, {"≤", "<="}, {"≥", ">="}};
  for (const auto& [sign, plain] : kPlain)
    for (std::size_t at = text.find(sign); at != text.npos; at = text.find(sign, at))
      text.replace(at, std::strlen(sign), plain);
  return text;
}

void printSymbols(bool on) { symbolsOn() = on; }
bool printsSymbols() { return symbolsOn(); }

std::string printedUnit(std::string unit, int dimension) {
  for (std::size_t at = unit.find('^'); at != unit.npos; at = unit.find('^', at + 1)) {
    const std::size_t d = unit.compare(at + 1, 1, "-") == 0 ? at + 2 : at + 1;
    if (d < unit.size() && unit[d] == 'd' && (d + 1 == unit.size() || !letter(unit[d + 1])))
      unit.replace(d, 1, std::to_string(dimension));
  }
  return printed(unit);
}

std::string printed(const std::string& text) {
  if (!symbolsOn()) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    // No font has a subscript B; the Boltzmann constant is 1 in reduced units anyway.
    if (text.compare(i, 3, "k_B") == 0 && (i == 0 || !letter(text[i - 1]))) {
      out += "k";
      i += text.compare(i, 5, "k_B T") == 0 ? 4 : 3;
      continue;
    }
    const char* symbol = nullptr;
    if (const std::size_t length = letter(text[i]) ? greekAt(text, i, symbol) : 0) {
      out += symbol;
      i += length;
      if (i + 1 < text.size() && text[i] == '_' && digit(text[i + 1])) ++i;
      while (i < text.size() && digit(text[i])) out += kSubscripts[text[i++] - '0'];
      continue;
    }
    // An index of a single letter: E_0.
    const bool single = i > 0 && letter(text[i - 1]) && (i == 1 || !letter(text[i - 2]));
    if (single && text[i] == '_' && i + 1 < text.size() && digit(text[i + 1])) {
      for (++i; i < text.size() && digit(text[i]); ++i) out += kSubscripts[text[i] - '0'];
      continue;
    }
    if (const std::size_t length = text[i] == '^' ? power(text, i, out) : 0) {
      i += length;
      continue;
    }
    out += text[i++];
  }
  return out;
}

}  // namespace cellscope::render
