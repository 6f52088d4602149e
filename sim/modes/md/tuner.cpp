#include "sim/modes/md/races.h"

#include <fmt/format.h>

namespace cellscope::md {

constexpr double kBatchSeconds = 0.02;
constexpr std::uint64_t kLeastBatch = 20, kMostBatch = 2000, kWarmUp = 4;  // steps
constexpr std::size_t kRepeats = 3;
constexpr double kWorthIt = 0.99;  // of the time with the values of the run
constexpr double kNever = 1e9;     // seconds: what cannot be done at all
constexpr double kHopeless = 20;   // times as long as the run: one step without lists is enough

// That can be typed again.
static double threeDecimals(double buffer) { return std::round(1000 * buffer) / 1000; }

static ParameterValue valueOf(MdParameters p, const char* key) {
  return ParameterSet::of(p).at(key).get();
}

void PairTuner::begin(const MdState& state, const MdParameters& p, bool anyMethod) {
  end();
  result_.clear(), found_.clear(), done_.clear();
  state_ = state;  // each engine builds lists of its own
  state_.dropDerived();
  anyMethod_ = anyMethod, before_ = 0;
  Candidate own{p};
  own.p.rightLists();
  methods_ = {own};  // the first: as the run has it
  if (own.buffers()) methods_.push_back(own);
  if (!anyMethod) return;
  for (std::size_t k = 0; k < methods().size(); ++k) {
    Candidate m = own;
    m.p.method.index = static_cast<std::int64_t>(k);
    if (m.p.method == p.method) continue;
    if (m.p.by().races(ListSearch::fast, state, m.p.pair(), exec_->where())) methods_.push_back(m);
  }
}

void PairTuner::end() {
  values_.begin({});
  left_.clear();
  engine_.reset();
  methods_.clear();
  at_ = 0, racing_ = false;
}

// An engine for the method in hand, and how many steps make a batch.
void PairTuner::beginMethod() {
  const MdParameters& p = now().p;
  engine_ = p.by().make(exec_);
  engine_->setPair(p.pair());
  engine_->upload(state_);
  engine_->forces(told());
  step_ = 0, batch_ = part_ = 1;
  if (at_ > 0 && !now().buffers()) {
    now().seconds = secondsPerStep();
    if (now().seconds > kHopeless * before_) return endMethod();
  }
  batch_ = kLeastBatch;
  const double seconds = std::max(secondsPerStep(), 1e-7);
  batch_ = std::clamp(static_cast<std::uint64_t>(std::min(kBatchSeconds / seconds, 1e9)),
                      kLeastBatch, kMostBatch);
  part_ = std::clamp(static_cast<std::uint64_t>(kBatchSeconds / seconds), std::uint64_t{1}, batch_);
  if (at_ > 0 && now().buffers()) buffer_.begin({kLeastBuffer, kMostBuffer});
}

void PairTuner::use(const MdParameters& p) {
  engine_->setPair(p.pair());
  engine_->forces(told());
  run(p.dt, kWarmUp);
  engine_->failure();  // waits
}

// In parts, between which somebody may call it off.
void PairTuner::run(double dt, std::uint64_t count) {
  for (const std::uint64_t end = step_ + count; step_ < end;) {
    if (report_) report_();
    const std::uint64_t now = std::min(part_, end - step_);
    engine_->run(dt, step_, now, told());
    step_ += now;
  }
}

double PairTuner::secondsPerStep() {
  const double begin = steadySeconds();
  run(now().p.dt, batch_);
  const bool flown = engine_->failure().has_value();  // waits
  const double seconds = steadySeconds() - begin;
  if (!flown) return seconds / static_cast<double>(batch_);
  engine_->upload(state_);
  engine_->forces(told());
  return kNever;
}

void PairTuner::advance(const std::function<void()>& report) {
  CELLSCOPE_ASSERT(active());
  report_ = report;
  try {
    timeBatch();
  } catch (...) {
    report_ = {};
    if (!active()) throw;
    engine_.reset();
    now().tried.clear();
    racing_ = false;
    throw;
  }
  report_ = {};
}

void PairTuner::timeBatch() {
  Candidate& m = now();
  if (!engine_) return beginMethod();
  if (racing_) {
    values_.advance(1);
    if (values_.running()) return;
    ParameterSet::of(m.p).at(raced_.key).setText(raced_.values[values_.winner()]);
    m.seconds = values_.results()[values_.winner()].median / static_cast<double>(batch_);
    return beginRace();
  }
  if (at_ == 0 || !m.buffers()) {
    m.tried.push_back({m.p.buffer, secondsPerStep()});
    if (m.tried.size() < kRepeats) return;
    m.seconds = medianOf(each(m.tried, &Point::seconds));
    if (at_ == 0) before_ = m.seconds;
    return endMethod();
  }
  MdParameters p = m.p;
  p.buffer = threeDecimals(buffer_.value());
  p.lanes.index = 0;
  double seconds = kNever;
  try {
    use(p);
    seconds = secondsPerStep();
  } catch (const OutOfMemory&) {  // so long are the lists
  }
  buffer_.add(seconds);
  m.tried.clear();
  for (const MinimumTuner::Sample& s : buffer_.samples())
    if (s.cost < kNever) m.tried.push_back({s.value, s.cost});
  if (buffer_.state.active) return;
  p.buffer = threeDecimals(buffer_.value());
  m.p = p, m.seconds = buffer_.state.bestCost;
  left_ = choicesOf(p);
  beginRace();
}

// Bin widths and leaves that the lists of this method depend on; on a GPU threads per particle. On
// a CPU threads share particles, not the neighbours of one.
std::vector<ListChoice> PairTuner::choicesOf(const MdParameters& p) const {
  std::vector<ListChoice> all = p.by().tuned(p.pair(), exec_->where());
  if (exec_->where() == Backend::cpu) return all;
  MdParameters copy = p;
  ParameterSet set = ParameterSet::of(copy);  // outlives its choices
  all.push_back(
      {"lanes", "threads per particle", each(set.at("lanes").info.choices, &ChoiceInfo::key)});
  return all;
}

void PairTuner::beginRace() {
  racing_ = !left_.empty();
  if (!racing_) return endMethod();
  raced_ = left_.front();
  left_.erase(left_.begin());
  std::vector<RaceCandidate> candidates;
  for (const std::string& value : raced_.values) {
    MdParameters p = now().p;
    ParameterSet::of(p).at(raced_.key).setText(value);
    candidates.push_back({value, [this, p] { use(p); },
                          [this, p](std::uint64_t times) {
                            run(p.dt, times * batch_);
                            engine_->failure();  // waits
                          }});
  }
  values_.begin(std::move(candidates));
}

void PairTuner::finish() {
  done_ = std::move(methods_);
  const auto best = std::ranges::min_element(done_, {}, &Candidate::seconds);
  const Candidate& kept = best->seconds < kWorthIt * before_ ? *best : done_.front();
  if (anyMethod_) found_.emplace_back("method", valueOf(kept.p, "method"));
  if (kept.buffers()) {
    found_.emplace_back("buffer", valueOf(kept.p, "buffer"));
    for (const char* key : {"bin_width", "particles_per_leaf", "lanes"})
      found_.emplace_back(key, valueOf(kept.p, key));
  }
  found_.emplace_back("tune", std::string("off"));
  result_ = fmt::format("{}: {:.4g} ms a step, {:.4g} before", words(kept.p), 1e3 * kept.seconds,
                        1e3 * before_);
  methods_.clear();
  at_ = 0;
  state_ = {};
}

std::string PairTuner::words(const MdParameters& p) const {
  MdParameters copy = p;
  const ParameterSet set = ParameterSet::of(copy);
  std::string all;
  for (const Parameter& q : set.items()) {
    const std::string& key = q.info.key;
    const bool build = key == "bin_width" || key == "particles_per_leaf";
    if (key == "method" || (p.by().hasLists() && (key == "buffer" || key == "lanes")) ||
        (build && set.acts(q)))
      all += fmt::format("{}{} = {}", all.empty() ? "" : ", ", key, toText(q.get()));
  }
  return all;
}

// Short enough for a panel.
Preparation PairTuner::preparation() const {
  const Candidate& m = methods_[at_];
  double part = engine_ ? 0.5 : 0.0;
  std::string what =
      m.buffers() ? fmt::format("{}, buffer {:g}", m.p.by().key, m.p.buffer) : m.p.by().key;
  if (racing_) {
    what += ": " + raced_.label;
    part = 0.9;
  } else if (at_ > 0 && m.buffers() && engine_) {
    what = fmt::format("{}, buffer {:.3f}", m.p.by().key, buffer_.value());
    part = 0.9 * buffer_.progress();
    if (buffer_.state.best > 0)
      what += fmt::format("; best {:.3f}: {:.3g} ms a step", buffer_.state.best,
                          1e3 * buffer_.state.bestCost);
  }
  return {"timing " + what,
          (static_cast<double>(at_) + part) / static_cast<double>(methods_.size())};
}

std::vector<Curve> PairTuner::charts() const {
  const std::vector<Candidate>& all = active() ? methods_ : done_;
  Curve c{"tuning",
          "Tuning of the lists",
          {"buffer / sigma"},
          {"time of a step / ms"},
          "median of three batches of steps at each buffer, list builds included"};
  for (std::size_t k = 1; k < all.size(); ++k) {
    if (!all[k].buffers() || all[k].tried.empty()) continue;
    CurveSeries s{.label = all[k].p.by().key, .kind = SeriesKind::points};
    std::vector<Point> tried = all[k].tried;
    std::ranges::sort(tried, {}, &Point::buffer);
    for (const Point& t : tried) s.add(t.buffer, 1e3 * t.seconds);
    c.series.push_back(std::move(s));
  }
  std::vector<Curve> charts;
  if (!c.series.empty()) charts.push_back(std::move(c));
  if (!values_.standings().empty())
    charts.push_back(
        raceCurve(values_,
                  {"tuning_lanes", "Tuning of " + raced_.label, raced_.label, "steps per second",
                   "median of batches of steps at the best buffer"},
                  static_cast<double>(batch_)));
  return charts;
}

}  // namespace cellscope::md
