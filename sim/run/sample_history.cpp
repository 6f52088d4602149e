#include "sim/run/sample_history.h"

#include <algorithm>
#include <limits>
#include <ranges>

#include "sim/base/error.h"
#include "sim/io/container.h"

namespace cellscope {

namespace {

SharedColumn everySecond(const SharedColumn& v) {
  SharedColumn kept;
  for (std::size_t i = 0; i < v.size(); i += 2) kept.push_back(v[i]);
  return kept;
}

constexpr std::uint64_t kMostSamples = 1ull << 53;  // and steps
constexpr double kNoMean = std::numeric_limits<double>::quiet_NaN();

std::vector<double> readColumn(BinaryReader& r) {
  const auto n = r.value<std::uint64_t>("the length of a column of averages");
  if (n > SampleHistory::kPoints)
    throw InputError("checkpoint: the averages are longer than this program keeps");
  std::vector<double> v(n);
  r.array(v.data(), n, "a column of averages");
  return v;
}

// They come from the counts of steps: exact as doubles, and never going back.
void requireSound(const std::vector<double>& steps, double last) {
  double before = 0;
  for (const double step : steps) {
    if (!(step >= before && step <= static_cast<double>(kMostSamples)))
      throw InputError("checkpoint: the steps of the averages are impossible");
    before = step;
  }
  if (!(last >= before && last <= static_cast<double>(kMostSamples)))
    throw InputError("checkpoint: the last step of the averages is impossible");
}

constexpr std::size_t kBlocks = 8;
constexpr double kAtRest = 2;  // where a drift is to be ruled out, a smaller one counts

// Standard error of the mean of `v` from its blocks.
double errorOf(std::span<const double> v) {
  const std::size_t length = v.size() / kBlocks;
  std::array<double, kBlocks> blocks{};
  for (std::size_t b = 0; b < kBlocks; ++b) blocks[b] = meanOf(v.subspan(b * length, length));
  const double mean = meanOf(blocks);
  double squares = 0;
  for (double block : blocks) squares += (block - mean) * (block - mean);
  return std::sqrt(squares / (kBlocks * (kBlocks - 1.0)));
}

// Values since the averages began.
std::vector<double> sinceEpoch(const ObservableSeries& s) {
  std::vector<double> values;
  const auto stepAt = [&](std::size_t i) { return s.step[i]; };
  const auto all = std::views::iota(std::size_t{0}, s.step.size());
  const auto begin = std::ranges::upper_bound(all, static_cast<double>(s.epochStart), {}, stepAt);
  for (const std::size_t i : std::ranges::subrange(begin, all.end())) values.push_back(s.value[i]);
  return values;
}

}  // namespace

SampleHistory::SampleHistory(const std::vector<ObservableInfo>& infos) {
  std::vector<bool> relaxes;
  for (const ObservableInfo& info : infos) {
    tracks_.emplace_back().info = info;
    relaxes.push_back(info.relaxes);
  }
  equilibrated_ = EquilibratedAverages(relaxes);
}

void SampleHistory::record(Track& t, const std::array<double, 4>& newest) {
  t.last = newest;
  if (t.seen++ % t.stride != 0) return;
  for (std::size_t k = 0; k < newest.size(); ++k) t.columns[k].push_back(newest[k]);
  if (t.columns[0].size() < kPoints) return;
  for (SharedColumn& column : t.columns) column = everySecond(column);
  t.stride *= 2;
}

void SampleHistory::add(std::uint64_t step, const std::vector<double>& values) {
  CELLSCOPE_ASSERT(values.size() == tracks_.size());
  const std::uint64_t from = equilibrated_.fromStep();
  equilibrated_.add(step, values);
  if (equilibrated_.fromStep() != from) drawMeansAgain();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    Track& t = tracks_[i];
    t.average.add(values[i]);
    record(t, {static_cast<double>(step), values[i],
               t.info.grows ? values[i] : equilibrated_.average(i).mean(),
               t.info.grows ? 0 : equilibrated_.average(i).error()});
  }
  ++version_;
}

