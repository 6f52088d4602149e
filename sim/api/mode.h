// The one interface between a simulation mode and the rest of the house.
#pragma once
#include <iosfwd>
#include <limits>
#include <map>

#include "sim/api/configuration.h"
#include "sim/api/frame.h"
#include "sim/api/parameter.h"
#include "sim/base/backend.h"
#include "sim/base/box.h"
#include "sim/base/curve_series.h"
#include "sim/base/pair_list.h"

namespace cellscope {

// Observables declared once; charts and published values stand in sim/base/curve_series.h.

struct ObservableInfo {
  std::string id;        // CSV column and plot key
  std::string label;     // plot title
  std::string symbol;    // axis label, e.g. "P*"
  std::string unit;      // "" when dimensionless
  std::string equation;  // paper and equation, or definition
  std::string plot;      // observables with the same plot name share axes
  // Slow: moves on until the state is in equilibrium. Never true of what a run conserves.
  bool relaxes = false;
  bool whole = false;  // a count: ticks at whole numbers only
  // A sum over the run, or what goes on with time by its nature: it has a value now, and no mean.
  bool grows = false;
  bool isMean = false;  // grows: a mean over the run by itself, a result in equilibrium only
  friend bool operator==(const ObservableInfo&, const ObservableInfo&) = default;
};

// Of the mean of an observable without the approach to equilibrium.
struct MeanState {
  bool settled = false;  // it is a result
  double error = 0;
};

// Index of the observable with this id among all; their number when there is none.
inline std::size_t columnOf(const std::vector<ObservableInfo>& all, const std::string& id) {
  std::size_t k = 0;
  while (k < all.size() && all[k].id != id) ++k;
  return k;
}

// The words of a mode.
struct ModeWords {
  std::string key;                        // scenario `mode = "..."`
  std::string label;                      // window
  std::string stepName = "step";          // "sweep"
  std::string workUnit = "steps";         // "trial moves", "pair interactions"
  std::vector<LayerInfo> layers;          // first one is the particles
  std::vector<ColouringInfo> colourings;  // first one is the default
  std::vector<ObservableInfo> observables;
  std::string noSteps;               // of a mode that only shows a file: why it does not advance
  std::string lengthUnit = "sigma";  // "": not known
  friend bool operator==(const ModeWords&, const ModeWords&) = default;
};

// A mode without its engine: all that parsing, listing and the gallery need. The layers are all
// that it may ever offer; the words of observables are those of the default parameters.
struct ModeDescription : ModeWords {
  std::vector<int> dimensions;             // 2, 3 or both
  std::vector<std::string> curves;         // Curve::id
  ParameterSet (*parameters)() = nullptr;  // the defaults, in a set of their own
  bool inDomains = false;                  // ExecConfig::domains may be more than one
  std::size_t together = 8;                // small runs that keep one GPU busy
};

// A mode as it is now, with what depends on parameters or on the state: phases, layers on
// offer, dimension, words of observables.
struct ModeInfo : ModeWords {
  std::uint64_t version = 0;  // rises with every change
  int dimension = 2;
  std::vector<std::string> phases;  // of one step, in order
  friend bool operator==(const ModeInfo&, const ModeInfo&) = default;
};

// What the window wants to see in the next frame.
struct ViewRequest {
  std::vector<std::string> layers;  // keys that are on
  bool shows(const std::string& layer) const { return hasItem(layers, layer); }
  std::string colouring;   // ColouringInfo::key, "" = default
  ParticleId picked = -1;  // particle to highlight and explain
  bool still = false;      // steps come one by one: what a step did can be followed
  // Looks that are not the usual one, by key of the layer. They act on what is drawn in any case; a
  // layer of very many instances may leave out what its look hides.
  std::map<std::string, LayerLook> looks = {};
};

// A click: a point of the plane in 2D; a ray in 3D. Where it hits nothing, the nearest particle
// within `reach` of its rim is meant: particles move between picture and click, and may be tiny on
// the screen.
struct PickQuery {
  double origin[3] = {};
  double direction[3] = {0, 0, -1};
  double reach = 0;  // sigma
  // Nothing but what is drawn is picked. Of particles: at a position in the box, of a type, called
  // from the thread of the mode; null: all are drawn. Of boxes in space: from where to where along
  // the ray, in lengths of its direction.
  std::function<bool(const Vec3d& at, int type)> isDrawn = nullptr;
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  double size = 1;  // of spheres, as share of their diameter
};

// Not sampling yet: shown with a progress bar, and no averages are taken meanwhile.
struct Preparation {
  std::string label;    // "compressing to packing 0.700"
  double progress = 0;  // 0..1; negative: not known
};

// Progress callback of building a state, computing forces or a long step, called several times a
// second where that takes long. progress never falls. May throw Cancelled: the work is abandoned
// and the state is the one before it.
using WorkReport = std::function<void(const Preparation&)>;

// A pair that a neighbour list has wrong.
struct PairFinding {
  ParticleId pick = -1;  // ViewRequest::picked to have both particles marked and explained
  std::size_t kind = 0;  // index into PairFindings::kinds
  std::int64_t i = 0, j = 0;
  std::string types;                            // "0-1"; "": there are none
  double distance = 0, toFace = 0, toWall = 0;  // NaN: none
};
struct PairFindings {
  bool right = true;
  std::string verdict;             // in one line
  std::vector<std::string> words;  // causes, faults of structures, notes
  std::vector<std::string> kinds;  // LayerInfo::label of the layers that show them
  std::vector<PairFinding> pairs;
};

// Thread contract: every member is called from one thread (the Runner's, or the batch loop's).
// Frames returned by frame() stay valid and immutable while the mode advances.
class Mode {
 public:
  virtual ~Mode() = default;
  virtual const ModeDescription& description() const = 0;
  virtual const ModeInfo& info() const = 0;
  // A draft: what is set here acts when restart() or applyParameters() takes it over. It is taken
  // over whole or not at all: when they throw, it is again what the mode runs with.
  virtual ParameterSet& parameters() = 0;
  const ParameterSet& parameters() const { return const_cast<Mode*>(this)->parameters(); }

