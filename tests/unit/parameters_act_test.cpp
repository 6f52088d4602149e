// Which parameters act: whether a change of one changes anything that can be observed.
#include <fmt/format.h>

#include "tests/support/fake_mode.h"
#include "tests/support/modes.h"

namespace cellscope::test {
namespace {

// Everything that can be observed, as text of exact numbers.
class Observations {
 public:
  void add(const std::string& words) { text_ += words + '\n'; }
  void add(double v) { add(fmt::format("{:a}", v)); }
  void add(const std::vector<double>& values) {
    for (const double v : values) add(v);
  }
  void add(const LayerData& layer) {
    add(fmt::format("{} {} {:a} {:a} {} {}", layer.key, layer.count, layer.scale.lo, layer.scale.hi,
                    layer.scale.title, fmt::join(layer.scale.categories, ",")));
    if (!layer.buffer) return;
    std::string bytes(layer.buffer->bytes(), '\0');
    layer.buffer->copyTo(bytes.data(), MemorySpace::host);
    add(fmt::format("{:x}", io::crc64(bytes)));
  }
  void add(const SelfCheck& c) {
    add(fmt::format("{} {} {} {}", c.label, c.ok, c.onPurpose, c.detail));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void addState(Observations& o, Mode& mode) {
  const Configuration c = mode.configuration();
  o.add(c.positions);
  o.add(c.velocities);
  for (int a = 0; a < 3; ++a) o.add(c.box.length[a]);
  if (const auto p = mode.preparation()) o.add(fmt::format("{} {:a}", p->label, p->progress));
  for (const SelfCheck& check : mode.selfChecks()) o.add(check);
  for (const KernelTime& k : mode.kernelTimes()) o.add(k.name);
}

void addMeasured(Observations& o, Mode& mode) {
  o.add(mode.sample());
  for (const Curve& c : mode.curves())
    for (const CurveSeries& s : c.series) {
      o.add(c.id + s.label + s.source);
      o.add(s.x), o.add(s.y), o.add(s.error);
    }
  for (const ReferenceValue& r : mode.references()) o.add(r.observable), o.add(r.value);
}

void addShown(Observations& o, Mode& mode) {
  const ModeInfo& info = mode.info();
  o.add(fmt::format("{}D {}", info.dimension, fmt::join(info.phases, ",")));
  for (const ObservableInfo& observable : info.observables) o.add(observable.equation);
  ViewRequest view = wholeView(mode);
  const Configuration c = mode.configuration();
  if (!c.ids.empty()) view.picked = static_cast<std::int64_t>(c.ids.front());
  for (const ColouringInfo& colouring : info.colourings) {
    view.colouring = colouring.key;
    const auto frame = mode.frame(view);
    for (const LayerData& l : frame->layers) o.add(l);
    for (const auto& [label, value] : frame->picked.rows) o.add(label + value);
  }
}

struct Trial {
  std::string mode;
  const ModeFactory& modes;
  ExecConfig config;

  // What is observed after the edits of one parameter, which follow each other at once; nothing
  // when a value is refused.
  std::optional<std::string> after(const Settings& start, const std::string& key,
                                   const std::vector<ParameterValue>& edits) const {
    const std::unique_ptr<Mode> m = modes(mode, config);
    Observations o;
    try {
      for (const auto& [k, value] : start) m->parameters().at(k).set(value);
      m->restart();
      m->advance(3);
      for (const ParameterValue& v : edits) {
        m->parameters().at(key).set(v);
        m->applyParameters();
      }
    } catch (const InputError&) {
      return std::nullopt;
    } catch (const RunError&) {
      return std::nullopt;
    } catch (const InternalError&) {  // of the fake mode, on purpose
      return std::nullopt;
    }
    m->resetAverages();
    try {
      for (int round = 0; round < 2; ++round) {
        m->advance(4);
        addState(o, *m);
        addMeasured(o, *m);
        addShown(o, *m);
      }
    } catch (const std::exception& e) {
      o.add(e.what());
    }
    return o.text();
  }
};

// Other values than the present one.
std::vector<ParameterValue> others(const ParameterInfo& info, const ParameterValue& now) {
  std::vector<ParameterValue> all;
  const auto add = [&](const ParameterValue& v) {
    if (v != now && std::find(all.begin(), all.end(), v) == all.end()) all.push_back(v);
  };
  if (const bool* b = std::get_if<bool>(&now)) add(!*b);
  for (const ChoiceInfo& c : info.choices) add(c.key);
  if (const auto* i = std::get_if<std::int64_t>(&now))
    for (const double v :
         {*i + 1.0, *i - 1.0, *i * 2.0, info.min + 1, info.min + 2, info.min, info.max})
      add(static_cast<std::int64_t>(std::clamp(v, info.min, info.max)));
  if (const auto* d = std::get_if<double>(&now))
    for (const double v :
         {*d * 0.95, *d * 1.05, *d * 0.7, *d * 1.3, info.min + 1, info.min + 2, info.min, info.max})
      add(std::clamp(v, info.min, info.max));
  return all;
}

bool atAnEnd(const ParameterInfo& info, const ParameterValue& v) {
  const auto isEnd = [&](double x) { return x == info.min || x == info.max; };
  if (const auto* i = std::get_if<std::int64_t>(&v)) return isEnd(static_cast<double>(*i));
  if (const auto* d = std::get_if<double>(&v)) return isEnd(*d);
  return false;
}

// Where there are three values, both runs end with two edits: a reaction that forgets the value
// (a reset, a new search) is the same in both. A small change may be too small to be seen in a
// small state, so that further values are tried until one is seen; not the ends of the range, which
// may take for ever.
bool acts(const Trial& trial, const Settings& start, const Parameter& p,
          const ParameterValue& now) {
  std::vector<ParameterValue> accepted;
  std::optional<std::string> unchanged;
  for (const ParameterValue& v : others(p.info, now)) {
    if ((atAnEnd(p.info, v) && accepted.size() >= 2) || !trial.after(start, p.info.key, {v}))
      continue;
    accepted.push_back(v);
    if (accepted.size() == 1) continue;
    if (!unchanged) unchanged = trial.after(start, p.info.key, {accepted.front(), now});
    if (trial.after(start, p.info.key, {accepted.front(), v}) != unchanged) return true;
  }
  if (accepted.size() != 1) return false;
  return trial.after(start, p.info.key, {}) != trial.after(start, p.info.key, {accepted.front()});
}

// The present value of p in a state.
ParameterValue settingIn(const Trial& trial, const Settings& state, const Parameter& p) {
  ParameterSet set = trial.modes.describe(trial.mode).parameters();
  for (const auto& [key, value] : state) set.at(key).set(value);
  return set.at(p.info.key).get();
}

bool actsWithAnotherChanged(const Trial& trial, const Settings& state, const Parameter& p) {
  const ParameterValue now = settingIn(trial, state, p);
  const ParameterSet set = trial.modes.describe(trial.mode).parameters();
  for (const Parameter& other : set.items()) {
    if (other.info.key == p.info.key || other.info.effect == Effect::restart) continue;
    std::vector<ParameterValue> values = others(other.info, settingIn(trial, state, other));
    values.resize(std::min<std::size_t>(values.size(), 2));
    for (const ParameterValue& v : values) {
      Settings start = state;
      start.emplace_back(other.info.key, v);
      if (acts(trial, start, p, now)) return true;
    }
  }
  return false;
}

// Keys of the parameters, but those that restart, of which no change is seen in trajectory,
// samples, curves, references, frames, checks, phases, words, kernels or preparation: in none of
// these small states, each with its settings, and not with any other parameter changed as well in
// the first. What only a GPU does is left out on a CPU. Throws InputError where a state is
// impossible.
std::vector<std::string> idleParameters(const std::string& mode, const ModeFactory& modes,
                                        const ExecConfig& config,
                                        const std::vector<Settings>& states) {
  const Trial trial{mode, modes, config};
  for (const Settings& state : states) {
    const std::unique_ptr<Mode> m = modes(mode, config);
    for (const auto& [key, value] : state) m->parameters().at(key).set(value);
    m->restart();
  }
  std::vector<std::string> idle;
  const ParameterSet set = modes.describe(mode).parameters();
  for (const Parameter& p : set.items()) {
    if (p.info.effect == Effect::restart) continue;
    if (p.info.gpuOnly && config.backend == Backend::cpu) continue;
    const bool seen =
        std::any_of(states.begin(), states.end(),
                    [&](const Settings& s) { return acts(trial, s, p, settingIn(trial, s, p)); }) ||
        actsWithAnotherChanged(trial, states.at(0), p);
    if (!seen) idle.push_back(p.info.key);
  }
  return idle;
}

// The walkers declare `shape` and ignore it; the other two take time only, which no result shows.
TEST(Parameters, ThatAreIgnoredAreFound) {
  EXPECT_EQ(idleParameters("fake", fakeModes, {}, {Settings{{"n", std::int64_t{4}}}}),
            (std::vector<std::string>{"delay", "shape", "setup_time"}));
}

std::vector<std::string> idleOnOneThread(const std::string& mode,
                                         const std::vector<std::string>& states) {
  std::vector<Settings> all;
  for (const std::string& state : states) all.push_back(scenarioWith(mode, state).parameters);
  return idleParameters(mode, {}, kOneThread, all);
}

TEST(Parameters, OfEveryModeAct) {
  for (const std::string& mode : modeKeys()) {
    if (mode == "md" || mode == "gcmc" || mode == "gibbs") continue;  // below
    EXPECT_EQ(idleOnOneThread(mode, {"n=64"}), std::vector<std::string>()) << mode;
  }
}

// Those of the checkerboard, of replicas, of moves in order, of speculative ones and of potentials
// need a state that has them. Mapping, block size and moves per launch change work but no decision:
// GcmcMode.OptionsOfMethodsChangeTheWorkButNoDecision.
TEST(Parameters, OfGrandCanonicalChainsAct) {
  const std::string mixture = "length=6 tail=false cutoff=2 system=binary sigma_b=0.9 ";
  EXPECT_EQ(
      idleOnOneThread(
          "gcmc",
          {"length=6 moves_per_step=200", "length=12 method=checkerboard moves_per_step=1",
           "length=6 replicas=3 moves_per_step=40",
           "length=6 replicas=3 replicas_differ_by=window replica_most=100 moves_per_step=40",
           "length=6 replicas=3 replicas_differ_by=temperature moves_per_step=40",
           "length=8 method=in_order moves_per_step=40",
           "length=6 method=speculative moves_per_step=200",
           "length=6 tail=false potential=scaled_attraction moves_per_step=200",
           "length=6 tail=false potential=mie moves_per_step=200", mixture + "moves_per_step=200",
           mixture + "moves_per_step=200 mixing=given sigma_ab=0.95 epsilon_ab=0.8"}),
      (std::vector<std::string>{"mapping", "block_size", "moves_per_launch"}));
}

// Those of potentials and of many pairs need a state that has them.
TEST(Parameters, OfTheGibbsEnsembleAct) {
  const std::string one = "n=108 moves_per_step=200";
  EXPECT_EQ(idleOnOneThread("gibbs",
                            {one, one + " tail=false potential=scaled_attraction",
                             one + " tail=false potential=mie", one + " pairs=2 temperatures=2"}),
            std::vector<std::string>());
}

// Each with one of these: those of B, and those of a ramp, need two others; a box of 10.78: three
// cells of 2.7 along a side, and four of a little less; parameters that a potential has; what is
// published of lists; a fault of one particle.
TEST(Parameters, OfMolecularDynamicsAct) {
  const std::string some = "n=108 density=0.6 system=binary fraction_b=0.4 cutoff_b=2.6 method=";
  const std::string cells = some + "cells ";
  EXPECT_EQ(idleOnOneThread(
                "md", {"n=108", cells, "n=108 thermostat=bussi ramp_steps=200 end_temperature=5",
                       "n=256 density=0.2044 method=placeholder_cells",
                       cells + "potential=scaled_attraction", cells + "potential=mie",
                       cells + "mixing=given sigma_ab=1.1 epsilon_ab=0.8 cutoff_ab=2.4",
                       some + "tree", some + "stencils search=paper cutoff=1.2 buffer=0.1",
                       "n=108 thermostat=langevin barostat=cell_rescaling barostat_interval=2",
                       cells + "list_fault=drop_pair"}),
            std::vector<std::string>());
}

}  // namespace
}  // namespace cellscope::test
