// CrowdEngine over one exec: included by engine_cpu.cpp and engine_cuda.cu only.
#pragma once
#include <utility>

#include "sim/exec/device_value.h"
#include "sim/exec/double_buffer.h"
#include "sim/layers/packer_on.h"
#include "tests/support/crowd/engine.h"

namespace cellscope::test {

struct WalkerTotals {
  const Walker* walkers;
  const std::uint32_t* count;
  std::uint64_t step;
  HOST_DEVICE CrowdTotals operator()(std::size_t i) const {
    if (i >= *count) return {0, 0, 0};
    return {1, walkers[i].type, step - walkers[i].born};
  }
};
struct AddTotals {
  HOST_DEVICE CrowdTotals operator()(const CrowdTotals& a, const CrowdTotals& b) const {
    return {a.n + b.n, a.large + b.large, a.ages + b.ages};
  }
};

struct GenerationBin {
  const Walker* walkers;
  const std::uint32_t* count;
  std::uint64_t step;
  HOST_DEVICE std::int32_t operator()(std::size_t i) const {
    if (i >= *count) return -1;
    const auto type = static_cast<std::int32_t>(walkers[i].type);
    return type * kGenerations + generationOf(walkers[i], step);
  }
};

struct CellBin {
  const Walker* walkers;
  const std::uint32_t* count;
  layers::CellGridView grid;
  HOST_DEVICE std::int32_t along(int axis, double x) const {
    if (axis >= grid.dimension) return 0;
    const auto k = static_cast<std::int32_t>(x / grid.width[axis]);
    return k < grid.cells[axis] ? k : grid.cells[axis] - 1;
  }
  HOST_DEVICE std::int32_t operator()(std::size_t i) const {
    if (i >= *count) return -1;
    const Vec3d r = walkers[i].r;
    return (along(2, r.z) * grid.cells[1] + along(1, r.y)) * grid.cells[0] + along(0, r.x);
  }
};

template <class Exec>
class CrowdEngineOn final : public CrowdEngine {
 public:
  explicit CrowdEngineOn(exec::Shared shared)
      : shared_(std::move(shared)),
        exec_(exec::as<Exec>(shared_)),
        packer_(shared_),
        born_(Exec::backend, kMostAttempts) {}

  void set(const std::vector<Walker>& all) override {
    if (walkers_.size() < all.size()) allocate(all.size());
    exec_.synchronize();
    if (!all.empty())
      exec::copy(Exec::backend, walkers_.data(), Backend::cpu, all.data(),
                 all.size() * sizeof(Walker));
    exec_.fill("set number", count_.data(), 1, static_cast<std::uint32_t>(all.size()));
    bound_ = all.size();
  }

  std::vector<Walker> get() override {
    std::vector<Walker> all(count());
    if (!all.empty())
      exec::copy(Backend::cpu, all.data(), Exec::backend, walkers_.data(),
                 all.size() * sizeof(Walker));
    return all;
  }

  std::size_t count() override { return bound_ = exec_.read(count_); }
  CrowdTally tally() override { return exec_.read(tally_); }
  void setTally(const CrowdTally& tally) override {
    exec_.fill("set tally", tally_.data(), 1, tally);
  }

  void reserveFor(std::uint64_t steps, std::uint32_t attempts) override {
    const std::size_t more = steps * attempts;
    if (bound_ + more <= walkers_.size()) return;
    const std::size_t wanted = count() + more;
    if (wanted > walkers_.size()) allocate(wanted + wanted / 4);
  }

  void run(CrowdPhase phase, const CrowdRules& rules, ParticleId watched,
           const RecordWriter& to) override {
    switch (phase) {
      case CrowdPhase::move:
        return move(rules, watched, to);
      case CrowdPhase::deaths:
        return deaths(rules, watched, to);
      case CrowdPhase::births:
        return births(rules);
      case CrowdPhase::sort:
        return sort();
    }
  }

  void changeDimension(const CrowdRules& rules) override {
    exec_.forEach("change dimension", bound_,
                  ChangeDimension{walkers_.data(), count_.data(), rules});
  }

  CrowdTotals totals(std::uint64_t step) override {
    exec_.reduce("totals", bound_, CrowdTotals{},
                 WalkerTotals{walkers_.data(), count_.data(), step}, AddTotals{}, totals_);
    return exec_.read(totals_);
  }

