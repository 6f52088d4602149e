// The entries of a pair list by particle.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "sim/algo/list_check/check.h"
#include "sim/base/error.h"
#include "sim/exec/cpu_pool.h"

namespace cellscope::list_check {

Rows::Rows(const PairList& list, std::vector<std::size_t>& outOfRange, exec::CpuPool* pool)
    : n_(list.size()), pool_(pool) {
  const auto isIn = [n = std::uint64_t{n_}](std::int64_t p) {
    return static_cast<std::uint64_t>(p) < n;
  };
  for (std::size_t k = 0; k < list.i.size(); ++k)
    if (!isIn(list.i[k]) || !isIn(list.j[k])) outOfRange.push_back(k);
  scatter([&](const auto& take) {
    for (std::size_t k = 0; k < list.i.size(); ++k) {
      if (!isIn(list.i[k]) || !isIn(list.j[k])) continue;
      Entry e{static_cast<std::uint32_t>(list.j[k]), {}};
      if (!list.shift.empty()) std::copy_n(&list.shift[3 * k], 3, e.s.begin());
      take(static_cast<std::uint32_t>(list.i[k]), e);
    }
  });
}

// each(take): take(i, entry) of all entries, twice in the same order.
void Rows::scatter(const auto& each) {
  std::vector<std::uint64_t> next(n_ + 1, 0);
  each([&](std::uint32_t i, const Entry&) { ++next[i + 1]; });
  std::partial_sum(next.begin(), next.end(), next.begin());
  first_ = next;
  all_.resize(first_[n_]);
  each([&](std::uint32_t i, const Entry& e) { all_[next[i]++] = e; });
  ranges([&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      Entry *const begin = all_.data() + first_[i], *const end = all_.data() + first_[i + 1];
      if (!std::is_sorted(begin, end)) std::sort(begin, end);
    }
  });
}

void Rows::ranges(const auto& f) const { pool_ ? pool_->ranges(n_, kPart, f) : f(0, n_); }

void Rows::toHalf() {
  const std::vector<std::uint64_t> first = std::move(first_);
  const std::vector<Entry> all = std::move(all_);
  scatter([&](const auto& take) {
    for (std::uint32_t i = 0; i < n_; ++i)
      for (std::uint64_t k = first[i]; k < first[i + 1]; ++k) {
        const Entry& e = all[k];
        const bool stays = isFirst(i, e) || (i == e.j && e.s == Shift{});
        stays ? take(i, e) : take(e.j, Entry{i, negative(e.s)});
      }
  });
}

std::size_t Rows::count(std::size_t i, const Entry& e) const {
  const auto [from, to] = row(i);
  const auto equal = std::equal_range(from, to, e);
  return static_cast<std::size_t>(equal.second - equal.first);
}

double Rows::shareWithReverse() const {
  std::atomic<std::uint64_t> pairs = 0, reversed = 0;
  ranges([&](std::size_t from, std::size_t to) {
    std::uint64_t some = 0, both = 0;
    for (std::size_t i = from; i < to; ++i)
      for (auto [e, end] = row(i); e != end; ++e) {
        if (e->j == i) continue;
        ++some;
        both += count(e->j, {static_cast<std::uint32_t>(i), negative(e->s)}) > 0 ? 1 : 0;
      }
    pairs += some, reversed += both;
  });
  return pairs == 0 ? 1 : static_cast<double>(reversed) / static_cast<double>(pairs);
}

// Which pairs the lists of two builds have unlike.

// The shifts of a list whose particles are whole boxes away from where `here` has them, as they are
// there.
static void shiftAs(const PairList& here, const Lattice& box, PairList& l) {
  const auto n = static_cast<std::int64_t>(l.size());
  std::vector<Shift> boxes(l.size());
  for (std::size_t p = 0; p < boxes.size(); ++p) {
    const double *const r = &here.position[3 * p], *const q = &l.position[3 * p];
    const Vec3d f = box.fraction({q[0] - r[0], q[1] - r[1], q[2] - r[2]});
    for (std::size_t k = 0; k < 3; ++k)
      if (l.periodic[k]) boxes[p][k] = static_cast<std::int32_t>(std::round(f[k]));
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
    throw InputError("'{}' has {} particles and '{}' {}; allowed: two lists of the same particles",
                     here.file, here.size(), other.file, other.size());
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
  std::ranges::stable_sort(all, {}, &Wrong::kind);
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
