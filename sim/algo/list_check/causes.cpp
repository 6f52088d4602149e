// What wrong pairs have in common that right ones have not.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/algo/list_check/check.h"

namespace cellscope::list_check {
namespace {

constexpr std::size_t kMostLookedAt = 50'000;  // wrong pairs of a kind
constexpr double kMostly = 0.9;                // of the wrong pairs have it in common,
constexpr double kRarer = 0.5;                 // right ones more rarely by this factor
constexpr std::size_t kMostCauses = 3;         // of a kind
constexpr const char* kCrosses = "cross a periodic face";
constexpr std::uint32_t kWarp = 32;
constexpr std::size_t kFewest = 8;  // pairs that tell of a thread

using Has = std::function<bool(const Wrong&)>;
using Pairs = std::vector<Wrong>;

struct Trait {
  std::string words;
  Has has;
};

double shareOf(const Pairs& pairs, const Has& has) {
  if (pairs.empty()) return 0;
  return static_cast<double>(std::ranges::count_if(pairs, has)) / static_cast<double>(pairs.size());
}

class Guess {
 public:
  Guess(const PairList& list, const PairsWithin& oracle, const Pairs& usual, double tolerance)
      : list_(list), oracle_(oracle), usual_(usual), tolerance_(tolerance) {}
  std::vector<Cause> of(Kind kind, const Pairs& wrong) {
    traits_.clear();
    ofBox(), ofDistance(), ofNumbers(wrong), ofValues(wrong);
    std::vector<Cause> found;
    for (const Trait& t : traits_) {
      const double share = shareOf(wrong, t.has), usual = shareOf(usual_, t.has);
      if (share >= kMostly && usual <= kRarer * share)
        found.push_back({kind, t.words, share, usual});
    }
    std::ranges::stable_sort(found, [](const Cause& a, const Cause& b) {
      return a.share / (a.usual + 1e-3) > b.share / (b.usual + 1e-3);
    });
    // One face says it all.
    if (std::ranges::any_of(
            found, [](const Cause& c) { return c.words.starts_with("cross the periodic face"); }))
      std::erase_if(found, [](const Cause& c) { return c.words == kCrosses; });
    if (found.size() > kMostCauses) found.resize(kMostCauses);
    return found;
  }

