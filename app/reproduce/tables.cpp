// Pressures of S3: Table 2 (three sizes, six packing fractions) and Table 1 (shuffling switched
// off on purpose), each state from a compressed fluid and from a crystal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/equilibrium.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::reproduce {
namespace {

constexpr const char* kHowJudged =
    "Errors are one standard error, block-averaged over the run. A state counts as equilibrated "
    "when the run from the compressed fluid and the run from the crystal agree, and the halves of "
    "every run agree in P* and |Psi6|, each within three combined errors. Before that its P* is "
    "between the two starts at best, and is not compared.";

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
  int rows = 0, equilibrated = 0, far = 0;
  std::string add(const StateResult& r, const ReferenceValue& ref) {
    ++rows;
    if (!r.equilibrated) return bracket(r, ref);
    ++equilibrated;
    const double sigmas = deviation(r.pressure.value, r.pressure.error, ref.value, ref.error);
    far += std::abs(sigmas) > kAllowed;
    return judged(sigmas);
  }
  std::string text() const {
    return fmt::format(
        "{} of {} states are equilibrated; {} of these lie more than {} combined "
        "errors from the published value.",
        equilibrated, rows, far, kAllowed);
  }
};

}  // namespace

int table2(const Options& o, const ExecConfig& config) {
  const std::vector<double> packings = chosen(o, {0.698, 0.702, 0.706, 0.710, 0.714, 0.718});
  Report report(
      o, "table2", "Pressure near the transition (S3, Table 2)", config,
      joined({"N", "packing"}, columnsOfState(), {"published", "difference in combined errors"}));
  const double states = static_cast<double>(o.sides.size() * packings.size());
  const double seconds = 60 * o.minutes / (states * static_cast<double>(runsPerState(o)));
  Tally tally;
  std::vector<std::string> sources;
  for (const std::int64_t side : o.sides)
    for (const double packing : packings) {
      const State state{fmt::format("table2-{}-{}", side, packing),
                        fmt::format("{}, packing {}", sizeOf(side), packing),
                        side * side,
                        packing,
                        {}};
      const StateResult r = measureState(state, o, config, seconds);
      const ReferenceValue ref = published(side * side, packing);
      const bool known = std::find(sources.begin(), sources.end(), ref.source) != sources.end();
      if (!known && std::isfinite(ref.value)) sources.push_back(ref.source);
      report.row(joined({sizeOf(side), fmt::format("{}", packing)}, cellsOf(r),
                        {compact(ref.value, ref.error), tally.add(r, ref)}));
    }
  report.note(kHowJudged);
  report.note(tally.text());
  for (const std::string& source : sources) report.note("Published: " + source);
  return tally.far == 0 ? 0 : 1;
}

namespace {

struct Table1Row {
  double packing;
  bool particles, sets;
  double value, error;  // S3, Table 1, N = 256^2, errors as printed
};
constexpr Table1Row kTable1[] = {
    {0.698, true, true, 9.17079, 5e-5}, {0.698, true, false, 9.1707, 1e-4},
    {0.698, false, true, 9.1716, 1e-4}, {0.698, false, false, 9.1715, 1e-4},
    {0.708, true, true, 9.18214, 6e-5}, {0.708, true, false, 9.1821, 2e-4},
    {0.708, false, true, 9.1876, 2e-4}, {0.708, false, false, 9.1873, 1e-4},
    {0.716, true, true, 9.1774, 2e-4},  {0.716, true, false, 9.1775, 3e-4},
    {0.716, false, true, 9.1831, 3e-4}, {0.716, false, false, 9.1823, 2e-4},
};

std::vector<Table1Row> rowsOf(const Options& o) {
  std::vector<Table1Row> rows;
  for (const Table1Row& r : kTable1) {
    const auto same = [&](double p) { return std::abs(p - r.packing) < 1e-9; };
    if (o.packings.empty() || std::any_of(o.packings.begin(), o.packings.end(), same))
      rows.push_back(r);
  }
  if (rows.empty()) throw InputError("table1 knows the packing fractions 0.698, 0.708 and 0.716");
  return rows;
}

// Difference of the means, marked while it also holds what is not yet equilibrated.
std::string effect(const StateResult& r, const StateResult& both) {
  const std::string text = compact(r.pressure.value - both.pressure.value,
                                   std::hypot(r.pressure.error, both.pressure.error));
  return r.equilibrated && both.equilibrated ? text : text + " (not equilibrated)";
}

}  // namespace

int table1(const Options& o, const ExecConfig& config) {
  const std::vector<Table1Row> rows = rowsOf(o);
  const std::int64_t side = o.sides.front();
  Report report(o, "table1", "What shuffling does (S3, Table 1), N = " + sizeOf(side), config,
                joined({"packing", "particles shuffled", "sets shuffled"}, columnsOfState(),
                       {"minus both shuffles", "published", "published difference",
                        "difference in combined errors"}));
  const double seconds = 60 * o.minutes / static_cast<double>(rows.size() * runsPerState(o));
  Tally tally;
  StateResult both;
  double publishedBoth = 0;
  for (const Table1Row& row : rows) {
    const State state{
        fmt::format("table1-{}-{}-{}{}", side, row.packing, row.particles ? 'p' : '-',
                    row.sets ? 's' : '-'),
        fmt::format("packing {}, particles {}, sets {}", row.packing,
                    row.particles ? "shuffled" : "in order", row.sets ? "shuffled" : "in order"),
        side * side,
        row.packing,
        {{"no_particle_shuffle", !row.particles}, {"no_set_shuffle", !row.sets}}};
    const StateResult r = measureState(state, o, config, seconds);
    const bool first = row.particles && row.sets;
    if (first) both = r, publishedBoth = row.value;
    const ReferenceValue ref{"pressure", row.value, row.error, ""};
    report.row(joined(
        {fmt::format("{}", row.packing), yesNo(row.particles), yesNo(row.sets)}, cellsOf(r),
        {first ? "-" : effect(r, both), compact(row.value, row.error),
         first ? "-" : fmt::format("{:+.4f}", row.value - publishedBoth), tally.add(r, ref)}));
  }
  report.note(kHowJudged);
  report.note(tally.text());
  report.note(
      "The size of the effect of unshuffled particles depends on how the cell lists are "
      "kept (which disk comes first after a cell shift); agreement with the paper is "
      "expected for the shuffled rows.");
  if (side != 256) report.note("The paper has N = 256^2: other sizes have another pressure.");
  return 0;
}

}  // namespace cellscope::reproduce
