// What a sweep has computed so far.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "app/common/json.h"
#include "app/sweep/sweep.h"
#include "sim/base/error.h"
#include "sim/io/files.h"

namespace cellscope::sweep {
namespace {

namespace fs = std::filesystem;
using common::ordered_json;

struct Row {
  std::string id;
  ordered_json state, result;
};

// In the order of the varied values.
std::vector<Row> rowsOf(const fs::path& folder) {
  std::vector<Row> rows;
  for (const Point& p : pointsOf(folder))
    if (fs::exists(p.result()))
      rows.push_back({p.id, common::jsonOfFile(p.statePoint()), common::jsonOfFile(p.result())});
  const ordered_json varied = common::jsonOfFile(folder / "sweep.json").at("varied");
  std::ranges::sort(rows, [&](const Row& a, const Row& b) {
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
      if (!hasItem(averages, key)) averages.push_back(key);
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

// Names are looked up in the open folder, which is quicker: there may be many points.
PointState Point::state() const {
  const io::Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto has = [&](const fs::path& path) {
    return ::faccessat(open.fd(), path.filename().c_str(), F_OK, 0) == 0;
  };
  return has(result())          ? PointState::done
         : !io::lock(open.fd()) ? PointState::running
         : has(error())         ? PointState::failed
         : has(checkpoint())    ? PointState::resumable
                                : PointState::notBegun;
}

bool isSweep(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "sweep.json", ignored);
}

std::vector<Point> pointsOf(const std::filesystem::path& folder,
                            const std::vector<std::string>& ids) {
  if (!isSweep(folder))
    throw InputError("'{}' holds no sweep (there is no sweep.json); cellscope sweep init makes one",
                     folder.string());
  const ordered_json schema =
      common::jsonOfFile(folder / "sweep.json").value("schema", ordered_json());
  if (schema != kSchema)
    throw InputError(
        "'{}' is of schema {} of a sweep; this version of cellscope reads {}: use the version that "
        "made it",
        folder.string(), schema.dump(), kSchema);
  const fs::path workspace = folder / "workspace";
  std::vector<Point> points;
  for (const std::string& name : ids) {
    const std::string id = fs::path(name).filename().string();
    if (!fs::exists(workspace / id / "signac_statepoint.json"))
      throw InputError("'{}': no such point in {}", name, workspace.string());
    points.push_back({id, workspace / id});
  }
  if (!ids.empty()) return points;
  for (const auto& entry : fs::directory_iterator(workspace))
    points.push_back({entry.path().filename().string(), entry.path()});
  std::ranges::sort(points, {}, &Point::id);
  return points;
}

std::string statusText(const std::filesystem::path& folder, bool json) {
  std::array<std::size_t, kPointStates> counts{};
  ordered_json all = common::jsonOfKind("sweep status");
  all["points"] = ordered_json::array();
  std::string failed;
  for (const Point& p : pointsOf(folder)) {
    const PointState state = p.state();
    ++counts[static_cast<std::size_t>(state)];
    if (json) all["points"].push_back({{"id", p.id}, {"state", nameOf(state)}});
    if (state != PointState::failed) continue;
    const std::string message = io::readFile(p.error().string());
    failed += fmt::format("{}: {}", p.id, message);
    if (json) all["points"].back()["message"] = message;
  }
  if (json) return common::textOf(all);
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