  std::vector<std::uint32_t> generations(std::uint64_t step) override {
    exec_.histogram("generations", bound_, GenerationBin{walkers_.data(), count_.data(), step},
                    generations_.data(), 2 * kGenerations);
    exec_.synchronize();
    return generations_.get();
  }

  const std::uint32_t* firstOfCells(const layers::CellGridView& grid) override {
    const auto cells = static_cast<std::size_t>(grid.cells[0]) *
                       static_cast<std::size_t>(grid.cells[1]) *
                       static_cast<std::size_t>(grid.cells[2]);
    if (first_.size() < cells + 1) first_ = exec::Array<std::uint32_t>(Exec::backend, cells + 1);
    exec_.histogram("walkers in cells", bound_, CellBin{walkers_.data(), count_.data(), grid},
                    first_.data(), static_cast<std::int32_t>(cells));
    exec_.offsets("first of cells", first_.data(), first_.data(), cells);
    return first_.data();
  }

  WalkersView view(std::uint64_t step) override { return {walkers_.data(), count(), step}; }
  layers::Packer& packer() override { return packer_; }
  std::size_t bytes() const override {
    return walkers_.bytes() + keys_.bytes() + born_.bytes() + first_.bytes();
  }

 private:
  // What is there already is kept.
  void allocate(std::size_t n) {
    exec::DoubleBuffer<Walker> walkers(Exec::backend, n);
    exec::DoubleBuffer<std::uint32_t> keys(Exec::backend, n);
    walkers.array().zero();
    const std::size_t had = walkers_.size() > 0 ? count() : 0;
    if (had > 0)
      exec::copy(Exec::backend, walkers.data(), Exec::backend, walkers_.data(),
                 had * sizeof(Walker));
    walkers_ = std::move(walkers);
    keys_ = std::move(keys);
  }

  void move(const CrowdRules& rules, ParticleId watched, const RecordWriter& to) {
    if (to.on())
      exec_.forEach("move, recorded", bound_,
                    MoveWalker<true>{walkers_.data(), count_.data(), rules, watched, to});
    else
      exec_.forEach("move", bound_, MoveWalker<false>{walkers_.data(), count_.data(), rules});
    exec_.forEach("count moves", 1, CountMoves{count_.data(), tally_.data()});
  }

  void deaths(const CrowdRules& rules, ParticleId watched, const RecordWriter& to) {
    const Judge judge{walkers_.data(), count_.data(), rules};
    if (to.on()) exec_.forEach("record fate", bound_, RecordFate{judge, watched, to});
    exec_.select("deaths", bound_, WalkerAt{walkers_.data()}, judge, walkers_.spare(), survivors_);
    exec_.forEach("count deaths", 1, CountDeaths{count_.data(), survivors_.data(), tally_.data()});
    walkers_.swap();
    std::swap(count_, survivors_);
  }

  void births(const CrowdRules& rules) {
    exec_.select("births", rules.attempts, Newborn{rules}, IsBorn{rules}, born_.data(), newborn_);
    exec_.forEach("append births", rules.attempts,
                  AppendWalker{born_.data(), newborn_.data(), walkers_.data(), count_.data()});
    exec_.forEach("count births", 1, CountBirths{newborn_.data(), count_.data(), tally_.data()});
    bound_ += rules.attempts;
  }

  void sort() {
    exec_.forEach("keys", bound_, SpeciesKey{walkers_.data(), count_.data(), keys_.data()});
    exec_.sortByKey("sort by species", keys_, walkers_, bound_, {0, 2});
  }

  exec::Shared shared_;
  Exec& exec_;
  layers::PackerOn<Exec, CrowdKernels> packer_;
  exec::DoubleBuffer<Walker> walkers_;
  exec::DoubleBuffer<std::uint32_t> keys_;
  exec::Array<Walker> born_;
  exec::Array<std::uint32_t> first_;
  exec::Array<std::uint32_t> generations_{Exec::backend, 2 * kGenerations};
  exec::DeviceValue<std::uint32_t> count_{Exec::backend}, survivors_{Exec::backend},
      newborn_{Exec::backend};
  exec::DeviceValue<CrowdTally> tally_{Exec::backend};
  exec::DeviceValue<CrowdTotals> totals_{Exec::backend};
  std::size_t bound_ = 0;  // walkers at most
};

}  // namespace cellscope::test
