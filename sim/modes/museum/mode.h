// The museum of bugs as a mode: particles that move in the plane, their neighbour list as a common
// mistake makes it or as it is right, and the truth beside it. All on the host: no kernel of the
// program knows of it.
#pragma once
#include "sim/api/inspect.h"
#include "sim/modes/lists/mode.h"
#include "sim/modes/mode_base.h"
#include "sim/modes/museum/list_builder.h"

namespace cellscope {

struct MuseumParameters {
  Choice exhibit;
  bool mistake = false;
  std::int64_t n = 100, seed = 1, before = 0;
  double d = 0.05;

  const museum::Exhibit& shown() const {
    return museum::exhibits()[static_cast<std::size_t>(exhibit.index)];
  }
  void visit(auto& u) {
    auto v = u.with({.effect = Effect::restart});
    v({"exhibit", "Exhibit", "Museum"},
      {.choices = each(museum::exhibits(),
                       [](const museum::Exhibit& e) { return ChoiceInfo(e.key, e.label); }),
       .help = "Which bug is shown, with the box, cells or tree that show it.",
       .equation = "the scenario of each names the public thread"},
      exhibit);
    u({"mistake", "The mistake", "Museum"},
      {.help = "On: the list is made by the wrong line of the code. Off: by the mend.",
       .equation = "both lines are on the card of the picked pair",
       .experiment = true},
      mistake);
    v({"n", "Particles", "State", "N"}, {2, 400, 20, 150},
      {.help = "Number of particles. Larger: more pairs. The box is that of the exhibit.",
       .equation = "at most 0.8 per square sigma"},
      n);
    v({"seed", "Seed", "State"}, {0, 9e15, 0, 9e15},
      {.help = "Names the sequence of random numbers for start and motion.",
       .equation = "Philox 4x32-10"},
      seed);
    v({"before", "Steps before the start", "State", "", "steps"}, {0, 100000, 0, 1000},
      {.help = "Steps that are made before step 0. Larger: particles have moved further, and "
               "through faces of the box.",
       .equation = "as steps of the run"},
      before);
    u({"d", "Largest displacement", "Motion", "d", "sigma"}, {0, 0.4, 0, 0.2},
      {.help =
           "A particle moves by up to this along each axis in a step, the same way for 16 steps, "
           "unless it would come closer than 0.8 sigma to another. Larger: lists get old sooner.",
       .equation = "d (2 u - 1), u uniform in (0, 1)"},
      d);
  }
};

class MuseumMode final : public ModeBase<MuseumParameters>, public Inspectable {
 public:
  static const ModeDescription& describe();
  explicit MuseumMode(const ExecConfig& config) : ModeBase(describe(), config) { ready(); }

  std::shared_ptr<const PairFindings> findings() const override { return shown().findings; }
  double work() const override { return static_cast<double>(step()); }
  std::vector<double> sample() override;
  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  ParticleId pick(const PickQuery& query) override { return shown().pick(query); }
  std::vector<SelfCheck> selfChecks() override;
  Configuration configuration() const override { return shown().configuration(); }
  std::size_t particleCount() const override { return state_.r.size(); }

  std::vector<double> valuesNow() override { return sample(); }
  std::vector<std::optional<Vec3d>> placesOf(const std::vector<ParticleId>& ids) override;
  Box boxNow() const override { return shown().box; }
  std::vector<Neighbour> neighboursOf(ParticleId id) override;

  // Of a picked pair: what a scenario has as view.picked.
  static ParticleId pairId(std::int64_t n, std::int64_t i, std::int64_t j) { return n + i * n + j; }

 private:
  using P = MuseumParameters;
  using Shift = list_check::Shift;
  struct State {
    std::vector<Vec3d> r;      // in the box,
    std::vector<Shift> image;  // and how many boxes away the particle is
  };

  std::vector<std::string> phases(const P&) const override { return {"move and list"}; }
  void adjustInfo(ModeInfo& info) const override;
  void check(const P& p) const override;
  void start(const P& p) override;
  void startFrom(const Configuration&, const P&) override {
    throw InputError("mode 'museum' has states of its own, and takes over no particles");
  }
  // By the other line at once.
  void parametersChanged(const P& before, std::uint32_t) override {
    if (active().mistake != before.mistake) build(active());
  }
  void runPhase(int, bool) override {
    move(active(), made_++);
    if (isListOld(active())) build(active());
  }
  RunMemory memoryOfRun() const override { return {}; }
  std::uint32_t stateVersion() const override { return 1; }
  void saveState(BinaryWriter& w) const override {
    w.value(made_), w.value(builds_);
    for (const State* const s : {&state_, &built_}) w.vector(s->r), w.vector(s->image);
  }
  void loadState(BinaryReader& r, const P& p, int phase) override;

  void move(const P& p, std::uint64_t number);
  bool isListOld(const P& p) const;
  void build(const P& p);
  PairList listNow() const;
  const ShownList& shown() const;
  layers::PairListView viewOf(ParticleId picked) const;
  PickedParticle cardOf(ParticleId id, const layers::PairListView& view) const;
  void addCrossing(std::size_t i, std::vector<LabelInstance>& to) const;
  void addCircles(std::size_t i, layers::Sketch& to) const;

  State state_, built_;                  // now, and when the list was built
  std::uint64_t made_ = 0, builds_ = 0;  // steps with those before the start, and lists
  std::optional<museum::ListBuilder> lists_;
  mutable std::shared_ptr<const ShownList> shown_;  // of the state now; null: not yet
};

}  // namespace cellscope
