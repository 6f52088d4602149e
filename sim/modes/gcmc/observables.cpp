#include "sim/modes/gcmc/observables.h"

#include <ranges>

#include "sim/modes/gcmc/methods/method.h"

namespace cellscope::gcmc {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double acceptance(const GcmcSample& s, GcmcKind kind) {
  const auto k = static_cast<int>(kind);
  return shareOf(s.moves.accepted[k], s.moves.attempted[k], kUnknown);
}

std::vector<GcmcObservable> ofEveryMethod() {
  return {
      {{"particles", "Number of particles", "N", "", "fluctuates about its mean", "particles", true,
        true},
       [](const GcmcSample& s) { return s.particles; }},
      {{"density", "Density", "rho*", "sigma^-d", "rho = N / V", "density", true},
       [](const GcmcSample& s) { return s.density(); }},
      {{"energy", "Energy per particle", "U/N", "epsilon",
        "U = sum over pairs of u(r_ij), plus c N^2 / V where the tail correction is on", "energy",
        true},
       [](const GcmcSample& s) { return s.particles > 0 ? s.energy / s.particles : kUnknown; }},
      {{"total_energy", "Energy", "U", "epsilon",
        "U = sum over pairs of u(r_ij), plus c N^2 / V where the tail correction is on",
        "total energy", true},
       [](const GcmcSample& s) { return s.energy; }},
      {{"pressure", "Pressure", "P*", "epsilon/sigma^d",
        "P = rho T + W / (d V) + P_tail, W = sum over pairs of r_ij . f_ij; P_tail = (16 pi / 3) "
        "rho^2 (2 r_c^-9 / 3 - r_c^-3) in space where the correction is on; the impulse at the "
        "cutoff of a truncated potential is left out. Hard spheres: P = rho T (1 + S_d rho g(1+) / "
        "(2 d)), S_d = 2 pi or 4 pi, g(1+) by a polynomial of degree 4 from pairs up to 1.05 "
        "(Anderson et al. 2013, eq. 4)",
        "pressure", true},
       [](const GcmcSample& s) {
         const double rho = s.density();
         return rho * s.temperature + s.virial / (s.dimension * s.volume) +
                s.tailPressure * rho * rho;
       }},
      {{"acceptance_displacement", "Acceptance of displacements", "a_disp", "",
        "accepted / attempted since the last sample", "acceptance"},
       [](const GcmcSample& s) { return acceptance(s, GcmcKind::displacement); }},
      {{"acceptance_insertion", "Acceptance of insertions", "a_ins", "",
        "accepted / attempted since the last sample", "acceptance"},
       [](const GcmcSample& s) { return acceptance(s, GcmcKind::insertion); }},
      {{"acceptance_deletion", "Acceptance of deletions", "a_del", "",
        "accepted / attempted since the last sample", "acceptance"},
       [](const GcmcSample& s) { return acceptance(s, GcmcKind::deletion); }},
      {{"insertion_factor", "Boltzmann factor of insertion", "<exp(-dU/T)>", "",
        "mean of exp(-dU / T) over random test points (Widom 1963), tail included; in equilibrium "
        "<N> = z V <exp(-dU / T)>",
        "insertion factor"},
       [](const GcmcSample& s) { return s.boltzmann; }},
      {{"energy_drift", "Energy drift", "U_run - U", "epsilon",
        "running energy minus the energy recomputed from the positions; pair energies are rounded "
        "to 2^-20, so that this is exactly 0",
        "drift", false, false, true},
       [](const GcmcSample& s) { return s.drift; }},
  };
}

std::vector<GcmcObservable> ofMixtures() {
  return {
      // In this order the lines of the chart have the colours of the particles.
      {{"number_b", "Number of B", "N_B", "", "particles of type B, in a mixture", "particles"},
       [](const GcmcSample& s) { return s.ofB; }},
      {{"number_a", "Number of A", "N_A", "", "particles of type A, in a mixture", "particles"},
       [](const GcmcSample& s) { return s.particles - s.ofB; }},
      {{"fraction_b", "Fraction of B", "x_B", "", "x_B = N_B / N, in a mixture", "composition",
        true},
       [](const GcmcSample& s) { return s.particles > 0 ? s.ofB / s.particles : kUnknown; }},
      {{"acceptance_exchange", "Acceptance of exchanges", "a_ex", "",
        "accepted / attempted since the last sample; trials that draw the particle's own type are "
        "accepted",
        "acceptance"},
       [](const GcmcSample& s) { return acceptance(s, GcmcKind::exchange); }},
  };
}

}  // namespace