 private:
  std::size_t first(const Wrong& w) const { return static_cast<std::size_t>(w.i); }
  std::size_t second(const Wrong& w) const { return static_cast<std::size_t>(w.j); }
  Shift crossed(const Wrong& w) const { return oracle_.inBox(first(w), second(w), w.shift); }
  void ofBox() {
    const Lattice& box = oracle_.lattice();
    const auto faces = [this](const Wrong& w) {
      const Shift s = crossed(w);
      return (s[0] != 0) + (s[1] != 0) + (s[2] != 0);
    };
    double half = INFINITY;
    for (std::size_t a = 0; a < 3; ++a) {
      if (!box.periodic[a]) continue;
      half = std::min(half, 0.5 * box.height[a]);
      add(fmt::format("cross the periodic face along {}vector {} of the cell",
                      box.tilted[a] ? "the tilted " : "", "abc"[a]),
          [this, a](const Wrong& w) { return crossed(w)[a] != 0; });
    }
    add(kCrosses, [=](const Wrong& w) { return faces(w) > 0; });
    add("cross an edge or corner of the box", [=](const Wrong& w) { return faces(w) > 1; });
    add("lie within the box: none crosses a periodic face",
        [=](const Wrong& w) { return faces(w) == 0; });
    add("are longer than half the box", [half](const Wrong& w) { return w.distance > half; });
    add("reach beyond the images next to the box", [this](const Wrong& w) {
      const Shift s = crossed(w);
      return std::max({std::abs(s[0]), std::abs(s[1]), std::abs(s[2])}) > 1;
    });
  }
  void ofDistance() {
    add("are of a particle with its own image", [](const Wrong& w) { return w.i == w.j; });
    add("are of two particles at the same place",
        [this](const Wrong& w) { return w.distance <= tolerance_; });
    add("are within 5 % of the cutoff", [this](const Wrong& w) {
      const double r = list_.reach(first(w), second(w));
      return std::abs(w.distance - r) < 0.05 * r;
    });
    add("would be right with -S: the convention is D = r[j] - r[i] + S cell",
        [this](const Wrong& w) {
          const Shift s{-w.shift[0], -w.shift[1], -w.shift[2]};
          return w.kind == Kind::wrongImage && oracle_.distance(first(w), second(w), s) <=
                                                   list_.reach(first(w), second(w)) + tolerance_;
        });
  }
  void ofNumbers(const Pairs& wrong) {
    const auto n = static_cast<std::int64_t>(list_.size());
    add("have the first particle, number 0", [](const Wrong& w) { return w.i == 0 || w.j == 0; });
    add(fmt::format("have the last particle, number {}", n - 1),
        [n](const Wrong& w) { return w.i == n - 1 || w.j == n - 1; });
    const std::int64_t whole = n / kWarp * kWarp;
    if (whole < n && whole > 0)
      add(fmt::format("have one of the last particles, from {} on, which fill no warp of 32",
                      whole),
          [whole](const Wrong& w) { return w.i >= whole || w.j >= whole; });
    if (wrong.size() >= kFewest)
      addValue(
          wrong, [](const Wrong& w) { return std::vector<std::int64_t>{w.i % kWarp}; },
          [](std::int64_t v) { return fmt::format("are of thread {} of a warp (i mod 32)", v); });
    if (!list_.cells.any() || list_.cells.of.size() != list_.size()) return;
    const std::int64_t* d = list_.cells.dims;
    for (int a = 0; a < 3; ++a) {
      if (d[a] < 2) continue;
      const auto last = [=, this](std::int64_t p) {
        return oracle_.fraction(static_cast<std::size_t>(p))[a] * static_cast<double>(d[a]) >=
               static_cast<double>(d[a] - 1);
      };
      add(fmt::format("have a particle in the last cell along vector {}", "abc"[a]),
          [=](const Wrong& w) { return last(w.i) || last(w.j); });
    }
  }
  void ofValues(const Pairs& wrong) {
    if (list_.types > 1)
      addValue(
          wrong,
          [this](const Wrong& w) {
            const std::int64_t a = list_.type[first(w)], b = list_.type[second(w)];
            return std::vector<std::int64_t>{std::min(a, b) * list_.types + std::max(a, b)};
          },
          [this](std::int64_t v) {
            return fmt::format("are of the types {} and {}", v / list_.types, v % list_.types);
          });
    if (list_.cells.of.size() == list_.size())
      addValue(
          wrong,
          [this](const Wrong& w) {
            return std::vector<std::int64_t>{list_.cells.of[first(w)], list_.cells.of[second(w)]};
          },
          [](std::int64_t v) { return fmt::format("have a particle in cell {}", v); });
    addValue(
        wrong,
        [](const Wrong& w) {
          return std::vector<std::int64_t>{w.i, w.j};
        },
        [](std::int64_t v) { return fmt::format("have particle {}", v); });
  }
  void add(std::string words, Has has) { traits_.push_back({std::move(words), std::move(has)}); }
  // The value that most pairs have, of those that each pair has.
  using Values = std::function<std::vector<std::int64_t>(const Wrong&)>;
  void addValue(const Pairs& wrong, const Values& values,
                const std::function<std::string(std::int64_t)>& words) {
    std::map<std::int64_t, std::size_t> count;
    for (const Wrong& w : wrong) {
      std::vector<std::int64_t> all = values(w);
      std::ranges::sort(all);
      all.erase(std::unique(all.begin(), all.end()), all.end());
      for (const std::int64_t v : all) ++count[v];
    }
    if (count.empty()) return;
    const std::int64_t most =
        std::ranges::max_element(count, {}, [](const auto& c) { return c.second; })->first;
    add(words(most), [values, most](const Wrong& w) {
      const std::vector<std::int64_t> all = values(w);
      return std::ranges::find(all, most) != all.end();
    });
  }

