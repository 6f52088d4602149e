// The engine of a mode with neighbour lists: one, or one for each of several domains
// (engine_domains.h), which are threads of the CPU or devices.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <tuple>
#include <type_traits>

#include "sim/algo/verlet/engine_impl.h"

namespace cellscope {

// What is asked of the whole is answered by the first domain, which works on the exec of the mode.
template <class Exec, class Pass>
class VerletDomains final : public MdEngine {
 public:
  using MdEngine::forces;
  using Engine = VerletEngine<Exec, Pass>;

  explicit VerletDomains(const exec::Shared& exec) {
    const ExecConfig& all = exec->config();
    members_.throughHost = all.throughHost;
    for (int k = 0; k < all.domains; ++k) {
      config_.push_back(exec::ofDomain(all, k));
      for (const ExecConfig& other : config_)
        members_.throughHost = members_.throughHost || !exec::reachEachOther(other, config_.back());
      exec::useDeviceOf(config_.back());
      engine_.push_back(std::make_unique<Engine>(k == 0 ? exec : exec::makeExec(config_.back())));
      members_.all.push_back(engine_.back().get());
      engine_.back()->join(&members_, static_cast<std::size_t>(k));
    }
    exec::useDeviceOf(config_.front());
  }
  // Others may still write to the memory of one: all are waited for before the first goes.
  ~VerletDomains() override {
    try {
      failure();
    } catch (const std::exception&) {  // of a device that has failed
    }
  }

  void upload(const MdState& state) override {
    each([&](Engine& e) { e.upload(state); });
  }
  MdState download() const override {
    collect(Engine::kPositions | Engine::kVelocities);
    return first().download();
  }
  void keep() override { each(&Engine::keep); }
  void restore() override { each(&Engine::restore); }
  void setPair(const PairSettings& settings) override {
    each([&](Engine& e) { e.setPair(settings); });
  }
  void setBath(const BathSettings& bath) override {
    each([&](Engine& e) { e.setBath(bath); });
  }

  void halfKickDrift(double dt, std::uint64_t step) override {
    each([&](Engine& e) { e.halfKickDrift(dt, step); });
  }
  bool updateListPart(int part, std::uint64_t step) override {
    return ofFirst([&](Engine& e) { return e.updateListPart(part, step); });
  }
  void forces(const PairProgress&) override {
    each([](Engine& e) { e.forces(); });
  }
  void halfKick(double dt) override {
    each([&](Engine& e) { e.halfKick(dt); });
  }
  void run(double dt, std::uint64_t step, std::uint64_t count, const PairProgress&) override {
    each([&](Engine& e) { e.run(dt, step, count, {}); });
  }
  void recheck() override { each(&Engine::recheck); }
  void changeBox(const Box& box, Vec3d mean, std::uint64_t step) override {
    each([&](Engine& e) { e.changeBox(box, mean, step); });
  }

  void sampleEvery(std::uint64_t every) override {
    each([&](Engine& e) { e.sampleEvery(every); });
  }
  std::vector<RunSample> takeSamples() override { return ofFirst(&Engine::takeSamples); }
  RunSample sampleNow(double dt) override {
    return ofFirst([&](Engine& e) { return e.sampleNow(dt); });
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
  void rescale(const Rescaling& by) override {
    each([&](Engine& e) {
      e.collect(Engine::kVelocities, true);
      e.rescale(by);
    });
  }
  double heat() override { return first().heat(); }
  void setHeat(double heat) override {
    each([&](Engine& e) { e.setHeat(heat); });
  }
  void scaleVelocities(double factor, Vec3d mean) override {
    each([&](Engine& e) { e.scaleVelocities(factor, mean); });
  }
  void followDisplacements() override {
    each([](Engine& e) {
      e.collect(Engine::kPositions, true);
      e.followDisplacements();
    });
  }
  void resetDisplacements() override {
    each([](Engine& e) {
      e.collect(Engine::kPositions, true);
      e.resetDisplacements();
    });
  }
  CurveCounts curveCounts(const CurveRequest& request) override {
    collect(Engine::kPositions | Engine::kVelocities);
    return first().curveCounts(request);
  }
  std::optional<exec::StatusReport> failure() const override {
    std::optional<exec::StatusReport> least;
    const auto key = [](const exec::StatusReport& r) {
      return std::tuple(r.step, r.fault, r.where);
    };
    for (std::size_t k = 0; k < engine_.size(); ++k) {
      exec::useDeviceOf(config_[k]);
      const std::optional<exec::StatusReport> own = engine_[k]->failure();
      if (own && (!least || key(*own) < key(*least))) least = own;
    }
    exec::useDeviceOf(config_.front());
    return least;
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
    std::uint64_t sum = 0;
    for (const auto& e : engine_) sum += e->listGrowths();
    return sum;
  }
  std::optional<ListedPairs> listFill() override {
    std::vector<std::optional<ListedPairs>> own(engine_.size());
    each([&](Engine& e, std::size_t k) { own[k] = e.listFill(); });
    ListedPairs sum;
    for (const std::optional<ListedPairs>& pairs : own) {
      if (!pairs) return std::nullopt;
      sum = AddListedPairs{}(sum, *pairs);
    }
    return sum;
  }
  bool orderPart(TimedPart part) override {
    return ofFirst([&](Engine& e) { return e.orderPart(part); });
  }
  std::size_t bytes() const override {
    std::size_t sum = 0;
    for (const auto& e : engine_) sum += e->bytes();
    return sum;
  }

 private:
  Engine& first() const { return *engine_.front(); }

  // f(engine), or f(engine, its number), of every domain on its own thread.
  template <class F>
  void each(const F& f) const {
    exec::Crew crew(engine_.size());
    members_.crew = &crew;
    crew.run(engine_.size(), [&](std::size_t begin, std::size_t) {
      crew.leavingOnFailure([&] {
        exec::useDeviceOf(config_[begin]);
        engine_[begin]->beginTogether();
        if constexpr (std::is_invocable_v<F, Engine&, std::size_t>)
          f(*engine_[begin], begin);
        else
          std::invoke(f, *engine_[begin]);
      });
    });
    exec::useDeviceOf(config_.front());
    crew.rethrow();
  }
  // What f gives in the first domain.
  template <class F>
  auto ofFirst(const F& f) {
    std::invoke_result_t<F, Engine&> result{};
    each([&](Engine& e, std::size_t k) {
      auto own = std::invoke(f, e);
      if (k == 0) result = std::move(own);
    });
    return result;
  }
  void collect(unsigned what) const {
    each([&](Engine& e) { e.collect(what); });
  }
  void collectAll(bool energies) const {
    collect(Engine::kPositions | Engine::kVelocities | Engine::kForces | Engine::kRecords |
            Engine::kCounts | (energies ? Engine::kTerms : 0u));
  }

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
