// The window over the demo mode, or over another one on the CPU, with options as of the program.
#include <cstdio>

#include "app/cli/commands.h"
#include "app/gui/app.h"
#include "sim/layers/layers.h"
#include "sim/modes/mode_base.h"
#include "tests/support/modes.h"

namespace {

using namespace cellscope;

constexpr float kPi = 3.14159265f;
constexpr double kPressure = 13.1;  // per packing; like every number shown here, made up

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

ModeDescription makeDescription() {
  ModeDescription d;
  d.key = "demo";
  d.label = "Rattling disks";
  d.dimensions = {2};
  d.stepName = "sweep";
  d.workUnit = "moves";
  d.layers = {{"particles", "Disks", "Every disk at its true size.", Primitive::points, true},
              {"cells", "Sets", "The four checkerboard sets.", Primitive::boxes, false},
              {"active", "Active set", "The set that moves now.", Primitive::boxes, false}};
  d.colourings = {{"phase", "Orientation", "Phase of ψ₆."},
                  {"order", "Order", "|ψ₆|."},
                  {"plain", "Plain", "One colour."}};
  d.observables = {{"pressure", "Pressure", "P*", "", "made up", "pressure"},
                   {"pressure_sdf", "Pressure (scaled)", "P*", "", "made up", "pressure"},
                   {"psi6", "Global order", "|ψ₆|", "", "made up", "psi6"},
                   {"acceptance", "Acceptance", "A", "%", "made up", "acceptance"}};
  d.curves = {"g_contact"};
  d.parameters = &ParameterSet::defaults<DemoParameters>;
  return d;
}

Curve contactCurve() {
  Curve g{"g_contact", "g(r) near contact", {"r  (σ)"}, {"g(r)"}, "made up"};
  CurveSeries data{"measured", "", {}, {}, {}, SeriesKind::points},
      fit{"fit of degree 5", "", {}, {}};
  for (int i = 0; i < 40; ++i) {
    const double r = 1 + 0.0005 * i, y = 8.1 * std::exp(-9 * (r - 1));
    data.x.push_back(r);
    data.y.push_back(y * (1 + 0.01 * std::sin(17.0 * i)));
    data.error.push_back(0.06);
    fit.x.push_back(r);
    fit.y.push_back(y);
  }
  g.series = {data, fit};
  return g;
}

// A mode to show: disks that rattle about the sites of a square lattice, with two checkerboard-like
// layers, every kind of parameter, colouring, curve and reference, and a settable time per step.
// What it measures and its reference are made up.
class DemoMode final : public ModeBase<DemoParameters> {
 public:
  // Every restart but the first takes `slowResets` milliseconds; a silent one reports only its
  // beginning.
  explicit DemoMode(double slowResets = 0, bool silent = false)
      : ModeBase(describe(), {}), slowResets_(slowResets), silent_(silent) {
    ready();
  }
  static const ModeDescription& describe() {
    static const ModeDescription description = makeDescription();
    return description;
  }
  double work() const override { return work_; }
  std::size_t particleCount() const override { return x_.size(); }
  void resetAverages() override {}
  std::vector<double> sample() override {
    const double settle = std::exp(-static_cast<double>(step()) / 4000.0);
    const double base = kPressure * active().packing;
    return {base * (1 - 0.1 * settle) + 0.2 * (unitNoise() - 0.5),
            base * (1 - 0.08 * settle) + 0.3 * (unitNoise() - 0.5),
            0.6 * (1 - settle) + 0.05 * unitNoise(), 50 + unitNoise()};
  }
  std::vector<Curve> curves() const override { return {contactCurve()}; }
  std::vector<ReferenceValue> references() const override {
    return {{"pressure", kPressure * active().packing, 0.0005, "made up for this test"}};
  }
  std::vector<SelfCheck> selfChecks() override {
    return {
        {"disks", true, std::to_string(x_.size()) + " of " + std::to_string(x_.size())},
        {"overlaps", active().amplitude < 0.4, active().amplitude < 0.4 ? "0" : "moves too long"},
        {"cell width", true, "w = 1.33 σ in [1, 1.414)"}};
  }
  Configuration configuration() const override {
    Configuration c{.box = {2, {length_, length_, 1}}};
    for (std::size_t i = 0; i < x_.size(); ++i) {
      c.positions.insert(c.positions.end(), {x_[i], y_[i], 0.0});
      c.ids.push_back(static_cast<ParticleId>(i));
    }
    return c;
  }
  std::shared_ptr<const Frame> frame(const ViewRequest& view) override {
    auto frame = std::make_shared<Frame>();
    frame->step = step();
    frame->phase = nextPhase() - 1;
    frame->box = {2, {length_, length_, 1}};
    for (const std::string& key : view.layers) {
      if (key == "particles") frame->layers.insert(frame->layers.begin(), particleLayer(view));
      if (key == "cells" || key == "active") frame->layers.push_back(cellLayer(key == "active"));
    }
    frame->checks = selfChecks();
    if (view.picked >= 0 && view.picked < static_cast<std::int64_t>(x_.size())) {
      const auto i = static_cast<std::size_t>(view.picked);
      frame->picked.id = view.picked;
      frame->picked.position[0] = static_cast<float>(x_[i]);
      frame->picked.position[1] = static_cast<float>(y_[i]);
      frame->picked.rows = {{"Position", std::to_string(x_[i]) + ", " + std::to_string(y_[i])},
                            {"Cell", "17, 4"},
                            {"Set", "b"},
                            {"|ψ₆|", "0.83"},
                            {"Last trial move", "rejected: overlap with 812"}};
    }
    return frame;
  }
  std::int64_t pick(const PickQuery& query) override {
    std::int64_t best = -1;
    double least = 0.25;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double dx = x_[i] - query.origin[0], dy = y_[i] - query.origin[1];
      if (dx * dx + dy * dy < least) {
        least = dx * dx + dy * dy;
        best = static_cast<std::int64_t>(i);
      }
    }
    return best;
  }

