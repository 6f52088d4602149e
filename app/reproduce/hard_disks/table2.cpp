// Pressures of three sizes at six packing fractions (Anderson et al. 2013, Table 2), each state
// from a compressed fluid and from a crystal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/hard_disks/states.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::reproduce {

constexpr const char* kHowMeasured =
    "P* is measured from free paths, without a fit; the contact fit (Anderson et al., "
    "eqs. 4 to 6) over all runs is given for comparison. The bias of either is below 1e-5. Errors "
    "are one standard error: "
    "block-averaged, or from the scatter of several runs if that is larger.";
constexpr const char* kHowJudged =
    "A state counts as equilibrated when the run from the compressed fluid and the run from the "
    "crystal agree, and the halves of every run agree in P* and |Psi6|, each within three combined "
    "errors. Otherwise its P* is at best between the two starts and is not compared. By chance "
    "alone, one equilibrated state in 75 fails one of these five tests.";
constexpr const char* kOneStart =
    "With one start only, a state is compared once it is stationary: the halves of every run agree "
    "in "
    "P* and |Psi6|, each within three combined errors. Effects of the start that decay more slowly "
    "than the length of the runs are not detected.";

constexpr const char* kAboutCoexistence =
    "--start coexistence: runs started from a lattice in contact with liquid, in the fractions of "
    "the lever rule between 0.700 and 0.716, so that the phases need not separate first.";
// Comparison of a state that is not equilibrated.
static std::string bracket(const StateResult& r, const ReferenceValue& ref) {
  if (!std::isfinite(ref.value)) return "-";
  if (!std::isfinite(r.between)) return "too short to judge";
  const double low =
      std::min(r.fluid.value - 3 * r.fluid.error, r.crystal.value - 3 * r.crystal.error);
  const double high =
      std::max(r.fluid.value + 3 * r.fluid.error, r.crystal.value + 3 * r.crystal.error);
  return ref.value >= low && ref.value <= high ? "too short to judge: between the starts"
                                               : "too short to judge: outside the starts";
}

void Comparisons::cite(const ReferenceValue& published) {
  if (!published.source.empty() && std::isfinite(published.value) &&
      std::find(sources_.begin(), sources_.end(), published.source) == sources_.end())
    sources_.push_back(published.source);
}

void Comparisons::row(const StateResult& r) {
  ++rows_;
  if (r.known()) ++(r.equilibrated ? equilibrated_ : atRest_);
}

std::string Comparisons::compare(const StateResult& r, const ReferenceValue& published) {
  cite(published);
  const std::string cell =
      verdicts_.compare(r.pressure, {published.value, published.error}, r.known());
  return r.known() ? cell : bracket(r, published);
}

std::string Comparisons::show(const StateResult& r, const ReferenceValue& published) {
  cite(published);
  const Mean there{published.value, published.error};
  return r.known() ? signedText(deviation(r.pressure, there)) : "-";
}

std::vector<std::string> Comparisons::notes(const RunsOptions& o) const {
  const std::string more =
      atRest_ ? fmt::format(", {} more stationary, known from one start", atRest_) : "";
  std::vector<std::string> all = {
      kHowMeasured, o.bothStarts() ? kHowJudged : kOneStart,
      fmt::format("{} of {} states are equilibrated{}.", equilibrated_, rows_, more)};
  for (const std::string& source : sources_) all.push_back("Published: " + source);
  if (o.twoPhases()) all.push_back(kAboutCoexistence);
  return all;
}

Row joined(Row a, const Row& b, const Row& c) {
  a.insert(a.end(), b.begin(), b.end());
  a.insert(a.end(), c.begin(), c.end());
  return a;
}

namespace {

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
    v(sidesOption(), sides);
    v(packingsOption(), packings);
    runs.visit(v);
    v({.key = "grow",
       .help = "Start new runs from copies of the largest smaller run in the folder with the same "
               "packing, start and seed: run the sizes one after the other"},
      runs.grow);
  }
};

constexpr const char* kAboutTable2 =
    "Paper: the two methods of Table 2 with the difference printed there (without sign), MPMC by "
    "Anderson et al. and event chains by Bernard and Krauth (BK). The paper prints two standard "
    "errors; all errors here are one, so its are halved. A state that is not in the table is "
    "compared with another published value, in the column of the event chains, where there is one.";

// What a state is compared with; NaN where nothing is published.
struct Published {
  ReferenceValue mpmc, other, difference;
};
Published publishedAt(const State& s) {
  const auto n = static_cast<std::uint64_t>(s.n());
  Published p{hardDiskTable2("MPMC", n, s.packing), hardDiskTable2("ECMC", n, s.packing),
              hardDiskTable2("difference", n, s.packing)};
  const auto others = hardDiskReferences(n, s.packing);
  if (!std::isfinite(p.other.value) && !others.empty()) p.other = others.front();
  return p;
}

std::string publishedText(const ReferenceValue& r) { return compact(r.value, r.error); }

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
      const Published p = publishedAt(states[k]);
      comparisons.row(results[k]);
      table.rows.push_back(joined(
          {fmt::format("{}^2", states[k].side), fmt::format("{}", states[k].packing)},
          cellsOf(results[k], twoPhases),
          {publishedText(p.mpmc), publishedText(p.other), publishedText(p.difference),
           comparisons.compare(results[k], p.mpmc), comparisons.compare(results[k], p.other)}));
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

}  // namespace

Study table2() {
  return makeStudy<Table2Options>(
      {.name = "table2",
       .about = "pressure at six packing fractions and three sizes (Anderson et al. 2013, Table 2)",
       .resumes = true},
      run);
}

}  // namespace cellscope::reproduce
