#include <fmt/format.h>

#include "sim/algo/observables/hard_disk_reference.h"
#include "sim/layers/list.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/hard_disks/observables.h"

namespace cellscope {
namespace {

std::string psi6OfADisk(const NeighbourChoice& neighbours) {
  return "psi6_j = (1/n_j) sum_k exp(6 i theta_jk) over the " + neighbours.label() + " k";
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : std::nan("");
}

std::string densityOfADisk(const NeighbourChoice& neighbours) {
  return neighbours.rule == NeighbourRule::voronoi
             ? "rho_j = 1 / area of the Voronoi cell"
             : "rho_j = (n_j + 1) / (pi r^2) for n_j " + neighbours.label();
}

template <std::size_t set>
DiskObservable acceptanceOfSet() {
  const std::string& name = layers::setNames()[set];
  return {{"acceptance_" + name, "Acceptance, set " + name, "a_" + name, "",
           "accepted / attempted trial moves in cells of set " + name +
               " (Anderson et al. 2013, eq. 1) since the last sample",
           "acceptance by set"},
          [](const DiskSample& s) { return share(s.moves.accepted[set], s.moves.attempted[set]); }};
}

std::vector<ObservableInfo> observables(const NeighbourChoice& neighbours) {
  std::vector<ObservableInfo> all = infosOf(diskObservables());
  for (std::size_t k = 0; k < all.size(); ++k)
    if (const auto more = diskObservables()[k].ofNeighbours) all[k].equation += more(neighbours);
  return all;
}

}  // namespace

const std::vector<DiskObservable>& diskObservables() {
  static const std::vector<DiskObservable> all = {
      {{"pressure", "Pressure, contact extrapolation", "P*", "k_B T / sigma^2",
        "P* = rho (1 + (pi / 2) rho g(1+)) (Anderson et al. 2013, eqs. 4 to 6); g(1+) is "
        "extrapolated from few pairs per sample: single samples may be negative; use the "
        "average",
        "pressure", true},
       [](const DiskSample& s) { return s.pressure; },
       true},
      {{"pressure_sdf", "Pressure, scaled distribution", "P*", "k_B T / sigma^2",
        "P* = rho (1 + s(0+) / 4), s(x): first overlap under compression by x (Anderson et "
        "al., 2016); single samples of the extrapolated s(0+) may be negative; use the "
        "average",
        "pressure"},
       [](const DiskSample& s) { return s.pressureScaled; },
       true},
      {{"psi6_global", "Global order", "|Psi6|", "", "|(1/N) sum_j psi6_j|, ", "psi6", true},
       [](const DiskSample& s) { return std::abs(s.order.psi6); },
       false,
       psi6OfADisk},
      {{"psi6_local", "Local order", "<|psi6|>", "", "(1/N) sum_j |psi6_j|, ", "psi6", true},
       [](const DiskSample& s) { return s.order.meanModulus; },
       false,
       psi6OfADisk},
      {{"acceptance", "Acceptance", "acceptance", "",
        "accepted / attempted trial moves since the last sample", "acceptance"},
       [](const DiskSample& s) {
         return share(sumOf(s.moves.accepted), sumOf(s.moves.attempted));
       }},
      acceptanceOfSet<0>(),
      acceptanceOfSet<1>(),
      acceptanceOfSet<2>(),
      acceptanceOfSet<3>(),
      {{"left_cell", "Moves rejected at cell faces", "fraction rejected", "",
        "trial moves rejected because the centre leaves the cell / attempted (Anderson "
        "et al. 2013, Algorithm 1, line 9)",
        "leaving the cell"},
       [](const DiskSample& s) {
         return share(sumOf(s.moves.leftCell), sumOf(s.moves.attempted));
       }},
      {{"pressure_paths", "Pressure, free paths", "P*", "k_B T / sigma^2",
        "P* = rho (1 + (<(h1 + h2) / l>_x + <(h1 + h2) / l>_y) / 4): means along x and "
        "along y are added; l is the length of a disk's free path, h1 and h2 are its "
        "distances along the axis to the disks at both ends (line form of the identity "
        "of Speedy, 1980); measured while free_paths is on",
        "pressure"},
       [](const DiskSample& s) { return s.pressurePaths; },
       true},
      {{"overlapping_pairs", "Overlapping pairs", "n_o", "pairs",
        "pairs closer than one diameter: none, unless an experiment makes them (leave_cell, "
        "shift_bits or stale_halo; Anderson et al. 2013, section 2.4, point 1, and section "
        "3.2)",
        "overlaps", false, true, true},
       [](const DiskSample& s) { return s.overlappingPairs; }},
      {{"density_spread", "Spread of the local density", "s_rho", "sigma^-2",
        "sqrt(<rho_j^2> - <rho_j>^2) over all disks j, ", "local density", true},
       [](const DiskSample& s) { return s.order.densitySpread; },
       false,
       densityOfADisk},
      {{"lost_disks", "Lost disks", "n_lost", "disks",
        "N minus the number of disks: 0, unless the experiment shift_bits rounds the "
        "shift of cells (Anderson et al. 2013, section 3.2)",
        "lost disks", false, true, true},
       [](const DiskSample& s) { return s.lostDisks; }},
  };
  return all;
}

const ModeDescription& HardDisksMode::describe() {
  static const ModeDescription description = [] {
    ModeDescription d;
    d.key = "hard_disks";
    d.label = "Hard disks, massively parallel Monte Carlo";
    d.dimensions = {2};
    d.stepName = "sweep";
    d.workUnit = "trial moves";
    d.layers = layers::infosOf(layers::hardDiskLayers());
    d.colourings = layers::DiskColourings::infos();
    d.observables = observables({});
    d.curves = {"g_contact", "g", "eos"};
    d.parameters = &ParameterSet::defaults<HardDiskParameters>;
    d.inDomains = true;
    d.together = 64;  // sim/algo/mpmc/side_by_side.cuh
    return d;
  }();
  return description;
}

// Texts of the order parameters name the definition of neighbours.
void HardDisksMode::adjustInfo(ModeInfo& info) const {
  info.observables = observables(sampler_.neighbours());
  // A mean over a run that loses disks is one of no state.
  if (active().experiments().roundsShift())
    for (ObservableInfo& o : info.observables) o.grows = true;
}

constexpr std::uint64_t kPairEvery = 8;  // samples, and of the first ones each
constexpr int kFitPoints = 41;

static std::int32_t contactBinCount(const HardDiskParameters& p) {
  return static_cast<std::int32_t>(std::llround(p.fitRange / p.binWidth));
}

static double density(const DiskSystem& system) { return system.packing() * 4 / std::numbers::pi; }

DiskSampler::DiskSampler(const exec::Shared& exec)
    : observables_(makeDiskObservables(exec)), published_(hardDiskEquationOfState()) {
  configure({});
}

void DiskSampler::check(const HardDiskParameters& p) {
  p.shape();  // refuses what cells cannot make
  const double bins = p.fitRange / p.binWidth;
  if (bins > kMaxRadialBins)
    throw InputError(
        "parameter 'dr': {} makes {:.0f} bins over the fit range c = {}; at most {} are possible: "
        "use 'dr' = {:.2g} or more, or a smaller 'c'",
        p.binWidth, bins, p.fitRange, kMaxRadialBins, p.fitRange / kMaxRadialBins * 1.01);
  if (contactBinCount(p) < p.fitDegree + 2)
    throw InputError(
        "parameter 'degree': a polynomial of degree {} needs at least {} bins, but c / dr = "
        "{:.1f}; lower 'degree' or 'dr', or raise 'c'",
        p.fitDegree, p.fitDegree + 2, bins);
}

void DiskSampler::configure(const HardDiskParameters& p) {
  check(p);
  options_ = p;
  const int degree = static_cast<int>(p.fitDegree);
  contact_ = {};
  contact_.pairBins = {1.0, p.binWidth, contactBinCount(p)};
  contact_.scaleBins = {p.binWidth, contactBinCount(p)};
  contact_.clear();
  one_ = contact_;
  pairs_ = {};
  pairs_.bins = plotBins(p.rMax);
  neighbours_.rule = static_cast<NeighbourRule>(p.neighbours.index);
  neighbours_.radius = p.neighbourRadius;
  contactFit_ = std::make_unique<ContactFit>(contact_.pairBins, degree);
  scaleFit_ = std::make_unique<ScaleFit>(contact_.scaleBins, degree);
  fitX_.clear();
  fitWeights_.clear();
  for (int i = 0; i < kFitPoints; ++i) {
    fitX_.push_back(1 + p.fitRange * i / (kFitPoints - 1));
    fitWeights_.push_back(extrapolationWeights(contactFit_->radii(), fitX_.back(), degree));
  }
  reset();
}

// None below two samples.
std::optional<DiskSampler::Visited> DiskSampler::present() const {
  const BlockAverage& p = pressure_.chosen();
  if (p.count() < 2) return std::nullopt;
  return Visited{packing_, p.mean(), p.error(), settled_};
}

// A mean of equilibrium is not replaced by one that is none.
void DiskSampler::changePacking() {
  if (const auto now = present()) {
    const auto same = [&](const Visited& v) { return std::fabs(v.packing - now->packing) < 1e-6; };
    std::erase_if(visited_, [&](const Visited& v) { return same(v) && v.settled <= now->settled; });
    if (std::none_of(visited_.begin(), visited_.end(), same)) visited_.push_back(*now);
  }
  reset();
}

DiskSample DiskSampler::sample(const DiskSystem& system, bool accumulate) {
  const DiskCellsView cells = system.engine().view();
  one_.clear();
  observables_->contact(cells, one_);
  DiskSample s;
  s.system = &system;
  s.pressure = contactFit_->pressure(one_, density(system));
  s.pressureScaled = scaleFit_->pressure(one_, density(system));
  if (options_.freePaths)
    s.pressurePaths = pressureOfPaths(density(system), observables_->freePaths(cells));
  s.order = observables_->bondOrder(cells, neighbours_, {});
  if (accumulate) {
    contact_.add(one_);
    packing_ = system.packing();
    pressure_.next();
    pressure_.each([&](BlockAverage& mean) { mean.add(s.pressure); });
    if (sampled_ < kPairEvery || sampled_ % kPairEvery == 0) observables_->pairs(cells, pairs_);
    ++sampled_;
  }
  return s;
}

Curve DiskSampler::contactCurve(const DiskSystem& system) const {
  Curve c{"g_contact",
          "g(r) near contact",
          {"r / sigma"},
          {"g(r)"},
          "Anderson et al. 2013, eqs. (5) and (6); least-squares polynomial over (1, 1 + c]"};
  if (contact_.disks == 0) return c;
  const std::vector<double> g =
      contactFit_->radial(contact_.pairs, contact_.disks, density(system));
  CurveSeries points{"measured", "", contactFit_->radii(), g, {}, SeriesKind::points};
  for (std::size_t i = 0; i < g.size(); ++i) {
    // Ordered pairs are counted twice: the error of n counts is sqrt(2 n).
    const auto n = static_cast<double>(contact_.pairs[i]);
    points.error.push_back(n > 0 ? g[i] * std::sqrt(2 / n) : 0);
  }
  CurveSeries fit{fmt::format("polynomial of degree {}", options_.fitDegree), "", fitX_, {}};
  for (const std::vector<double>& w : fitWeights_) {
    double y = 0;
    for (std::size_t i = 0; i < g.size(); ++i) y += w[i] * g[i];
    fit.y.push_back(y);
  }
  points.provisional = fit.provisional = !settled_;
  c.series = {points, fit};
  return c;
}

Curve DiskSampler::radialCurve(const DiskSystem& system) const {
  Curve c{
      "g",
      "Pair distribution",
      {"r / sigma"},
      {"g(r)"},
      "g(r) = pairs in (r, r + dr) / (2 pi r dr (N - 1) / A) per disk, as in molecular dynamics: "
      "an ideal gas has 1. Anderson et al. 2013, eq. (5), have N / A, as the pressure needs it"};
  const double others = 1 - 1 / static_cast<double>(system.disks());
  if (pairs_.disks > 0 && others > 0) {
    c.series = {radialDistribution(pairs_, others * density(system), system.box().shortest())};
    c.series[0].provisional = !settled_;
  }
  return c;
}

Curve DiskSampler::equationOfState() const {
  Curve c{"eos",
          "Equation of state",
          {"packing fraction"},
          {"P*  (k_B T / sigma^2)"},
          "Anderson et al. 2013, eq. (4); from where the averages begin",
          published_};
  RunPoints points("this run", "this run, equilibrating");
  const auto add = [&](const Visited& v) {
    points.of(v.settled).add(v.packing, v.pressure, v.error);
  };
  for (const Visited& v : visited_) add(v);
  if (const auto now = present()) add(*now);
  points.to(c.series);
  return c;
}

void DiskSampler::fields(auto& io, auto& of) {
  io.field(of.contact_.pairs, "contact counts", of.contact_.pairs.size());
  io.field(of.contact_.scale, "scale counts", of.contact_.scale.size());
  io.field(of.contact_.disks, "contact disks");
  io.field(of.contact_.samples, "contact samples");
  io.field(of.pairs_.pairs, "pair counts", of.pairs_.pairs.size());
  io.field(of.pairs_.disks, "pair disks");
  io.field(of.pairs_.samples, "pair samples");
  io.field(of.sampled_, "samples");
  io.field(of.packing_, "packing of the averages");
  io.field(of.settled_, "whether the averages are in equilibrium");
}

void DiskSampler::save(BinaryWriter& w) const {
  fields(w, *this);
  w.vector(visited_);
  w.value(pressure_.samples());
  pressure_.save(w, [&](const BlockAverage& mean) { mean.save(w.stream()); });
}

void DiskSampler::load(BinaryReader& r) {
  fields(r, *this);
  visited_ = r.vectorUpTo<Visited>("the equation of state", 100000);
  const auto samples = r.value<std::uint64_t>("samples of the pressure");
  pressure_.load(r, samples, [&] {
    BlockAverage mean;
    mean.load(r.stream());
    return mean;
  });
}

}  // namespace cellscope
