// What is wrong with a neighbour list: compared entry by entry with all pairs within the cutoff.
//
// Rounding: a program that computes the distance in the precision of the positions (unit roundoff
// u = 2^-24 or 2^-53) makes an error of at most 16 u X, X the sum of the largest coordinate, the
// largest of the periodic vectors and the cutoff: each component is a sum of at most five products
// and terms no larger than X, and the square root of a sum of three squares adds two roundings
// more. Pairs no further than this from the cutoff may be listed or not; they are counted as "at
// the cutoff".
#pragma once
#include <limits>
#include <map>
#include <utility>

#include "sim/algo/list_check/pairs_within.h"
#include "sim/base/backend.h"

namespace cellscope::exec {
class CpuPool;
}

namespace cellscope::list_check {

// The last three are no faults: how the list differs from that of another build.
enum class Kind {
  missing,
  oneSided,
  twice,
  beyond,
  self,
  wrongImage,
  outOfRange,
  onlyHere,
  onlyThere,
  otherImage
};
inline constexpr int kFaults = 7, kKinds = 10;
inline constexpr const char* kKindNames[kKinds] = {
    "missing",     "one-sided",    "twice",         "beyond the cutoff", "self",
    "wrong image", "out of range", "only in first", "only in second",    "other image"};

// One wrong pair. Of a pair missing in both directions i < j; of a list without S the shift is that
// of the nearest image, or of an image that is missing.
struct Wrong {
  Kind kind{};
  std::int64_t i = 0, j = 0;
  Shift shift{};
  double distance = 0;
  double toFace = 0, toWall = 0;  // of either particle from a face of the box and wall of a cell
};

struct Cause {
  Kind kind{};
  std::string words;            // "cross the face along z"
  double share = 0, usual = 0;  // of the wrong pairs of this kind, and of all right ones
};

struct Fault {       // of a structure
  std::string rule;  // "particles in no leaf (leaf_of)"
  std::uint64_t count = 0;
  std::string first;  // the first one
};

struct Report {
  static constexpr std::size_t kMostKept = 1'000'000;  // wrong pairs of each kind

  bool half = false;
  double tolerance = 0;
  std::uint64_t entries = 0, right = 0, expected = 0, atCutoff = 0, inSkin = 0;
  std::array<std::uint64_t, kKinds> count{};
  std::vector<Wrong> wrong;
  std::vector<Cause> causes;
  std::vector<Fault> faults;
  std::vector<std::string> notes;

  std::uint64_t wrongPairs() const;
  bool isRight() const { return wrongPairs() == 0 && faults.empty(); }
};

// tolerance below 0: that of the rounding above. Throws InputError for what cannot be judged: a
// cell without volume, a cutoff that is not above 0, too many images. config: where rows are
// judged; the report is the same everywhere. Throws RunError for a backend that cannot be used.
Report check(const PairList& list, double tolerance = -1, const ExecConfig& config = {});
// Whether a GPU is likely to save more than it takes to start it, by so many threads.
bool worthAGpu(const PairList& list, int threads);

// Parts of it.
double roundingOf(const PairList& list, double reach);
double furthest(const PairList& list);  // the longest cutoff; throws InputError
void measure(Wrong& w, const PairList& list, const PairsWithin& at);  // from faces and walls
// Pairs that are listed more often in one of both lists, or with another image, join `to.wrong`;
// `there` is the report on the other list. Image shifts are those of `here`, whichever way the
// other program has wrapped its positions. Throws InputError unless both have as many particles.
void addChanges(const PairList& here, PairList other, const Report& there, Report& to);
std::vector<Cause> guessCauses(const PairList& list, const PairsWithin& oracle,
                               const std::vector<Wrong>& wrong, const std::vector<Wrong>& usual,
                               double tolerance);
std::vector<Fault> structureFaults(const PairList& list, const PairsWithin& oracle,
                                   double tolerance, std::vector<std::string>& notes);

inline constexpr double kNoDistance = std::numeric_limits<double>::quiet_NaN();

// The entries of a list by particle, to be looked up.
struct Entry {
  std::uint32_t j;
  Shift s;
  HOST_DEVICE bool operator<(const Entry& o) const {
    if (j != o.j) return j < o.j;
    for (std::size_t a = 0; a < 2; ++a)
      if (s[a] != o.s[a]) return s[a] < o.s[a];
    return s[2] < o.s[2];
  }
};

inline Shift negative(const Shift& s) { return {-s[0], -s[1], -s[2]}; }
// Of the two directions of a pair, the one in which half lists are compared.
HOST_DEVICE bool isFirst(std::uint32_t i, const Entry& e) {
  return i < e.j || (i == e.j && Entry{e.j, {0, 0, 0}} < e);
}

constexpr std::size_t kPart = 4096;  // particles that one thread takes at a time

class Rows {
 public:
  // Numbers of entries that name no particle are appended to `outOfRange`. pool: sorts them faster.
  Rows(const PairList& list, std::vector<std::size_t>& outOfRange, exec::CpuPool* pool = nullptr);
  void toHalf();  // each entry at the first particle of its pair
  std::pair<const Entry*, const Entry*> row(std::size_t i) const {
    return {all_.data() + first_[i], all_.data() + first_[i + 1]};
  }
  const std::vector<std::uint64_t>& first() const { return first_; }
  const std::vector<Entry>& entries() const { return all_; }
  std::size_t count(std::size_t i, const Entry& e) const;
  // Of entries with two particles: how many stand there in the other direction as well.
  double shareWithReverse() const;

