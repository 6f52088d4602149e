#include "sim/modes/md/part_race.h"

#include <utility>

namespace cellscope::md {
namespace {

struct Part {
  TimedPart part;
  const char* name;
};
// A list that a part of a build has left incomplete is built by the next one.
constexpr Part kParts[] = {
    {TimedPart::sorted, "list build: no search"},  {TimedPart::walked, "list build: walk only"},
    {TimedPart::built, "list build: whole"},       {TimedPart::partners, "forces: walk only"},
    {TimedPart::records, "forces: no arithmetic"}, {TimedPart::forces, "forces: whole"}};

}  // namespace

void PartRace::begin(std::unique_ptr<MdEngine> engine, const MdState& state,
                     const PairSettings& pair) {
  end();
  MdState s = state;  // it builds a list of its own
  s.dropDerived();
  engine_ = std::move(engine);
  engine_->setPair(pair);
  engine_->upload(s);
  engine_->forces();
  std::vector<RaceCandidate> candidates;
  for (const Part& p : kParts) {
    if (!engine_->orderPart(p.part)) continue;
    MdEngine* const timed = engine_.get();
    candidates.push_back({p.name, [] {},
                          [timed, part = p.part](std::uint64_t times) {
                            for (std::uint64_t k = 0; k < times; ++k) timed->orderPart(part);
                            timed->failure();  // waits
                          }});
  }
  race_.begin(std::move(candidates));
}

void PartRace::end() {
  race_.begin({});
  engine_.reset();
}

void PartRace::forget() {
  end();
  last_.clear();
}

bool PartRace::advance() {
  if (race_.running()) race_.advance(1);
  if (race_.running()) return false;
  last_ = race_.standings();
  return true;
}

std::optional<Curve> PartRace::chart(const std::string& method) const {
  const std::vector<RaceStanding> parts = last_.empty() ? race_.standings() : last_;
  if (parts.empty()) return {};
  Curve c;
  c.id = "part_race";
  c.label = "Where the time goes";
  c.x.label = "part of " + method;
  c.x.scale = AxisScale::named;
  c.y.label = "time / ms";
  c.equation =
      "timing only, on a copy of the state: passes with something left out, of which nothing "
      "enters "
      "the run. no search: particles into cells or trees; walk only: cells, nodes, lists or tiles "
      "are gone through; no arithmetic: positions of all partners are read as well; medians";
  CurveSeries bars{"timing only", "", {}, {}};
  bars.kind = SeriesKind::bars;
  for (const RaceStanding& s : parts) {
    const auto x = static_cast<double>(c.x.names.size());
    c.x.names.push_back(s.inWords());
    if (!s.timed()) continue;
    bars.x.push_back(x);
    bars.y.push_back(1e3 * s.result.median);
  }
  c.series = {std::move(bars)};
  return c;
}

}  // namespace cellscope::md
