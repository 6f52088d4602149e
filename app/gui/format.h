// Numbers as a person reads them.
#pragma once
#include <cstdint>
#include <string>

namespace cellscope::gui {

// 9.17066, 0.00051 -> "9.1707(5)": the error in units of the last digit shown, one digit of it, or
// two when it starts with 1. Error 0 or not finite: `number`. Not a number: "–". An error that is
// rather a lower bound: "9.1707(5+)".
std::string valueWithError(double value, double error, bool errorKnown = true);
// Up to `digits` significant digits, plain between 1e-4 and 1e7, otherwise 1.2e-5.
std::string number(double value, int digits = 5);
// 1234567 -> "1 234 567".
std::string grouped(std::uint64_t value);
// "4.2e3", "831", "5.0e10": two digits are enough for a rate.
std::string rate(double perSecond);
// Share of something to be done, in whole percent that are done: 0.349 -> "34 %"; within 0 and 100.
std::string percent(double share);
std::string duration(double seconds);      // "340 us" as "340 µs", "1.2 ms", "3.4 s", "2 min 5 s"
std::string bytesText(std::size_t bytes);  // "12.3 MB", powers of 1000
// Symbols written out in ASCII as they are printed: "sigma^2" -> "σ²", "|psi6|" -> "|ψ₆|". Words
// that merely contain such a name stay as they are.
std::string printed(const std::string& text);
// Off: `printed` returns its text unchanged, for fonts without such glyphs. On at first.
void printSymbols(bool on);
bool printsSymbols();
// Messages continue a line on the command line; in the window they are sentences of their own.
std::string sentence(std::string text);
// A name fit for a file: letters, digits, - and _ only.
std::string fileStem(const std::string& text);

}  // namespace cellscope::gui
