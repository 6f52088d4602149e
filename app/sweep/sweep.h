// A sweep: one scenario at many values of its parameters, as a folder that workers share. It is a
// signac workspace (schema 2), so that signac and row open it, and holds job files for row,
// Snakemake, Slurm and GNU parallel. See `cellscope sweep --help`.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/common/settings.h"
#include "sim/api/parameter.h"
#include "sim/base/curve_series.h"
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

// What a window shows of a sweep: its points as they stand, and a chart of their averages.

struct Measured {
  double value = 0, error = 0;  // error 0: not known
  bool equilibrated = false;
};

struct PointOverview {
  Point point;
  StatePoint parameters;  // of the scenario, set or varied
  PointState state = PointState::notBegun;
  std::string message;                       // of a failed one
  std::uint64_t step = 0;                    // of a point that is done, as what follows
  std::map<std::string, Measured> averages;  // by ObservableInfo::id
};

struct Overview {
  std::filesystem::path folder;
  Scenario scenario;
  std::vector<std::string> varied;
  std::vector<PointOverview> points;  // in the order of the varied values
  std::array<std::size_t, kPointStates> counts{};
  std::vector<std::string> observables;       // of all points, as they come
  std::map<std::string, std::string> labels;  // of the parameters of its mode, by key

  const PointOverview* find(const std::string& id) const;
};
// Of a folder; named after it, paused.
Scenario scenarioOf(const std::filesystem::path& folder);
// What `before` (or null) has of points that are done is not read again. Throws InputError.
std::shared_ptr<const Overview> look(const std::filesystem::path& folder, const Overview* before);

// Parameters along x and by series ("": none), and an observable.
struct SweepAxes {
  std::string x, series, y;
  bool means = false;  // points that differ only in the seed are one
  bool operator==(const SweepAxes&) const = default;
};
// What is left open or unknown in `axes` is chosen.
SweepAxes chooseAxes(const Overview& all, SweepAxes axes);
// Whether `means` can act: there are other axes than the seed.
bool hasSeeds(const Overview& all, const SweepAxes& axes);
// What the chart shows of points that are done. Of a mean the error is that of the mean over seeds,
// and it is in equilibrium where all of them are; a single one keeps its own error.
struct ChartPoint {
  double x = 0;
  Measured shown;
  const PointOverview* point = nullptr;  // the first one
};
std::vector<ChartPoint> chartPoints(const Overview& all, const SweepAxes& axes);
// A series for each value of the parameter of that axis; provisional where the average is not in
// equilibrium. Published series of those of `curves` that have the same axes stand behind.
Curve chartOf(const Overview& all, const SweepAxes& axes, const std::vector<Curve>& curves);
// The place of a point in the chart; false: it has none.
bool placeOf(const Overview& all, const SweepAxes& axes, const PointOverview& p, double& x,
             double& y);

// "Packing fraction 0.7, Seed 2".
std::string wordsOf(const Overview& all, const PointOverview& p);
// "3 done, 1 running".
std::string countsOf(const Overview& all);

}  // namespace cellscope::sweep
