// What an option accepts. Each refusal says what was given and what is allowed.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>

namespace cellscope::cli {

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most);
CLI::Validator realNumber(double least, double most);  // refuses NaN
CLI::Validator someName();                             // of a file: not empty, not "-"

}  // namespace cellscope::cli
