// Formatting of numbers for display.
#pragma once
#include <cstdint>
#include <string>

#include "render/printed.h"

namespace cellscope::gui {

// 9.17066, 0.00051 -> "9.1707(5)": the error in units of the last digit shown, one digit of it, or
// two when it starts with 1; from 1e5 on "3.9(2)e6" where its last digit is none. Error 0 or not
// finite: `number`. Not a number: "–". If the error is only a lower bound: "9.1707(5+)".
std::string valueWithError(double value, double error, bool errorKnown = true);
// The same with an exponent in any case: "3.70(11)e4"; without an error three digits: "9.41e3".
std::string scientific(double value, double error, bool errorKnown = true);
// Up to `digits` significant digits, plain between 1e-4 and 1e7, otherwise 1.2e-5.
std::string number(double value, int digits = 5);
// A single sample, with the digits that its scatter leaves a meaning: the first two of the scatter,
// at most five in all; whole if the scatter is that of whole numbers (below 0).
// Unknown or no scatter (0): `number`.
std::string sampleText(double value, double scatter);
std::string grouped(std::uint64_t value);  // 1234567 -> "1 234 567"
std::string rate(double perSecond);        // "4.2e3", "831", "5.0e10": two significant digits
// Progress in whole percent, rounded down: 0.349 -> "34 %"; within 0 and 100.
std::string percent(double share);
std::string duration(double seconds);  // "340 µs", "1.2 ms", "3.4 s", "2 min 5 s"
// Of work that took `spent` seconds from one share of it, 0 to 1, to another; negative: not known
// yet. Nothing is said of the first second, nor before a twentieth is done.
double secondsLeft(double spent, double from, double to);
std::string bytesText(std::size_t bytes);  // "12.3 MB", powers of 1000
using render::printed;
using render::printedUnit;
using render::printsSymbols;
using render::printSymbols;
// Text as it is drawn: with the typographic minus sign before numbers, in exponents and between
// terms, and ± for +-. Hyphens in words, names and options stay. What is written to files, logs and
// the clipboard does not pass through it; typed numbers may have either sign.
inline std::string onScreen(const std::string& text) {
  return render::printsSymbols() ? render::withMinus(text) : render::withPlainSigns(text);
}
// Of the detail of a self-check: up to its first comma or semicolon.
std::string firstClause(const std::string& text);
std::string onOneLine(const std::string& text);  // with spaces at which lines are not broken
// Capitalised and with a full stop: messages start lower-case for the command line.
std::string sentence(std::string text);
std::string fileStem(const std::string& text);  // safe file name: letters, digits, - and _ only

}  // namespace cellscope::gui
