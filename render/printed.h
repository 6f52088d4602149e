// Names of symbols as they are printed.
#pragma once
#include <string>

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

}  // namespace cellscope::render
