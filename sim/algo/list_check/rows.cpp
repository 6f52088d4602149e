// The entries of a pair list by particle.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "sim/algo/list_check/check.h"
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

}  // namespace cellscope::list_check