void SampleHistory::showStart(const std::vector<double>& values) {
  clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const bool grows = tracks_[i].info.grows;
    record(tracks_[i], {0, values[i], grows ? values[i] : kNoMean, grows ? 0 : kNoMean});
  }
}

// Averages begin later than was thought: their curves begin there too. From every sample that is
// kept, as good as from all of them.
void SampleHistory::drawMeansAgain() {
  for (Track& t : tracks_) {
    if (t.info.grows) continue;
    const auto& [step, value, oldMean, oldError] = t.columns;
    std::vector<double> mean = oldMean, error = oldError;
    BlockAverage average;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      if (step[i] < static_cast<double>(epochStart_)) continue;
      const bool counts = step[i] >= static_cast<double>(equilibrated_.fromStep());
      if (counts) average.add(value[i]);
      mean[i] = counts ? average.mean() : kNoMean;
      error[i] = counts ? average.error() : kNoMean;
    }
    t.columns = {step, value, mean, error};
  }
}

void SampleHistory::startEpoch(std::uint64_t step) {
  for (Track& t : tracks_) t.average.reset();
  equilibrated_.restart(step);
  epochStart_ = step;
  ++version_;
}

bool SampleHistory::takeWords(const std::vector<ObservableInfo>& infos) {
  CELLSCOPE_ASSERT(infos.size() == tracks_.size());
  bool begins = false;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    begins = begins || (tracks_[i].info.grows && !infos[i].grows);
    tracks_[i].info.grows = infos[i].grows;
    tracks_[i].info.unit = infos[i].unit;
  }
  return begins;
}

void SampleHistory::clear() {
  for (Track& t : tracks_) t = Track{t.info};
  startEpoch(0);
}

// The error of equal samples cannot be estimated. A whole number that does not relax (a count, a
// conserved number) is exact, and so is the value now of what grows.
bool SampleHistory::isSettled(std::size_t i) const {
  if (tracks_[i].info.grows)
    return tracks_[i].average.count() > 0 &&
           (!tracks_[i].info.isMean || equilibrated_.equilibrated());
  if (!equilibrated_.equilibrated()) return false;
  if (tracks_[i].info.relaxes) return equilibrated_.scatters(i);
  const BlockAverage& average = equilibrated_.average(i);
  return average.error() > 0 || average.mean() == std::floor(average.mean());
}

std::vector<MeanState> SampleHistory::means() const {
  std::vector<MeanState> all;
  for (std::size_t i = 0; i < tracks_.size(); ++i)
    all.push_back({isSettled(i), tracks_[i].last[3]});
  return all;
}

std::vector<ObservableSeries> SampleHistory::series() const {
  std::vector<ObservableSeries> all;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const Track& t = tracks_[i];
    std::array<SharedColumn, 4> points = t.columns;
    if (t.seen > 0 && (points[0].empty() || points[0].back() != t.last[0]))
      for (std::size_t k = 0; k < points.size(); ++k) points[k] = points[k].with(t.last[k]);
    ObservableSeries s{t.info, points[0], points[1], points[2], points[3]};
    s.epochStart = epochStart_;
    s.samples = t.average.count();
    s.currentMean = t.average.mean();
    s.currentError = t.average.error();
    s.errorKnown = t.average.converged();
    const BlockAverage& equilibrated = equilibrated_.average(i);
    s.equilibratedMean = equilibrated.mean();
    s.equilibratedError = equilibrated.error();
    s.equilibratedErrorKnown = equilibrated.converged();
    s.equilibrated = equilibrated_.equilibrated();
    s.settled = isSettled(i);
    s.equilibratedFrom = equilibrated_.fromStep();
    s.leftOut = equilibrated_.leftOut();
    s.equilibratedSamples = equilibrated.count();
    if (t.info.grows) {
      s.currentMean = s.equilibratedMean = t.last[1];
      s.currentError = s.equilibratedError = 0;
    }
    all.push_back(std::move(s));
  }
  return all;
}