 private:
  void scatter(const auto& each);
  void ranges(const auto& f) const;

  std::size_t n_;
  exec::CpuPool* pool_;
  std::vector<std::uint64_t> first_;
  std::vector<Entry> all_;
};

// What a report tells, a line each, for the terminal and for the window.
const char* kindName(Kind kind);
std::string headLine(const PairList& list, const Report& report);  // what was compared
std::vector<std::string> noteLines(const PairList& list, const Report& report);
std::string verdictLine(const Report& report);  // of the pairs
// Of a report that has only changes.
std::string changesLine(const PairList& list, const PairList& other, const Report& report);
std::vector<std::string> causeLines(const Report& report);
std::vector<std::string> faultLines(const Report& report);  // of structures

// How the cells or the tree of a file look for one of its pairs, step by step, and where they lose
// it. Cells: those around the cell of the first particle; which of them the other program searched
// is seen from the pairs that it has listed. Tree: the walk of a box about the first particle, from
// the root down to the left, and along the rope where a node has no overlap or no children.
struct CellStep {
  Shift cell{};       // beyond the box: of an image
  bool used = false;  // pairs of the list come from it
};
struct NodeStep {
  std::int64_t node = 0;
  bool overlaps = false, leaf = false;
};
struct Search {
  std::vector<CellStep> cells;
  Shift own{}, other{}, lies{};  // cells of both by cell_of; of the second one by its position
  std::vector<NodeStep> nodes;
  std::int64_t leaf = -1;            // that holds the second particle
  double low[3] = {}, high[3] = {};  // box of the walk, as the boxes of nodes count
  std::vector<std::pair<std::string, std::string>> words;
};

class Searches {
 public:
  static constexpr std::size_t kMostSteps = 4000;
  // Both outlive it.
  Searches(const PairList& list, const PairsWithin& at);
  Search of(const Wrong& pair) const;  // of two particles that exist

 private:
  Shift cellOf(std::size_t i) const;  // as an image next to where the particle is in the box
  Shift offset(std::size_t i, std::size_t j, const Shift& s) const;
  bool exists(const Shift& cell) const;
  void cells(const Wrong& w, Search& to) const;
  void cellWords(const Wrong& w, const Shift& apart, Search& to) const;
  bool inItems(std::size_t i) const;
  void walk(const Wrong& w, Search& to) const;
  void walkWords(const Wrong& w, const std::vector<std::int64_t>& way, Search& to) const;
  std::int64_t next(const NodeStep& step) const;

  const PairList& list_;
  const PairsWithin& at_;
  bool xFirst_ = true;
  std::map<Shift, std::uint64_t> used_;  // pairs of the list by the offset between their cells
};

}  // namespace cellscope::list_check
