#include "sim/algo/list_check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/algo/list_check/judge.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope::list_check {

Reaches reachesOf(const PairList& list, double tolerance) {
  return {list.radius.empty() ? nullptr : list.radius.data(),
          list.cutoffs.data(),
          list.type.data(),
          list.types,
          list.cutoff,
          list.skin,
          tolerance};
}

std::vector<RowCounts> judgeRowsCpu(const exec::Shared& exec, const PairList& list,
                                    const PairsWithin& oracle, const Rows& rows, bool half,
                                    double tolerance) {
  return judgeRowsOn<exec::CpuExec>(exec, list, oracle, rows, half, tolerance);
}

double furthest(const PairList& list) {
  double r = list.cutoff;
  if (!list.radius.empty())
    r = 2 * *std::max_element(list.radius.begin(), list.radius.end());
  else if (list.types > 0)
    r = *std::max_element(list.cutoffs.begin(), list.cutoffs.end());
  if (!(r > 0) || !std::isfinite(r))
    throw InputError("'{}': the longest cutoff is {:g}; allowed: finite and above 0", list.file, r);
  return r;
}

void measure(Wrong& w, const PairList& list, const PairsWithin& at) {
  constexpr std::int64_t kFaces[3] = {1, 1, 1};
  const Vec3d a = at.fraction(static_cast<std::size_t>(w.i)),
              b = at.fraction(static_cast<std::size_t>(w.j));
  const Lattice& box = at.lattice();
  w.toFace = std::min(box.toPlane(a, kFaces), box.toPlane(b, kFaces));
  w.toWall = list.cells.any()
                 ? std::min(box.toPlane(a, list.cells.dims), box.toPlane(b, list.cells.dims))
                 : kNoDistance;
}

namespace {

constexpr std::size_t kUsual = 50'000;  // right pairs that causes are compared with, about

struct Expected {
  Entry entry;
  double d2;
  Must must;
  bool listed = false;
};

// What all particles are compared by.
struct Compared {
  const PairList& list;
  double tolerance;
  const PairsWithin& oracle;
  const Rows& rows;
  bool half;
  const std::vector<RowCounts>& judged;  // of all rows, or empty
  bool sampling;                         // causes will be looked for
  Reaches reaches = reachesOf(list, tolerance);
  bool withShifts = !list.shift.empty();
};

// Of some particles.
class Comparison {
 public:
  explicit Comparison(const Compared& by) : by_(by) {}
  void compare(std::uint32_t from, std::uint32_t to) {
    const std::uint64_t stride = std::max<std::uint64_t>(1, by_.list.i.size() / kUsual);
    for (std::uint32_t i = from; i < to; ++i) {
      if (takeJudged(i, stride)) continue;
      expect(i);
      for (const Expected& e : expected_) {
        found.atCutoff += e.must == Must::mayBeAtCutoff ? 1 : 0;
        found.inSkin += e.must == Must::mayBeInSkin ? 1 : 0;
        if (e.must == Must::be && found.expected++ % stride == 0)
          usual.push_back({Kind::missing, i, e.entry.j, e.entry.s, std::sqrt(e.d2), 0, 0});
      }
      compareRow(i);
    }
  }

  Report found;              // counts, and wrong pairs in the order of the particles
  std::vector<Wrong> usual;  // some of the right ones

