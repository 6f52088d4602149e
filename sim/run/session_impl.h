// Private parts of Session.
#pragma once
#include "sim/run/session.h"

namespace cellscope {

// Everything needed to go back: for undo.
struct Session::Snapshot {
  std::string state;  // Mode::save, parameters included
  RunLog log;
  SampleHistory history;
  std::uint64_t preparationUnits = 0, run = 0;
  bool startChosen = false;
};

struct Session::Course {
  std::vector<Edit> edits;
  std::vector<Undo> undo;
};

std::vector<ParameterValue> valuesOf(const Mode& mode);

}  // namespace cellscope
