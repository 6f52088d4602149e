// Pressures of S3: Table 2 (three sizes, six packing fractions) and Table 1 (shuffling switched
// off on purpose), each state from a compressed fluid and from a crystal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/long_runs.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::reproduce {
namespace {

constexpr const char* kHowMeasured =
    "P* is measured from free paths, without a fit; beside it the contact fit of S3, eqs. 4 to 6, "
    "over all runs. The bias of either is below 1e-5. Errors are one standard error: "
    "block-averaged, or the scatter of the runs where several scatter by more.";
constexpr const char* kHowJudged =
    "A state counts as equilibrated when the run from the compressed fluid and the run from the "
    "crystal agree, and the halves of every run agree in P* and |Psi6|, each within three combined "
    "errors. Before that its P* is between the two starts at best, and is not compared. By chance "
    "alone, one equilibrated state in 75 fails one of these five tests, and one in 370 lies too "
    "far from the published value.";
constexpr const char* kOneStart =
    "With one start only, a state is compared when it is at rest: the halves of every run agree in "
    "P* and |Psi6|, each within three combined errors. What all runs have from that start, and "
    "change more slowly than they last, goes unnoticed.";

constexpr const char* kAboutTable1 =
    "Minus both shuffles: start by start, so that what both runs still drift is not in it. The "
    "size of the effect of unshuffled particles depends on how the cell lists are kept (which disk "
    "comes first after a cell shift) and on n_M; agreement with what is published is expected for "
    "the shuffled rows.";
constexpr const char* kAboutFluid =
    "In the fluid the published equation of state, for this N, says what every row should be; rows "
    "without particle shuffle may lie far from it.";
constexpr const char* kAboutGrowing =
    "--grow: a run without a checkpoint began with copies of a smaller run of the same packing and "
    "start. What is shorter than the small box is as far in equilibrium as that run was; longer "
    "waves grow from nothing, in both starts alike, and the pressure comes from that of the "
    "smaller size. The starts therefore no longer bracket it, and only the halves tell of a drift.";
constexpr const char* kAboutCoexistence =
    "--start coexistence: a run began as a lattice beside liquid, in the shares of the lever rule "
    "between 0.700 and 0.716; the phases need not part first.";
constexpr const char* kOtherSize =
    "Table 1 of the paper has N = 256^2: other sizes have another pressure near the transition.";

std::string yesNo(bool b) { return b ? "yes" : "no"; }

std::string sizeOf(std::int64_t side) { return fmt::format("{}^2", side); }

// The published value of the size closest to n, or one with a NaN.
ReferenceValue published(std::int64_t n, double packing) {
  const auto all = hardDiskReferences(static_cast<std::uint64_t>(n), packing);
  return all.empty() ? ReferenceValue{"pressure", std::nan(""), 0, "none"} : all.front();
}

// What the comparison of an unequilibrated state can still say.
std::string bracket(const StateResult& r, const ReferenceValue& ref) {
  if (!std::isfinite(ref.value) || !std::isfinite(r.between)) return "-";
  const double low =
      std::min(r.fluid.value - 3 * r.fluid.error, r.crystal.value - 3 * r.crystal.error);
  const double high =
      std::max(r.fluid.value + 3 * r.fluid.error, r.crystal.value + 3 * r.crystal.error);
  return ref.value >= low && ref.value <= high ? "between the starts" : "outside the starts";
}

std::vector<double> chosen(const Options& o, std::vector<double> all) {
  return o.packings.empty() ? all : o.packings;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b,
                                const std::vector<std::string>& c) {
  a.insert(a.end(), b.begin(), b.end());
  a.insert(a.end(), c.begin(), c.end());
  return a;
}

// Counts over the rows of a table.
struct Tally {
  int rows = 0, equilibrated = 0, settled = 0, far = 0;
  std::vector<std::string> sources;
  std::string add(const StateResult& r, const ReferenceValue& ref) {
    ++rows;
    if (!ref.source.empty() && std::isfinite(ref.value) &&
        std::find(sources.begin(), sources.end(), ref.source) == sources.end())
      sources.push_back(ref.source);
    if (!r.known()) return bracket(r, ref);
    ++(r.equilibrated ? equilibrated : settled);
    const double sigmas = deviation(r.pressure.value, r.pressure.error, ref.value, ref.error);
    far += std::abs(sigmas) > kAllowed;
    return judged(sigmas);
  }
  std::string text() const {
    const std::string more =
        settled ? fmt::format(", {} more at rest, known from one start", settled) : "";
    return fmt::format(
        "{} of {} states are equilibrated{}; {} of these lie more than {} combined errors from the "
        "published value.",
        equilibrated, rows, more, far, kAllowed);
  }
};

using Row = std::vector<std::string>;

// The rows so far into the file; in the end printed too, with the notes.
void present(Report& report, const std::vector<Row>& rows, const Tally& tally, const Options& o,
             bool last) {
  if (!last) return report.soFar(rows, "So far; the study is still running.");
  report.forget();
  for (const Row& row : rows) report.row(row);
  report.note(kHowMeasured);
  report.note(o.start == Options().start ? kHowJudged : kOneStart);
  report.note(tally.text());
  for (const std::string& source : tally.sources) report.note("Published: " + source);
  if (o.start == "coexistence") report.note(kAboutCoexistence);
}

}  // namespace

