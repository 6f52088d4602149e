#include "sim/algo/list_check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "sim/base/error.h"

namespace cellscope::list_check {
namespace {

constexpr std::size_t kUsual = 50'000;  // right pairs that causes are compared with, about
constexpr double kNoDistance = std::numeric_limits<double>::quiet_NaN();

// Whether a pair has to be listed.
enum class Must { be, mayBeAtCutoff, mayBeInSkin };
struct Expected {
  Entry entry;
  double d2;
  Must must;
  bool listed = false;
};

double furthest(const PairList& list) {
  double r = list.cutoff;
  if (!list.radius.empty())
    r = 2 * *std::max_element(list.radius.begin(), list.radius.end());
  else if (list.types > 0)
    r = *std::max_element(list.cutoffs.begin(), list.cutoffs.end());
  if (!(r > 0) || !std::isfinite(r))
    throw InputError(
        fmt::format("'{}': the longest cutoff is {:g}; allowed: finite and above 0", list.file, r));
  return r;
}

class Comparison {
 public:
  Comparison(const PairList& list, double tolerance)
      : list_(list),
        tolerance_(tolerance),
        oracle_(list, furthest(list) + list.skin + tolerance),
        rows_(list, outOfRange_),
        withShifts_(!list.shift.empty()) {}
  Report compare();

 private:
  void begin();
  std::optional<Must> judge(std::uint32_t i, std::uint32_t j, double d2) const;
  void expect(std::uint32_t i);
  void keepNearest(std::uint32_t i);
  void compareRow(std::uint32_t i);
  void compareImages(std::uint32_t i, std::uint32_t j, Expected* e, std::size_t images,
                     const Entry* l, std::size_t listed);
  void compareNumbers(std::uint32_t i, std::uint32_t j, const Expected* e, std::size_t images,
                      std::size_t listed);
  void add(Kind kind, std::uint32_t i, std::uint32_t j, const Shift& s, std::size_t times = 1);
  void finish();

