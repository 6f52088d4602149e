// As they are printed: names of symbols, and the numbers of axes.
#pragma once
#include <string>
#include <vector>

namespace cellscope::render {

// Replaces ASCII names of symbols: "sigma^2" -> "σ²", "|psi6|" -> "|ψ₆|". Words
// that merely contain such a name stay as they are.
std::string printed(const std::string& text);
// The same of a unit; d in its exponents is the dimension: "sigma^-d" in space -> "σ⁻³".
std::string printedUnit(std::string unit, int dimension);
// Off: `printed` returns its text unchanged, for fonts without these glyphs. Default: on.
void printSymbols(bool on);
bool printsSymbols();
// The typographic minus sign for hyphens before numbers ("mu -4.5" -> "mu −4.5"), in exponents and
// between terms, and ± for +-. Hyphens in words, names and options stay.
std::string withMinus(const std::string& text);
// Dashes, dots and signs that the built-in typeface lacks, in ASCII: "1–2 …" -> "1-2 ...".
std::string withPlainSigns(std::string text);

// Axis ticks at 1, 2 and 5 times a power of ten, on linear and logarithmic axes.
struct Ticks {
  double step = 1;
  std::vector<double> at;
  std::vector<std::string> label;  // empty: a minor tick
};

// Ticks inside [lo, hi], at most `most` of them (at least two where the step allows it).
// The labels share their number of decimals. lo < hi, both finite; otherwise no ticks. `whole`: of
// counts, at whole numbers only.
Ticks makeTicks(double lo, double hi, int most, bool whole = false);

// Ticks of a logarithmic axis from 10^lo to 10^hi, placed at the logarithms: at every (second,
// fifth ...) power of ten with minor ones at 2 and 5, or at 1, 2 and 5 where all have room, or as
// on a linear axis where the range is shorter than that. At most `most` labels.
Ticks makeLogTicks(double lo, double hi, int most);

// [lo, hi] widened by `margin` of its length on both sides; never empty.
void widen(double& lo, double& hi, double margin);

}  // namespace cellscope::render