  // New state from the draft; step() becomes 0. Throws InputError (impossible parameters), RunError
  // (out of memory, with the amount needed), or what the progress callback throws; the previous
  // state is kept. A new mode has no state before its first restart(), adopt() or load().
  virtual void restart() = 0;
  // Replace the state by a given configuration (a loaded file). Throws InputError on overlap, NaN,
  // or a particle outside the box, naming it.
  virtual void adopt(const Configuration& configuration) = 0;
  // Take over what was changed in the draft, without losing the state; a step in progress is
  // completed first. Values that only a restart takes over (Effect::restart) stay in the draft.
  // Throws InputError or RunError and keeps the state.
  virtual void applyParameters() = 0;

  virtual void advance(std::uint64_t steps) = 0;
  // Run the next phase only, or one unit of preparation. After the last phase step() has grown by
  // one.
  virtual void advancePhase() = 0;
  virtual int nextPhase() const = 0;  // 0 at the start of a step
  virtual std::uint64_t step() const = 0;
  virtual double work() const = 0;  // in ModeInfo::workUnit, since restart
  // Simulated time since restart; steps where the model has none.
  virtual double time() const { return static_cast<double>(step()); }
  virtual std::optional<Preparation> preparation() const = 0;

  // One value per ModeInfo::observables at the current state; NaN where undefined. Also feeds the
  // accumulated curves. Call between steps only.
  virtual std::vector<double> sample() = 0;
  virtual std::vector<Curve> curves() const { return {}; }
  virtual std::vector<ReferenceValue> references() const { return {}; }
  virtual void resetAverages() {}  // forget accumulated curves and counters
  // Pairs that the neighbour list of a file has wrong; null: the mode shows no such file.
  virtual std::shared_ptr<const PairFindings> findings() const { return nullptr; }

  // Charts of averages that leave the approach to equilibrium out, as the averages of the
  // observables do. These start over, without resetAverages(): their next sample is number 0.
  virtual void averagesStartOver() {}
  // The same after a change of parameters that the mode has acted on, where charts that it does not
  // concern may go on. False: not done, resetAverages() is wanted.
  virtual bool startOverAfterEdit() { return false; }
  // After a sample with which they leave more out, before averagesAre(). For charts that keep one
  // sum only: it begins here, later than the averages.
  virtual void averagesBeginLater() {}
  // After each sample: how many are left out since then (those before number 32, 64, 128, ...), and
  // of each of ModeInfo::observables the mean of the others.
  virtual void averagesAre(std::uint64_t, const std::vector<MeanState>&) {}
  // After resetAverages(): somebody chose that averages begin here. For charts with a test of
  // equilibrium of their own, which then leave nothing out.
  virtual void keepBeginning() {}