const std::vector<GcmcObservable>& gcmcObservables() {
  static const std::vector<GcmcObservable> all = [] {
    std::vector<GcmcObservable> list = ofEveryMethod();
    for (const auto& method : methods() | std::views::reverse)
      for (GcmcObservable& o : method->observables()) list.push_back(std::move(o));
    for (GcmcObservable& o : ofMixtures()) list.push_back(std::move(o));
    return list;
  }();
  return all;
}

namespace {

constexpr double kFewest = 20;  // least attempts per ratio
constexpr double kShallow = 0.5;

using Iterator = std::vector<double>::const_iterator;

double lnSum(Iterator begin, Iterator end) {
  const double most = *std::max_element(begin, end);
  double sum = 0;
  for (Iterator i = begin; i != end; ++i) sum += std::exp(*i - most);
  return most + std::log(sum);
}

double meanOf(const std::vector<double>& lnP, std::size_t begin, std::size_t end,
              std::size_t first) {
  const double most = *std::max_element(lnP.begin() + static_cast<std::ptrdiff_t>(begin),
                                        lnP.begin() + static_cast<std::ptrdiff_t>(end));
  double sum = 0, moment = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double w = std::exp(lnP[i] - most);
    sum += w, moment += w * static_cast<double>(first + i);
  }
  return moment / sum;
}

// ln of the weight from `split` on over that below it, at a shift, and its slope, which is the
// difference of the mean N on both sides: never negative.
struct Imbalance {
  double value, slope;
};
Imbalance imbalance(const std::vector<double>& lnP, std::size_t split, double shift) {
  struct Side {
    double most = -std::numeric_limits<double>::infinity(), sum = 0, moment = 0;
  } side[2];
  const auto at = [&](std::size_t i) { return lnP[i] + shift * static_cast<double>(i); };
  const std::size_t end[3] = {0, split, lnP.size()};
  for (int k = 0; k < 2; ++k) {
    for (std::size_t i = end[k]; i < end[k + 1]; ++i) side[k].most = std::max(side[k].most, at(i));
    for (std::size_t i = end[k]; i < end[k + 1]; ++i) {
      const double w = std::exp(at(i) - side[k].most);
      side[k].sum += w, side[k].moment += w * static_cast<double>(i);
    }
  }
  return {side[1].most + std::log(side[1].sum) - side[0].most - std::log(side[0].sum),
          side[1].moment / side[1].sum - side[0].moment / side[0].sum};
}

// Where the two sides weigh the same: Newton's method, kept inside a bracket.
double balanced(const std::vector<double>& lnP, std::size_t split, double from) {
  double low = -20, high = 20, x = from;
  for (int k = 0; k < 60 && high - low > 1e-13; ++k) {
    const Imbalance now = imbalance(lnP, split, x);
    (now.value < 0 ? low : high) = x;
    const double next = now.slope > 0 ? x - now.value / now.slope : low;
    const double last = x;
    x = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(x - last) < 1e-12) break;
  }
  return x;
}

constexpr std::size_t kMostBlocks = 32, kMostKept = 2u << 20;  // blocks, and sums in all of them

double jackknife(const std::vector<double>& f) {
  const double b = static_cast<double>(f.size());
  double mean = 0, squares = 0;
  for (const double x : f) mean += x / b;
  for (const double x : f) squares += (x - mean) * (x - mean);
  return std::sqrt((b - 1) / b * squares);
}

// Whether the numbers known end within one of the outer peaks. Of a Gaussian peak that is known to
// its foot 0.2 % is missing.
bool endsInPhase(const NumberDistribution& d) {
  constexpr double kFoot = 4;  // in ln P
  const auto middle = d.lnP.begin() + static_cast<std::ptrdiff_t>(d.lnP.size() / 2);
  const double left = *std::max_element(d.lnP.begin(), middle);
  const double right = *std::max_element(middle, d.lnP.end());
  return (d.first > 0 && d.lnP.front() > left - kFoot) || d.lnP.back() > right - kFoot;
}

// Whether a difference of sums is more than their rounding.
bool isLeft(double rest, double all) { return rest > 1e-9 * all; }

}  // namespace