int table2(const Options& o, const ExecConfig& config) {
  const std::vector<double> packings = chosen(o, {0.698, 0.702, 0.706, 0.710, 0.714, 0.718});
  Report report(o, "table2", "Pressure near the transition (S3, Table 2)", config,
                joined({"N", "packing"}, columnsOfState(o.start),
                       {"published", "difference in combined errors"}));
  std::vector<State> states;
  for (const std::int64_t side : o.sides)
    for (const double packing : packings)
      states.push_back({"table2",
                        fmt::format("{}", packing),
                        fmt::format("{}, packing {}", sizeOf(side), packing),
                        side,
                        packing,
                        {}});
  int far = 0;
  measureStates(states, o, config, [&](const std::vector<StateResult>& results, bool last) {
    Tally tally;
    std::vector<Row> rows;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const ReferenceValue ref = published(states[k].n(), states[k].packing);
      rows.push_back(
          joined({sizeOf(o.sides[k / packings.size()]), fmt::format("{}", states[k].packing)},
                 cellsOf(results[k], o.start),
                 {compact(ref.value, ref.error), tally.add(results[k], ref)}));
    }
    present(report, rows, tally, o, last);
    if (last && o.grow) report.note(kAboutGrowing);
    far = tally.far;
  });
  return far == 0 ? 0 : 1;
}

