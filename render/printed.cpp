#include "render/printed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

bool symbolsOn = true;

// Length of a Greek letter name at `at` (a whole word, optionally with an index), or 0.
std::size_t greekAt(const std::string& text, std::size_t at, const char*& symbol) {
  if (at > 0 && (letter(text[at - 1]) || text[at - 1] == '_')) return 0;
  for (const auto& [name, sign] : kGreek) {
    if (*name != text[at]) continue;
    const std::size_t length = std::strlen(name);
    if (text.compare(at, length, name) != 0) continue;
    if (at + length < text.size() && letter(text[at + length])) continue;
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
  if (at == std::string::npos || !symbolsOn) return text;
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

void printSymbols(bool on) { symbolsOn = on; }
bool printsSymbols() { return symbolsOn; }

std::string printedUnit(std::string unit, int dimension) {
  for (std::size_t at = unit.find('^'); at != unit.npos; at = unit.find('^', at + 1)) {
    const std::size_t d = unit.compare(at + 1, 1, "-") == 0 ? at + 2 : at + 1;
    if (d < unit.size() && unit[d] == 'd' && (d + 1 == unit.size() || !letter(unit[d + 1])))
      unit.replace(d, 1, std::to_string(dimension));
  }
  return printed(unit);
}

std::string printed(const std::string& text) {
  if (!symbolsOn) return text;
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

static double stepFor(double length, int most) {
  const double raw = length / std::max(1, most);
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (factor * decade >= raw * (1 - 1e-9)) return factor * decade;
  }
  return 10 * decade;
}

static std::string tickLabel(double value, double step, double size) {
  if (std::abs(value) < step * 1e-6) return "0";
  if (size >= 1e5 || size < 1e-3) {
    const int top = static_cast<int>(std::floor(std::log10(size)));
    const int low = static_cast<int>(std::floor(std::log10(step) + 1e-9));
    if (top >= 5 && top < 9 && low >= 3) {
      const bool mega = top >= 6;
      return fmt::format("{:.6g}{}", value / (mega ? 1e6 : 1e3), mega ? "M" : "k");
    }
    return fmt::format("{:.{}g}e{}", value / std::pow(10.0, top), top - low + 1, top);
  }
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

Ticks makeTicks(double lo, double hi, int most, bool whole) {
  Ticks ticks;
  if (!std::isfinite(lo) || !std::isfinite(hi) || !(hi > lo)) return ticks;
  ticks.step = stepFor(hi - lo, most);
  if (whole) ticks.step = std::max(1.0, ticks.step);
  const double size = std::max(std::abs(lo), std::abs(hi));
  const double first = std::ceil(lo / ticks.step - 1e-9);
  const double last = std::floor(hi / ticks.step + 1e-9);
  for (double k = first; k <= last && ticks.at.size() < 64; k += 1) {
    ticks.at.push_back(k * ticks.step);
    ticks.label.push_back(tickLabel(k * ticks.step, ticks.step, size));
  }
  return ticks;
}

// Plainly, or as 1e5, 2e-4.
static std::string logLabel(int factor, int exponent, bool plain) {
  if (plain || exponent == 0) {
    return fmt::format("{:.{}f}", factor * std::pow(10.0, exponent), std::max(0, -exponent));
  }
  return fmt::format("{}e{}", factor, exponent);
}

// At 1, 2 and 5 times every power of ten; only every `every`-th power has a label.
static Ticks decadeTicks(double lo, double hi, int every, bool labelAll) {
  Ticks ticks;
  ticks.step = labelAll ? std::log10(2.0) : every;
  const int first = static_cast<int>(std::floor(lo)), last = static_cast<int>(std::ceil(hi));
  bool plain = true;  // from 0.001 to 10000; all labels look alike
  for (int k = first; k <= last; ++k)
    if (k % every == 0 && k >= lo - 1e-9 && k <= hi + 1e-9) plain = plain && k >= -3 && k <= 4;
  for (int k = first; k <= last; ++k) {
    const bool named = ((k % every) + every) % every == 0;
    for (int factor : {1, 2, 5}) {
      const double at = k + std::log10(static_cast<double>(factor));
      const bool minor = factor > 1;
      if (at < lo - 1e-9 || at > hi + 1e-9 || (minor && every > 1)) continue;
      ticks.at.push_back(at);
      ticks.label.push_back(named && (!minor || labelAll) ? logLabel(factor, k, plain) : "");
    }
  }
  return ticks;
}

static int labels(const Ticks& ticks) {
  return static_cast<int>(
      std::ranges::count_if(ticks.label, [](const std::string& l) { return !l.empty(); }));
}

Ticks makeLogTicks(double lo, double hi, int most) {
  if (!std::isfinite(lo) || !std::isfinite(hi) || !(hi > lo) || hi - lo > 600) return {};
  const Ticks all = decadeTicks(lo, hi, 1, true);
  if (labels(all) >= 2 && labels(all) <= most) return all;
  if (labels(all) < 2) {
    Ticks ticks = makeTicks(std::pow(10.0, lo), std::pow(10.0, hi), most);
    for (double& at : ticks.at) at = std::log10(at);
    return ticks;
  }
  for (int every : {1, 2, 5, 10, 20, 50, 100, 200}) {
    const Ticks ticks = decadeTicks(lo, hi, every, false);
    if (labels(ticks) <= std::max(1, most)) return ticks;
  }
  return {};
}

void widen(double& lo, double& hi, double margin) {
  double length = hi - lo;
  if (!(length > 0)) length = lo == 0 ? 1 : std::max(1e-6, 0.02 * std::abs(lo));
  lo -= margin * length;
  hi += margin * length;
}

}  // namespace cellscope::render
