// Pairs of boxes on either backend.
#pragma once
#include <algorithm>

#include "sim/algo/gibbs/moves.h"
#include "sim/algo/gibbs/pairs.h"
#include "sim/base/error.h"
#include "sim/exec/memory.h"
#include "sim/exec/team.h"

namespace cellscope {

struct ClearGibbsCounters {
  GibbsHead* head;
  HOST_DEVICE void operator()(std::size_t k) const {
    GibbsHead& h = head[k];
    for (int i = 0; i < kGibbsKinds; ++i) h.attempted[i] = h.accepted[i] = 0;
    h.walls = 0;
    for (int box = 0; box < 2; ++box) h.insertions[box] = 0, h.inserted[box] = 0;
  }
};

struct SetGibbsEnergies {
  GibbsHead* head;
  const GcmcEnergyVirial* sums;
  HOST_DEVICE void operator()(std::size_t k) const {
    for (int box = 0; box < 2; ++box) head[k].energy[box] = sums[2 * k + box].energy;
  }
};

template <class Exec>
class GibbsOn final : public GibbsPairs {
 public:
  GibbsOn(exec::Shared shared, int threads, const GcmcCellFunctions& functions)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)), threads_(threads) {
    a_.functions = functions;
    CELLSCOPE_ASSERT(threads == 1 || (threads % 32 == 0 && threads <= 1024));
  }

  void upload(const GibbsStates& s, const std::vector<GibbsRules>& rules) override {
    const std::size_t pairs = rules.size();
    exec_.synchronize();
    a_.n = rules.front().n;
    a_.stride = gibbsStride(a_.n);
    word_ = exec::Array<std::uint32_t>(Exec::backend, s.word);
    id_ = exec::Array<std::uint32_t>(Exec::backend, s.id);
    head_ = exec::Array<GibbsHead>(Exec::backend, s.head);
    ruled_ = exec::Array<GibbsRules>(Exec::backend, rules);
    sums_ = exec::Array<GcmcEnergyVirial>(Exec::backend, 2 * pairs);
    a_.word = word_.data(), a_.id = id_.data(), a_.head = head_.data(), a_.rules = ruled_.data();
    rules_ = rules;
    findEnergies();
  }
  void setRules(const std::vector<GibbsRules>& rules) override {
    exec_.synchronize();
    ruled_.set(rules);
    rules_ = rules;
    findEnergies();
  }
  void advance(std::uint64_t moves) override {
    constexpr std::uint64_t kMost = 1 << 20;  // of a launch
    const exec::TeamShape shape{static_cast<int>(size()), threads_,
                                std::size_t{3} * a_.stride * sizeof(std::uint32_t)};
    for (; moves > 0; moves -= std::min(moves, kMost))
      exec_.teams("Gibbs moves", shape,
                  GibbsMoves{a_, static_cast<int>(std::min(moves, kMost)), threads_});
    exec_.synchronize();
  }
  void clearCounters() override {
    exec_.forEach("clear the counters", size(), ClearGibbsCounters{head_.data()});
  }
  void useThreads(int threads) override {
    if (Exec::backend == Backend::cuda) threads_ = threads;
  }
  const std::vector<GibbsRules>& rules() const override { return rules_; }
  std::vector<GibbsHead> heads() const override {
    exec_.synchronize();
    return head_.get();
  }
  GibbsState state(std::size_t pair) const override {
    exec_.synchronize();
    GibbsState s{head_.get(pair), std::vector<GcmcPoint>(a_.n),
                 exec::onHost<std::uint32_t>(Exec::backend, a_.id + pair * a_.n, a_.n)};
    const std::size_t words = std::size_t{3} * a_.stride;
    auto word = exec::onHost<std::uint32_t>(Exec::backend, a_.word + pair * words, words);
    const GibbsPoints points{word.data(), a_.stride};
    for (std::uint32_t i = 0; i < a_.n; ++i) s.point[i] = points[i];
    return s;
  }
  GibbsStates states() const override {
    exec_.synchronize();
    return {head_.get(), word_.get(), id_.get()};
  }
  std::vector<GcmcEnergyVirial> sums() override {
    orderSums();
    exec_.synchronize();
    return sums_.get();
  }

 private:
  void orderSums() {
    exec_.teams("Gibbs sums", {static_cast<int>(size()), threads_},
                GibbsMeasure{a_, sums_.data(), threads_});
  }
  void findEnergies() {
    orderSums();
    exec_.forEach("Gibbs energies", size(), SetGibbsEnergies{head_.data(), sums_.data()});
  }

  exec::Shared shared_;
  Exec& exec_;
  int threads_;
  GibbsArrays a_;
  std::vector<GibbsRules> rules_;
  exec::Array<std::uint32_t> word_, id_;
  exec::Array<GibbsHead> head_;
  exec::Array<GibbsRules> ruled_;
  exec::Array<GcmcEnergyVirial> sums_;
};

}  // namespace cellscope
