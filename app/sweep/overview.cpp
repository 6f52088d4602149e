#include "app/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "app/common/json.h"
#include "sim/api/mode.h"
#include "sim/base/error.h"
#include "sim/base/words.h"
#include "sim/io/files.h"

namespace cellscope::sweep {
namespace {

using common::ordered_json;

ParameterValue valueOf(const ordered_json& v) {
  if (v.is_boolean()) return v.get<bool>();
  if (v.is_number_integer()) return v.get<std::int64_t>();
  if (v.is_number()) return v.get<double>();
  return v.get<std::string>();
}

void follow(PointOverview& p) {
  if (p.state == PointState::done) return;
  p.state = p.point.state();
  p.message.clear();
  if (p.state == PointState::failed) try {
      p.message = io::readFile(p.point.error().string());
      p.message.erase(p.message.find_last_not_of('\n') + 1);
    } catch (const InputError&) {  // begun anew meanwhile
    }
  if (p.state != PointState::done) return;
  const ordered_json result = common::jsonOfFile(p.point.result());
  p.step = result.at("step").get<std::uint64_t>();
  for (const auto& [id, average] : result.at("averages").items()) {
    const ordered_json& error = average.at("error");
    p.averages[id] = {average.at(average.contains("mean") ? "mean" : "last").get<double>(),
                      error.is_null() ? 0 : error.get<double>(),
                      average.at("equilibrated").get<bool>()};
  }
}

Overview first(const std::filesystem::path& folder) {
  Overview all;
  all.folder = folder;
  for (const Point& point : pointsOf(folder)) {
    PointOverview& p = all.points.emplace_back();
    p.point = point;
    const ordered_json parameters = common::jsonOfFile(point.statePoint());
    for (const auto& [key, value] : parameters.items())
      if (key != "scenario" && key != "until") p.parameters[key] = valueOf(value);
  }
  all.varied =
      common::jsonOfFile(folder / "sweep.json").at("varied").get<std::vector<std::string>>();
  std::ranges::stable_sort(all.points, [&](const PointOverview& a, const PointOverview& b) {
    for (const std::string& key : all.varied)
      if (a.parameters.at(key) != b.parameters.at(key))
        return a.parameters.at(key) < b.parameters.at(key);
    return false;
  });
  all.scenario = scenarioOf(folder);
  const ParameterSet known = describeMode(all.scenario.mode).parameters();
  for (const Parameter& p : known.items()) all.labels[p.info.key] = p.info.label;
  return all;
}

ParameterInfo infoOf(const Overview& all, const std::string& key) {
  return describeMode(all.scenario.mode).parameters().at(key).info;
}

bool isNumber(const ParameterValue& v) { return v.index() == 1 || v.index() == 2; }

// Different values of a parameter, in their order.
std::vector<ParameterValue> valuesOf(const Overview& all, const std::string& key) {
  std::set<ParameterValue> values;
  for (const PointOverview& p : all.points) values.insert(p.parameters.at(key));
  return {values.begin(), values.end()};
}

// Whether the label of an axis, "packing fraction  (unit)" or "mu* / epsilon", is of this quantity.
bool isOf(const std::string& axis, const std::string& label, const std::string& symbol) {
  const std::string stem = axis.substr(0, std::min(axis.find(" ("), axis.find(" / ")));
  const auto trimmed = stem.substr(0, stem.find_last_not_of(' ') + 1);
  return (!symbol.empty() && trimmed == symbol) || lowered(trimmed) == lowered(label);
}

}  // namespace

Scenario scenarioOf(const std::filesystem::path& folder) {
  Scenario scenario = loadScenario((folder / "scenario.toml").string());
  scenario.name = (folder / "").parent_path().filename().string();
  scenario.paused = true;
  return scenario;
}

const PointOverview* Overview::find(const std::string& id) const {
  for (const PointOverview& p : points)
    if (p.point.id == id) return &p;
  return nullptr;
}

std::shared_ptr<const Overview> look(const std::filesystem::path& folder, const Overview* before) {
  Overview all = before ? *before : first(folder);
  all.counts = {};
  for (PointOverview& p : all.points) {
    const bool wasDone = p.state == PointState::done;
    follow(p);
    ++all.counts[static_cast<std::size_t>(p.state)];
    if (wasDone) continue;
    for (const auto& [id, average] : p.averages)
      if (!hasItem(all.observables, id)) all.observables.push_back(id);
  }
  return std::make_shared<const Overview>(std::move(all));
}

SweepAxes chooseAxes(const Overview& all, SweepAxes axes) {
  const auto varies = [&](const std::string& key) { return hasItem(all.varied, key); };
  const auto choose = [&](std::string& key, const std::string& other) {
    for (const std::string& v : all.varied)
      if (key.empty() && v != other && v != "seed") key = v;
  };
  if (!varies(axes.x)) axes.x.clear(), choose(axes.x, ""), axes.series = "?";
  if (axes.x.empty() && !all.varied.empty()) axes.x = all.varied.front();
  if (axes.series == "?") axes.series.clear(), choose(axes.series, axes.x);
  if (axes.series == axes.x || !varies(axes.series)) axes.series.clear();
  axes.means = axes.means && hasSeeds(all, axes);
  const auto& known = all.observables;
  if (!hasItem(known, axes.y)) {
    axes.y = known.empty() ? "" : known.front();
    std::vector<std::string> wanted = {all.scenario.watch};
    wanted.insert(wanted.end(), all.scenario.plots.begin(), all.scenario.plots.end());
    for (auto id = wanted.rbegin(); id != wanted.rend(); ++id)
      if (hasItem(known, *id)) axes.y = *id;
  }
  return axes;
}

bool placeOf(const Overview& all, const SweepAxes& axes, const PointOverview& p, double& x,
             double& y) {
  const auto average = p.averages.find(axes.y);
  if (average == p.averages.end() || axes.x.empty()) return false;
  const ParameterValue& v = p.parameters.at(axes.x);
  if (const auto* const whole = std::get_if<std::int64_t>(&v)) {
    x = static_cast<double>(*whole);
  } else if (isNumber(v)) {
    x = std::get<double>(v);
  } else {
    const std::vector<ParameterValue> values = valuesOf(all, axes.x);
    x = static_cast<double>(std::ranges::find(values, v) - values.begin());
  }
  y = average->second.value;
  return true;
}

bool hasSeeds(const Overview& all, const SweepAxes& axes) {
  const bool varies = hasItem(all.varied, "seed");
  return varies && axes.x != "seed" && axes.series != "seed";
}

std::vector<ChartPoint> chartPoints(const Overview& all, const SweepAxes& axes) {
  std::vector<ChartPoint> points;
  std::map<StatePoint, std::vector<double>> seeds;
  std::map<StatePoint, std::size_t> places;
  for (const PointOverview& p : all.points) {
    double x = 0, y = 0;
    if (!placeOf(all, axes, p, x, y)) continue;
    const Measured& m = p.averages.at(axes.y);
    if (!axes.means) {
      points.push_back({x, m, &p});
      continue;
    }
    StatePoint others = p.parameters;
    others.erase("seed");
    seeds[others].push_back(y);
    const auto [place, first] = places.emplace(others, points.size());
    if (first) points.push_back({x, m, &p});
    ChartPoint& mean = points[place->second];
    mean.shown.equilibrated = mean.shown.equilibrated && m.equilibrated;
  }
  for (const auto& [others, values] : seeds) {
    Measured& mean = points[places.at(others)].shown;
    const auto n = static_cast<double>(values.size());
    if (n < 2) continue;
    mean.value = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double v : values) squares += (v - mean.value) * (v - mean.value);
    mean.error = std::sqrt(squares / (n - 1) / n);
  }
  return points;
}