NumberDistribution NumberDistribution::at(double shift) const {
  NumberDistribution d = *this;
  if (d.lnP.empty()) return d;
  for (std::size_t i = 0; i < d.lnP.size(); ++i) d.lnP[i] += shift * static_cast<double>(i);
  const double all = lnSum(d.lnP.begin(), d.lnP.end());
  for (double& v : d.lnP) v -= all;
  return d;
}

double NumberDistribution::mean() const {
  return lnP.empty() ? 0 : meanOf(lnP, 0, lnP.size(), first);
}

void addTo(TransitionSums& sums, const TransitionSums& more, double times) {
  for (std::size_t i = 0; i < std::min(sums.size(), more.size()); ++i) {
    sums[i].up += times * more[i].up, sums[i].insertions += times * more[i].insertions;
    sums[i].down += times * more[i].down, sums[i].deletions += times * more[i].deletions;
  }
}

TransitionSums difference(const TransitionSums& a, const TransitionSums& b) {
  TransitionSums d = a;
  addTo(d, b, -1);
  return d;
}

NumberDistribution distributionOf(const std::vector<GcmcTransition>& sums, double oddsOfKinds) {
  NumberDistribution d;
  const auto known = [&](std::size_t n) {
    return n + 1 < sums.size() && sums[n].insertions >= kFewest && sums[n].up > 0 &&
           sums[n + 1].deletions >= kFewest && sums[n + 1].down > 0;
  };
  while (d.first < sums.size() && !known(d.first)) ++d.first;
  if (d.first == sums.size()) return {};
  d.lnP = {0};
  for (std::size_t n = d.first; known(n); ++n)
    d.lnP.push_back(d.lnP.back() + std::log(oddsOfKinds * (sums[n].up / sums[n].insertions) /
                                            (sums[n + 1].down / sums[n + 1].deletions)));
  return d;
}

std::optional<Coexistence> coexistenceOf(const NumberDistribution& d) {
  if (d.lnP.size() < 8) return std::nullopt;
  std::size_t split = d.lnP.size() / 2;
  Coexistence c{};
  for (int round = 0; round < 20; ++round) {
    c.shift = balanced(d.lnP, split, c.shift);
    const std::vector<double> p = d.at(c.shift).lnP;
    const auto middle = p.begin() + static_cast<std::ptrdiff_t>(split);
    const auto left = std::max_element(p.begin(), middle),
               right = std::max_element(middle, p.end());
    const auto lowest = std::min_element(left, right + 1);
    c.depth = std::min(*left, *right) - *lowest;
    const auto found = static_cast<std::size_t>(lowest - p.begin());
    c.vapour = meanOf(p, 0, split, d.first), c.liquid = meanOf(p, split, p.size(), d.first);
    c.lnWeight =
        d.first == 0 ? lnSum(p.begin(), middle) - p[0] : std::numeric_limits<double>::quiet_NaN();
    if (found == split || found == 0 || found + 1 >= p.size()) break;
    split = found;
  }
  if (!(c.depth > kShallow)) return std::nullopt;
  return c;
}

void TransitionBlocks::reset(std::size_t numbers) {
  most_ = std::clamp(kMostKept / std::max<std::size_t>(1, numbers) / 2 * 2, kFewestBlocks * 2,
                     kMostBlocks);
  length_ = 1;
  blocks_.clear();
  before_.assign(numbers, GcmcTransition{0, 0, 0, 0});
}

void TransitionBlocks::add(const TransitionSums& sums) {
  blocks_.push_back(difference(sums, before_));
  before_ = sums;
  if (blocks_.size() < most_) return;
  for (std::size_t k = 0; k < blocks_.size() / 2; ++k) {
    TransitionSums joined = std::move(blocks_[2 * k]);
    addTo(joined, blocks_[2 * k + 1]);
    blocks_[k] = std::move(joined);
  }
  blocks_.resize(blocks_.size() / 2);
  length_ *= 2;
}

std::vector<TransitionSums> TransitionBlocks::from(std::uint64_t step) const {
  const std::uint64_t before = step > 1 ? (step - 2) / length_ + 1 : 0;
  const auto left = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(before, blocks_.size()));
  return {blocks_.begin() + left, blocks_.end()};
}

