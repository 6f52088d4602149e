// Numbers as text with the digits that mean something, and as a person writes them: 0.7, 1e6, +5.
// Whatever the locale, the point is a point.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/box.h"

namespace cellscope {

// With this number of significant digits, trailing zeros included, and at most as many decimals, as
// forces that cancel leave rounding: "0.500", "1235", "0.012" (3 digits), "1.20e7".
std::string significant(double value, int digits);
// At most this number of significant digits, without trailing zeros, and with exponents as they are
// written: "0.5", "1.8013e7", "-2e-5".
std::string compact(double value, int digits);
// "(1.200, -0.034, 0.000)": the longest component has this number of significant digits, and all
// end at the same place, as above. Of dimension 2 or 3.
std::string vectorText(Vec3d v, int dimension, int digits);
// A place in a box of this dimension, down to 1e-4 of the unit, which a position in single
// precision still has in a box of 1000.
std::string placeText(Vec3d r, int dimension);
// "0.4567 +- 0.0012": down to the second digit of the error; eight digits where that is unknown.
std::string textWithError(double value, double error);

// All of `text`; "nan" and "inf" are numbers here.
std::optional<double> realFrom(std::string_view text);
// All of `text`, in any notation of which the value is whole: 1000, 1e3, 1000.0.
std::optional<std::int64_t> wholeFrom(std::string_view text);
// A value that is whole, and small enough that every whole number near it has a double.
std::optional<std::int64_t> wholeFrom(double value);

}  // namespace cellscope