  // Whether the mode comes to samples while it goes on by itself, and advanceSampling() may be
  // called now: as advance(); wherever step() becomes a multiple of `every` a sample is taken as by
  // sample(), on the way, and handed over once steps after it are done too. In order. When it
  // throws, what was handed over belongs to steps that were made.
  virtual bool samplesOnTheWay() const { return false; }
  using SampleSink = std::function<void(std::uint64_t step, const std::vector<double>& values)>;
  virtual void advanceSampling(std::uint64_t, std::uint64_t, const SampleSink&) {}
  // Of a preparation whose steps are part of the run, as while the sizes of moves are tuned: its
  // samples show how the state comes about, and count for no average. As sample(); nothing of the
  // run changes. Empty: there are none.
  virtual std::vector<double> sampleOfPreparation() { return {}; }
  // Values that a preparation has found and that depend on more than the state, such as times: to
  // be set and logged as if by hand. Each is reported once.
  virtual Settings takeFound() { return {}; }

  virtual std::shared_ptr<const Frame> frame(const ViewRequest& view) = 0;
  virtual ParticleId pick(const PickQuery& query) = 0;  // -1: nothing is hit
  // Of the engine, or of an experiment that imitates them: as many are shown of a run beside it.
  virtual int domainsShown() const { return 1; }
  virtual std::vector<SelfCheck> selfChecks() = 0;  // exhaustive; may take milliseconds

  virtual Configuration configuration() const = 0;
  // Numbers of all systems where there are others beside that one: two runs that differ in a state
  // differ in them sooner or later.
  virtual std::vector<double> numbersOfAll() const { return {}; }
  // Complete state, bit for bit, without header or checksum (sim/io adds them).
  virtual void save(std::ostream& out) const = 0;
  virtual void load(std::istream& in) = 0;  // throws InputError when inconsistent

  // Since the mode began, or less: they start over with a new state. A name may come twice.
  virtual std::vector<KernelTime> kernelTimes() const { return {}; }
  virtual std::size_t engineBytes() const { return 0; }  // memory of the engine's arrays
  virtual std::size_t particleCount() const = 0;

  // Sets the progress callback, which may cancel the current work.
  void watchWork(WorkReport report) { workReport_ = std::move(report); }
  void reportWork(const std::string& label, double progress) const {
    if (workReport_) workReport_({label, progress});
  }
  // Called after each step in which the mode has changed a parameter by itself, so that
  // averages begin there however many steps are made at once.
  void watchChanges(std::function<void()> changed) { changed_ = std::move(changed); }

 protected:
  const WorkReport& workReport() const { return workReport_; }
  void reportChange() const {
    if (changed_) changed_();
  }

 private:
  WorkReport workReport_;
  std::function<void()> changed_;
};

// Every mode that exists (sim/modes.cpp lists them). Both throw InputError for an unknown
// key.
std::unique_ptr<Mode> makeMode(const std::string& key, const ExecConfig& config);
const ModeDescription& describeMode(const std::string& key);
std::vector<std::string> modeKeys();  // of those that advance

// Where modes come from; tests pass their own.
struct ModeFactory {
  using Make = std::function<std::unique_ptr<Mode>(const std::string&, const ExecConfig&)>;
  using Describe = std::function<const ModeDescription&(const std::string&)>;

  ModeFactory() = default;
  // Other modes of the same descriptions.
  template <class M>
  requires std::is_invocable_r_v < std::unique_ptr<Mode>, M,
  const std::string&, const ExecConfig& > ModeFactory(M modes) : make(std::move(modes)) {}
  ModeFactory(Make modes, Describe descriptions)
      : make(std::move(modes)), describe(std::move(descriptions)) {}

  std::unique_ptr<Mode> operator()(const std::string& key, const ExecConfig& config) const {
    return make(key, config);
  }

  Make make = makeMode;
  Describe describe = describeMode;
};

// What a mode may offer beside the interface of all modes.

// Neighbour lists to be written to a file.
class LendsLists {
 public:
  virtual ~LendsLists() = default;
  // Throws InputError naming the way out where the mode has no lists with its parameters.
  virtual void requireLists() const = 0;
  // Those built last, with the positions that they were built from and the structures behind them.
  // Call between steps only. Throws as requireLists().
  virtual PairList neighbourLists() = 0;
};

// Of particles with velocities: a hand that heats or cools some of them between two steps.
class HeatsParticles {
 public:
  virtual ~HeatsParticles() = default;
  // Velocities of these times the factor. Energy and momentum are conserved from here on. Throws
  // what forces throw, and the state is kept.
  virtual void heat(const std::vector<ParticleId>& ids, double factor) = 0;
};

// Shows a file that is no configuration: Scenario::configuration names it, Scenario::compare
// another one beside it.
class OpensFile {
 public:
  virtual ~OpensFile() = default;
  // Instead of Mode::restart() and adopt(). Throws InputError, and the state is kept.
  virtual void open(const std::string& path, const std::string& compare) = 0;
};

}  // namespace cellscope