// Sample histories in checkpoints, so that the averages of a resumed run go on.

void SampleHistory::save(std::ostream& out) const {
  BinaryWriter w(out);
  w.value(static_cast<std::uint64_t>(tracks_.size()));
  w.value(epochStart_);
  for (const Track& t : tracks_) {
    for (const SharedColumn& column : t.columns) w.vector(std::vector<double>(column));
    w.value(t.seen);
    w.value(t.stride);
    w.value(t.last);
    t.average.save(out);
  }
  equilibrated_.save(w);
}

void SampleHistory::load(std::istream& in) {
  BinaryReader r(in);
  const auto count = r.value<std::uint64_t>("the number of averages");
  // Observables added since are last: older checkpoints lack them.
  if (count > tracks_.size()) throw InputError("checkpoint: the averages are of other observables");
  epochStart_ = r.value<decltype(epochStart_)>("the first step of the averages");
  for (Track& t : std::span(tracks_).first(count)) {
    for (SharedColumn& column : t.columns) column = readColumn(r);
    t.seen = r.value<decltype(t.seen)>("the number of samples");
    t.stride = r.value<decltype(t.stride)>("the stride of the averages");
    r.array(t.last.data(), 4, "the last sample");
    requireSound(t.columns[0], t.last[0]);
    const std::size_t points = t.columns[0].size();
    const auto differs = [points](const SharedColumn& column) { return column.size() != points; };
    if (std::ranges::any_of(t.columns, differs) || t.stride == 0 || t.stride > kMostSamples ||
        t.seen > kMostSamples || points >= kPoints || points != (t.seen + t.stride - 1) / t.stride)
      throw InputError("checkpoint: the numbers of samples do not fit together");
    t.average.load(in);
  }
  equilibrated_.load(r, count);
  ++version_;
}

void SharedColumn::moveTo(std::size_t capacity) {
  auto next = std::make_shared<Block>(capacity);
  if (block_) std::copy_n(block_->data.get(), shared_, next->data.get());
  next->used = shared_;
  block_ = std::move(next);
}

void SharedColumn::push_back(double value) {
  CELLSCOPE_ASSERT(!hasOwn_);
  constexpr std::size_t kFirst = 64;
  if (!block_ || shared_ == block_->capacity) moveTo(std::max(kFirst, 2 * shared_));
  std::size_t mine = shared_;
  // Another copy has appended here already.
  if (!block_->used.compare_exchange_strong(mine, shared_ + 1)) {
    moveTo(block_->capacity);
    block_->used = shared_ + 1;
  }
  block_->data[shared_++] = value;
}

SharedColumn SharedColumn::with(double last) const {
  CELLSCOPE_ASSERT(!hasOwn_);
  SharedColumn c = *this;
  c.hasOwn_ = true;
  c.own_ = last;
  return c;
}

SharedColumn::operator std::vector<double>() const {
  const std::span<const double> shared = recorded();
  std::vector<double> all(shared.begin(), shared.end());
  if (hasOwn_) all.push_back(own_);
  return all;
}

bool operator==(const SharedColumn& a, const SharedColumn& b) {
  return std::vector<double>(a) == std::vector<double>(b);
}

double driftInErrors(std::span<const double> values) { return driftOver(values, errorOf); }

Equilibration equilibrationOf(const std::vector<ObservableSeries>& series) {
  Equilibration s;
  s.over = true;
  for (const ObservableSeries& one : series) {
    if (!one.info.relaxes) continue;
    const std::vector<double> all = sinceEpoch(one);
    const std::span<const double> values = all;
    if (!(std::abs(driftInErrors(values)) > kDrifts)) continue;
    s.drifting.push_back(one.info.label);
    const std::span<const double> recent = values.last(values.size() / 2);
    // A few values cannot show that they are at rest.
    s.over =
        s.over && recent.size() >= 2 * kLeastForDrift && std::abs(driftInErrors(recent)) < kAtRest;
  }
  s.over = s.over && !s.drifting.empty();
  return s;
}

}  // namespace cellscope
