// Validators of options. Messages name the value and the allowed range.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>

namespace cellscope::cli {

// For transform(): the option receives plain digits. Accepts 1e6 and 1000.0 as well.
CLI::Validator wholeNumber(std::int64_t least, std::int64_t most);
CLI::Validator realNumber(double least, double most);  // refuses NaN
CLI::Validator fileName();                             // not empty, not "-"

}  // namespace cellscope::cli
