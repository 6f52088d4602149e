#include "sim/modes/md/observables.h"

#include <fmt/format.h>

namespace cellscope::md {

const std::vector<MdObservable>& mdObservables() {
  static const std::vector<MdObservable> all = {
      {{"temperature", "Temperature", "T*", "epsilon/k_B",
        "T = 2 K' / (d (N - 1)) in d dimensions, K' = K - |p|^2 / (2 M): without the drift of the "
        "centre of mass. With the Langevin thermostat K is that between the random kick and the "
        "last half kick of the step, where BAOAB has the temperature of the bath; at the end of "
        "the step it is low by a factor of 1 - dt^2 <omega^2> / 4 (Leimkuhler and Matthews, J. "
        "Chem. Phys. 138, 174102, 2013)",
        "temperature", true},
       [](const MdSample& s) { return s.temperature(); }},
      {{"kinetic", "Kinetic energy per particle", "K/N", "epsilon",
        "K = sum_i m_i v_i^2 / 2, the drift of the centre of mass included; with the Langevin "
        "thermostat within the step, as in the temperature",
        "energy"},
       [](const MdSample& s) { return s.totals.kinetic / s.particles; }},
      {{"potential", "Potential energy per particle", "U/N", "epsilon",
        "U = sum over pairs of u(r_ij) (van Meel et al. 2008, eqs. 2 and 3), with the tail "
        "correction where it is on",
        "energy", true},
       [](const MdSample& s) { return s.totals.potential / s.particles + s.tailEnergy; }},
      {{"total", "Total energy per particle", "E/N", "epsilon",
        "E = K + U, the drift of the centre of mass included", "energy"},
       [](const MdSample& s) { return s.energy(); }},
      {{"pressure", "Pressure", "P*", "epsilon/sigma^d",
        "P = (2 K' + W) / (d V), K' = K - |p|^2 / (2 M), W = sum over pairs of r_ij . f_ij, with "
        "the tail correction where it is on; V is the area in the plane",
        "pressure", true},
       [](const MdSample& s) { return s.pressure(); }},
      {{"drift", "Relative energy change", "(E - E_0)/|E_0|", "",
        "E_0: total energy at the start, or when the pair law or the thermostat was changed last; "
        "with velocity rescaling of E less the heat that came from the bath, and less the work "
        "that changes of the volume did; undefined with friction and noise",
        "drift", false, false, true},
       [](const MdSample& s) {
         return (s.conserved() - s.startEnergy) / std::max(std::abs(s.startEnergy), 1e-12);
       }},
      {{"drift_rate", "Energy drift per particle", "d(E/N)/dt", "epsilon/tau",
        "(E - E_0) / (N t), t the time since E_0 was taken; as the relative change", "drift_rate",
        false, false, true},
       [](const MdSample& s) {
         return s.sinceStart > 0 ? (s.conserved() - s.startEnergy) / s.sinceStart
                                 : std::numeric_limits<double>::quiet_NaN();
       }},
      {{"conserved", "Conserved energy per particle", "E~/N", "epsilon",
        "E, less the heat taken from the bath by velocity rescaling (Bussi et al. 2007, eq. 15) "
        "and the work done by changes of the volume; undefined with friction and noise",
        "conserved"},
       [](const MdSample& s) { return std::isnan(s.startEnergy) ? s.startEnergy : s.conserved(); }},
      {{"msd", "Mean square displacement", "<|dr|^2>", "sigma^2",
        "<|r_i(t) - r_i(0)|^2> through the faces of the box, the drift of the centre of mass "
        "included, since the start or since averages were reset; 2 d D t for long times t. Where "
        "the volume changes, r_i(0) is scaled with it",
        "msd", false, false, true, true},
       [](const MdSample& s) { return s.msd; }},
      {{"momentum", "Total momentum", "|p|", "m sigma/tau",
        "p = sum_i m_i v_i; conserved, and zero unless a loaded configuration drifts", "momentum",
        false, false, true},
       [](const MdSample& s) {
         const MdSums& t = s.totals;
         return std::sqrt(t.px * t.px + t.py * t.py + t.pz * t.pz);
       }},
      {{"neighbours", "Listed neighbours", "n_list", "",
        "mean length of the neighbour lists: partners within r_c + r_buffer when the list was "
        "built; undefined without lists",
        "neighbours"},
       [](const MdSample& s) { return s.neighbours; }},
      {{"builds", "List builds per step", "n_build", "",
        "neighbour lists built over steps made, since the last sample; undefined without lists",
        "builds"},
       [](const MdSample& s) { return s.builds; }},
      {{"dangerous", "Builds in consecutive steps", "n_danger", "",
        "lists built in the step after another one: particles move further than half the buffer in "
        "one step",
        "builds", false, true, true},
       [](const MdSample& s) { return s.dangerous; }},
      {{"list_fill", "Pairs within the cutoff", "n_in/n_pairs", "",
        "share of the pairs computed in a force pass whose distance is within the cutoff: lists "
        "hold what is within the buffer as well, and those that a cluster shares what is near one "
        "of its particles only. Measured in the first sample and then in the first one at least "
        "100 steps after the last measurement (10 with up to 500 particles), in at most 32768 "
        "lists at equal distances in memory: it takes the time of up to six steps, too long for "
        "every sample. Samples between have no value (nan), and the averages are those of the "
        "others. Undefined without lists",
        "list fill"},
       [](const MdSample& s) { return s.listFill; }},
      {{"tree_depth", "Depth of the tree", "d_tree", "",
        "edges from the root to the deepest leaf, of the trees of the last list build; measured "
        "with the curves, not in every sample; undefined without trees. With the fast search of a "
        "GPU these trees are made to be measured, and lists come from boxes of 32 children",
        "tree depth"},
       [](const MdSample& s) { return s.treeDepth; }},
      {{"tree_overlap", "Overlap of siblings", "V_shared/V_parent", "",
        "volume that the boxes of two siblings share, over that of their parent, mean over the "
        "internal nodes of the trees; 0 would be a perfect partition; of the trees that depth is "
        "of",
        "tree overlap"},
       [](const MdSample& s) { return s.treeOverlap; }},
      {{"tree_cost", "Surface-area cost of the tree", "C_SA", "",
        "(sum over internal nodes of their surface + sum over leaves of surface times particles) / "
        "surface of the root: nodes and particles that a random ray meets (MacDonald and Booth, "
        "Visual Comput. 6, 153, 1990); sum over the trees, those that depth is of",
        "tree cost"},
       [](const MdSample& s) { return s.treeCost; }},
      {{"density", "Density", "rho*", "sigma^-d",
        "rho = N / V, all particles; V is the area in the plane. Constant without a barostat",
        "density"},
       [](const MdSample& s) { return s.density(); }},
  };
  return all;
}

double MdSampler::buildsPerStep(std::uint64_t builds, std::uint64_t step,
                                std::uint64_t first) const {
  const bool counted = counted_.rate >= 0 && counted_.step >= first && counted_.builds <= builds;
  if (counted && counted_.step == step && counted_.builds == builds) return counted_.rate;
  const bool goesOn = counted && counted_.step < step;
  const std::uint64_t from = goesOn ? counted_.step : std::min(step, first);
  return static_cast<double>(builds - (goesOn ? counted_.builds : 0)) /
         static_cast<double>(std::max<std::uint64_t>(1, step - from));
}

// As many as there have been, or fewer where the box has become smaller: those beyond it are
// dropped.
std::size_t MdSampler::takeBins(std::size_t bins, std::size_t types) {
  const std::size_t kinds = types * types, had = pairs_.size() / kinds;
  if (had == 0) pairs_.resize(kinds * bins, 0.0);
  if (had <= bins) return pairs_.size() / kinds;
  std::vector<double> kept;
  for (std::size_t k = 0; k < kinds; ++k) {
    const auto from = pairs_.begin() + static_cast<std::ptrdiff_t>(k * had);
    kept.insert(kept.end(), from, from + static_cast<std::ptrdiff_t>(bins));
  }
  pairs_ = std::move(kept);
  return bins;
}

void MdSampler::addCurves(std::uint64_t step, MdEngine& engine, const Box& box, Vec3d mean,
                          const MdTypes& types, double farthest) {
  std::uint64_t n = 0;
  for (const std::uint64_t count : types.count) n += count;
  CurveRequest q;
  q.first = next_ % n;
  q.sources = sourcesOf(n);
  // The few of a type that has the last numbers, as colloids, are sources every second time: in
  // turn with all others they would hardly be.
  const std::uint64_t last = types.of.empty() ? n : types.count[types.of.back()];
  if (2 * last < q.sources && types.of[n - last] == types.of.back() && next_ / q.sources % 2 == 0)
    q.first = n - last;
  q.pairBin = kBin, q.speedBin = kSpeedBin;
  q.types = types.types();
  q.pairBins =
      takeBins(static_cast<std::size_t>(std::min(0.5 * box.shortest(), farthest) / kBin), q.types);
  q.speedBins = kSpeedBins;
  q.mean = mean;
  const CurveCounts c = engine.curveCounts(q);
  speedCounts_.resize(kSpeedBins, 0.0);
  sources_.resize(q.types, 0.0);
  for (std::size_t b = 0; b < c.pairs.size(); ++b) pairs_[b] += c.pairs[b];
  for (std::size_t b = 0; b < c.speeds.size(); ++b) speedCounts_[b] += c.speeds[b];
  for (std::size_t k = 0; k < q.sources; ++k)
    sources_[types.of.empty() ? 0 : types.of[(q.first + k) % n]] += 1.0 / box.volume();
  dimension_ = box.dimension;
  speeds_ += n;
  next_ += q.sources;
  // Seldom enough to cost little, and sooner at the beginning, where there is nothing to see yet.
  const std::uint64_t seldom =
      std::clamp<std::uint64_t>(kStepsOfParticles / particles_, 1, kMostSteps);
  due_ = step + std::clamp<std::uint64_t>(step / 4, 1, seldom);
}

void MdSampler::forgetCurves() {
  for (auto* const counts : {&pairs_, &sources_, &speedCounts_})
    std::fill(counts->begin(), counts->end(), 0.0);
  speeds_ = 0;
  if (samples_ == 0) return;
  temperatureSum_ = last_[0], densitySum_ = last_[1], samples_ = 1;
}

// Pairs of unlike types are counted from both sides.
Curve MdSampler::pairCorrelation(const MdTypes& types) const {
  const bool flat = dimension_ == 2, one = types.types() == 1;
  Curve c{"g_r",
          "Pair correlation",
          {"r / sigma"},
          {"g(r)"},
          flat ? "g(r) = pairs in (r, r + dr) / (2 pi r dr (N - 1) / A) per particle"
               : "g(r) = pairs in (r, r + dr) / (4 pi r^2 dr (N - 1) / V) per particle"};
  const std::size_t k = types.types(), bins = pairs_.size() / (k * k);
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = a; b < k; ++b) {
      const auto partners = [&](std::size_t from, std::size_t to) {
        const double of = sources_.size() == k ? sources_[from] : 0.0;
        return of * (static_cast<double>(types.count[to]) - (from == to ? 1.0 : 0.0));
      };
      // Fewer pairs than there are bins make a list of distances, no distribution.
      const std::uint64_t partnersOfOne = types.count[b] - (a == b ? 1 : 0);
      if (!one && types.count[a] * partnersOfOne < bins / kMostJoined * (a == b ? 2 : 1)) {
        c.equation +=
            fmt::format("; {}{}: too few pairs for a curve", types.names[a], types.names[b]);
        continue;
      }
      const double norm = a == b ? partners(a, a) : partners(a, b) + partners(b, a);
      CurveSeries s{.label = one ? "this run" : types.names[a] + types.names[b],
                    .provisional = !settled_};
      const auto counted = [&](std::size_t bin, std::size_t end) {
        double pairs = 0;
        for (; bin < end; ++bin) {
          pairs += pairs_[(a * k + b) * bins + bin];
          if (a != b) pairs += pairs_[(b * k + a) * bins + bin];
        }
        return pairs;
      };
      const double all = counted(0, bins), wanted = kLeastCounts * static_cast<double>(bins);
      std::size_t joined = 1;
      while (joined < kMostJoined && all * static_cast<double>(joined) < wanted) joined *= 2;
      for (std::size_t bin = 0; bin + joined <= bins && norm > 0; bin += joined) {
        const double lo = kBin * static_cast<double>(bin),
                     hi = lo + kBin * static_cast<double>(joined);
        const double shell = flat ? std::numbers::pi * (hi * hi - lo * lo)
                                  : 4.0 / 3.0 * std::numbers::pi * (hi * hi * hi - lo * lo * lo);
        s.add(0.5 * (lo + hi), counted(bin, bin + joined) / (norm * shell));
      }
      c.series.push_back(std::move(s));
    }
  return c;
}

