// `cellscope lesson` and `cellscope follow`.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "app/lesson/client.h"
#include "app/lesson/server.h"
#include "app/sweep/sweep.h"
#include "sim/algo/race/race.h"
#include "sim/base/error.h"
#include "sim/exec/machine.h"
#include "sim/run/runner.h"

namespace cellscope::cli {
namespace {

struct LessonOptions : WindowCommandOptions {
  bool serve = false;
  std::string address = "127.0.0.1";
  int port = lesson::kUsualPort;
};

struct FollowOptions : WindowCommandOptions {
  std::string address;
  bool headless = false;
  std::uint64_t states = 0;  // to be compared; 0: no end
};

// Before others are let in.
void requireLesson(const LessonOptions& o) {
  if (!o.window.plan.empty() || !o.resume.empty() || sweep::isSweep(o.scenario)) return;
  try {
    common::openScenario(o.scenario);
  } catch (const UnknownScenario& e) {
    std::string names;
    std::vector<std::string> refused;
    for (const std::string& folder : {common::lessonFolder(), common::ownFolder("lessons")})
      for (const LessonPlan& plan : plansIn(folder, refused))
        names += (names.empty() ? "" : ", ") + plan.name;
    throw InputError("{}; lessons: {}", e.what(), names);
  }
}

int lessonCommand(LessonOptions& o) {
  o.window.plan = common::planPath(o.scenario, true);
  requireLesson(o);
  if (o.serve) {
    const auto server = std::make_shared<lesson::Server>(o.address, o.port);
    common::printError(server->words().hover);
    o.window.lesson = server;
  }
  return windowCommand(o);
}

const char* standingName(lesson::Listener::Standing standing) {
  using Standing = lesson::Listener::Standing;
  return standing == Standing::inStep    ? "in step"
         : standing == Standing::behind  ? "behind"
         : standing == Standing::waiting ? "waiting"
                                         : "out of step";
}

// A line for each state that was compared.
int followHeadless(lesson::Client& client, const FollowOptions& o) {
  const common::InterruptGuard interrupt;
  Runner runner(common::chooseHardware(o.hardware, true), client.lecturer());
  client.begin(runner);
  const double begun = steadySeconds();
  const auto passed = [&] { return steadySeconds() - begun; };
  std::uint64_t compared = 0, message = 0;
  for (int look = 0; !interrupt.raised() && (o.states == 0 || compared < o.states); ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    // Now and then: whoever looks is given a picture.
    if (const auto now = look % 20 == 0 ? runner.latest() : nullptr)
      for (const Message& m : now->messages)
        if (m.number > message) message = m.number, common::printError(m.text);
    const lesson::Listener::Status s = client.lecturer()->status();
    if (s.compared == compared) continue;
    compared = s.compared;
    common::printLine(fmt::format("{:.1f} step {} hash {:016x} {}, {} bytes", passed(), s.step,
                                  s.hash, standingName(s.standing), client.bytesReceived()));
  }
  client.end();
  common::printLine(fmt::format("{} bytes received and {} sent in {:.1f} s", client.bytesReceived(),
                                client.bytesSent(), passed()));
  return client.lecturer()->status().standing == lesson::Listener::Standing::inStep
             ? common::kDone
             : common::kFailed;
}

int followCommand(FollowOptions& o) {
  common::outliveOutputs();
  const auto client = std::make_shared<lesson::Client>(o.address);
  // Molecular dynamics is the same bit for bit where the same instructions compute it: those of the
  // lecturer are used if this processor has them.
  const std::vector<std::string> mine = exec::instructionSets();
  const std::string& set = client->instructionSet();
  if (std::ranges::find(mine, set) != mine.end()) ::setenv("CELLSCOPE_ISA", set.c_str(), 0);
  if (o.headless) return followHeadless(*client, o);
  o.window.lesson = client;
  return windowCommand(o);
}

}  // namespace

Command addLesson(CLI::App& app) {
  const auto options = std::make_shared<LessonOptions>();
  LessonOptions& o = *options;
  CLI::App* c = app.add_subcommand(
      "lesson", "Open a lesson, which a class may follow, in a window (cellscope help lesson)");
  addWindowExperiment(*c, o);
  c->get_option("SCENARIO")
      ->description(
          "Name of a lesson in the gallery, its .toml file, a folder of scenarios, or what "
          "cellscope window takes");
  CLI::Option* serve = c->add_flag("--serve", o.serve,
                                   "Let others follow: they compute the same states, step by step");
  c->add_option("--address", o.address,
                "Address of this computer at which they are let in; 0.0.0.0: all of them")
      ->needs(serve)
      ->capture_default_str();
  addWhole(*c, "--port", o.port, 1, 65535, "Port there")->needs(serve)->capture_default_str();
  addWindowLooks(*c, o);
  return {c, [options] { return lessonCommand(*options); }};
}

Command addFollow(CLI::App& app) {
  const auto options = std::make_shared<FollowOptions>();
  FollowOptions& o = *options;
  CLI::App* c = app.add_subcommand(
      "follow", "Follow a lecturer's window in one of your own (cellscope help lesson)");
  c->add_option("ADDRESS", o.address, "The lecturer's computer, and its port: HOST or HOST:PORT")
      ->required();
  CLI::Option* headless = c->add_flag(
      "--headless", o.headless, "Without a window: print step and hash of each state compared");
  addWhole(*c, "--states", o.states, 1, kMostSteps,
           "Stop when so many states were compared, one a second")
      ->needs(headless);
  addWindowLooks(*c, o);
  return {c, [options] { return followCommand(*options); }, false};
}

}  // namespace cellscope::cli
