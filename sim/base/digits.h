// Numbers as text with the digits that mean something.
#pragma once
#include <string>

#include "sim/base/vec.h"

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

}  // namespace cellscope
