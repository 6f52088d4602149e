#include "sim/modes/gibbs/mode.h"

#include "sim/algo/observables/fluid_reference.h"

namespace cellscope::gibbs {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kBin = 0.02;
constexpr std::size_t kScatter = 4;  // pairs whose scatter tells an error
// Samples before a chemical potential: a few trial insertions into a liquid are lucky ones or none.
constexpr std::uint64_t kLeastInserted = 32;

double potentialOf(double inverseActivity, double temperature) {
  return inverseActivity > 0 ? -temperature * std::log(inverseActivity) : kUnknown;
}

template <int box>
std::vector<GibbsObservable> ofBox() {
  const std::string k = std::to_string(box + 1), in = " of box " + k;
  const auto info = [&](const char* id, const char* label, const char* symbol, const char* unit,
                        const char* equation, const char* plot) {
    return ObservableInfo{id + ("_" + k), label + in, symbol + ("_" + k), unit, equation, plot};
  };
  std::vector<GibbsObservable> all = {
      {info("particles", "Particles", "n", "", "n_1 + n_2 = N", "particles"),
       [](const GibbsSample& s) { return s.count(box); }},
      {info("volume", "Volume", "V", "sigma^d", "V_1 + V_2 = N / rho", "volume"),
       [](const GibbsSample& s) { return s.volume(box); }},
      {info("density", "Density", "rho", "sigma^-d", "rho_i = n_i / V_i", "density of each box"),
       [](const GibbsSample& s) { return s.density(box); }},
      {info("energy", "Energy per particle", "U/n", "epsilon",
            "sum over pairs of u(r), plus c n^2 / V where the tail correction is on", "energy"),
       [](const GibbsSample& s) { return s.energyOf(box); }},
      {info("pressure", "Pressure", "P", "epsilon/sigma^d",
            "P = rho T + W / (d V) + P_tail, W = sum over pairs of r . f; the impulse at the "
            "cutoff of a truncated potential is left out",
            "pressure"),
       [](const GibbsSample& s) { return s.pressure(box); }},
      {info("inverse_activity", "Inverse activity", "1/z", "sigma^d",
            "mean of V / (n + 1) exp(-dU / T) over the trial transfers into the box since the last "
            "sample (Smit and Frenkel, Mol. Phys. 68, 951 (1989))",
            "inverse activity"),
       [](const GibbsSample& s) { return s.inverseActivity(box); }},
      {info("potential", "Chemical potential", "mu", "epsilon",
            "mu = -T ln <V / (n + 1) exp(-dU / T)> over all trial transfers since averages began, "
            "from the 32nd sample on (Lambda = 1)",
            "chemical potential"),
       [](const GibbsSample& s) { return s.potential[box]; }}};
  all[0].info.whole = true, all[2].info.relaxes = true, all[6].info.grows = true;
  all[6].info.isMean = true;
  return all;
}

ObservableInfo acceptanceInfo(const char* id, const char* of, const char* symbol) {
  return {std::string("acceptance_") + id,
          std::string("Acceptance of ") + of,
          symbol,
          "",
          "accepted / attempted since the last sample",
          "acceptance"};
}

// Scatter of n means follows Student's t of n - 1 degrees of freedom (Student, Biometrika 6, 1
// (1908)), not the normal distribution: wider by this factor, three errors are exceeded by chance
// in 0.27 % of cases for any n >= kScatter. It is t(0.99865) / 3; the formula is within 0.3 %.
double studentFactor(std::size_t n) {
  constexpr double few[] = {3.073, 2.207, 1.836};
  return n < 7 ? few[n - kScatter] : 1 + 2.553 / (static_cast<double>(n) - 3);
}

GibbsMean combined(const std::vector<GibbsMean>& of) {
  const auto n = static_cast<double>(of.size());
  double mean = 0, squares = 0, scatter = 0;
  for (const GibbsMean& m : of) mean += m.value / n, squares += m.error * m.error;
  for (const GibbsMean& m : of) scatter += (m.value - mean) * (m.value - mean);
  const double own = std::sqrt(squares) / n;
  if (of.size() < kScatter) return {mean, own};
  return {mean, std::fmax(own, studentFactor(of.size()) * std::sqrt(scatter / (n * (n - 1))))};
}

// Charts of all pairs: the coexistence curve, vapour pressure and chemical potential beside
// published states; and how often each density was met in the pair that is shown.
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

double GibbsSample::energyOf(int box) const {
  const double n = count(box);
  return n > 0 ? energy[box] / n + rules.tail * n / volume(box) : kUnknown;
}
double GibbsSample::pressure(int box) const {
  const double rho = density(box);
  return rho / rules.beta + virial[box] / (rules.dimension * volume(box)) +
         tailPressure * rho * rho;
}
double GibbsSample::inverseActivity(int box) const {
  return head.insertions[box] > 0 ? head.inserted[box] / static_cast<double>(head.insertions[box])
                                  : kUnknown;
}
double GibbsSample::acceptance(std::initializer_list<GibbsKind> kinds) const {
  double attempted = 0, accepted = 0;
  for (const GibbsKind k : kinds) {
    attempted += static_cast<double>(head.attempted[static_cast<int>(k)]);
    accepted += static_cast<double>(head.accepted[static_cast<int>(k)]);
  }
  return attempted > 0 ? accepted / attempted : kUnknown;
}

const std::vector<GibbsObservable>& gibbsObservables() {
  static const std::vector<GibbsObservable> all = [] {
    using S = GibbsSample;
    std::vector<GibbsObservable> list = {
        {{"liquid_density", "Density of the denser box", "rho_l", "sigma^-d",
          "the larger of n_1 / V_1 and n_2 / V_2 in each sample, as the phases may swap their "
          "boxes; near the critical point and where one phase fills both it is no property of one",
          "density", true},
         [](const S& s) { return s.density(s.denser()); }},
        {{"vapour_density", "Density of the dilute box", "rho_v", "sigma^-d",
          "the smaller of n_1 / V_1 and n_2 / V_2 in each sample", "density", true},
         [](const S& s) { return s.density(1 - s.denser()); }}};
    const std::vector<GibbsObservable> boxes[2] = {ofBox<0>(), ofBox<1>()};
    for (std::size_t k = 0; k < boxes[0].size(); ++k)
      for (const auto& box : boxes) list.push_back(box[k]);
    list.push_back({acceptanceInfo("displacement", "displacements", "a_disp"), [](const S& s) {
                      return s.acceptance({GibbsKind::displacement1, GibbsKind::displacement2});
                    }});
    list.push_back({acceptanceInfo("transfer", "transfers", "a_trans"),
                    [](const S& s) { return s.acceptance({GibbsKind::transfer}); }});
    list.push_back({acceptanceInfo("volume", "exchanges of volume", "a_vol"),
                    [](const S& s) { return s.acceptance({GibbsKind::volume}); }});
    return list;
  }();
  return all;
}

void GibbsAverages::start(const GibbsParameters& p) {
  const auto pairs = static_cast<std::size_t>(p.pairs);
  means_.assign(pairs, EquilibratedAverages({true, true, false, false, false}));
  inserted_.assign(pairs, {});
  forgetHistogram();
  samples_ = 0;
}

void GibbsAverages::setPotentials(std::vector<GibbsSample>& samples) const {
  for (std::size_t k = 0; k < samples.size(); ++k)
    for (int box = 0; box < 2; ++box) {
      GibbsSample& s = samples[k];
      const double sum = inserted_[k].sum[box] + s.head.inserted[box];
      const auto count = static_cast<double>(inserted_[k].count[box] + s.head.insertions[box]);
      s.potential[box] =
          samples_ + 1 < kLeastInserted ? kUnknown : potentialOf(sum / count, 1 / s.rules.beta);
    }
}

void GibbsAverages::add(std::vector<GibbsSample>& samples, std::size_t shown) {
  setPotentials(samples);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const GibbsSample& s = samples[k];
    Inserted& sum = inserted_[k];
    for (int box = 0; box < 2; ++box)
      sum.sum[box] += s.head.inserted[box], sum.count[box] += s.head.insertions[box];
    const int l = s.denser(), v = 1 - l;
    means_[k].add(samples_, {s.density(l), s.density(v), s.pressure(v), s.inverseActivity(l),
                             s.inverseActivity(v)});
    for (int box = 0; k == shown && box < 2; ++box) {
      const auto bin = static_cast<std::size_t>(s.density(box) / kBin);
      if (bin < kBins) histogram_[static_cast<std::size_t>(box) * kBins + bin] += 1;
    }
  }
  ++samples_;
}

