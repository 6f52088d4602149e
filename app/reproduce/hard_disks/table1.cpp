// Effect of omitting the shuffles on the pressure (Anderson et al. 2013, Table 1), each state
// from a compressed fluid and from a crystal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/hard_disks/states.h"
#include "sim/algo/observables/hard_disk_reference.h"
#include "sim/algo/observables/reference_data.h"

namespace cellscope::reproduce {
namespace {

constexpr const char* kAboutTable1 =
    "Minus both shuffles: difference for equal starts, so that a common drift cancels. The effect "
    "of unshuffled particles depends on the implementation of the cell lists (which disk comes "
    "first after a cell shift) and on n_M: rows with particle shuffle are judged, rows without are "
    "wrong on purpose and only shown. The paper does not define the errors of Table 1; they "
    "are taken for one standard error, as the run at 0.698 has twice the error in Table 2, which "
    "prints two.";
constexpr const char* kAboutFluid =
    "In the fluid every row stands beside the published equation of state for this N; rows "
    "without particle shuffle may deviate strongly.";
constexpr const char* kOtherSize =
    "Table 1 of the paper has N = 256^2: other sizes have another pressure near the transition and "
    "are not compared with it.";

constexpr std::int64_t kPublishedMoves = 4;  // n_M of Anderson et al.
constexpr std::int64_t kPublishedSide = 256;

struct Table1Options {
  std::int64_t side = kPublishedSide;
  std::vector<double> packings = {0.698, 0.708, 0.716};
  RunsOptions runs;
  std::int64_t movesPerCell = kPublishedMoves;

  std::int64_t n() const { return side * side; }