 private:
  // Of a row that is right and of whose pairs none is kept for the causes.
  bool takeJudged(std::uint32_t i, std::uint64_t stride) {
    if (by_.judged.empty() || by_.judged[i].right == RowCounts::kWrong) return false;
    const RowCounts& c = by_.judged[i];
    const std::uint64_t kept = (found.expected + stride - 1) / stride * stride;
    if (by_.sampling && kept < found.expected + c.expected) return false;
    found.right += c.right, found.expected += c.expected;
    found.atCutoff += c.atCutoff, found.inSkin += c.inSkin;
    return true;
  }
  void expect(std::uint32_t i) {
    expected_.clear();
    by_.oracle.of(i, [&](std::uint32_t j, const Shift& s, double d2) {
      if (by_.list.nearest && i == j) return;
      const Entry e{j, s};
      if (by_.half && !isFirst(i, e)) return;
      const Must must = by_.reaches.judge(i, j, d2);
      if (must != Must::no) expected_.push_back({e, d2, must});
    });
    std::sort(expected_.begin(), expected_.end(),
              [](const Expected& a, const Expected& b) { return a.entry < b.entry; });
    if (by_.list.nearest) keepNearest(i);
  }
  // Of the images of each particle the nearest one; where several are nearest within rounding, the
  // one that is listed.
  void keepNearest(std::uint32_t i) {
    std::size_t kept = 0;
    for (std::size_t from = 0, to = 0; from < expected_.size(); from = to) {
      std::size_t best = from;
      for (to = from; to < expected_.size() && expected_[to].entry.j == expected_[from].entry.j;
           ++to)
        if (expected_[to].d2 < expected_[best].d2) best = to;
      const double most = std::sqrt(expected_[best].d2) + 2 * by_.tolerance;
      Expected one = expected_[best];
      for (std::size_t k = from; k < to && by_.withShifts; ++k)
        if (expected_[k].d2 <= most * most && by_.rows.count(i, expected_[k].entry) > 0)
          one = expected_[k];
      expected_[kept++] = one;
    }
    expected_.resize(kept);
  }
  void compareRow(std::uint32_t i) {
    auto [l, end] = by_.rows.row(i);
    Expected *e = expected_.data(), *const last = e + expected_.size();
    while (e != last || l != end) {
      const std::uint32_t j = l == end ? e->entry.j : e == last ? l->j : std::min(l->j, e->entry.j);
      std::size_t images = 0, listed = 0;
      while (e + images != last && e[images].entry.j == j) ++images;
      while (l + listed != end && l[listed].j == j) ++listed;
      if (by_.withShifts)
        compareImages(i, j, e, images, l, listed);
      else
        compareNumbers(i, j, e, images, listed);
      e += images, l += listed;
    }
  }
  // Of both directions of a pair that a full list lacks, it is reported once.
  void compareImages(std::uint32_t i, std::uint32_t j, Expected* e, std::size_t images,
                     const Entry* l, std::size_t listed) {
    extra_.clear();
    for (std::size_t k = 0; k < listed; ++k) {
      const auto at = std::lower_bound(
          e, e + images, l[k], [](const Expected& a, const Entry& b) { return a.entry < b; });
      if (at == e + images || at->entry.s != l[k].s)
        extra_.push_back(l[k].s);
      else if (std::exchange(at->listed, true))
        add(Kind::twice, i, j, l[k].s);
      else
        ++found.right;
    }
    for (std::size_t k = 0; k < images; ++k) {
      if (e[k].listed || e[k].must != Must::be) continue;
      const Shift s = e[k].entry.s;
      if (!extra_.empty()) {
        add(Kind::wrongImage, i, j, extra_.back());
        extra_.pop_back();
      } else if (!by_.half && by_.rows.count(j, {i, negative(s)}) > 0) {
        add(Kind::oneSided, i, j, s);
      } else if (by_.half || isFirst(i, e[k].entry)) {
        add(Kind::missing, i, j, s);
      }
    }
    for (const Shift& s : extra_) add(i == j && s == Shift{} ? Kind::self : Kind::beyond, i, j, s);
  }
  // Without shifts the number of entries has to be that of images.
  void compareNumbers(std::uint32_t i, std::uint32_t j, const Expected* e, std::size_t images,
                      std::size_t listed) {
    const auto needed = static_cast<std::size_t>(
        std::count_if(e, e + images, [](const Expected& x) { return x.must == Must::be; }));
    found.right += std::min(listed, images);
    if (listed > images) {
      const Kind kind = images > 0 ? Kind::twice : i == j ? Kind::self : Kind::beyond;
      return add(kind, i, j, images > 0 ? e->entry.s : by_.oracle.nearest(i, j), listed - images);
    }
    if (listed >= needed) return;
    const Shift s =
        std::find_if(e, e + images, [](const Expected& x) { return x.must == Must::be; })->entry.s;
    const std::size_t lacking = needed - listed;
    if (by_.half || i == j) return add(Kind::missing, i, j, s, lacking);
    const std::size_t reverse = by_.rows.count(j, {i, {}});
    const std::size_t both = std::min(lacking, needed - std::min(reverse, needed));
    if (i < j) add(Kind::missing, i, j, s, both);
    add(Kind::oneSided, i, j, s, lacking - both);
  }
  void add(Kind kind, std::uint32_t i, std::uint32_t j, const Shift& s, std::size_t times = 1) {
    std::uint64_t& count = found.count[static_cast<std::size_t>(kind)];
    for (std::size_t k = 0; k < times; ++k)
      if (++count <= Report::kMostKept)
        found.wrong.push_back({kind, i, j, s, by_.oracle.distance(i, j, s), 0, 0});
  }

