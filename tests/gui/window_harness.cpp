// The window over the demo mode, or over another one on the CPU, with options as of the program.
#include <CLI/CLI.hpp>

#include <cstdio>

#include "app/cli/commands.h"
#include "app/gui/app.h"
#include "tests/gui/demo_mode.h"
#include "tests/support/modes.h"

namespace {

using namespace cellscope;

Scenario demoScenario() {
  Scenario s;
  s.name = "demo";
  s.mode = "demo";
  s.title = "Rattling disks near the transition";
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
    ParameterSet set = (demo ? test::DemoMode::describe() : describeMode(mode)).parameters();
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
        return std::make_unique<test::DemoMode>(slowResets, silent);
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