namespace {

struct Table1Row {
  double packing;
  bool particles, sets;
  double value, error;      // S3, Table 1, N = 256^2, errors as printed
  const char* source = "";  // where the value is not from S3
};
constexpr Table1Row kTable1[] = {
    {0.698, true, true, 9.17079, 5e-5}, {0.698, true, false, 9.1707, 1e-4},
    {0.698, false, true, 9.1716, 1e-4}, {0.698, false, false, 9.1715, 1e-4},
    {0.708, true, true, 9.18214, 6e-5}, {0.708, true, false, 9.1821, 2e-4},
    {0.708, false, true, 9.1876, 2e-4}, {0.708, false, false, 9.1873, 1e-4},
    {0.716, true, true, 9.1774, 2e-4},  {0.716, true, false, 9.1775, 3e-4},
    {0.716, false, true, 9.1831, 3e-4}, {0.716, false, false, 9.1823, 2e-4},
};

// Both, either and no shuffle at a packing fraction. Published is what S3 gives; in the fluid the
// equation of state, which says for every row what is right; else nothing. Without particle shuffle
// the pressure depends on n_M: S3 has it for 4 only.
std::vector<Table1Row> rowsAt(double packing, const Options& o) {
  std::vector<Table1Row> rows;
  for (const Table1Row& r : kTable1)
    if (std::abs(packing - r.packing) < 1e-9) rows.push_back(r);
  for (Table1Row& r : rows)
    if (!r.particles && o.movesPerCell != Options().movesPerCell) r.value = r.error = std::nan("");
  if (!rows.empty()) return rows;
  const std::int64_t n = o.sides.front() * o.sides.front();
  FluidPressure right{std::nan(""), std::nan(""), std::nan("")};
  if (packing <= kFluidLimit) right = hardDiskFluid(packing, static_cast<std::uint64_t>(n));
  for (const bool particles : {true, false})
    for (const bool sets : {true, false})
      rows.push_back({packing, particles, sets, right.finite, right.error,
                      std::isnan(right.finite) ? "" : hardDiskFluidSource().c_str()});
  return rows;
}

std::vector<Table1Row> rowsOf(const Options& o) {
  std::vector<Table1Row> rows;
  for (const double packing : chosen(o, {0.698, 0.708, 0.716}))
    for (const Table1Row& r : rowsAt(packing, o)) rows.push_back(r);
  return rows;
}

// Marked while it also holds what is not yet equilibrated.
std::string effect(const StateResult& r, const StateResult& both) {
  const Mean d = difference(r, both);
  const std::string text = compact(d.value, d.error);
  return r.known() && both.known() ? text : text + " (not equilibrated)";
}

std::vector<State> statesOf(const std::vector<Table1Row>& rows, const Options& o) {
  const std::int64_t side = o.sides.front();
  // n_M of S3 goes without saying, so that older checkpoints are found.
  const std::string moves =
      o.movesPerCell == Options().movesPerCell ? std::string() : fmt::format("-{}", o.movesPerCell);
  std::vector<State> states;
  for (const Table1Row& row : rows) {
    State s{
        "table1",
        fmt::format("{}-{}{}{}", row.packing, row.particles ? 'p' : '-', row.sets ? 's' : '-',
                    moves),
        fmt::format("packing {}, n_M {}, particles {}, sets {}", row.packing, o.movesPerCell,
                    row.particles ? "shuffled" : "in order", row.sets ? "shuffled" : "in order"),
        side,
        row.packing,
        {{"n_M", o.movesPerCell},
         {"no_particle_shuffle", !row.particles},
         {"no_set_shuffle", !row.sets}}};
    if (row.packing <= kFluidLimit)
      s.sampleEvery = kFluidSampleEvery, s.equilibration = kFluidEquilibration;
    states.push_back(std::move(s));
  }
  return states;
}

std::vector<Row> rowsOf(const std::vector<Table1Row>& table,
                        const std::vector<StateResult>& results, const Options& o, Tally& tally) {
  std::vector<Row> rows;
  std::size_t both = 0;  // where the rows of this packing begin
  for (std::size_t k = 0; k < table.size(); ++k) {
    const Table1Row& t = table[k];
    if (t.particles && t.sets) both = k;
    const bool first = both == k;
    const ReferenceValue ref{"pressure", t.value, t.error, t.source};
    const double published = *t.source ? std::nan("") : t.value - table[both].value;
    rows.push_back(
        joined({fmt::format("{}", t.packing), yesNo(t.particles), yesNo(t.sets)},
               cellsOf(results[k], o.start),
               {first ? "-" : effect(results[k], results[both]), compact(t.value, t.error),
                first || std::isnan(published) ? "-" : fmt::format("{:+.4f}", published),
                tally.add(results[k], ref)}));
  }
  return rows;
}

}  // namespace

int table1(const Options& o, const ExecConfig& config) {
  const std::vector<Table1Row> table = rowsOf(o);
  const std::int64_t side = o.sides.front();
  Report report(o, "table1",
                fmt::format("What shuffling does (S3, Table 1), N = {}, n_M = {}", sizeOf(side),
                            o.movesPerCell),
                config,
                joined({"packing", "particles shuffled", "sets shuffled"}, columnsOfState(o.start),
                       {"minus both shuffles", "published", "published difference",
                        "difference in combined errors"}));
  measureStates(statesOf(table, o), o, config,
                [&](const std::vector<StateResult>& results, bool last) {
                  Tally tally;
                  const std::vector<Row> rows = rowsOf(table, results, o, tally);
                  present(report, rows, tally, o, last);
                  if (!last) return;
                  report.note(kAboutTable1);
                  if (!tally.sources.empty()) report.note(kAboutFluid);
                  const bool ofS3 = std::any_of(table.begin(), table.end(), [](const Table1Row& t) {
                    return !*t.source && std::isfinite(t.value);
                  });
                  if (side != 256 && ofS3) report.note(kOtherSize);
                });
  return 0;
}

}  // namespace cellscope::reproduce