  void visit(auto& v) {
    v(sidesOption(), side);
    v(packingsOption(), packings);
    runs.visit(v);
    v({.key = "moves_per_cell",
       .min = 1,
       .max = 64,
       .help = "n_M, trial moves in every cell of a sub-sweep. With 1 and without particle shuffle "
               "only the first disk of each cell is ever selected, which makes the effect large"},
      movesPerCell);
  }
};

std::string yesNo(bool b) { return b ? "yes" : "no"; }

struct Table1Row {
  double packing;
  bool particles, sets;
  double value, error;      // Table 1 there
  const char* source = "";  // source, if not Table 1
};

// Both, either and no shuffle at a packing fraction. Published is what Anderson et al. give; in the
// fluid the equation of state, which gives the right value of every row; else nothing. Without
// particle shuffle the pressure depends on n_M: published for 4 only.
std::vector<Table1Row> rowsAt(double packing, const Table1Options& o) {
  std::vector<Table1Row> rows;
  for (const ShufflePressure& s : hardDiskData().shuffles)
    if (std::abs(packing - s.packing) < 1e-9)
      rows.push_back({s.packing, s.particles, s.sets, s.pressure, s.error});
  for (Table1Row& r : rows)
    if (!r.particles && o.movesPerCell != kPublishedMoves) r.value = r.error = std::nan("");
  if (!rows.empty()) return rows;
  Table1Row right{packing, true, true, std::nan(""), std::nan("")};
  if (packing <= kFluidLimit) {
    const FluidPressure p = hardDiskFluid(packing, static_cast<std::uint64_t>(o.n()));
    right = {packing, true, true, p.finite, p.finiteError, hardDiskFluidSource().c_str()};
  }
  for (const bool particles : {true, false})
    for (const bool sets : {true, false}) {
      right.particles = particles, right.sets = sets;
      rows.push_back(right);
    }
  return rows;
}

std::vector<Table1Row> rowsOf(const Table1Options& o) {
  std::vector<Table1Row> rows;
  for (const double packing : o.packings)
    for (const Table1Row& r : rowsAt(packing, o)) rows.push_back(r);
  return rows;
}

// Marked if it includes runs that are not equilibrated.
std::string effect(const StateResult& r, const StateResult& both) {
  const std::string text = compact(difference(r, both));
  return r.known() && both.known() ? text : text + " (not equilibrated)";
}

State stateOf(const Table1Row& row, const Table1Options& o) {
  // The published n_M has no part in the name, so that older checkpoints are found.
  const std::string moves =
      o.movesPerCell == kPublishedMoves ? std::string() : fmt::format("-{}", o.movesPerCell);
  State s;
  s.study = "table1";
  s.detail =
      fmt::format("{}-{}{}{}", row.packing, row.particles ? 'p' : '-', row.sets ? 's' : '-', moves);
  s.label =
      fmt::format("packing {}, n_M {}, particles {}, sets {}", row.packing, o.movesPerCell,
                  row.particles ? "shuffled" : "in order", row.sets ? "shuffled" : "in order");
  s.side = o.side;
  s.packing = row.packing;
  s.more = {{"n_M", o.movesPerCell},
            {"no_particle_shuffle", !row.particles},
            {"no_set_shuffle", !row.sets}};
  if (row.packing <= kFluidLimit)
    s.sampleEvery = kFluidSampleEvery, s.equilibration = kFluidEquilibration;
  return s;
}

std::vector<std::string> notesOn(const std::vector<Table1Row>& table, const Table1Options& o,
                                 const Comparisons& comparisons) {
  std::vector<std::string> notes = comparisons.notes(o.runs);
  notes.push_back(kAboutTable1);
  if (!comparisons.sources().empty()) notes.push_back(kAboutFluid);
  const bool published = std::any_of(table.begin(), table.end(), [](const Table1Row& t) {
    return !*t.source && std::isfinite(t.value);
  });
  if (o.side != kPublishedSide && published) notes.push_back(kOtherSize);
  return notes;
}

StatesTable tableOf(const std::vector<Table1Row>& table, const std::vector<StateResult>& results,
                    const Table1Options& o) {
  StatesTable out;
  Comparisons comparisons;
  std::size_t both = 0;  // where the rows of this packing begin
  for (std::size_t k = 0; k < table.size(); ++k) {
    const Table1Row& t = table[k];
    if (t.particles && t.sets) both = k;
    const bool first = both == k;
    const ReferenceValue ref{"pressure", t.value, t.error, t.source};
    const bool comparable = *t.source || o.side == kPublishedSide;
    const Mean published = first || *t.source ? Mean{std::nan(""), 0}
                                              : Mean{t.value - table[both].value,
                                                     std::hypot(t.error, table[both].error)};
    comparisons.row(results[k]);
    out.rows.push_back(joined({fmt::format("{}", t.packing), yesNo(t.particles), yesNo(t.sets)},
                              cellsOf(results[k], o.runs.twoPhases()),
                              {first ? "-" : effect(results[k], results[both]),
                               compact(t.value, t.error), compact(published),
                               !comparable   ? "-"
                               : t.particles ? comparisons.compare(results[k], ref)
                                             : comparisons.show(results[k], ref)}));
  }
  out.notes = notesOn(table, o, comparisons);
  out.verdicts = comparisons.verdicts();
  return out;
}

int run(const Table1Options& o, const StudyContext& context) {
  const std::vector<Table1Row> table = rowsOf(o);
  std::vector<State> states;
  for (const Table1Row& row : table) states.push_back(stateOf(row, o));
  const std::string title =
      fmt::format("Effect of shuffling (Anderson et al. 2013, Table 1), N = {}^2, n_M = {}", o.side,
                  o.movesPerCell);
  return reportStates(
      states, o.runs, context, title,
      joined({"packing", "particles shuffled", "sets shuffled"}, columnsOfState(o.runs.twoPhases()),
             {"minus both shuffles", "published", "published difference",
              "difference in combined errors"}),
      [&](const std::vector<StateResult>& results) { return tableOf(table, results, o); });
}

}  // namespace

Study table1() {
  return makeStudy<Table1Options>(
      {.name = "table1",
       .about = "effect of omitting the shuffles on the pressure (Anderson et al. 2013, Table 1)",
       .resumes = true},
      run);
}

}  // namespace cellscope::reproduce