void TransitionBlocks::save(BinaryWriter& w) const {
  w.value(length_);
  w.value(static_cast<std::uint64_t>(blocks_.size()));
  w.vector(before_);
  for (const TransitionSums& b : blocks_) w.vector(b);
}

void TransitionBlocks::load(BinaryReader& r, std::size_t numbers) {
  reset(numbers);
  length_ = r.value<std::uint64_t>("steps of a block");
  const auto count = r.value<std::uint64_t>("blocks");
  if (length_ == 0 || length_ > 1ull << 48 || count >= most_)
    throw InputError("checkpoint: the blocks of transitions are impossible");
  before_ = r.vector<GcmcTransition>("sums of transitions", numbers);
  for (std::uint64_t k = 0; k < count; ++k)
    blocks_.push_back(r.vector<GcmcTransition>("block of transitions", numbers));
}

DistributionJackknife::DistributionJackknife(const NumberDistribution& whole,
                                             const std::vector<TransitionSums>& blocks,
                                             double oddsOfKinds) {
  if (blocks.size() < kFewestBlocks || whole.lnP.size() < 2) return;
  whole_ = whole;
  known_.assign(whole.lnP.size() - 1, true);
  TransitionSums all = blocks.front();
  for (std::size_t b = 1; b < blocks.size(); ++b) addTo(all, blocks[b]);
  for (const TransitionSums& block : blocks) {
    const TransitionSums rest = difference(all, block);
    NumberDistribution d{whole.first, {whole.lnP.front()}};
    for (std::size_t i = 0; i + 1 < whole.lnP.size(); ++i) {
      const GcmcTransition &from = rest[whole.first + i], &to = rest[whole.first + i + 1];
      const bool known = isLeft(from.up, all[whole.first + i].up) &&
                         isLeft(to.down, all[whole.first + i + 1].down);
      if (!known) known_[i] = false;
      const double step =
          known ? std::log(oddsOfKinds * (from.up / from.insertions) / (to.down / to.deletions))
                : whole.lnP[i + 1] - whole.lnP[i];
      d.lnP.push_back(d.lnP.back() + step);
    }
    without_.push_back(std::move(d));
  }
}

std::vector<double> DistributionJackknife::errorsAt(double shift) const {
  if (without_.empty()) return {};
  const auto all = each(without_, [&](const NumberDistribution& d) { return d.at(shift); });
  std::vector<double> error(whole_.lnP.size(), kUnknown), f(all.size());
  const auto set = [&](std::size_t i) {
    for (std::size_t b = 0; b < all.size(); ++b) f[b] = all[b].lnP[i];
    error[i] = jackknife(f);
  };
  const std::vector<double> lnP = whole_.at(shift).lnP;
  const auto peak = static_cast<std::size_t>(std::ranges::max_element(lnP) - lnP.begin());
  set(peak);
  for (std::size_t i = peak; i + 1 < error.size() && known_[i]; ++i) set(i + 1);
  for (std::size_t i = peak; i > 0 && known_[i - 1]; --i) set(i - 1);
  return error;
}

Coexistence DistributionJackknife::coexistence() const {
  constexpr Coexistence kNone{kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
  std::vector<double> f[5];
  for (const NumberDistribution& d : without_) {
    const auto c = coexistenceOf(d);
    if (!c) return kNone;
    const double values[5] = {c->shift, c->vapour, c->liquid, c->lnWeight, c->depth};
    for (int k = 0; k < 5; ++k) f[k].push_back(values[k]);
  }
  if (without_.empty()) return kNone;
  return {jackknife(f[0]), jackknife(f[1]), jackknife(f[2]), jackknife(f[3]), jackknife(f[4])};
}

double DistributionJackknife::errorOfMean(double shift) const {
  if (without_.empty()) return kUnknown;
  return jackknife(each(without_, [&](const auto& d) { return d.at(shift).mean(); }));
}

std::optional<FoundCoexistence> foundCoexistence(const NumberDistribution& whole,
                                                 const DistributionJackknife& jackknife) {
  const std::optional<Coexistence> at = coexistenceOf(whole);
  if (!at) return std::nullopt;
  const Coexistence error = jackknife.coexistence();
  if (!(at->depth > kSignificant * error.depth) || endsInPhase(whole.at(at->shift)))
    return std::nullopt;
  return FoundCoexistence{*at, error};
}

}  // namespace cellscope::gcmc