Curve MdSampler::speedDistribution() const {
  const bool flat = dimension_ == 2;
  Curve c{"speeds",
          "Speed distribution",
          {"sqrt(m) v / sqrt(epsilon)"},
          {"p(v)"},
          flat ? "v relative to the centre of mass, m = 1; Maxwell: p(v) = v / T exp(-v^2 / (2 T))"
               : "v relative to the centre of mass, times sqrt(m); Maxwell: p(v) = sqrt(2 / pi) "
                 "T^(-3/2) v^2 exp(-v^2 / (2 T))"};
  CurveSeries run{.label = "this run", .provisional = !settled_};
  CurveSeries maxwell{.label = "Maxwell at the mean temperature",
                      .source = "Maxwell-Boltzmann distribution",
                      .reference = true};
  const double t = samples_ > 0 ? temperatureSum_ / static_cast<double>(samples_) : 0;
  for (std::size_t b = 0; b < speedCounts_.size() && t > 0 && speeds_ > 0; ++b) {
    const double v = kSpeedBin * (static_cast<double>(b) + 0.5);
    if (v * v > 30 * t) break;
    run.add(v, speedCounts_[b] / (static_cast<double>(speeds_) * kSpeedBin));
    const double norm = flat ? v / t : std::sqrt(2 / std::numbers::pi) * std::pow(t, -1.5) * v * v;
    maxwell.add(v, norm * std::exp(-v * v / (2 * t)));
  }
  c.series.push_back(std::move(run));
  c.series.push_back(std::move(maxwell));
  return c;
}

