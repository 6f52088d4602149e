// A mode to show: disks that rattle about the sites of a square lattice, with two checkerboard-like
// layers, every kind of parameter, colouring, curve and reference, and a settable time per step.
// What it measures and its reference are made up.
#pragma once
#include <cstdint>

#include "sim/modes/mode_base.h"

namespace cellscope::test {

struct DemoParameters {
  std::int64_t particles = 1024, seed = 1;
  double amplitude = 0.2, packing = 0.5, delay = 0;
  Choice engine{0};
  bool shuffle = true, leaveCell = false;

  template <class V>
  void visit(V& v) {
    v({"particles", "Disks", "System", "N"}, {4, 65536, 0, 0, kLogScale},
      {.help = "Number of disks. More disks: smaller fluctuations, slower steps.",
       .equation = "N = L² ρ",
       .effect = Effect::restart},
      particles);
    v({"packing", "Packing fraction", "System", "φ"}, {0.01, 0.75},
      {.help = "Share of the area that disks cover. Larger: denser.",
       .equation = "φ = π N σ² / (4 L²)",
       .effect = Effect::rebuild},
      packing);
    v({"amplitude", "Maximum displacement", "Moves", "d", "σ"}, {0.01, 0.5},
      {.help = "Half side of the square of trial moves.", .equation = "x' = x + d (2 u − 1)"},
      amplitude);
    v({"delay", "Time per sweep", "Moves", "", "ms"}, {0, 10000},
      {.help = "Artificial waiting time."}, delay);
    v({"engine", "Engine", "Moves"},
      {.choices = {"auto", "one thread", "nine threads"}, .help = "How threads share cells."},
      engine);
    v({"shuffle", "Shuffle the sets", "Moves"}, {.help = "Order of the sets."}, shuffle);
    v({"leave_cell", "Disks may leave their cell", "Experiments"},
      {.help = "Breaks detailed balance.", .experiment = true}, leaveCell);
    v({"seed", "Seed", "System"}, {0, 1e15},
      {.help = "Another seed, another trajectory.", .effect = Effect::restart}, seed);
  }
};

class DemoMode final : public ModeBase<DemoParameters> {
 public:
  // Every restart but the first takes `slowResets` milliseconds; a silent one reports only its
  // beginning.
  explicit DemoMode(double slowResets = 0, bool silent = false);
  static const ModeDescription& describe();
  double work() const override { return work_; }
  std::vector<double> sample() override;
  std::vector<Curve> curves() const override;
  std::vector<ReferenceValue> references() const override;
  void resetAverages() override {}
  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  std::int64_t pick(const PickQuery& query) override;
  std::vector<SelfCheck> selfChecks() override;
  Configuration configuration() const override;
  std::size_t particleCount() const override { return x_.size(); }

 private:
  std::vector<std::string> phases(const DemoParameters&) const override {
    return {"shuffle", "set a", "set b", "set c", "set d", "shift"};
  }
  void start(const DemoParameters& p) override;
  void startFrom(const Configuration&, const DemoParameters&) override {
    throw InputError("the demo takes no files");
  }
  void parametersChanged(const DemoParameters& before, std::uint32_t touched) override;
  void runSteps(std::uint64_t count) override {
    for (std::uint64_t s = 0; s < count; ++s) {
      for (int phase = 0; phase < static_cast<int>(info().phases.size()); ++phase)
        runPhase(phase, false);
      countSteps(1);
    }
  }
  void runPhase(int phase, bool alone) override;
  RunMemory memoryOfRun() const override { return {}; }
  std::uint32_t stateVersion() const override { return 1; }
  void saveState(BinaryWriter&) const override {}
  void loadState(BinaryReader&, const DemoParameters& p, int) override { begin(p); }
  double unitNoise();
  LayerData particleLayer(const ViewRequest& view) const;
  LayerData cellLayer(bool active) const;
  void layOut();

  double slowResets_;
  bool silent_, started_ = false;
  std::vector<double> x_, y_, siteX_, siteY_;
  double length_ = 1, work_ = 0;
  std::uint64_t random_ = 1;
};

}  // namespace cellscope::test
