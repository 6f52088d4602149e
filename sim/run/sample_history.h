// Samples of all observables: a history of bounded length, averages since the last epoch began, and
// the same without the approach to equilibrium.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/equilibrated_average.h"
#include "sim/api/mode.h"

namespace cellscope {

// Values are appended at the end and never changed. A copy costs nothing and stays as it is when
// the original grows, also on another thread. Of several copies that append, the first goes on in
// the common memory, the others in memory of their own.
class SharedColumn {
 public:
  SharedColumn() = default;
  SharedColumn(const std::vector<double>& values) {
    for (const double v : values) push_back(v);
  }

  std::size_t size() const { return shared_ + hasOwn_; }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t i) const { return i < shared_ ? block_->data[i] : own_; }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size() - 1]; }
  operator std::vector<double>() const;
  // The values in the common memory, without the last one of a column made by with().
  std::span<const double> recorded() const {
    return {block_ ? block_->data.get() : nullptr, shared_};
  }

  void push_back(double value);
  // With one more value, which is not in the common memory.
  SharedColumn with(double last) const;
  bool sharesWith(const SharedColumn& other) const { return block_ && block_ == other.block_; }

  friend bool operator==(const SharedColumn& a, const SharedColumn& b);

 private:
  struct Block {
    explicit Block(std::size_t n) : capacity(n), data(new double[n]) {}
    const std::size_t capacity;
    std::atomic<std::size_t> used{0};  // claimed by the first to append
    std::unique_ptr<double[]> data;
  };
  void moveTo(std::size_t capacity);

  std::shared_ptr<Block> block_;
  std::size_t shared_ = 0;  // values of the block that belong to this column
  bool hasOwn_ = false;
  double own_ = 0;  // the last one, of a column made by with()
};

// Immutable lists that many hold at once: a copy shares the memory.
template <class T>
class SharedList {
 public:
  using value_type = T;
  using const_iterator = typename std::vector<T>::const_iterator;
  using iterator = const_iterator;

  SharedList() : items_(none()) {}
  SharedList(std::vector<T> items)
      : items_(std::make_shared<const std::vector<T>>(std::move(items))) {}

  const_iterator begin() const { return items_->begin(); }
  const_iterator end() const { return items_->end(); }
  bool empty() const { return items_->empty(); }
  std::size_t size() const { return items_->size(); }
  const T& operator[](std::size_t i) const { return (*items_)[i]; }
  const T& at(std::size_t i) const { return items_->at(i); }
  const T& front() const { return items_->front(); }
  const T& back() const { return items_->back(); }
  operator const std::vector<T>&() const { return *items_; }

  // The very same list, not an equal one.
  bool sharesWith(const SharedList& other) const { return items_ == other.items_; }

 private:
  static const std::shared_ptr<const std::vector<T>>& none() {
    static const auto empty = std::make_shared<const std::vector<T>>();
    return empty;
  }

  std::shared_ptr<const std::vector<T>> items_;
};

// History and running average of one observable since the averages last started over.
struct ObservableSeries {
  ObservableInfo info;
  SharedColumn step, value;  // decimated history, oldest first; includes earlier epochs
  // Equilibrated mean at that time and its standard error, per point; not a number before the
  // averages begin, as known now. Of what grows
  // (ObservableInfo::grows) all means are the value itself, without an error.
  SharedColumn mean, error;
  std::uint64_t epochStart = 0;  // step at which the current averages started
  double currentMean = 0, currentError = 0;
  bool errorKnown = false;    // otherwise too few samples to know the error: rather a lower bound
  std::uint64_t samples = 0;  // in the current averages
  // The same without the approach to equilibrium (sim/algo/observables/equilibrated_average.h).
  double equilibratedMean = 0, equilibratedError = 0;
  bool equilibratedErrorKnown = false;
  bool equilibrated = false;           // otherwise the run drifts, or is too short to tell
  bool settled = false;                // besides, the samples scatter: the mean is a result
  std::uint64_t equilibratedFrom = 0;  // the first step of the equilibrated averages
  std::uint64_t leftOut = 0;           // samples before it, since epochStart
  std::uint64_t equilibratedSamples = 0;
  // Whether the mean lacks the first samples at least. Until it is a result it is provisional.
  bool hasMean() const { return settled || (leftOut > 0 && equilibratedSamples > 0); }
};