std::vector<double> MdSampler::numbers() const {
  std::vector<double> all = {static_cast<double>(samples_),      static_cast<double>(speeds_),
                             static_cast<double>(next_),         temperatureSum_,
                             static_cast<double>(dimension_),    densitySum_,
                             static_cast<double>(pairs_.size()), static_cast<double>(due_),
                             static_cast<double>(fillDue_)};
  for (const auto* part : {&sources_, &pairs_, &speedCounts_})
    all.insert(all.end(), part->begin(), part->end());
  const std::vector<double> heated = heating.numbers();
  all.insert(all.end(), heated.begin(), heated.end());
  if (counted_.rate >= 0)
    all.insert(all.end(), {static_cast<double>(counted_.builds), static_cast<double>(counted_.step),
                           counted_.rate});
  return all;
}

bool MdSampler::restore(const std::vector<double>& numbers, std::size_t types) {
  constexpr std::size_t kHead = 9;
  constexpr double kLargestCount = 9007199254740992.0;  // 2^53
  const auto at = [&](std::size_t k) { return numbers.begin() + static_cast<std::ptrdiff_t>(k); };
  const auto valid = [&](std::size_t last) {
    return numbers.size() >= last &&
           std::all_of(at(0), at(last), [](double x) { return x >= 0 && x <= kLargestCount; });
  };
  if (!valid(kHead) || numbers[6] > 1e6) return false;
  if (numbers[4] != 2 && numbers[4] != 3) return false;
  const auto bins = static_cast<std::size_t>(numbers[6]);
  const bool empty = numbers[0] == 0;
  const std::size_t expected = empty ? kHead : kHead + types + bins + kSpeedBins;
  if (!valid(expected) || bins % (types * types) != 0) return false;
  // Of heating there is an even count of numbers.
  const bool counts = (numbers.size() - expected) % 2 == 1 && numbers.size() >= expected + 3;
  const std::size_t end = numbers.size() - (counts ? 3 : 0);
  const auto isCount = [](double x) { return x >= 0 && x <= kLargestCount; };
  if (!std::all_of(at(end), numbers.end(), isCount) || !heating.restore({at(expected), at(end)}))
    return false;
  if (counts)
    counted_ = {static_cast<std::uint64_t>(numbers[end]),
                static_cast<std::uint64_t>(numbers[end + 1]), numbers[end + 2]};
  samples_ = static_cast<std::uint64_t>(numbers[0]);
  speeds_ = static_cast<std::uint64_t>(numbers[1]);
  next_ = static_cast<std::uint64_t>(numbers[2]);
  temperatureSum_ = numbers[3];
  dimension_ = static_cast<int>(numbers[4]), densitySum_ = numbers[5];
  due_ = static_cast<std::uint64_t>(numbers[7]);
  fillDue_ = static_cast<std::uint64_t>(numbers[8]);
  if (empty) return true;
  sources_.assign(at(kHead), at(kHead + types));
  pairs_.assign(at(kHead + types), at(kHead + types + bins));
  speedCounts_.assign(at(kHead + types + bins), at(expected));
  return true;
}

}  // namespace cellscope::md