Curve chartOf(const Overview& all, const SweepAxes& axes, const std::vector<Curve>& curves) {
  const auto& known = describeMode(all.scenario.mode).observables;
  const std::size_t k = columnOf(known, axes.y);
  const ObservableInfo shown =
      k < known.size() ? known[k] : ObservableInfo{axes.y, axes.y, axes.y, ""};
  Curve c;
  c.id = "sweep-" + axes.x + "-" + axes.y;
  c.waiting = "no point is done yet";
  if (axes.x.empty()) return c;
  const ParameterInfo along = infoOf(all, axes.x);
  c.label = shown.label;
  c.x.label = along.label + (along.unit.empty() ? "" : " (" + along.unit + ")");
  c.y.label = shown.label + (shown.unit.empty() ? "" : " (" + shown.unit + ")");
  const std::vector<ParameterValue> values = valuesOf(all, axes.x);
  if (!values.empty() && !isNumber(values.front())) {
    c.x.scale = AxisScale::named;
    c.x.names = each(values, [&](const ParameterValue& v) { return along.inWords(v); });
  }
  const std::string words = axes.means ? "means over seeds" : "averages";
  std::vector<ParameterValue> groups = {words};
  if (!axes.series.empty()) groups = valuesOf(all, axes.series);
  const std::vector<ChartPoint> points = chartPoints(all, axes);
  if (!points.empty()) c.waiting.clear();
  for (const ParameterValue& group : groups) {
    CurveSeries settled, provisional;
    settled.kind = provisional.kind = SeriesKind::points;
    settled.label = axes.series.empty() ? words
                                        : infoOf(all, axes.series).label + " " +
                                              infoOf(all, axes.series).inWords(group);
    provisional.label = settled.label + ", not in equilibrium";
    provisional.provisional = true;
    for (const auto& [x, average, p] : points) {
      if (!axes.series.empty() && p->parameters.at(axes.series) != group) continue;
      CurveSeries& to = average.equilibrated ? settled : provisional;
      to.add(x, average.value, average.error);
    }
    for (CurveSeries* s : {&settled, &provisional})
      if (!s->x.empty()) c.series.push_back(std::move(*s));
  }
  for (const Curve& curve : curves)
    if (isOf(curve.x.label, along.label, along.symbol) &&
        isOf(curve.y.label, shown.label, shown.symbol))
      for (const CurveSeries& s : curve.series)
        if (s.reference || !s.source.empty()) c.series.push_back(s);
  return c;
}

std::string wordsOf(const Overview& all, const PointOverview& p) {
  std::string text;
  for (const std::string& key : all.varied)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", all.labels.at(key),
                        toText(p.parameters.at(key)));
  return text;
}

std::string countsOf(const Overview& all) {
  std::string text;
  for (int k = 0; k < kPointStates; ++k)
    if (const std::size_t n = all.counts[static_cast<std::size_t>(k)]; n > 0)
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : ", ", n, nameOf(static_cast<PointState>(k)));
  return text;
}

}  // namespace cellscope::sweep