// As driftOver(): Student's t of 7 degrees of freedom when nothing drifts.
double driftInErrors(std::span<const double> values);

struct Equilibration {
  std::vector<std::string> drifting;  // labels of observables; empty: no sign of drift
  bool over = false;  // the last half of the samples drifts no more: averages could start over
};
// Of all observables that relax, since their averages began; more than `kDrifts` errors count.
inline constexpr double kDrifts = 5;  // one false alarm in 600 tests
Equilibration equilibrationOf(const std::vector<ObservableSeries>& series);

class SampleHistory {
 public:
  static constexpr std::size_t kPoints = 2048;  // kept per observable; an even number

  explicit SampleHistory(const std::vector<ObservableInfo>& infos = {});

  // One value per observable; NaN means undefined and is left out.
  void add(std::uint64_t step, const std::vector<double>& values);
  // The state that the run starts from: points that no average contains.
  void showStart(const std::vector<double>& values);
  // Averages start over at `step`; the history stays.
  void startEpoch(std::uint64_t step);
  // Equilibration came before this epoch: see EquilibratedAverages.
  void keepBeginning() { equilibrated_.keepBeginning(); }
  // Which observables grow may change with the state, as at the end of a ramp. True: some of them
  // have a mean from here on, and averages are to start over.
  bool takeWords(const std::vector<ObservableInfo>& infos);
  // History and averages start over (the step counter did).
  void clear();

  // Go back to an earlier state of the same history; version() still rises.
  void goBackTo(const SampleHistory& earlier) {
    const std::uint64_t version = version_;
    *this = earlier;
    version_ = version + 1;
  }

  // The newest sample is always the last point, whatever the decimation. Shares the memory of the
  // history, which goes on without changing it.
  std::vector<ObservableSeries> series() const;
  std::uint64_t version() const { return version_; }  // rises with every change
  std::uint64_t epochStart() const { return epochStart_; }
  bool equilibrated() const { return equilibrated_.equilibrated(); }
  std::vector<MeanState> means() const;  // the equilibrated one of each observable
  std::uint64_t leftOut() const { return equilibrated_.leftOut(); }  // samples since epochStart()
  bool tooFewToTest() const { return equilibrated_.tooFewToTest(); }
  // Of a sample in which anything was defined; 0: none yet.
  std::uint64_t newestStep() const {
    double newest = 0;
    for (const Track& t : tracks_) newest = std::max(newest, t.last[0]);
    return static_cast<std::uint64_t>(newest);
  }

  // Memory that a copy does not share with the original.
  std::size_t ownBytes() const {
    std::size_t sum = equilibrated_.bytes();
    for (const Track& t : tracks_) sum += sizeof(Track) + t.average.bytes();
    return sum;
  }

  // Everything, bit for bit. load() throws InputError when it is of other observables.
  void save(std::ostream& out) const;
  void load(std::istream& in);

 private:
  struct Track {
    ObservableInfo info;
    BlockAverage average;
    // Step, value, mean and error of every stride-th defined sample; the stride doubles when
    // kPoints are reached.
    std::array<SharedColumn, 4> columns;
    std::uint64_t seen = 0, stride = 1;
    std::array<double, 4> last{};  // the same of the newest
  };
  static void record(Track& t, const std::array<double, 4>& newest);
  void drawMeansAgain();
  bool isSettled(std::size_t observable) const;

  std::vector<Track> tracks_;
  EquilibratedAverages equilibrated_;
  std::uint64_t epochStart_ = 0, version_ = 0;
};

}  // namespace cellscope
