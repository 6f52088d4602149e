// The folder of a sweep: state points, and job files that call `cellscope sweep work`.
#include <fmt/format.h>
#include <md5.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <set>

#include "app/common/terminal.h"
#include "app/sweep/sweep.h"
#include "sim/api/mode.h"
#include "sim/base/digits.h"
#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/io/text_lines.h"

namespace cellscope::sweep {
namespace {

namespace fs = std::filesystem;

// Python's repr(): the shortest text that reads back, with a decimal point or an exponent.
std::string pythonText(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

std::string pythonText(const ParameterValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return pythonText(*real);
  return std::visit([](const auto& v) { return nlohmann::json(v).dump(-1, ' ', true); }, value);
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(
      "--vary {}: {}; write KEY=FIRST..LAST:COUNT, KEY=FIRST..LAST for whole numbers, or KEY=A,B",
      text, why);
}

std::vector<std::string> range(const std::string& text, const std::string& from,
                               const std::string& to, const std::string& count) {
  if (count.empty()) {
    const auto first = wholeFrom(from), last = wholeFrom(to);
    if (!first || !last || *first > *last) refuse(text, "no range of whole numbers");
    if (static_cast<std::uint64_t>(*last - *first) >= kMostPoints) refuse(text, "too many values");
    std::vector<std::string> out;
    for (std::int64_t k = *first; k <= *last; ++k) out.push_back(fmt::format("{}", k));
    return out;
  }
  const auto first = realFrom(from), last = realFrom(to);
  const auto n = wholeFrom(count);
  if (!first || !last || !(*first < *last)) refuse(text, "no range of numbers");
  if (!n || *n < 2 || *n > static_cast<std::int64_t>(kMostPoints))
    refuse(text, fmt::format("'{}' is no number of values from 2 to {}", count, kMostPoints));
  std::vector<std::string> out;
  const auto steps = static_cast<double>(*n - 1);
  for (std::int64_t k = 0; k < *n; ++k) {
    // Ends are exact, and what has few digits keeps them: 0.61, not 0.6100000000000001.
    const double value =
        (*first * (steps - static_cast<double>(k)) + *last * static_cast<double>(k)) / steps;
    out.push_back(fmt::format("{:.12g}", value));
  }
  return out;
}

void write(const fs::path& path, const std::string& text, bool program = false) {
  io::createFolder(path.parent_path().string());
  io::replaceFile(path.string(), text);
  if (program)
    fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
}

// Each combination of the varied values, the first key slowest.
std::vector<StatePoint> combine(const SweepSetup& setup, const std::vector<Varied>& varied) {
  ParameterSet set = describeMode(setup.scenario.mode).parameters();
  StatePoint fixed = {{"scenario", setup.scenario.name},
                      {"until", static_cast<std::int64_t>(setup.until)}};
  const auto valueOf = [&](const std::string& key, const std::string& text) {
    set.at(key).setText(text);
    return set.at(key).get();
  };
  for (const auto& [key, text] : common::splitSettings(setup.settings))
    fixed[key] = valueOf(key, text);
  std::vector<StatePoint> points = {fixed};
  for (const Varied& v : varied) {
    if (fixed.count(v.key) > 0)
      throw InputError("--vary {}: '{}' is set or varied already", v.key, v.key);
    fixed[v.key] = false;
    if (points.size() * v.values.size() > kMostPoints)
      throw InputError("--vary: more than {} points", kMostPoints);
    std::vector<StatePoint> next;
    for (const StatePoint& p : points)
      for (const std::string& text : v.values) {
        next.push_back(p);
        next.back()[v.key] = valueOf(v.key, text);
      }
    points = std::move(next);
  }
  return points;
}

std::string slurmScript(const std::string& program, std::size_t points) {
  return fmt::format(R"(#!/bin/bash
#SBATCH --job-name=cellscope-sweep
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
# Submit from this folder: sbatch slurm.sh (a GPU each: sbatch --gres=gpu:1 slurm.sh).
id=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" ids.txt)
{program} sweep work . "$id" --threads "${{SLURM_CPUS_PER_TASK:-1}}"
code=$?
# 85: stopped in order before the end of the job's time. The same task goes on later.
if [ $code -eq 85 ]; then
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit $code
)",
                     fmt::arg("last", points - 1), fmt::arg("program", program));
}

std::string snakefile(const std::string& program) {
  return fmt::format(
      R"(# snakemake --cores 4 --retries 3; an attempt that was stopped goes on from its checkpoint.
IDS = open("ids.txt").read().split()

rule all:
    input:
        expand("workspace/{{id}}/result.json", id=IDS),

rule point:
    output:
        "workspace/{{id}}/result.json",
    threads: 1
    shell:
        "{program} sweep work . {{wildcards.id}} --threads {{threads}}"
)",
      fmt::arg("program", program));
}

std::string workflow(const std::string& program) {
  return fmt::format(R"([workspace]
value_file = "signac_statepoint.json"

[[action]]
name = "run"
command = '{program} sweep work . {{directories}}'
products = ["result.json"]
[action.resources]
processes.per_submission = 1
walltime.per_submission = "01:00:00"
)",
                     fmt::arg("program", program));
}

}  // namespace

