#include "app/reproduce/hard_disks/transition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cellscope::reproduce {
namespace {

constexpr const char* kHowMeasured =
    "P* is measured from free paths, without a fit; beside it the contact fit (Anderson et al., "
    "eqs. 4 to 6) "
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

constexpr const char* kAboutCoexistence =
    "--start coexistence: a run began as a lattice beside liquid, in the shares of the lever rule "
    "between 0.700 and 0.716; the phases need not part first.";
// What the comparison of an unequilibrated state can still say.
std::string bracket(const StateResult& r, const ReferenceValue& ref) {
  if (!std::isfinite(ref.value) || !std::isfinite(r.between)) return "-";
  const double low =
      std::min(r.fluid.value - 3 * r.fluid.error, r.crystal.value - 3 * r.crystal.error);
  const double high =
      std::max(r.fluid.value + 3 * r.fluid.error, r.crystal.value + 3 * r.crystal.error);
  return ref.value >= low && ref.value <= high ? "between the starts" : "outside the starts";
}

}  // namespace

std::string Comparisons::add(const StateResult& r, const ReferenceValue& published) {
  ++rows_;
  if (!published.source.empty() && std::isfinite(published.value) &&
      std::find(sources_.begin(), sources_.end(), published.source) == sources_.end())
    sources_.push_back(published.source);
  if (!r.known()) return bracket(r, published);
  ++(r.equilibrated ? equilibrated_ : atRest_);
  const double sigmas =
      deviation(r.pressure.value, r.pressure.error, published.value, published.error);
  far_ += std::abs(sigmas) > kAllowed;
  return judged(sigmas);
}

std::vector<std::string> Comparisons::notes(const RunsOptions& o) const {
  const std::string more =
      atRest_ ? fmt::format(", {} more at rest, known from one start", atRest_) : "";
  std::vector<std::string> all = {
      kHowMeasured, o.bothStarts() ? kHowJudged : kOneStart,
      fmt::format("{} of {} states are equilibrated{}; {} of these lie more than {} combined "
                  "errors from the published value.",
                  equilibrated_, rows_, more, far_, kAllowed)};
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
