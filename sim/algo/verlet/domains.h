// The engine of a mode with neighbour lists: one, or one for each of several domains
// (engine_domains.h), which are threads of the CPU, devices, or those of several processes.
#pragma once
#include "sim/algo/verlet/domain_calls.h"
#include "sim/algo/verlet/engine_impl.h"

namespace cellscope {

// What is asked of the whole is answered by the first domain, which works on the exec of the mode.
template <class Exec, class Pass>
class VerletDomains final : public MdEngine, public VerletPart {
 public:
  using MdEngine::forces;
  using Engine = VerletEngine<Exec, Pass>;

  explicit VerletDomains(const exec::Shared& exec) : all_(exec->config()) {
    const exec::RankOrder ordered = order({.kind = VerletCall::begin});
    const int own = exec::ranks().own;
    members_.first = own * all_.domains;
    members_.count = all_.allDomains();
    members_.processes = all_.ranks;
    members_.needed.assign(static_cast<std::size_t>(members_.count), NeededSlots(DomainBorders{}));
    members_.throughHost = all_.throughHost || all_.ranks > 1;
    for (int k = 0; k < all_.domains; ++k) {
      config_.push_back(exec::ofDomain(all_, k));
      for (const ExecConfig& other : config_)
        members_.throughHost = members_.throughHost || !exec::reachEachOther(other, config_.back());
      exec::useDeviceOf(config_.back());
      engine_.push_back(
          std::make_unique<Engine>(k + own == 0 ? exec : exec::makeExec(config_.back())));
      members_.all.push_back(engine_.back().get());
      engine_.back()->join(&members_, members_.first + k);
    }
    exec::useDeviceOf(config_.front());
  }
  // Others may still write to the memory of one: all are waited for before the first goes.
  ~VerletDomains() override {
    try {
      failureHere();
      if (!exec::ranksAbandoned()) order({.kind = VerletCall::end});
    } catch (const std::exception&) {  // of a device that has failed
    }
  }

  void obey(const VerletCall& call) override {
    if (call.kind == VerletCall::failure)
      failureOfAll();
    else if (call.kind == VerletCall::listGrowths)
      growthsOfAll();
    else
      perform(call, {});
  }

  void upload(const MdState& state) override {
    const VerletCall call{.kind = VerletCall::upload};
    const exec::RankOrder ordered = order(call);
    perform(call, state);
  }
  MdState download() const override {
    collect(Engine::kPositions | Engine::kVelocities | Engine::kBuilt);
    return first().download();
  }
  void keep() override { all({.kind = VerletCall::keep}); }
  void restore() override { all({.kind = VerletCall::restore}); }
  void setPair(const PairSettings& settings) override {
    all({.kind = VerletCall::setPair, .pair = settings});
  }
  void setBath(const BathSettings& bath) override {
    all({.kind = VerletCall::setBath, .bath = bath});
  }

  void halfKickDrift(double dt, std::uint64_t step) override {
    all({.kind = VerletCall::halfKickDrift, .real = dt, .step = step});
  }
  bool updateListPart(int part, std::uint64_t step) override {
    return all({.kind = VerletCall::updateListPart,
                .step = step,
                .what = static_cast<unsigned>(part)})
        .more;
  }
  void forces(const PairProgress&) override { all({.kind = VerletCall::forces}); }
  void halfKick(double dt) override { all({.kind = VerletCall::halfKick, .real = dt}); }
  void run(double dt, std::uint64_t step, std::uint64_t count, const PairProgress&) override {
    all({.kind = VerletCall::run, .real = dt, .step = step, .count = count});
  }
  void recheck() override { all({.kind = VerletCall::recheck}); }
  void changeBox(const Box& box, Vec3d mean, std::uint64_t step) override {
    all({.kind = VerletCall::changeBox, .step = step, .mean = mean, .box = box});
  }