std::string textOf(const StatePoint& point) {
  std::string out;
  for (const auto& [key, value] : point)
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", pythonText(ParameterValue(key)),
                       pythonText(value));
  return "{" + out + "}";
}

std::string idOf(const StatePoint& point) {
  const std::string text = textOf(point);
  std::array<char, MD5_DIGEST_STRING_LENGTH> digits{};
  MD5Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digits.data());
  return digits.data();
}

Varied parseVaried(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) refuse(text, "no KEY=VALUES");
  Varied out{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  if (const std::size_t dots = values.find(".."); dots != values.npos) {
    const std::size_t colon = values.find(':', dots);
    const std::size_t end = std::min(colon, values.size());
    out.values = range(text, values.substr(0, dots), values.substr(dots + 2, end - dots - 2),
                       colon == values.npos ? "" : values.substr(colon + 1));
    return out;
  }
  out.values = io::splitAt(values, ',');
  for (const std::string& value : out.values)
    if (value.empty()) refuse(text, "an empty value");
  return out;
}

std::size_t createSweep(const SweepSetup& setup) {
  if (isSweep(setup.folder))
    throw InputError("'{}' holds a sweep already; name another folder", setup.folder.string());
  const std::vector<Varied> varied = each(setup.vary, parseVaried);
  const std::vector<StatePoint> points = combine(setup, varied);
  std::string ids, jobs;
  const std::string program = common::forShell(fs::read_symlink("/proc/self/exe").string());
  std::set<std::string> known;
  for (const StatePoint& p : points) {
    const std::string id = idOf(p);
    if (!known.insert(id).second) throw InputError("--vary: two points are equal: {}", textOf(p));
    ids += id + "\n";
    jobs += fmt::format("{} sweep work . {} --threads 1\n", program, id);
  }
  for (const StatePoint& p : points) {
    const fs::path folder = setup.folder / "workspace" / idOf(p);
    io::createFolder(folder.string());
    io::OutputFile file((folder / "signac_statepoint.json").string(), io::OpenAs::replace);
    file.write(textOf(p));
    file.close();
  }
  ::sync();  // all at once
  write(setup.folder / ".signac" / "config", "schema_version = 2\n");
  write(setup.folder / "scenario.toml", scenarioText(setup.scenario));
  write(setup.folder / "ids.txt", ids);
  write(setup.folder / "jobs.txt", "# parallel < jobs.txt, in this folder\n" + jobs);
  write(setup.folder / "slurm.sh", slurmScript(program, points.size()), true);
  write(setup.folder / "Snakefile", snakefile(program));
  write(setup.folder / "workflow.toml", workflow(program));
  // Last: it makes the folder a sweep.
  write(setup.folder / "sweep.json",
        nlohmann::ordered_json{
            {"schema", kSchema}, {"varied", each(varied, &Varied::key)}, {"points", points.size()}}
                .dump(2) +
            "\n");
  return points.size();
}

}  // namespace cellscope::sweep