  const PairList& list_;
  double tolerance_;
  PairsWithin oracle_;
  std::vector<std::size_t> outOfRange_;
  Rows rows_;
  bool withShifts_;
  Report report_;
  std::vector<Wrong> usual_;
  std::vector<Expected> expected_;
  std::vector<Shift> extra_;
};

void Comparison::begin() {
  report_.tolerance = tolerance_;
  report_.entries = list_.i.size();
  for (const std::size_t k : outOfRange_) {
    if (++report_.count[static_cast<std::size_t>(Kind::outOfRange)] > Report::kMostKept) continue;
    Wrong w{Kind::outOfRange, list_.i[k], list_.j[k], {}, kNoDistance, kNoDistance, kNoDistance};
    if (withShifts_) std::copy_n(&list_.shift[3 * k], 3, w.shift.begin());
    report_.wrong.push_back(w);
  }
  if (list_.half) {
    report_.half = *list_.half;
  } else {
    const double share = rows_.shareWithReverse();
    report_.half = share < 0.5;
    report_.notes.push_back(
        fmt::format("read as a {} list ('half' is not given): {:.3g} % of the entries stand there "
                    "in both directions",
                    report_.half ? "half" : "full", 100 * share));
  }
  if (report_.half) rows_.toHalf();
}

std::optional<Must> Comparison::judge(std::uint32_t i, std::uint32_t j, double d2) const {
  const double r = list_.reach(i, j), least = r - tolerance_, most = r + tolerance_;
  if (!(r > 0)) return std::nullopt;
  if (least > 0 && d2 < least * least) return Must::be;
  if (d2 <= most * most) return Must::mayBeAtCutoff;
  const double end = most + list_.skin;
  return list_.skin > 0 && d2 <= end * end ? std::optional(Must::mayBeInSkin) : std::nullopt;
}

void Comparison::expect(std::uint32_t i) {
  expected_.clear();
  oracle_.of(i, [&](std::uint32_t j, const Shift& s, double d2) {
    if (list_.nearest && i == j) return;
    const Entry e{j, s};
    if (report_.half && !isFirst(i, e)) return;
    if (const std::optional<Must> must = judge(i, j, d2)) expected_.push_back({e, d2, *must});
  });
  std::sort(expected_.begin(), expected_.end(),
            [](const Expected& a, const Expected& b) { return a.entry < b.entry; });
  if (list_.nearest) keepNearest(i);
}

// Of the images of each particle the nearest one; where several are nearest within rounding, the
// one that is listed.
void Comparison::keepNearest(std::uint32_t i) {
  std::size_t kept = 0;
  for (std::size_t from = 0, to = 0; from < expected_.size(); from = to) {
    std::size_t best = from;
    for (to = from; to < expected_.size() && expected_[to].entry.j == expected_[from].entry.j; ++to)
      if (expected_[to].d2 < expected_[best].d2) best = to;
    const double most = std::sqrt(expected_[best].d2) + 2 * tolerance_;
    Expected one = expected_[best];
    for (std::size_t k = from; k < to && withShifts_; ++k)
      if (expected_[k].d2 <= most * most && rows_.count(i, expected_[k].entry) > 0)
        one = expected_[k];
    expected_[kept++] = one;
  }
  expected_.resize(kept);
}

// Of both directions of a pair that a full list lacks, it is reported once.
void Comparison::compareImages(std::uint32_t i, std::uint32_t j, Expected* e, std::size_t images,
                               const Entry* l, std::size_t listed) {
  extra_.clear();
  for (std::size_t k = 0; k < listed; ++k) {
    const auto at = std::lower_bound(e, e + images, l[k],
                                     [](const Expected& a, const Entry& b) { return a.entry < b; });
    if (at == e + images || at->entry.s != l[k].s)
      extra_.push_back(l[k].s);
    else if (std::exchange(at->listed, true))
      add(Kind::twice, i, j, l[k].s);
    else
      ++report_.right;
  }
  for (std::size_t k = 0; k < images; ++k) {
    if (e[k].listed || e[k].must != Must::be) continue;
    const Shift s = e[k].entry.s;
    if (!extra_.empty()) {
      add(Kind::wrongImage, i, j, extra_.back());
      extra_.pop_back();
    } else if (!report_.half && rows_.count(j, {i, negative(s)}) > 0) {
      add(Kind::oneSided, i, j, s);
    } else if (report_.half || isFirst(i, e[k].entry)) {
      add(Kind::missing, i, j, s);
    }
  }
  for (const Shift& s : extra_) add(i == j && s == Shift{} ? Kind::self : Kind::beyond, i, j, s);
}

// Without shifts the number of entries has to be that of images.
void Comparison::compareNumbers(std::uint32_t i, std::uint32_t j, const Expected* e,
                                std::size_t images, std::size_t listed) {
  const auto needed = static_cast<std::size_t>(
      std::count_if(e, e + images, [](const Expected& x) { return x.must == Must::be; }));
  report_.right += std::min(listed, images);
  if (listed > images) {
    const Kind kind = images > 0 ? Kind::twice : i == j ? Kind::self : Kind::beyond;
    return add(kind, i, j, images > 0 ? e->entry.s : oracle_.nearest(i, j), listed - images);
  }
  if (listed >= needed) return;
  const Shift s =
      std::find_if(e, e + images, [](const Expected& x) { return x.must == Must::be; })->entry.s;
  const std::size_t lacking = needed - listed;
  if (report_.half || i == j) return add(Kind::missing, i, j, s, lacking);
  const std::size_t reverse = rows_.count(j, {i, {}});
  const std::size_t both = std::min(lacking, needed - std::min(reverse, needed));
  if (i < j) add(Kind::missing, i, j, s, both);
  add(Kind::oneSided, i, j, s, lacking - both);
}

void Comparison::compareRow(std::uint32_t i) {
  auto [l, end] = rows_.row(i);
  Expected *e = expected_.data(), *const last = e + expected_.size();
  while (e != last || l != end) {
    const std::uint32_t j = l == end ? e->entry.j : e == last ? l->j : std::min(l->j, e->entry.j);
    std::size_t images = 0, listed = 0;
    while (e + images != last && e[images].entry.j == j) ++images;
    while (l + listed != end && l[listed].j == j) ++listed;
    if (withShifts_)
      compareImages(i, j, e, images, l, listed);
    else
      compareNumbers(i, j, e, images, listed);
    e += images, l += listed;
  }
}

void Comparison::add(Kind kind, std::uint32_t i, std::uint32_t j, const Shift& s,
                     std::size_t times) {
  std::uint64_t& count = report_.count[static_cast<std::size_t>(kind)];
  for (std::size_t k = 0; k < times; ++k)
    if (++count <= Report::kMostKept)
      report_.wrong.push_back({kind, i, j, s, oracle_.distance(i, j, s), 0, 0});
}

void Comparison::finish() {
  constexpr std::int64_t kFaces[3] = {1, 1, 1};
  for (Wrong& w : report_.wrong) {
    if (w.kind == Kind::outOfRange) continue;
    const Vec3d a = oracle_.fraction(static_cast<std::size_t>(w.i)),
                b = oracle_.fraction(static_cast<std::size_t>(w.j));
    const Lattice& box = oracle_.lattice();
    w.toFace = std::min(box.toPlane(a, kFaces), box.toPlane(b, kFaces));
    w.toWall = list_.cells.any()
                   ? std::min(box.toPlane(a, list_.cells.dims), box.toPlane(b, list_.cells.dims))
                   : kNoDistance;
  }
  std::stable_sort(report_.wrong.begin(), report_.wrong.end(),
                   [](const Wrong& a, const Wrong& b) { return a.kind < b.kind; });
  report_.causes = guessCauses(list_, oracle_, report_.wrong, usual_, tolerance_);
  report_.faults = structureFaults(list_, oracle_, tolerance_, report_.notes);
}

Report Comparison::compare() {
  begin();
  const std::uint64_t stride = std::max<std::uint64_t>(1, list_.i.size() / kUsual);
  for (std::uint32_t i = 0; i < list_.size(); ++i) {
    expect(i);
    for (const Expected& e : expected_) {
      report_.atCutoff += e.must == Must::mayBeAtCutoff ? 1 : 0;
      report_.inSkin += e.must == Must::mayBeInSkin ? 1 : 0;
      if (e.must == Must::be && report_.expected++ % stride == 0)
        usual_.push_back({Kind::missing, i, e.entry.j, e.entry.s, std::sqrt(e.d2), 0, 0});
    }
    compareRow(i);
  }
  finish();
  return std::move(report_);
}

}  // namespace

std::uint64_t Report::wrongPairs() const {
  return std::accumulate(count.begin(), count.end(), std::uint64_t{0});
}

double roundingOf(const PairList& list, double reach) {
  double largest = 0, image = 0;
  for (const double x : list.position) largest = std::max(largest, std::abs(x));
  for (int a = 0; a < 3; ++a) {
    double row = 0;
    for (int k = 0; k < 3; ++k) row = std::max(row, std::abs(list.cell[3 * a + k]));
    if (list.periodic[a]) image = std::max(image, row);
  }
  // An image that is within the reach lies no further away than both together.
  return std::ldexp(16.0, list.single ? -24 : -53) * (largest + image + reach);
}

Report check(const PairList& list, double tolerance) {
  const double reach = furthest(list) + list.skin;
  return Comparison(list, tolerance < 0 ? roundingOf(list, reach) : tolerance).compare();
}

Rows::Rows(const PairList& list, std::vector<std::size_t>& outOfRange) : n_(list.size()) {
  std::vector<Pair> pairs;
  pairs.reserve(list.i.size());
  const auto n = static_cast<std::int64_t>(n_);
  for (std::size_t k = 0; k < list.i.size(); ++k) {
    const std::int64_t i = list.i[k], j = list.j[k];
    if (i < 0 || i >= n || j < 0 || j >= n) {
      outOfRange.push_back(k);
      continue;
    }
    Pair p{static_cast<std::uint32_t>(i), {static_cast<std::uint32_t>(j), {}}};
    if (!list.shift.empty()) std::copy_n(&list.shift[3 * k], 3, p.e.s.begin());
    pairs.push_back(p);
  }
  sort(pairs);
}

void Rows::sort(const std::vector<Pair>& pairs) {
  first_.assign(n_ + 1, 0);
  for (const Pair& p : pairs) ++first_[p.i + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  all_.resize(pairs.size());
  for (const Pair& p : pairs) all_[next[p.i]++] = p.e;
  for (std::size_t i = 0; i < n_; ++i)
    std::sort(all_.begin() + static_cast<std::ptrdiff_t>(first_[i]),
              all_.begin() + static_cast<std::ptrdiff_t>(first_[i + 1]));
}

void Rows::toHalf() {
  std::vector<Pair> pairs;
  pairs.reserve(all_.size());
  for (std::uint32_t i = 0; i < n_; ++i)
    for (auto [e, end] = row(i); e != end; ++e) {
      const bool stays = isFirst(i, *e) || (i == e->j && e->s == Shift{});
      pairs.push_back(stays ? Pair{i, *e} : Pair{e->j, {i, negative(e->s)}});
    }
  sort(pairs);
}

std::size_t Rows::count(std::size_t i, const Entry& e) const {
  const auto [from, to] = row(i);
  const auto equal = std::equal_range(from, to, e);
  return static_cast<std::size_t>(equal.second - equal.first);
}

double Rows::shareWithReverse() const {
  std::uint64_t pairs = 0, reversed = 0;
  for (std::uint32_t i = 0; i < n_; ++i)
    for (auto [e, end] = row(i); e != end; ++e) {
      if (e->j == i) continue;
      ++pairs;
      reversed += count(e->j, {i, negative(e->s)}) > 0 ? 1 : 0;
    }
  return pairs == 0 ? 1 : static_cast<double>(reversed) / static_cast<double>(pairs);
}

}  // namespace cellscope::list_check
