// What files of laws have of placeholder cells (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/placeholders/pass.h"

namespace cellscope {

template <class Launcher, int potential>
void CellLaw<Launcher, potential>::run(Launcher& exec, const char* name, exec::TeamShape shape,
                                       const Forces& pass, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { exec.teams(name, shape, pass.with(law)); });
}
template <class Launcher, int potential>
void CellLaw<Launcher, potential>::run(Launcher& exec, const char* name, exec::TeamShape shape,
                                       const Terms& pass, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { exec.teams(name, shape, pass.with(law)); });
}
template <class Launcher, int potential>
void CellLaw<Launcher, potential>::run(Launcher& exec, const char* name, exec::TeamShape shape,
                                       const Both& pass, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { exec.teams(name, shape, pass.with(law)); });
}

}  // namespace cellscope
