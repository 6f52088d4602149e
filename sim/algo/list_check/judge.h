// Which rows of a list are right, judged at once by either backend. Others are looked at one by one
// by the check, which tells what is wrong with them.
#pragma once
#include <cstddef>

#include "sim/algo/list_check/check.h"
#include "sim/exec/context.h"
#include "sim/exec/memory.h"

namespace cellscope::list_check {

// Whether a pair has to be listed.
enum class Must { no, be, mayBeAtCutoff, mayBeInSkin };

// How far the particles of a pair may be.
struct Reaches {
  const double *radius, *cutoffs;  // radius null: none
  const std::uint32_t* type;
  std::uint32_t types;
  double cutoff, skin, tolerance;

  HOST_DEVICE Must judge(std::uint32_t i, std::uint32_t j, double d2) const {
    const double r = radius  ? radius[i] + radius[j]
                     : types ? cutoffs[std::size_t{type[i]} * types + type[j]]
                             : cutoff;
    const double least = r - tolerance, most = r + tolerance, end = most + skin;
    if (!(r > 0)) return Must::no;
    if (least > 0 && d2 < least * least) return Must::be;
    if (d2 <= most * most) return Must::mayBeAtCutoff;
    return skin > 0 && d2 <= end * end ? Must::mayBeInSkin : Must::no;
  }
};

// Of one row. Bytes of memory traffic of a pair: 24 for its place, 16 for each entry looked at.
struct RowCounts {
  static constexpr std::uint32_t kWrong = ~0u;
  std::uint32_t right = 0;  // kWrong: some entry is wrong or missing
  std::uint32_t expected = 0, atCutoff = 0, inSkin = 0;
};

// Where each pair has one image within the reach, or images are listed.
struct JudgeRow {
  PairsView pairs;
  Reaches reaches;
  const std::uint64_t* first;
  const Entry* entries;
  bool half, withShifts;
  RowCounts* out;

  HOST_DEVICE void operator()(std::size_t row) const {
    const auto i = static_cast<std::uint32_t>(row);
    const Entry *const from = entries + first[row], *const end = entries + first[row + 1];
    RowCounts c;
    bool right = true;
    pairs.of(i, [&](std::uint32_t j, const Shift& s, double d2) {
      if (half && !isFirst(i, {j, s})) return;
      const Must must = reaches.judge(i, j, d2);
      if (must == Must::no) return;
      c.expected += must == Must::be;
      c.atCutoff += must == Must::mayBeAtCutoff;
      c.inSkin += must == Must::mayBeInSkin;
      const Entry wanted{j, withShifts ? s : Shift{0, 0, 0}};
      const Entry* const at = firstNotBefore(from, end, wanted);
      const bool listed = at != end && !(wanted < *at);
      const bool again = listed && at + 1 != end && !(wanted < at[1]);
      c.right += listed;
      right = right && !again && (listed || must != Must::be);
    });
    if (!right || c.right != static_cast<std::size_t>(end - from)) c.right = RowCounts::kWrong;
    out[row] = c;
  }

 private:
  HOST_DEVICE static const Entry* firstNotBefore(const Entry* from, const Entry* end,
                                                 const Entry& e) {
    while (from != end) {
      const Entry* const middle = from + (end - from) / 2;
      if (*middle < e)
        from = middle + 1;
      else
        end = middle;
    }
    return from;
  }
};

// A vector where a backend sees it.
template <class T>
class SeenBy {
 public:
  SeenBy(Backend where, const std::vector<T>& v)
      : copied_(where == Backend::cpu ? exec::Array<T>() : exec::Array<T>(where, v)),
        data_(where == Backend::cpu ? v.data() : copied_.data()) {}
  const T* data() const { return data_; }

 private:
  exec::Array<T> copied_;
  const T* data_;
};

Reaches reachesOf(const PairList& list, double tolerance);
using JudgeRows = std::vector<RowCounts>(const exec::Shared& exec, const PairList& list,
                                         const PairsWithin& oracle, const Rows& rows, bool half,
                                         double tolerance);
JudgeRows judgeRowsCpu, judgeRowsCuda;

// Used by check.cpp and judge_cuda.cu only.
template <class Exec>
std::vector<RowCounts> judgeRowsOn(const exec::Shared& shared, const PairList& list,
                                   const PairsWithin& oracle, const Rows& rows, bool half,
                                   double tolerance) {
  constexpr Backend where = Exec::backend;
  Exec& exec = exec::as<Exec>(shared);
  JudgeRow judge{oracle.view(), reachesOf(list, tolerance), nullptr, nullptr,
                 half,          !list.shift.empty(),        nullptr};
  const PairsWithin::Arrays& a = oracle.arrays();
  const SeenBy at(where, a.at), sorted(where, a.sorted);
  const SeenBy away(where, a.away), bin(where, a.bin);
  const SeenBy firstOfBin(where, a.first), order(where, a.order);
  judge.pairs.at = at.data(), judge.pairs.sorted = sorted.data();
  judge.pairs.away = away.data(), judge.pairs.bin = bin.data();
  judge.pairs.first = firstOfBin.data(), judge.pairs.order = order.data();
  const SeenBy radius(where, list.radius), cutoffs(where, list.cutoffs);
  const SeenBy type(where, list.type);
  judge.reaches.radius = list.radius.empty() ? nullptr : radius.data();
  judge.reaches.cutoffs = cutoffs.data(), judge.reaches.type = type.data();
  const SeenBy first(where, rows.first());
  const SeenBy entries(where, rows.entries());
  judge.first = first.data(), judge.entries = entries.data();
  exec::Array<RowCounts> out(where, list.size());
  judge.out = out.data();
  exec.forEach("judge rows of a list", list.size(), judge, 256);
  exec.synchronize();
  return out.get();
}

}  // namespace cellscope::list_check