  const PairList& list_;
  const PairsWithin& oracle_;
  const Pairs& usual_;
  double tolerance_;
  std::vector<Trait> traits_;
};

// Of numbers that name no particle.
std::vector<Cause> outOfRangeCauses(const PairList& list) {
  const auto [low, high] = std::ranges::minmax_element(list.i);
  const auto [low2, high2] = std::ranges::minmax_element(list.j);
  const auto n = static_cast<std::int64_t>(list.size());
  if (std::min(*low, *low2) == 1 && std::max(*high, *high2) == n)
    return {{Kind::outOfRange, "come of counting from 1: numbers begin at 0", 1, 0}};
  if (std::min(*low, *low2) == -1 && std::max(*high, *high2) < n)
    return {{Kind::outOfRange, "are -1, as of rows filled up to one length", 1, 0}};
  return {};
}

}  // namespace

std::vector<Cause> guessCauses(const PairList& list, const PairsWithin& oracle,
                               const std::vector<Wrong>& wrong, const std::vector<Wrong>& usual,
                               double tolerance) {
  std::vector<Cause> all;
  Guess guess(list, oracle, usual, tolerance);
  for (int k = 0; k < kKinds; ++k) {
    const Kind kind{k};
    Pairs some;
    for (const Wrong& w : wrong)
      if (w.kind == kind && some.size() < kMostLookedAt) some.push_back(w);
    std::vector<Cause> found;
    if (kind == Kind::outOfRange && !some.empty())
      found = outOfRangeCauses(list);
    else if (some.size() >= 2)
      found = guess.of(kind, some);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

// "Pairs that ...".
constexpr const char* kThat[kKinds] = {"are missing",
                                       "are one-sided",
                                       "are listed twice",
                                       "are beyond the cutoff",
                                       "are of one particle",
                                       "have the wrong image",
                                       "are out of range",
                                       "are only in the first list",
                                       "are only in the second list",
                                       "have another image"};

static std::string cutoffWords(const PairList& l) {
  if (!l.radius.empty()) return "cutoffs by radii";
  return l.types > 0 ? fmt::format("cutoffs of {} types", l.types)
                     : fmt::format("cutoff {:.6g}", l.cutoff);
}

const char* kindName(Kind kind) { return kKindNames[static_cast<int>(kind)]; }

std::string headLine(const PairList& l, const Report& r) {
  return fmt::format("{} particles, {} entries of a {} list{}, {}", l.size(), r.entries,
                     r.half ? "half" : "full", l.nearest ? " of nearest images" : "",
                     cutoffWords(l));
}

std::vector<std::string> noteLines(const PairList& l, const Report& r) {
  std::vector<std::string> lines = l.notes;
  lines.insert(lines.end(), r.notes.begin(), r.notes.end());
  lines.push_back(fmt::format(
      "{} entries are expected; {} more are within {:.2g} of the cutoff{}: may be listed or not",
      r.expected, r.atCutoff, r.tolerance,
      l.skin > 0 ? fmt::format(", {} within the skin", r.inSkin) : ""));
  return lines;
}

std::string verdictLine(const Report& r) {
  if (r.wrongPairs() == 0) return "Right: every pair within the cutoff is listed, and no other";
  std::string counts;
  for (int k = 0; k < kFaults; ++k)
    if (r.count[static_cast<std::size_t>(k)] > 0)
      counts +=
          fmt::format("{}{} {}{}", counts.empty() ? "" : ", ", r.count[static_cast<std::size_t>(k)],
                      k == static_cast<int>(Kind::wrongImage) ? "with the " : "", kKindNames[k]);
  return "Wrong: " + counts;
}

std::string changesLine(const PairList& l, const PairList& other, const Report& r) {
  const auto count = [&](Kind k) { return r.count[static_cast<std::size_t>(k)]; };
  return fmt::format(
      "{} pairs only in the first list, {} only in the second, {} with another image{}",
      count(Kind::onlyHere), count(Kind::onlyThere), count(Kind::otherImage),
      l.position == other.position ? "" : "; the positions differ");
}

std::vector<std::string> causeLines(const Report& r) {
  std::vector<std::string> lines;
  for (const Cause& c : r.causes)
    lines.push_back(
        c.kind == Kind::outOfRange
            ? fmt::format("the numbers out of range {}", c.words)
            : fmt::format("{:.3g} % of the pairs that {} {} ({:.2g} % of the right ones)",
                          100 * c.share, kThat[static_cast<int>(c.kind)], c.words, 100 * c.usual));
  return lines;
}

std::vector<std::string> faultLines(const Report& r) {
  std::vector<std::string> lines;
  for (const Fault& f : r.faults)
    lines.push_back(f.count == 1
                        ? fmt::format("{}: {}", f.rule, f.first)
                        : fmt::format("{}: {}; the first is {}", f.rule, f.count, f.first));
  return lines;
}

}  // namespace cellscope::list_check
