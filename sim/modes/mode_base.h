// What every mode does alike with its parameters. A mode of this base is its parameters, state,
// steps, phases, observables and layers:
//
//     class Walkers final : public ModeBase<WalkerParameters> {
//       static const ModeDescription& describe();
//       explicit Walkers(const ExecConfig& config) : ModeBase(describe(), config) { ready(); }
//       ...
//
// `draft` holds what the panel shows, `active` what the state was made with and runs with.
#pragma once
#include <iterator>

#include "sim/modes/mode_core.h"

namespace cellscope {

template <class P>
class ModeBase : public ModeCore {
 public:
  ParameterSet& parameters() final { return draftSet_; }

  void restart() final {
    guarded([&] {
      const P p = draft_;
      check(p);
      start(p);
    });
  }

  void adopt(const Configuration& configuration) final {
    guarded([&] { startFrom(configuration, draft_); });
  }

  void applyParameters() final {
    P next = draft_;
    ParameterSet set = ParameterSet::of(next);
    copyValues(set, activeSet_, true);
    const auto touched = touchedBetween(activeSet_, set);
    if (!touched) return;
    const P before = active_;
    try {
      check(next);
      completeStep();  // with the parameters that it began with
      active_ = next;
      withHint([&] { parametersChanged(before, *touched); });
    } catch (...) {
      active_ = before;
      copyValues(draftSet_, activeSet_, false);
      throw;
    }
    refreshInfo();
  }

  // Version, parameters by key, step and phase; then what the mode adds.
  void save(std::ostream& out) const final {
    BinaryWriter w(out);
    w.value(stateVersion());
    writeParameters(w, activeSet_);
    w.value(step());
    w.value(static_cast<std::int32_t>(nextPhase()));
    saveState(w);
  }

  void load(std::istream& in) final {
    BinaryReader r(in);
    if (const auto written = r.value<std::uint32_t>("version"); written != stateVersion())
      throw InputError(
          "checkpoint: its state ({}) has version {}, this program reads version {}; resume with "
          "the program that wrote it",
          description().label, written, stateVersion());
    P p;
    ParameterSet set = ParameterSet::of(p);
    readParameters(r, set);
    check(p);
    const auto step = r.value<std::uint64_t>("step");
    const auto phase = r.value<std::int32_t>("phase");
    if (step >= 1ull << 48 || phase < 0 || phase >= std::ssize(phases(p)))
      throw InputError("checkpoint: step {} phase {} is impossible", step, phase);
    loadState(r, p, phase);
    setStep(step, phase);
    refreshInfo();
  }

 protected:
  ModeBase(const ModeDescription& description, const ExecConfig& config)
      : ModeCore(description, config),
        draftSet_(ParameterSet::of(draft_)),
        activeSet_(ParameterSet::of(active_)) {}

  // --- What a mode brings ---

  // Of one step, in order; one at least.
  virtual std::vector<std::string> phases(const P&) const = 0;
  // Dimension, layers on offer and words of observables, where they are not those of the
  // description. Pure function of active() and the state.
  virtual void adjustInfo(ModeInfo&) const {}
  // Throws InputError for parameters that are impossible together, whatever the state.
  virtual void check(const P&) const {}
  // Builds a new state, then calls begin(p). Until then the old one stays as it is.
  virtual void start(const P& p) = 0;
  // The same from a configuration, which brings some of the parameters: begin() with those.
  virtual void startFrom(const Configuration& configuration, const P& draft) = 0;
  // active() has changed: act on it. touched: the union of ParameterInfo::touches over all that was
  // changed. When it throws, the state must be as before.
  virtual void parametersChanged(const P& before, std::uint32_t touched) = 0;
  // What makes up the state, bit for bit, without what ModeBase writes. stateVersion() rises with
  // every change of it. loadState() ends in begin(p) and throws only before it.
  virtual std::uint32_t stateVersion() const = 0;
  virtual void saveState(BinaryWriter& w) const = 0;
  virtual void loadState(BinaryReader& r, const P& p, int phase) = 0;

  // --- What it is given ---

  const P& active() const { return active_; }
  const P& draft() const { return draft_; }
  // A new state with these parameters, at step 0.
  void begin(const P& p) {
    draft_ = active_ = p;
    setStep(0, 0);
  }
  // To be called at the end of the constructor.
  void ready() { refreshInfo(); }
  // A value that the mode changes by itself (a tuned move size), shown in the panel.
  template <class T, class Part>  // of P or one of its bases
  void setByItself(T Part::*field, const std::type_identity_t<T>& value) {
    draft_.*field = active_.*field = value;
  }
  void setByItself(const P& p, auto... fields) { (setByItself(fields, p.*fields), ...); }

 private:
  void fillInfo(ModeInfo& info) const final {
    info.phases = phases(active_);
    adjustInfo(info);
  }

  // A draft is taken over whole or not at all.
  void guarded(const auto& action) {
    try {
      action();
    } catch (...) {
      draft_ = active_;
      throw;
    }
    refreshInfo();
  }

  P draft_, active_;
  ParameterSet draftSet_, activeSet_;
};

}  // namespace cellscope