GibbsCoexistence GibbsAverages::coexistenceAt(const GibbsParameters& p, std::size_t t) const {
  GibbsCoexistence c;
  c.temperature = p.temperatureAt(t);
  std::size_t settled = 0;
  std::vector<GibbsMean> of[kMeans];
  for (std::size_t k = t; k < means_.size(); k += p.temperaturesMade()) {
    settled += means_[k].equilibrated();
    for (std::size_t i = 0; i < kMeans; ++i)
      of[i].push_back({means_[k].average(i).mean(), means_[k].average(i).error()});
  }
  c.pairs = of[0].size();
  c.settled = 4 * settled >= 3 * c.pairs;
  c.errorsKnown = c.pairs >= kScatter;
  c.density[0] = combined(of[liquid]), c.density[1] = combined(of[vapour]);
  c.pressure = combined(of[pressure]);
  for (int phase = 0; phase < 2; ++phase) {
    const GibbsMean b = combined(of[inverseLiquid + phase]);
    c.potential[phase] = {potentialOf(b.value, c.temperature), c.temperature * b.error / b.value};
  }
  return c;
}

std::vector<GibbsCoexistence> GibbsAverages::coexistences(const GibbsParameters& p) const {
  std::vector<GibbsCoexistence> all;
  for (std::size_t t = 0; samples_ > 1 && t < p.temperaturesMade(); ++t)
    all.push_back(coexistenceAt(p, t));
  return all;
}

void GibbsAverages::save(BinaryWriter& w) const {
  w.value(samples_);
  w.vector(inserted_);
  w.vector(histogram_);
  for (const EquilibratedAverages& m : means_) m.save(w);
}

void GibbsAverages::load(BinaryReader& r) {
  samples_ = r.value<std::uint64_t>("samples");
  inserted_ = r.vector<Inserted>("trial insertions", inserted_.size());
  histogram_ = r.vector<double>("histogram", histogram_.size());
  for (EquilibratedAverages& m : means_) m.load(r);
}

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