 private:
  std::vector<std::string> phases(const DemoParameters&) const override {
    return {"shuffle", "set a", "set b", "set c", "set d", "shift"};
  }
  void start(const DemoParameters& p) override {
    for (double ms = 0; started_ && ms < slowResets_; ms += 5) {
      if (!silent_ || ms == 0) reportWork("placing disks", ms / slowResets_);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    begin(p);
    started_ = true;
    random_ = static_cast<std::uint64_t>(p.seed) * 2654435769ull + 1;
    work_ = 0;
    layOut();
    x_ = siteX_;
    y_ = siteY_;
  }
  void startFrom(const Configuration&, const DemoParameters&) override {
    throw InputError("the demo takes no files");
  }
  void parametersChanged(const DemoParameters&, std::uint32_t) override {
    layOut();
    x_ = siteX_;
    y_ = siteY_;
  }
  void runSteps(std::uint64_t count) override {
    for (std::uint64_t s = 0; s < count; ++s) {
      for (int phase = 0; phase < static_cast<int>(info().phases.size()); ++phase)
        runPhase(phase, false);
      countSteps(1);
    }
  }
  void runPhase(int phase, bool) override {
    if (active().delay > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(
          active().delay / static_cast<double>(info().phases.size())));
    }
    if (phase != 1) return;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = siteX_[i] + active().amplitude * (2 * unitNoise() - 1);
      y_[i] = siteY_[i] + active().amplitude * (2 * unitNoise() - 1);
    }
    work_ += static_cast<double>(x_.size());
  }
  RunMemory memoryOfRun() const override { return {}; }
  std::uint32_t stateVersion() const override { return 1; }
  void saveState(BinaryWriter&) const override {}
  void loadState(BinaryReader&, const DemoParameters& p, int) override { begin(p); }
  double unitNoise() {
    random_ = random_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(random_ >> 11) / 9007199254740992.0;
  }
  void layOut() {
    const auto n = static_cast<std::size_t>(active().particles);
    length_ = std::sqrt(3.14159265358979 * static_cast<double>(n) / (4 * active().packing));
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
    siteX_.resize(n);
    siteY_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      siteX_[i] = (static_cast<double>(i % side) + 0.5) * length_ / static_cast<double>(side);
      siteY_[i] = (static_cast<double>(i / side) + 0.5) * length_ / static_cast<double>(side);
    }
  }
  LayerData particleLayer(const ViewRequest& view) const {
    const std::string colouring = view.colouring.empty() ? "phase" : view.colouring;
    std::vector<PointInstance> points(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const auto x = static_cast<float>(x_[i]), y = static_cast<float>(y_[i]);
      const auto length = static_cast<float>(length_);
      float value = std::remainder(2 * kPi * (x + 0.5f * y) / length, 2 * kPi);
      if (colouring == "order") value = 0.5f + 0.5f * std::sin(6 * kPi * x / length);
      points[i] = {x, y, 0, 1, value, 1};
    }
    ColourScale scale;
    if (colouring == "phase") scale = {ColourKind::hueWheel, "phase of ψ₆", "", -kPi, kPi};
    if (colouring == "order") scale = {ColourKind::sequential, "|ψ₆|", "", 0, 1};
    return layerOf("particles", points, scale);
  }
  LayerData cellLayer(bool active) const {
    const int m = 2 * std::max(1, static_cast<int>(length_ / 2.6));
    const float w = static_cast<float>(length_) / static_cast<float>(m);
    std::vector<BoxInstance> boxes;
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i) {
        const int set = (i & 1) + 2 * (j & 1);
        const bool on = !active || nextPhase() - 2 == set;
        const float x = w * static_cast<float>(i), y = w * static_cast<float>(j);
        boxes.push_back({{x, y, 0},
                         {x + w, y + w, 0},
                         static_cast<float>(set),
                         static_cast<std::int16_t>(on ? 1 : -1)});
      }
    }
    const std::vector<Mark> marks = {Mark::setA, Mark::setB, Mark::setC, Mark::setD};
    const std::vector<std::string> names = {"set a", "set b", "set c", "set d"};
    const ColourScale sets{ColourKind::categorical, "checkerboard set", "", 0, 3, names, marks};
    return layerOf(active ? "active" : "cells", boxes, sets);
  }

  double slowResets_;
  bool silent_, started_ = false;
  std::vector<double> x_, y_, siteX_, siteY_;
  double length_ = 1, work_ = 0;
  std::uint64_t random_ = 1;
};

