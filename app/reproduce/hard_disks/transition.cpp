#include "app/reproduce/hard_disks/transition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cellscope::reproduce {
namespace {

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

}  // namespace

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

}  // namespace cellscope::reproduce
