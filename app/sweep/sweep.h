// A sweep: one scenario at many values of its parameters, as a folder that workers share. It is a
// signac workspace (schema 2), so that signac and row open it, and holds job files for row,
// Snakemake, Slurm and GNU parallel. See `cellscope sweep --help`.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/common/settings.h"
#include "sim/api/parameter.h"
#include "sim/run/scenario.h"

namespace cellscope::sweep {

inline constexpr int kSchema = 1;  // of sweep.json

// Parameters of a point by key, beside "scenario" and "until".
using StatePoint = std::map<std::string, ParameterValue>;

// As Python's json.dumps(point, sort_keys=True) writes it, whose MD5 is the id of the point.
std::string textOf(const StatePoint& point);
std::string idOf(const StatePoint& point);

// "packing=0.6..0.72:13" (that many values, both ends among them), "seed=1..4" (whole numbers),
// "method=a,b". Throws InputError.
struct Varied {
  std::string key;
  std::vector<std::string> values;
};
Varied parseVaried(const std::string& text);

struct SweepSetup {
  std::filesystem::path folder;
  Scenario scenario;
  std::vector<std::string> settings, vary;
  std::uint64_t until = 0;
};
// Writes the folder. Throws InputError: for keys and values that the mode refuses, for more than
// kMostPoints points, and where the folder holds a sweep. Returns the number of points.
inline constexpr std::size_t kMostPoints = 1'000'000;
std::size_t createSweep(const SweepSetup& setup);

enum class PointState { done, resumable, running, failed, notBegun };
inline constexpr int kPointStates = 5;
const char* nameOf(PointState state);

struct Point {
  std::string id;
  std::filesystem::path folder;

  PointState state() const;
  std::filesystem::path statePoint() const { return folder / "signac_statepoint.json"; }
  std::filesystem::path result() const { return folder / "result.json"; }
  std::filesystem::path checkpoint() const { return folder / "state.checkpoint"; }
  std::filesystem::path error() const { return folder / "error.txt"; }
};
// By id. Throws InputError where the folder is no sweep, or has no point of a name in `ids`
// (a path that ends with the id will do).
std::vector<Point> pointsOf(const std::filesystem::path& folder,
                            const std::vector<std::string>& ids = {});

// Whether a folder holds a sweep.
bool isSweep(const std::filesystem::path& folder);
// KEY=VALUE for each parameter of a point.
std::vector<std::string> settingsOf(const Point& p);

struct WorkOptions {
  std::vector<std::string> ids;  // empty: all
  common::HardwareOptions hardware;
  double maxWalltime = 0;
  int together = 0;  // points side by side; 0: chosen
};
// Computes points until they are done: done: nothing; with a checkpoint: resumed; otherwise from
// the start; where another worker is at it: left alone. On a CPU as many at once as it has threads,
// on a GPU as many as keep it busy.
// Returns kDone if all are done, kFailed if one failed (error.txt has the message, the others go
// on), and kStopped otherwise.
int work(const std::filesystem::path& folder, const WorkOptions& options);

std::string statusText(const std::filesystem::path& folder, bool json);

// Results of all points that are done, in the order of the varied values: parameters, averages,
// errors, equilibrated. The same bytes whoever computed them. Format by suffix: .jsonl or CSV.
void collect(const std::filesystem::path& folder, const std::string& path);

}  // namespace cellscope::sweep