  void sampleEvery(std::uint64_t every) override {
    all({.kind = VerletCall::sampleEvery, .count = every});
  }
  std::vector<RunSample> takeSamples() override {
    return all({.kind = VerletCall::takeSamples}).samples;
  }
  RunSample sampleNow(double dt) override {
    return all({.kind = VerletCall::sampleNow, .real = dt}).samples.front();
  }
  MdTotals totals() override {
    collect(Engine::kVelocities | Engine::kForces | Engine::kTerms);
    return first().totals();
  }
  KineticTotals kinetic() override {
    collect(Engine::kVelocities);
    return first().kinetic();
  }
  std::vector<PairSums> pairSums() override {
    collect(Engine::kForces | Engine::kTerms);
    return first().pairSums();
  }
  void rescale(const Rescaling& by) override { all({.kind = VerletCall::rescale, .by = by}); }
  double heat() override { return first().heat(); }
  void setHeat(double heat) override { all({.kind = VerletCall::setHeat, .real = heat}); }
  void scaleVelocities(double factor, Vec3d mean) override {
    all({.kind = VerletCall::scaleVelocities, .real = factor, .mean = mean});
  }
  void followDisplacements() override { all({.kind = VerletCall::followDisplacements}); }
  void resetDisplacements() override { all({.kind = VerletCall::resetDisplacements}); }
  CurveCounts curveCounts(const CurveRequest& request) override {
    collect(Engine::kPositions | Engine::kVelocities);
    return first().curveCounts(request);
  }
  std::optional<exec::StatusReport> failure() const override {
    const exec::RankOrder ordered = order({.kind = VerletCall::failure});
    return failureOfAll();
  }

  ParticlesLent lendParticles(bool energies) override {
    collectAll(energies);
    return first().lendParticles(energies);
  }
  // With the lists of all particles.
  void lend(Lent& to, bool energies) override {
    collectAll(energies);
    first().listAll();
    first().lend(to, energies);
  }
  ListHistory history() const override { return first().history(); }
  std::uint64_t listGrowths() const override {
    const exec::RankOrder ordered = order({.kind = VerletCall::listGrowths});
    return growthsOfAll();
  }
  std::optional<ListedPairs> listFill() override {
    return all({.kind = VerletCall::listFill}).fill;
  }
  bool orderPart(TimedPart part) override {
    return all({.kind = VerletCall::orderPart, .what = static_cast<unsigned>(part)}).more;
  }
  std::vector<SentSlots> sent() const override {
    const DomainBorders b = first().lendParticles(false).domains;
    std::vector<SentSlots> all;
    for (int to = 0; to < b.domains; ++to)
      for (int from = 0; from < b.domains; ++from) {
        const NeededSlots& needed = members_.needed[static_cast<std::size_t>(to)];
        const auto add = [&](std::uint32_t begin, std::uint32_t end, bool ahead) {
          if (from != to && begin < end) all.push_back({from, to, begin, end, ahead});
        };
        if (needed.end[from] >= needed.begin[from]) {  // all that it has
          add(b.at[from], b.at[from + 1], 2 * ((to - from + b.domains) % b.domains) <= b.domains);
          continue;
        }
        add(b.at[from], needed.end[from], false);
        add(needed.begin[from], b.at[from + 1], true);
      }
    return all;
  }
  // Of this process.
  std::size_t bytes() const override {
    std::size_t sum = 0;
    for (const auto& e : engine_) sum += e->bytes();
    return sum;
  }

 private:
  Engine& first() const { return *engine_.front(); }

  exec::RankOrder order(VerletCall call) const {
    call.number = number_, call.config = all_;
    return {exec::RankWork::liquid, &call, sizeof call};
  }
  VerletAnswer all(const VerletCall& call) const {
    const exec::RankOrder ordered = order(call);
    return perform(call, {});
  }
  void collect(unsigned what) const { all({.kind = VerletCall::collect, .what = what}); }
  void collectAll(bool energies) const {
    collect(Engine::kPositions | Engine::kVelocities | Engine::kForces | Engine::kRecords |
            Engine::kBuilt | Engine::kCounts | (energies ? Engine::kTerms : 0u));
  }

