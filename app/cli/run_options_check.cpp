#include "app/cli/run_options_check.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/io/output_file.h"

namespace cellscope::cli {
namespace {

struct Named {
  const char* option;
  const std::string* path;
};

// Devices and pipes take more than one stream.
bool holdsOneResult(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) || !std::filesystem::exists(path, error);
}

bool collide(const Named& a, const Named& b) {
  return !a.path->empty() && !b.path->empty() && holdsOneResult(*a.path) &&
         io::sameFile(*a.path, *b.path);
}

void checkFiles(const RunOptions& o) {
  const Named written[] = {{"--csv", &o.csv},
                           {"--trajectory", &o.trajectory},
                           {"--picture", &o.picture},
                           {"--checkpoint", &o.checkpoint}};
  const Named read[] = {{"SCENARIO", &o.scenario},
                        {"--load-configuration", &o.configuration},
                        {"--resume", &o.resume}};
  for (std::size_t i = 0; i < std::size(written); ++i) {
    const Named& a = written[i];
    if (a.path->empty()) continue;
    io::checkWritable(*a.path, a.path == &o.checkpoint || a.path == &o.picture);
    for (std::size_t j = i + 1; j < std::size(written); ++j)
      if (collide(a, written[j]))
        throw InputError(fmt::format("{} and {} both name '{}': give each its own file", a.option,
                                     written[j].option, *a.path));
    for (const Named& b : read) {
      const bool goesOn = a.path == &o.checkpoint && b.path == &o.resume;
      if (!goesOn && std::filesystem::exists(*b.path) && collide(a, b))
        throw InputError(
            fmt::format("{} would overwrite '{}', which {} reads: give it another name", a.option,
                        *a.path, b.option));
    }
  }
}

}  // namespace

void checkRunOptions(const RunOptions& o) {
  if (o.resume.empty() && o.scenario.empty())
    throw InputError("name a scenario (cellscope list shows them) or give --resume FILE");
  if (!o.resume.empty() && (!o.scenario.empty() || !o.configuration.empty() || o.sampleEvery > 0))
    throw InputError(
        "--resume brings its own scenario: leave out SCENARIO, --load-configuration "
        "and --sample-every");
  if (o.steps > 0 && o.discard >= o.steps)
    throw InputError(fmt::format(
        "--discard {} leaves none of the {} steps of --steps; discard fewer or run more", o.discard,
        o.steps));
  checkFiles(o);
}

}  // namespace cellscope::cli
