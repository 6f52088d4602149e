// What an option accepts. Each refusal says what was given and what is allowed.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>

namespace cellscope::cli {

// For transform(): the option gets plain digits. Also 1e6 and 1000.0, whose values are whole.
CLI::Validator wholeNumber(std::int64_t least, std::int64_t most);
CLI::Validator realNumber(double least, double most);  // refuses NaN
CLI::Validator someName();                             // of a file: not empty, not "-"

}  // namespace cellscope::cli