Scenario demoScenario() {
  Scenario s{.name = "demo", .title = "Rattling disks near the transition", .mode = "demo"};
  s.text =
      "Disks rattle about the sites of a lattice. Nothing is physics here: the scenario shows "
      "every control of the window, so that tests and people can look at all of them. Watch "
      "how the running mean settles on the published value.";
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  std::string mode = "demo", size = "1280x800";
  std::vector<std::string> settings;
  double slowResets = 0;
  bool silent = false;
  WindowOptions options;
  CLI::App line;
  line.add_option("--mode", mode);
  line.add_option("--set", settings);
  line.add_option("--slow-resets", slowResets, "Milliseconds of every restart but the first");
  line.add_flag("--silent", silent, "They report only their beginning");
  line.add_option("--size", size);
  line.add_option("--scale", options.scale);
  line.add_flag("--paused", options.paused);
  line.add_flag("--presentation", options.presentation);
  line.add_option("--output", options.outputFolder);
  line.add_option("--log-events", options.logEvents);
  line.add_option("--exit-after-frames", options.exitAfterFrames);
  line.add_option("--frame-seconds", options.frameSeconds);
  CLI11_PARSE(line, argc, argv);
  try {
    const bool demo = mode == "demo";
    options.scenario = demoScenario();
    if (!demo) {
      options.scenario = {};
      options.scenario.mode = options.scenario.name = options.scenario.title = mode;
    }
    ParameterSet set = (demo ? DemoMode::describe() : describeMode(mode)).parameters();
    for (const std::string& setting : settings) {
      test::assign(set, setting);
      const std::string key = setting.substr(0, setting.find('='));
      options.scenario.parameters.emplace_back(key, set.at(key).get());
    }
    std::tie(options.width, options.height) = cli::parseSize(size);
    ModeFactory modes;
    if (demo)  // at first; other scenarios have modes of their own
      modes.make = [=, first = std::make_shared<bool>(true)](
                       const std::string& key, const ExecConfig& config) -> std::unique_ptr<Mode> {
        if (!std::exchange(*first, false)) return makeMode(key, config);
        return std::make_unique<DemoMode>(slowResets, silent);
      };
    auto runner = std::make_unique<Runner>(options.exec, options.scenario, modes);
    gui::App app(options, std::move(runner));
    return app.run();
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
