// Pressures of three sizes at six packing fractions (Anderson et al. 2013, Table 2), each state
// from a compressed fluid and from a crystal.
#include <fmt/format.h>

#include <cmath>

#include "app/reproduce/hard_disks/transition.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::reproduce {
namespace {

constexpr const char* kAboutGrowing =
    "--grow: a run without a checkpoint began with copies of a smaller run of the same packing and "
    "start. Structure shorter than the small box is as equilibrated as that run was; longer waves "
    "start from zero in both starts, and the pressure starts from that of the smaller size. The "
    "starts therefore no longer bracket it, and a drift is only visible between the halves.";

struct Table2Options : StatesOptions {
  Table2Options()
      : StatesOptions{{256, 512, 1024}, {0.698, 0.702, 0.706, 0.710, 0.714, 0.718}, {}} {}

  template <class V>
  void visit(V& v) {
    StatesOptions::visit(v);
    v({.key = "grow",
       .help = "Start new runs from copies of the largest smaller run in the folder with the same "
               "packing, start and seed: run the sizes one after the other"},
      runs.grow);
  }
};

// The published value of the size closest to n, or one with a NaN.
ReferenceValue published(std::int64_t n, double packing) {
  const auto all = hardDiskReferences(static_cast<std::uint64_t>(n), packing);
  return all.empty() ? ReferenceValue{"pressure", std::nan(""), 0, "none"} : all.front();
}

int run(const Table2Options& o, const DiskContext& context) {
  const std::vector<State> states = statesOf({.study = "table2"}, o.sides, o.packings);
  const bool twoPhases = o.runs.twoPhases();
  const auto tableOf = [&](const std::vector<StateResult>& results) {
    StatesTable table;
    Comparisons comparisons;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const ReferenceValue ref = published(states[k].n(), states[k].packing);
      table.rows.push_back(
          joined({fmt::format("{}^2", states[k].side), fmt::format("{}", states[k].packing)},
                 cellsOf(results[k], twoPhases),
                 {compact(ref.value, ref.error), comparisons.add(results[k], ref)}));
    }
    table.far = comparisons.far();
    table.notes = comparisons.notes(o.runs);
    if (o.runs.grow) table.notes.push_back(kAboutGrowing);
    return table;
  };
  const int far = reportStates(states, o.runs, context,
                               "Pressure near the transition (Anderson et al. 2013, Table 2)",
                               joined({"N", "packing"}, columnsOfState(twoPhases),
                                      {"published", "difference in combined errors"}),
                               tableOf);
  return far == 0 ? 0 : 1;
}

}  // namespace

std::unique_ptr<DiskStudy> table2() {
  return diskStudy<Table2Options>(
      {.name = "table2",
       .about = "pressure at six packing fractions and three sizes (Anderson et al. 2013, Table 2)",
       .resumes = true},
      run);
}

}  // namespace cellscope::reproduce