  // By every domain of this process on its own thread; what the first one answers. state: to be
  // uploaded, in process 0.
  VerletAnswer perform(const VerletCall& call, const MdState& state) const {
    MdState received;
    const bool receives = call.kind == VerletCall::upload && all_.ranks > 1;
    if (receives) broadcast(exec::ranks().own == 0 ? const_cast<MdState&>(state) : received);
    const MdState& uploaded = exec::ranks().own == 0 ? state : received;
    std::vector<VerletAnswer> answer(engine_.size());
    exec::Crew crew(engine_.size());
    members_.crew = &crew;
    crew.run(engine_.size(), [&](std::size_t k, std::size_t) {
      crew.leavingOnFailure([&] {
        exec::useDeviceOf(config_[k]);
        engine_[k]->beginTogether();
        if (call.kind == VerletCall::upload)
          engine_[k]->upload(uploaded);
        else
          obeyCall(*engine_[k], call, answer[k]);
      });
    });
    exec::useDeviceOf(config_.front());
    crew.rethrow();
    if (call.kind == VerletCall::listFill) addFills(answer);
    return std::move(answer.front());
  }
  // What each process has, in all of them.
  template <class T>
  std::vector<T> ofProcesses(const T& own) const {
    std::vector<T> each(static_cast<std::size_t>(all_.ranks), own);
    if (all_.ranks > 1) exec::exchangeAll(each.data(), sizeof(T));
    return each;
  }
  using Failure = std::optional<exec::StatusReport>;
  static void takeFirst(Failure& least, const Failure& other) {
    const auto key = [](const exec::StatusReport& r) {
      return std::tuple(r.step, r.fault, r.where);
    };
    if (other && (!least || key(*other) < key(*least))) least = other;
  }
  Failure failureHere() const {
    Failure least;
    for (std::size_t k = 0; k < engine_.size(); ++k) {
      exec::useDeviceOf(config_[k]);
      takeFirst(least, engine_[k]->failure());
    }
    exec::useDeviceOf(config_.front());
    return least;
  }
  Failure failureOfAll() const {
    Failure least;
    for (const Failure& other : ofProcesses(failureHere())) takeFirst(least, other);
    return least;
  }
  std::uint64_t growthsOfAll() const {
    std::uint64_t sum = 0;
    for (const auto& e : engine_) sum += e->listGrowths();
    const std::vector<std::uint64_t> all = ofProcesses(sum);
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  }
  // All domains have lists, or none.
  void addFills(std::vector<VerletAnswer>& answer) const {
    ListedPairs own;
    for (const VerletAnswer& a : answer) {
      if (!a.fill) return;
      own = own + *a.fill;
    }
    ListedPairs sum;
    for (const ListedPairs& pairs : ofProcesses(own)) sum = sum + pairs;
    answer.front().fill = sum;
  }
  // The state of process 0, to all: only the others change theirs.
  static void broadcast(MdState& s) {
    exec::broadcast(&s.box, sizeof s.box);
    exec::broadcast(&s.history, sizeof s.history);
    const auto each = [](auto&... all) { (exec::broadcast(all), ...); };
    each(s.position, s.velocity, s.type, s.order, s.built, s.followed.origin, s.followed.seen);
  }

  const ExecConfig all_;
  const std::uint32_t number_ = exec::rankObject();
  std::vector<ExecConfig> config_;
  std::vector<std::unique_ptr<Engine>> engine_;
  mutable typename Engine::Domains members_;
};

template <class Exec, class Pass>
std::unique_ptr<MdEngine> makeVerletOn(const exec::Shared& exec) {
  if (exec->config().allDomains() > 1) return std::make_unique<VerletDomains<Exec, Pass>>(exec);
  return std::make_unique<VerletEngine<Exec, Pass>>(exec);
}

}  // namespace cellscope
