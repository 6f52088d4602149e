// Shared by all studies of hard disks.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/reproduce/study.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/run/session.h"

namespace cellscope::reproduce {

using DiskFactory = std::function<std::unique_ptr<HardDisksMode>(const ExecConfig&)>;
// For sessions, which know modes by key.
ModeFactory modesOf(const DiskFactory& disks);

struct DiskContext : StudyContext {
  DiskFactory disks;
};

class DiskStudy : public Study {
 public:
  using Study::Study;
  DiskFactory disks = std::make_unique<HardDisksMode, const ExecConfig&>;  // tests pass their own
};

// A study that is a function of its options.
template <class Options>
class DiskStudyOf final : public DiskStudy {
 public:
  using Function = int (*)(const Options&, const DiskContext&);
  DiskStudyOf(StudyInfo info, Function function)
      : DiskStudy(std::move(info)), function_(function), set_(OptionSet::of(options_)) {}
  OptionSet& options() override { return set_; }
  int run(const StudyContext& context) override { return function_(options_, {context, disks}); }

 private:
  Function function_;
  Options options_;
  OptionSet set_;
};

template <class Options>
std::unique_ptr<DiskStudy> diskStudy(StudyInfo info,
                                     int (*function)(const Options&, const DiskContext&)) {
  return std::make_unique<DiskStudyOf<Options>>(std::move(info), function);
}

// All of them; list.cpp names them.
std::vector<std::unique_ptr<DiskStudy>> diskStudies();

// Declarations of options shared by several studies.
ParameterInfo sidesOption(const std::string& more = "");
ParameterInfo packingsOption(const std::string& help = "Packing fractions");
ParameterInfo seedOption();  // the number of the seed

using Settings = std::vector<std::pair<std::string, ParameterValue>>;

// One run of hard disks.
struct DiskRun {
  std::string name;  // of its scenario
  std::int64_t n = 0;
  double packing = 0.698;
  Settings more;  // further parameters
  std::uint64_t sampleEvery = 100;
  std::string configuration;   // file to begin with; brings its own n and packing
  std::int64_t replicate = 1;  // copies of it along every axis
};

// A session and its mode with its concrete type.
struct DiskSession {
  std::unique_ptr<Session> session;
  HardDisksMode* mode = nullptr;  // the session's

  Session* operator->() const { return session.get(); }
};
DiskSession newSession(const DiskRun& run, const ExecConfig& exec, const DiskFactory& disks,
                       WorkReport report = {});

}  // namespace cellscope::reproduce
