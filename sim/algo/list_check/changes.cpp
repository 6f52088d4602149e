// Which pairs the lists of two builds have unlike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/list_check/check.h"
#include "sim/base/error.h"

namespace cellscope::list_check {

// The shifts of a list whose particles are whole boxes away from where `here` has them, as they are
// there.
static void shiftAs(const PairList& here, const Lattice& box, PairList& l) {
  const auto n = static_cast<std::int64_t>(l.size());
  std::vector<Shift> boxes(l.size());
  for (std::size_t p = 0; p < boxes.size(); ++p) {
    const double *const r = &here.position[3 * p], *const q = &l.position[3 * p];
    const Vec3d f = box.fraction({q[0] - r[0], q[1] - r[1], q[2] - r[2]});
    const double apart[3] = {f.x, f.y, f.z};
    for (std::size_t k = 0; k < 3; ++k)
      if (l.periodic[k]) boxes[p][k] = static_cast<std::int32_t>(std::round(apart[k]));
  }
  for (std::size_t k = 0; k < l.i.size(); ++k) {
    if (l.i[k] < 0 || l.i[k] >= n || l.j[k] < 0 || l.j[k] >= n) continue;
    const Shift &i = boxes[static_cast<std::size_t>(l.i[k])],
                &j = boxes[static_cast<std::size_t>(l.j[k])];
    for (std::size_t a = 0; a < 3; ++a) l.shift[3 * k + a] += j[a] - i[a];
  }
}

// A pair that was found changed, beside those of the same particles found before.
static void addChange(Wrong w, std::vector<Wrong>& all) {
  for (std::size_t k = all.size(); k-- > 0 && all[k].i == w.i && all[k].j == w.j;) {
    if (all[k].kind == Kind::otherImage || all[k].kind == w.kind) continue;
    all[k].kind = Kind::otherImage;
    if (w.kind == Kind::onlyHere) all[k].shift = w.shift;
    return;
  }
  all.push_back(w);
}

void addChanges(const PairList& here, PairList other, const Report& there, Report& to) {
  if (here.size() != other.size())
    throw InputError(
        fmt::format("'{}' has {} particles and '{}' {}; allowed: two lists of the same particles",
                    here.file, here.size(), other.file, other.size()));
  const PairsWithin at(here, furthest(here));
  const bool images = !here.shift.empty() && !other.shift.empty();
  PairList bare;
  if (images)
    shiftAs(here, at.lattice(), other);
  else
    bare.position = here.position, bare.i = here.i, bare.j = here.j, other.shift.clear();
  std::vector<std::size_t> outOfRange;
  Rows rows(images ? here : bare, outOfRange), others(other, outOfRange);
  rows.toHalf(), others.toHalf();
  std::vector<Wrong> all;
  for (std::uint32_t i = 0; i < here.size(); ++i) {
    auto [p, pEnd] = rows.row(i);
    auto [q, qEnd] = others.row(i);
    while (p != pEnd || q != qEnd) {
      const Entry e = q == qEnd || (p != pEnd && *p < *q) ? *p : *q;
      int more = 0;  // in a full list a pair stands twice
      for (; p != pEnd && !(e < *p); ++p) more += to.half ? 2 : 1;
      for (; q != qEnd && !(e < *q); ++q) more -= there.half ? 2 : 1;
      if (more != 0)
        addChange({more > 0 ? Kind::onlyHere : Kind::onlyThere, i, e.j, e.s, 0, 0, 0}, all);
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Wrong& a, const Wrong& b) { return a.kind < b.kind; });
  for (Wrong& w : all) {
    if (++to.count[static_cast<std::size_t>(w.kind)] > Report::kMostKept) continue;
    const auto i = static_cast<std::size_t>(w.i), j = static_cast<std::size_t>(w.j);
    if (!images) w.shift = at.nearest(i, j);
    w.distance = at.distance(i, j, w.shift);
    measure(w, here, at);
    to.wrong.push_back(w);
  }
}

}  // namespace cellscope::list_check