  const Compared& by_;
  std::vector<Expected> expected_;
  std::vector<Shift> extra_;
};

void addOutOfRange(const PairList& list, const std::vector<std::size_t>& entries, Report& to) {
  for (const std::size_t k : entries) {
    if (++to.count[static_cast<std::size_t>(Kind::outOfRange)] > Report::kMostKept) continue;
    Wrong w{Kind::outOfRange, list.i[k], list.j[k], {}, kNoDistance, kNoDistance, kNoDistance};
    if (!list.shift.empty()) std::copy_n(&list.shift[3 * k], 3, w.shift.begin());
    to.wrong.push_back(w);
  }
}

bool isHalf(const PairList& list, const Rows& rows, std::vector<std::string>& notes) {
  if (list.half) return *list.half;
  const double share = rows.shareWithReverse();
  notes.push_back(
      fmt::format("read as a {} list ('half' is not given): {:.3g} % of the entries stand there in "
                  "both directions",
                  share < 0.5 ? "half" : "full", 100 * share));
  return share < 0.5;
}

void join(const Report& part, Report& to) {
  to.right += part.right, to.expected += part.expected;
  to.atCutoff += part.atCutoff, to.inSkin += part.inSkin;
  std::array<std::uint64_t, kKinds> count = to.count;
  for (std::size_t k = 0; k < kKinds; ++k) to.count[k] += part.count[k];
  for (const Wrong& w : part.wrong)
    if (++count[static_cast<std::size_t>(w.kind)] <= Report::kMostKept) to.wrong.push_back(w);
}

// Empty: of a kind that only the comparison one by one knows.
std::vector<RowCounts> judged(const PairList& list, double tolerance, const PairsWithin& oracle,
                              const Rows& rows, bool half, const ExecConfig& config) {
  if ((list.nearest || list.shift.empty()) && !oracle.oneImage()) return {};
  return exec::makeOn<judgeRowsCpu, judgeRowsCuda>(exec::makeExec(config), list, oracle, rows, half,
                                                   tolerance);
}

}  // namespace

Report check(const PairList& list, double tolerance, const ExecConfig& config) {
  const double reach = furthest(list) + list.skin;
  if (tolerance < 0) tolerance = roundingOf(list, reach);
  exec::CpuPool pool(config.threads);
  Report report;
  report.tolerance = tolerance;
  report.entries = list.i.size();
  const PairsWithin oracle(list, reach + tolerance);
  std::vector<std::size_t> outOfRange;
  Rows rows(list, outOfRange, &pool);
  addOutOfRange(list, outOfRange, report);
  report.half = isHalf(list, rows, report.notes);
  if (report.half) rows.toHalf();
  const auto rowCounts = judged(list, tolerance, oracle, rows, report.half, config);
  if (rowCounts.empty() && config.backend == Backend::cuda && list.size() > 0)
    report.notes.push_back(
        "compared on the CPU: a list of nearest images, or without S, whose cutoff is beyond half "
        "the box is not compared on a GPU");
  const bool sampling = std::ranges::any_of(
      rowCounts, [](const RowCounts& c) { return c.right == RowCounts::kWrong; });
  const Compared by{
      list, tolerance, oracle, rows, report.half, rowCounts, sampling || !outOfRange.empty()};
  std::vector<Comparison> parts((list.size() + kPart - 1) / kPart, Comparison(by));
  pool.parts(list.size(), kPart, [&](std::size_t p, std::size_t from, std::size_t to) {
    parts[p].compare(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
  });
  std::vector<Wrong> usual;
  for (const Comparison& part : parts) {
    join(part.found, report);
    usual.insert(usual.end(), part.usual.begin(), part.usual.end());
  }
  for (Wrong& w : report.wrong)
    if (w.kind != Kind::outOfRange) measure(w, list, oracle);
  std::ranges::stable_sort(report.wrong, {}, &Wrong::kind);
  report.causes = guessCauses(list, oracle, report.wrong, usual, tolerance);
  report.faults = structureFaults(list, oracle, tolerance, report.notes);
  return report;
}

std::uint64_t Report::wrongPairs() const {
  return std::accumulate(count.begin(), count.begin() + kFaults, std::uint64_t{0});
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

bool worthAGpu(const PairList& list, int threads) {
  constexpr double kEntry = 1e-7, kStart = 0.5;  // s on one core, and to start a GPU: about
  return static_cast<double>(list.i.size()) * kEntry / threads > kStart;
}

}  // namespace cellscope::list_check
