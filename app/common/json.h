// JSON of the command line (cellscope help json). A file of its own, as the library is large.
#pragma once
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/api/parameter.h"
#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/io/files.h"

namespace cellscope::common {

using nlohmann::ordered_json;

// The beginning of each object: version of the layout, which command it is of, version.
inline ordered_json jsonOfKind(const char* kind) {
  return {
      {"schema", 1}, {"kind", kind}, {"program", fmt::format("cellscope {}", programVersion())}};
}

inline ordered_json jsonOf(const ParameterValue& value) {
  return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

// ASCII, so that a terminal shows it unchanged; bytes that are no UTF-8 do not stop it.
inline std::string textOf(const ordered_json& json) {
  return json.dump(2, ' ', true, ordered_json::error_handler_t::replace) + "\n";
}

// Throws InputError.
inline ordered_json jsonOfFile(const std::filesystem::path& path) {
  try {
    return ordered_json::parse(io::readFile(path.string()));
  } catch (const ordered_json::exception& e) {
    throw InputError("{}: {}", path.string(), e.what());
  }
}

}  // namespace cellscope::common
