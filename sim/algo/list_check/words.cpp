#include "sim/algo/list_check/check.h"

#include <fmt/format.h>

namespace cellscope::list_check {

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
