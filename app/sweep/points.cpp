// What a sweep has computed so far.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/sweep/sweep.h"
#include "sim/base/error.h"
#include "sim/io/file_lock.h"
#include "sim/io/output_file.h"
#include "sim/io/read_file.h"

namespace cellscope::sweep {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

ordered_json parsed(const fs::path& path) {
  try {
    return ordered_json::parse(io::readFile(path.string()));
  } catch (const ordered_json::exception& e) {
    throw InputError(fmt::format("{}: {}", path.string(), e.what()));
  }
}

struct Row {
  std::string id;
  ordered_json state, result;
};

// In the order of the varied values.
std::vector<Row> rowsOf(const fs::path& folder) {
  std::vector<Row> rows;
  for (const Point& p : pointsOf(folder))
    if (fs::exists(p.result()))
      rows.push_back({p.id, parsed(p.folder / "signac_statepoint.json"), parsed(p.result())});
  const ordered_json varied = parsed(folder / "sweep.json").at("varied");
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    for (const std::string key : varied)
      if (a.state.at(key) != b.state.at(key)) return a.state.at(key) < b.state.at(key);
    return a.id < b.id;
  });
  return rows;
}

std::string csvOf(const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::string head = "id", text;
  std::vector<std::string> keys, averages;
  for (const auto& [key, value] : rows.front().state.items()) keys.push_back(key);
  for (const Row& r : rows)  // what is measured may depend on the parameters
    for (const auto& [key, value] : r.result.at("averages").items())
      if (std::find(averages.begin(), averages.end(), key) == averages.end())
        averages.push_back(key);
  for (const std::string& key : keys) head += "," + key;
  head += ",step,equilibrated";
  for (const std::string& a : averages) head += fmt::format(",{0},{0}_error", a);
  for (const Row& r : rows) {
    text += "\n" + r.id;
    for (const std::string& key : keys) {
      const ordered_json& v = r.state.at(key);
      text += "," + (v.is_string() ? v.get<std::string>() : v.dump());
    }
    text += fmt::format(",{},{}", r.result.at("step").dump(), r.result.at("equilibrated").dump());
    for (const std::string& a : averages) {
      const ordered_json& all = r.result.at("averages");
      if (!all.contains(a)) {
        text += ",,";
        continue;
      }
      const ordered_json& error = all[a].at("error");
      const char* const value = all[a].contains("mean") ? "mean" : "last";  // of what grows
      text += fmt::format(",{},{}", all[a].at(value).dump(), error.is_null() ? "" : error.dump());
    }
  }
  return head + text + "\n";
}

std::string linesOf(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& r : rows)
    text += ordered_json{{"id", r.id},
                         {"state_point", r.state},
                         {"step", r.result.at("step")},
                         {"equilibrated", r.result.at("equilibrated")},
                         {"averages", r.result.at("averages")},
                         {"final_state_crc64", r.result.at("final_state_crc64")}}
                .dump() +
            "\n";
  return text;
}

}  // namespace

const char* nameOf(PointState state) {
  constexpr const char* kNames[kPointStates] = {"done", "resumable", "running", "failed",
                                                "not begun"};
  return kNames[static_cast<int>(state)];
}

PointState Point::state() const {
  if (fs::exists(result())) return PointState::done;
  if (io::lockedByAnother(folder.string())) return PointState::running;
  if (fs::exists(error())) return PointState::failed;
  return fs::exists(checkpoint()) ? PointState::resumable : PointState::notBegun;
}

std::vector<Point> pointsOf(const std::filesystem::path& folder,
                            const std::vector<std::string>& ids) {
  if (!fs::exists(folder / "sweep.json"))
    throw InputError(
        fmt::format("'{}' holds no sweep (there is no sweep.json); cellscope sweep "
                    "init makes one",
                    folder.string()));
  const fs::path workspace = folder / "workspace";
  std::vector<Point> points;
  for (const std::string& name : ids) {
    const std::string id = fs::path(name).filename().string();
    if (!fs::exists(workspace / id / "signac_statepoint.json"))
      throw InputError(fmt::format("'{}': no such point in {}", name, workspace.string()));
    points.push_back({id, workspace / id});
  }
  if (!ids.empty()) return points;
  for (const auto& entry : fs::directory_iterator(workspace))
    points.push_back({entry.path().filename().string(), entry.path()});
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.id < b.id; });
  return points;
}

std::string statusText(const std::filesystem::path& folder, bool json) {
  std::array<std::size_t, kPointStates> counts{};
  ordered_json all = ordered_json::object();
  std::string failed;
  for (const Point& p : pointsOf(folder)) {
    const PointState state = p.state();
    ++counts[static_cast<std::size_t>(state)];
    if (json) all[p.id] = nameOf(state);
    if (state == PointState::failed)
      failed += fmt::format("{}: {}", p.id, io::readFile(p.error().string()));
  }
  if (json) return all.dump(2) + "\n";
  std::string text;
  for (int k = 0; k < kPointStates; ++k)
    text += fmt::format("{:>9} {}\n", counts[static_cast<std::size_t>(k)],
                        nameOf(static_cast<PointState>(k)));
  return text + failed;
}

void collect(const std::filesystem::path& folder, const std::string& path) {
  const std::vector<Row> rows = rowsOf(folder);
  const bool lines = std::filesystem::path(path).extension() == ".jsonl";
  io::replaceFile(path, lines ? linesOf(rows) : csvOf(rows));
}

}  // namespace cellscope::sweep
