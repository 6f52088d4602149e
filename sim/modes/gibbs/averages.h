// What a run of pairs of boxes knows: samples, averages of each pair, and the coexistence that
// pairs of one temperature find together.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/algo/observables/equilibrated_average.h"
#include "sim/api/observable.h"
#include "sim/core/gibbs_rules.h"
#include "sim/io/binary.h"
#include "sim/modes/gibbs/parameters.h"

namespace cellscope::gibbs {

std::size_t bytesOf(const GibbsParameters& p);

// A pair of boxes in numbers; counters are those since the last sample.
struct GibbsSample {
  GibbsHead head{};
  GibbsRules rules{};
  double energy[2] = {}, virial[2] = {};  // of the pairs, without tail
  double tailPressure = 0;                // p_tail / rho^2
  double potential[2] = {};               // chemical, since averages began; NaN: not yet known

  double count(int box) const { return head.count(rules, box); }
  double volume(int box) const { return gibbsVolume(rules, head.share, box); }
  double density(int box) const { return count(box) / volume(box); }
  double energyOf(int box) const;  // per particle, with tail; NaN of none
  double pressure(int box) const;
  double inverseActivity(int box) const;  // NaN: no particle was inserted
  int denser() const { return density(1) > density(0) ? 1 : 0; }
  double acceptance(std::initializer_list<GibbsKind> kinds) const;
};

struct GibbsObservable {
  ObservableInfo info;
  double (*value)(const GibbsSample&);
};
const std::vector<GibbsObservable>& gibbsObservables();

struct GibbsMean {
  double value = 0;
  double error = 0;  // standard; of few pairs wider: three are exceeded in 0.27 % of cases
};
// Both phases at a temperature, by all pairs that have it.
struct GibbsCoexistence {
  double temperature = 0;
  GibbsMean density[2], pressure, potential[2];  // liquid, vapour; pressure of the vapour
  // settled: three of four pairs are in equilibrium. Not all, as the test has false alarms, and the
  // more pairs there are the surer one of them would have one.
  // errorsKnown: the scatter of pairs tells errors, where blocks of one would miss what happens
  // seldom: transfers in the cold.
  bool settled = false, errorsKnown = false;
  std::size_t pairs = 0;
};

class GibbsAverages {
 public:
  // Without samples.
  void start(const GibbsParameters& p);
  // Chemical potentials of all pairs, by what was added and their counters.
  void setPotentials(std::vector<GibbsSample>& samples) const;
  // Of all pairs; sets their chemical potentials.
  void add(std::vector<GibbsSample>& samples, std::size_t shown);
  // Of the pair that was shown.
  void forgetHistogram() { histogram_.assign(2 * kBins, 0.0); }
  std::vector<GibbsCoexistence> coexistences(const GibbsParameters& p) const;
  std::vector<Curve> curves(const GibbsParameters& p) const;
  std::size_t bytes() const {
    std::size_t all = 0;
    for (const EquilibratedAverages& m : means_) all += m.bytes();
    return all;
  }

  // Everything, bit for bit. load(): after start(); throws InputError for what is impossible.
  void save(BinaryWriter& w) const;
  void load(BinaryReader& r);

 private:
  // Of a pair: liquid and vapour, by the density of each sample.
  enum Of { liquid, vapour, pressure, inverseLiquid, inverseVapour, kMeans };
  struct Inserted {
    double sum[2] = {};
    std::uint64_t count[2] = {};
  };
  static constexpr std::size_t kBins = 60;  // of the histogram, 0.02 each
  GibbsCoexistence coexistenceAt(const GibbsParameters& p, std::size_t t) const;

  std::vector<EquilibratedAverages> means_;
  std::vector<Inserted> inserted_;
  std::vector<double> histogram_;  // of box 1, then of box 2
  std::uint64_t samples_ = 0;
};

}  // namespace cellscope::gibbs
