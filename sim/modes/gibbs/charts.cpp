// Charts of all pairs: the coexistence curve, vapour pressure and chemical potential beside
// published states; and how often each density was met in the pair that is shown.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/algo/observables/gcmc_reference.h"
#include "sim/modes/gibbs/averages.h"
#include "sim/modes/mode_core.h"

namespace cellscope::gibbs {
namespace {

constexpr const char *kWaiting = "after tuning and two samples",
                     *kTemperature = "temperature (epsilon/k_B)";

std::vector<PublishedCoexistence> published(const GibbsParameters& p) {
  return p.published() ? publishedCoexistences(p.cutoff, true)
                       : std::vector<PublishedCoexistence>{};
}

std::string densityAxis(const GibbsParameters& p) {
  return p.dimensions() == 3 ? "density (sigma^-3)" : "density (sigma^-2)";
}

// Points of ours; apart, as hollow ones, those that are not in equilibrium yet, and those of so few
// pairs that nothing tells their errors, which have none.
struct Points : RunPoints {
  Points(const std::string& label, const std::vector<GibbsCoexistence>& all)
      : RunPoints(label, label) {
    const bool few = std::ranges::any_of(
        all, [](const GibbsCoexistence& c) { return c.settled && !c.errorsKnown; });
    provisional.label += few ? ", error unknown" : ", equilibrating";
  }
  void add(const GibbsCoexistence& c, double x, double y, std::optional<double> error) {
    CurveSeries& s = of(c.settled && c.errorsKnown);
    if (!std::isfinite(y)) return;
    s.add(x, y);
    if (error) s.error.push_back(c.errorsKnown && std::isfinite(*error) ? *error : 0);
  }
  // Hollow points look as the series before them: that one is there even without points.
  void to(Curve& curve) {
    if (settled.x.empty() && provisional.x.empty()) return;
    const bool hollow = !provisional.x.empty();
    curve.series.push_back(std::move(settled));
    if (hollow) curve.series.push_back(std::move(provisional));
  }
};

// f(state, series) adds what a published state has to show.
void addPublished(Curve& curve, const GibbsParameters& p, const char* label, const auto& f) {
  CurveSeries s{.label = label, .kind = SeriesKind::points, .reference = true};
  for (const PublishedCoexistence& k : published(p)) f(k, s), s.source = k.source;
  if (!s.x.empty()) curve.series.push_back(std::move(s));
}

Curve dome(const GibbsParameters& p, const std::vector<GibbsCoexistence>& all) {
  Curve c{"gibbs_dome",
          "Vapour and liquid in equilibrium",
          {densityAxis(p)},
          {kTemperature},
          "mean densities of the dilute and the denser box at each temperature"};
  addPublished(c, p, "published, box of 512 sigma^3",
               [](const PublishedCoexistence& k, CurveSeries& s) {
                 s.add(k.vapour, k.temperature), s.add(k.liquid, k.temperature);
               });
  if (!c.series.empty()) {  // the top of the dome
    const PublishedCritical& top = publishedCritical();
    c.series.push_back({.label = "critical point, full potential",
                        .source = top.source,
                        .x = {top.density},
                        .y = {top.temperature},
                        .kind = SeriesKind::points,
                        .reference = true});
  }
  Points phase[2] = {{"denser box", all}, {"dilute box", all}};
  for (int i = 0; i < 2; ++i) {
    for (const GibbsCoexistence& k : all)
      phase[i].add(k, k.density[i].value, k.temperature, std::nullopt);
    phase[i].to(c);
  }
  return c;
}

Curve pressures(const GibbsParameters& p, const std::vector<GibbsCoexistence>& all) {
  Curve c{"gibbs_pressure",
          "Vapour pressure",
          {kTemperature},
          {p.dimensions() == 3 ? "P* (epsilon/sigma^3)" : "P* (epsilon/sigma^2)",
           AxisScale::logarithmic},
          "mean pressure of the dilute box, by the virial with tail"};
  addPublished(c, p, "published", [](const PublishedCoexistence& k, CurveSeries& s) {
    s.add(k.temperature, k.pressure);
  });
  Points ours("dilute box", all);
  for (const GibbsCoexistence& k : all)
    ours.add(k, k.temperature, k.pressure.value, k.pressure.error);
  ours.to(c);
  return c;
}

Curve potentials(const GibbsParameters& p, const std::vector<GibbsCoexistence>& all) {
  Curve c{"gibbs_potential",
          "Chemical potential of both boxes",
          {kTemperature},
          {"mu* (epsilon)"},
          "mu = -T ln <V / (n + 1) exp(-dU / T)> of trial transfers into the box"};
  addPublished(c, p, "published", [](const PublishedCoexistence& k, CurveSeries& s) {
    s.add(k.temperature, k.temperature * k.lnActivity);
  });
  Points phase[2] = {{"denser box", all}, {"dilute box", all}};
  for (int i = 0; i < 2; ++i) {
    for (const GibbsCoexistence& k : all)
      phase[i].add(k, k.temperature, k.potential[i].value, k.potential[i].error);
    phase[i].to(c);
  }
  return c;
}

// In percent of the published value.
Curve deviations(const GibbsParameters& p, const std::vector<GibbsCoexistence>& all) {
  Curve c{"gibbs_deviation",
          "Difference from published states",
          {kTemperature},
          {"difference (%)"},
          "(ours - published) / published, with our standard error by the scatter of four pairs or "
          "more at a temperature; hollow and without it of fewer"};
  Points liquid("liquid density", all), vapour("vapour density", all),
      pressure("vapour pressure", all);
  for (const GibbsCoexistence& k : all)
    for (const PublishedCoexistence& there : published(p)) {
      if (std::abs(there.temperature - k.temperature) > 1e-6) continue;
      const auto add = [&](Points& to, const GibbsMean& ours, double value) {
        to.add(k, k.temperature, 100 * (ours.value / value - 1), 100 * ours.error / value);
      };
      add(liquid, k.density[0], there.liquid), add(vapour, k.density[1], there.vapour);
      add(pressure, k.pressure, there.pressure);
    }
  liquid.to(c), vapour.to(c), pressure.to(c);
  if (c.series.empty() && !all.empty()) c.waiting = "nothing is published at this temperature";
  return c;
}

}  // namespace

std::vector<Curve> GibbsAverages::curves(const GibbsParameters& p) const {
  const std::vector<GibbsCoexistence> all = coexistences(p);
  Curve histogram{"gibbs_histogram",
                  "Densities met",
                  {densityAxis(p)},
                  {"share of samples"},
                  "of each box of the pair that is shown, in steps of 0.02; two phases that swap "
                  "boxes give both boxes both peaks"};
  for (std::size_t box = 0; box < 2; ++box) {
    const double* const bins = histogram_.data() + box * kBins;
    const double met = std::accumulate(bins, bins + kBins, 0.0);
    if (met == 0) continue;
    CurveSeries s{.label = "box " + std::to_string(box + 1), .kind = SeriesKind::steps};
    for (std::size_t k = 0; k <= kBins; ++k) s.x.push_back(0.02 * static_cast<double>(k));
    for (std::size_t k = 0; k < kBins; ++k) s.y.push_back(bins[k] / met);
    histogram.series.push_back(std::move(s));
  }
  std::vector<Curve> charts = {dome(p, all), pressures(p, all), potentials(p, all),
                               deviations(p, all), std::move(histogram)};
  for (Curve& c : charts)
    if (samples_ < 2 && c.waiting.empty()) c.waiting = kWaiting;
  return charts;
}

}  // namespace cellscope::gibbs
