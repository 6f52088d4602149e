// What a window shows of a sweep: its points as they stand, and a chart of their averages.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/sweep/sweep.h"
#include "sim/base/curve_series.h"
#include "sim/run/scenario.h"

namespace cellscope::sweep {

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
  std::vector<std::string> observables;  // of all points, as they come

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

// "packing 0.7, seed 2".
std::string wordsOf(const Overview& all, const PointOverview& p);
// "3 done, 1 running".
std::string countsOf(const Overview& all);

}  // namespace cellscope::sweep
