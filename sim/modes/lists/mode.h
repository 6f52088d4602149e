// The neighbour list of a file as a mode: nothing moves. Its particles, cells and tree are shown,
// and which of its pairs are wrong (sim/algo/list_check). The museum shows its lists alike.
#pragma once
#include "sim/algo/list_check/check.h"
#include "sim/api/mode.h"
#include "sim/layers/pair_lists.h"
#include "sim/modes/mode_base.h"

namespace cellscope {

// A neighbour list that was judged, as it is drawn and picked.
struct ShownList {
  PairList list;
  std::shared_ptr<const ShownList> other;  // that it is compared with
  list_check::Report report;
  list_check::PairsWithin inBox;  // without pairs: places and images
  list_check::Searches searches;
  std::vector<Vec3d> at;  // in the picture
  Vec3d low{0, 0, 0};     // of the picture
  Box box;                // of the picture
  bool fills = true;      // the box of the list is that of the picture
  double diameter = 1;
  std::shared_ptr<const PairFindings> findings;

  explicit ShownList(PairList&& l, std::shared_ptr<const ShownList> beside = nullptr);
  ShownList(const ShownList&) = delete;  // the searches refer to it
  ShownList& operator=(const ShownList&) = delete;

  // picked: a particle, or number() and more: a wrong pair.
  layers::PairListView view(ParticleId picked) const;
  ParticleId number() const { return static_cast<ParticleId>(at.size()); }
  PickedParticle card(ParticleId id, const layers::PairListView& view) const;
  // With these layers; `from` may lend more.
  std::shared_ptr<Frame> frame(std::uint64_t step, const layers::LayerList& on,
                               const layers::PairListView& view, layers::Structures from) const;
  ParticleId pick(const PickQuery& query) const;
  // Throws InputError for a box that no other mode could take.
  Configuration configuration() const;

 private:
  void place();
  void find();
  void addParticleRows(std::size_t i, PickedParticle& card) const;
};

struct PairListParameters {
  double cutoff = 0;

  void visit(auto& v) {
    v({"cutoff", "Cutoff", "List", "r_c"}, {0, 1e9, 0, 10},
      {.smallest = "of the file",
       .help = "Which pairs are to be listed. Larger: more of them. All pairs are compared again.",
       .equation = "r_ij < r_c",
       .effect = Effect::rebuild},
      cutoff);
  }
};

class ListsMode final : public ModeBase<PairListParameters>, public OpensFile {
 public:
  static const ModeDescription& describe();
  explicit ListsMode(const ExecConfig& config) : ModeBase(describe(), config) { ready(); }

  void open(const std::string& path, const std::string& compare) override;
  std::shared_ptr<const PairFindings> findings() const override { return shown_->findings; }

  double work() const override { return 0; }
  std::vector<double> sample() override { return {}; }
  std::shared_ptr<const Frame> frame(const ViewRequest& view) override;
  ParticleId pick(const PickQuery& query) override { return shown_->pick(query); }
  std::vector<SelfCheck> selfChecks() override { return {}; }
  Configuration configuration() const override { return shown_->configuration(); }
  std::size_t particleCount() const override { return shown_->list.size(); }

 private:
  using P = PairListParameters;
  std::shared_ptr<const ShownList> judged(const std::string& path, const P& p,
                                          std::shared_ptr<const ShownList> beside = nullptr) const;
  struct Files {
    std::string path, compare;
    friend bool operator==(const Files&, const Files&) = default;
  };
  std::shared_ptr<const ShownList> judgedBoth(const P& p, const Files& f) const {
    return judged(f.path, p, f.compare.empty() ? nullptr : judged(f.compare, p));
  }
  void addSearch(ParticleId picked, PickedParticle& card, const layers::PairListView& view,
                 layers::Structures& to) const;

  std::vector<std::string> phases(const P&) const override { return {"shown"}; }
  void adjustInfo(ModeInfo& info) const override;
  void start(const P& p) override;
  void startFrom(const Configuration&, const P&) override {
    throw InputError("mode 'lists' shows a file of pairs, and takes over no particles");
  }
  void parametersChanged(const P&, std::uint32_t) override {
    shown_ = judgedBoth(active(), files_);
  }
  void runPhase(int, bool) override { throw InputError(description().noSteps); }
  RunMemory memoryOfRun() const override { return {}; }
  std::uint32_t stateVersion() const override { return 2; }
  // The file is the state.
  void saveState(BinaryWriter& w) const override { w.text(files_.path), w.text(files_.compare); }
  void loadState(BinaryReader& r, const P& p, int phase) override;

  Files files_;
  std::shared_ptr<const ShownList> shown_;
};

}  // namespace cellscope
