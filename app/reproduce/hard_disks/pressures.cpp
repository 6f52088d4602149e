// Pressures near the transition (Anderson et al. 2013, Tables 1 and 2), each state from a
// compressed fluid and from a crystal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/hard_disks/disk_study.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::reproduce {
namespace {

constexpr const char* kHowMeasured =
    "P* is measured from free paths, without a fit; the contact fit (Anderson et al., eqs. 4 to 6) "
    "over all runs is given for comparison. The bias of either is below 1e-5. Errors are one "
    "standard error: block-averaged, or from the scatter of several runs if that is larger.";
constexpr const char* kHowJudged =
    "A state counts as equilibrated when the run from the compressed fluid and the run from the "
    "crystal agree, and the halves of every run agree in P* and |Psi6|, each within three combined "
    "errors. Otherwise its P* is at best between the two starts and is not compared. By chance "
    "alone, one equilibrated state in 75 fails one of these five tests.";
constexpr const char* kOneStart =
    "With one start only, a state is compared once it is stationary: the halves of every run agree "
    "in P* and |Psi6|, each within three combined errors. Effects of the start that decay more "
    "slowly than the length of the runs are not detected.";

constexpr const char* kAboutCoexistence =
    "--start coexistence: runs started from a lattice in contact with liquid, in the fractions of "
    "the lever rule between 0.700 and 0.716, so that the phases need not separate first.";

// Comparison of a state that is not equilibrated.
std::string bracket(const StateResult& r, const ReferenceValue& ref) {
  if (!std::isfinite(ref.value)) return "-";
  if (!std::isfinite(r.between)) return "too short to judge";
  const double low =
      std::min(r.fluid.value - 3 * r.fluid.error, r.crystal.value - 3 * r.crystal.error);
  const double high =
      std::max(r.fluid.value + 3 * r.fluid.error, r.crystal.value + 3 * r.crystal.error);
  return ref.value >= low && ref.value <= high ? "too short to judge: between the starts"
                                               : "too short to judge: outside the starts";
}

// States of a table that are compared with published values.
class Comparisons {
 public:
  // Once for every row.
  void row(const StateResult& r) {
    ++rows_;
    if (r.known()) ++(r.equilibrated ? equilibrated_ : atRest_);
  }
  // How far the state lies from `published`, or the verdict from its starts.
  std::string compare(const StateResult& r, const ReferenceValue& published) {
    cite(published);
    const std::string cell =
        verdicts_.compare(r.pressure, {published.value, published.error}, r.known());
    return r.known() ? cell : bracket(r, published);
  }
  // The same of a state that is wrong on purpose: not judged.
  std::string show(const StateResult& r, const ReferenceValue& published) {
    cite(published);
    const Mean there{published.value, published.error};
    return r.known() ? signedText(deviation(r.pressure, there)) : "-";
  }
  const Verdicts& verdicts() const { return verdicts_; }
  const std::vector<std::string>& sources() const { return sources_; }
  // Paragraphs below the table.
  std::vector<std::string> notes(const RunsOptions& o) const {
    const std::string more =
        atRest_ ? fmt::format(", {} more stationary, known from one start", atRest_) : "";
    std::vector<std::string> all = {
        kHowMeasured, o.bothStarts() ? kHowJudged : kOneStart,
        fmt::format("{} of {} states are equilibrated{}.", equilibrated_, rows_, more)};
    for (const std::string& source : sources_) all.push_back("Published: " + source);
    if (o.twoPhases()) all.push_back(kAboutCoexistence);
    return all;
  }

 private:
  void cite(const ReferenceValue& published) {
    if (!published.source.empty() && std::isfinite(published.value) &&
        !hasItem(sources_, published.source))
      sources_.push_back(published.source);
  }
  int rows_ = 0, equilibrated_ = 0, atRest_ = 0;
  Verdicts verdicts_;
  std::vector<std::string> sources_;
};

Row joined(Row a, const Row& b, const Row& c) {
  a.insert(a.end(), b.begin(), b.end());
  a.insert(a.end(), c.begin(), c.end());
  return a;
}

// Table 2: three sizes at six packing fractions.

constexpr const char* kAboutGrowing =
    "--grow: a run without a checkpoint began with copies of a smaller run of the same packing and "
    "start. Structure shorter than the small box is as equilibrated as that run was; longer waves "
    "start from zero in both starts, and the pressure starts from that of the smaller size. The "
    "starts therefore no longer bracket it, and a drift is only visible between the halves.";

struct Table2Options {
  std::vector<std::int64_t> sides = {256, 512, 1024};
  std::vector<double> packings = {0.698, 0.702, 0.706, 0.710, 0.714, 0.718};
  RunsOptions runs;

