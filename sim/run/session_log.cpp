#include "sim/run/session.h"

#include <fmt/format.h>

#include "sim/io/container.h"
#include "sim/io/text_lines.h"

namespace cellscope {
namespace {

constexpr char kTogether = '+';  // in front of the key

// Types in the order of ParameterValue's alternatives.
constexpr char kTypes[] = "bids";

template <class T>
T number(const std::string& text, const std::string& file) {
  if (const auto value = io::numberOf<T>(text)) return *value;
  throw InputError(
      fmt::format("'{}': '{}' in the list of edits is not a number", file, io::shortened(text)));
}

ParameterValue valueOf(const std::string& type, const std::string& text, const std::string& file) {
  if (type == "b" && (text == "true" || text == "false")) return text == "true";
  if (type == "i") return number<std::int64_t>(text, file);
  if (type == "d") return number<double>(text, file);
  if (type == "s") return text;
  throw InputError(fmt::format("'{}': '{}' in the list of edits has no value of type '{}'", file,
                               io::shortened(text), io::shortened(type)));
}

}  // namespace

std::string runId(const RunLog& log) {
  Scenario shaping;
  shaping.mode = log.start.mode;
  shaping.configuration = log.start.configuration;
  shaping.box = log.start.box;
  shaping.replicate = log.start.replicate;
  shaping.parameters = log.start.parameters;
  shaping.sampleEvery = log.start.sampleEvery;
  const std::string start = fmt::format("{:016x}", io::crc64(scenarioText(shaping)));
  if (log.edits.empty()) return start;
  return start + fmt::format("-{:016x}", io::crc64(editsText(log.edits)));
}

std::string editsText(const std::vector<Edit>& edits) {
  std::string out;
  for (const Edit& e : edits)
    out += fmt::format("{}\t{}\t{}{}\t{}\t{}\n", e.step, e.preparing,
                       e.together ? std::string(1, kTogether) : "", e.key, kTypes[e.value.index()],
                       toText(e.value));
  return out;
}

std::vector<Edit> editsFromText(const std::string& text, const std::string& file) {
  std::vector<Edit> edits;
  for (const std::string& line : io::splitAt(text, '\n')) {
    if (line.empty()) continue;
    const std::vector<std::string> field = io::splitAt(line, '\t');
    if (field.size() != 5)
      throw InputError(fmt::format("'{}': '{}' is not an edit", file, io::shortened(line)));
    const bool together = field[2].starts_with(kTogether);
    edits.push_back({number<std::uint64_t>(field[0], file), number<std::uint64_t>(field[1], file),
                     field[2].substr(together), valueOf(field[3], field[4], file), together});
  }
  return edits;
}

}  // namespace cellscope
