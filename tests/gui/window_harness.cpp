// The window over the demo mode, or over another one on the CPU: window_harness [--mode KEY]
// [--option value ...]; see main().
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

#include "app/gui/app.h"
#include "sim/api/mode.h"
#include "tests/gui/demo_mode.h"

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

std::vector<std::string> idsOf(const char* text) {
  std::vector<std::string> ids;
  std::istringstream words(text);
  for (std::string id; std::getline(words, id, ',');) ids.push_back(id);
  return ids;
}

// Every option takes a value.
void take(WindowOptions& o, const char* name, const char* value) {
  if (!std::strcmp(name, "--width"))
    o.width = std::atoi(value);
  else if (!std::strcmp(name, "--height"))
    o.height = std::atoi(value);
  else if (!std::strcmp(name, "--scale"))
    o.scale = std::atof(value);
  else if (!std::strcmp(name, "--theme"))
    o.theme = std::strcmp(value, "light") ? Theme::dark : Theme::light;
  else if (!std::strcmp(name, "--frames"))
    o.exitAfterFrames = std::strtoull(value, nullptr, 10);
  else if (!std::strcmp(name, "--screenshot"))
    o.screenshotAtExit = value;
  else if (!std::strcmp(name, "--log"))
    o.logEvents = value;
  else if (!std::strcmp(name, "--output"))
    o.outputFolder = value;
  else if (!std::strcmp(name, "--gallery"))
    o.galleryFolder = value;
  else if (!std::strcmp(name, "--paused"))
    o.paused = std::atoi(value) != 0;
  else if (!std::strcmp(name, "--present"))
    o.presentation = std::atoi(value) != 0;
  else if (!std::strcmp(name, "--help-sheet"))
    o.help = std::atoi(value) != 0;
  else if (!std::strcmp(name, "--plots"))  // ids with commas between them
    o.scenario.plots = idsOf(value);
  else if (!std::strcmp(name, "--frame-seconds"))
    o.frameSeconds = std::atof(value);
  else
    throw InputError(std::string("unknown option ") + name);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    double slowResets = 0;
    bool silent = false;
    WindowOptions options;
    options.scenario = demoScenario();
    const auto demo = [&] { return options.scenario.mode == "demo"; };
    for (int i = 1; i + 1 < argc; i += 2) {
      if (!std::strcmp(argv[i], "--mode")) {
        options.scenario = {};
        options.scenario.mode = options.scenario.name = options.scenario.title = argv[i + 1];
      } else if (!std::strcmp(argv[i], "--set")) {
        const std::string both = argv[i + 1];
        const std::size_t at = both.find('=');
        const ModeDescription& mode =
            demo() ? test::DemoMode::describe() : describeMode(options.scenario.mode);
        ParameterSet set = mode.parameters();
        Parameter& p = set.at(both.substr(0, at));
        p.setText(both.substr(at + 1));
        options.scenario.parameters.push_back({p.info.key, p.get()});
      } else if (!std::strcmp(argv[i], "--slow-resets")) {
        slowResets = std::atof(argv[i + 1]);
      } else if (!std::strcmp(argv[i], "--silent")) {
        silent = std::atoi(argv[i + 1]) != 0;
      } else {
        take(options, argv[i], argv[i + 1]);
      }
    }
    ModeFactory modes;
    if (demo())  // at first; other scenarios have modes of their own
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