  void visit(auto& v) {
    declareSides(v, sides);
    v("packings", 0.01, 0.9, "Packing fractions", packings);
    runs.visit(v);
    v("grow",
      "Start new runs from copies of the largest smaller run in the folder with the same packing, "
      "start and seed: run the sizes one after the other",
      runs.grow);
  }
};

constexpr const char* kAboutTable2 =
    "Paper: the two methods of Table 2 with the difference printed there (without sign), MPMC by "
    "Anderson et al. and event chains by Bernard and Krauth (BK). The paper prints two standard "
    "errors; all errors here are one, so its are halved. A state that is not in the table is "
    "compared with another published value, in the column of the event chains, where there is one.";

int run(const Table2Options& o, const StudyContext& context) {
  std::vector<State> states;
  for (const std::int64_t side : o.sides)
    for (const double packing : o.packings)
      states.push_back({.study = "table2",
                        .detail = fmt::format("{}", packing),
                        .label = fmt::format("{}^2, packing {}", side, packing),
                        .side = side,
                        .packing = packing});
  const bool twoPhases = o.runs.twoPhases();
  const auto tableOf = [&](const std::vector<StateResult>& results) {
    StatesTable table;
    Comparisons comparisons;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const auto n = static_cast<std::uint64_t>(states[k].n());
      const double packing = states[k].packing;
      const ReferenceValue mpmc = hardDiskTable2("MPMC", n, packing),  // NaN: none is published
          apart = hardDiskTable2("difference", n, packing);
      ReferenceValue other = hardDiskTable2("ECMC", n, packing);
      const auto others = hardDiskReferences(n, packing);
      if (!std::isfinite(other.value) && !others.empty()) other = others.front();
      comparisons.row(results[k]);
      table.rows.push_back(
          joined({fmt::format("{}^2", states[k].side), fmt::format("{}", packing)},
                 cellsOf(results[k], twoPhases),
                 {compact(mpmc.value, mpmc.error), compact(other.value, other.error),
                  compact(apart.value, apart.error), comparisons.compare(results[k], mpmc),
                  comparisons.compare(results[k], other)}));
    }
    table.verdicts = comparisons.verdicts();
    table.notes = comparisons.notes(o.runs);
    table.notes.push_back(kAboutTable2);
    if (o.runs.grow) table.notes.push_back(kAboutGrowing);
    return table;
  };
  return reportStates(
      states, o.runs, context, "Pressure near the transition (Anderson et al. 2013, Table 2)",
      joined({"N", "packing"}, columnsOfState(twoPhases),
             {"paper: MPMC", "paper: event chains (BK)", "paper: difference",
              "minus MPMC, in combined errors", "minus event chains, in combined errors"}),
      tableOf);
}

// Effect of omitting the shuffles on the pressure (Anderson et al. 2013, Table 1), each state
// from a compressed fluid and from a crystal.

constexpr const char* kAboutTable1 =
    "Minus both shuffles: difference for equal starts, so that a common drift cancels. The effect "
    "of unshuffled particles depends on the implementation of the cell lists (which disk comes "
    "first after a cell shift) and on n_M: rows with particle shuffle are judged, rows without are "
    "wrong on purpose and only shown. The paper does not define the errors of Table 1; they are "
    "taken for one standard error, as the run at 0.698 has twice the error in Table 2, which "
    "prints two.";
constexpr const char* kAboutFluid =
    "In the fluid every row stands beside the published equation of state for this N; rows without "
    "particle shuffle may deviate strongly.";
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
    declareSides(v, side);
    v("packings", 0.01, 0.9, "Packing fractions", packings);
    runs.visit(v);
    v("moves_per_cell", 1, 64,
      "n_M, trial moves in every cell of a sub-sweep. With 1 and without particle shuffle only the "
      "first disk of each cell is ever selected, which makes the effect large",
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
    right = {packing, true, true, p.finite, p.finiteError, hardDiskData().fluid.source.c_str()};
  }
  for (const bool particles : {true, false})
    for (const bool sets : {true, false}) {
      right.particles = particles, right.sets = sets;
      rows.push_back(right);
    }
  return rows;
}

// Marked if it includes runs that are not equilibrated.
std::string effect(const StateResult& r, const StateResult& both) {
  const std::string text = compact(difference(r, both));
  return r.known() && both.known() ? text : text + " (not equilibrated)";
}

// The fluid relaxes fast: pairs near contact decorrelate sooner, and some thousand sweeps are
// enough for equilibrium.
constexpr std::uint64_t kFluidSampleEvery = 16;
constexpr double kFluidEquilibration = 0.15;

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
  out.notes = comparisons.notes(o.runs);
  out.notes.push_back(kAboutTable1);
  if (!comparisons.sources().empty()) out.notes.push_back(kAboutFluid);
  const bool published = std::ranges::any_of(
      table, [](const Table1Row& t) { return !*t.source && std::isfinite(t.value); });
  if (o.side != kPublishedSide && published) out.notes.push_back(kOtherSize);
  out.verdicts = comparisons.verdicts();
  return out;
}

int run(const Table1Options& o, const StudyContext& context) {
  std::vector<Table1Row> table;
  for (const double packing : o.packings)
    for (const Table1Row& r : rowsAt(packing, o)) table.push_back(r);
  const std::vector<State> states = each(table, [&](const Table1Row& r) { return stateOf(r, o); });
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

std::vector<Study> pressureStudies() {
  return {
      makeStudy<Table1Options>(
          {.name = "table1",
           .about =
               "effect of omitting the shuffles on the pressure (Anderson et al. 2013, Table 1)",
           .resumes = true},
          run),
      makeStudy<Table2Options>(
          {.name = "table2",
           .about =
               "pressure at six packing fractions and three sizes (Anderson et al. 2013, Table 2)",
           .resumes = true},
          run)};
}

}  // namespace cellscope::reproduce
