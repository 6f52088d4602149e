// The entries of a pair list by particle.
#include <algorithm>
#include <numeric>

#include "sim/algo/list_check/check.h"
#include "sim/exec/cpu_pool.h"

namespace cellscope::list_check {

Rows::Rows(const PairList& list, std::vector<std::size_t>& outOfRange, exec::CpuPool* pool)
    : n_(list.size()), pool_(pool) {
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
  const auto sortRows = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      std::sort(all_.begin() + static_cast<std::ptrdiff_t>(first_[i]),
                all_.begin() + static_cast<std::ptrdiff_t>(first_[i + 1]));
  };
  pool_ ? pool_->ranges(n_, kPart, sortRows) : sortRows(0, n_);
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
