// Numbers as a person writes them: 0.7, 1e6, +5. Whatever the locale, the point is a point.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace cellscope {

// All of `text`; "nan" and "inf" are numbers here.
std::optional<double> realFrom(std::string_view text);
// All of `text`, in any notation of which the value is whole: 1000, 1e3, 1000.0.
std::optional<std::int64_t> wholeFrom(std::string_view text);
// A value that is whole, and small enough that every whole number near it has a double.
std::optional<std::int64_t> wholeFrom(double value);

}  // namespace cellscope
