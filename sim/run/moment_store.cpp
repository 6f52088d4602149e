#include "sim/run/moment_store.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace cellscope {
namespace {

bool precedes(const MomentStore::Item& a, const MomentStore::Item& b) { return isEarlier(*a, *b); }

}  // namespace

bool isEarlier(const Session::Moment& a, const Session::Moment& b) {
  return std::tie(a.step, a.preparationUnits, a.edits) <
         std::tie(b.step, b.preparationUnits, b.edits);
}

bool MomentStore::add(Item moment) {
  const std::size_t size = moment->bytes();
  if (2 * size > limit_) return false;
  const auto place = std::lower_bound(items_.begin(), items_.end(), moment, precedes);
  bytes_ += size;
  if (place != items_.end() && !precedes(moment, *place)) {
    bytes_ -= (*place)->bytes();
    *place = std::move(moment);
  } else {
    items_.insert(place, std::move(moment));
  }
  thin();
  return true;
}

// Of those between the first and the last, the one goes whose neighbours would be closest to each
// other as a share of their age. Of two alone that do not fit, the first.
void MomentStore::thin() {
  while (items_.size() > 1 && (bytes_ > limit_ || items_.size() > kMost)) {
    const double newest = static_cast<double>(items_.back()->step);
    std::size_t least = 0;
    double leastGap = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < items_.size(); ++i) {
      const double from = static_cast<double>(items_[i - 1]->step);
      const double gap = (static_cast<double>(items_[i + 1]->step) - from) / (newest - from + 1);
      if (gap < leastGap) leastGap = gap, least = i;
    }
    bytes_ -= items_[least]->bytes();
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

void MomentStore::eraseAfter(const Session::Moment& moment) {
  std::erase_if(items_, [&](const Item& item) {
    if (!isEarlier(moment, *item)) return false;
    bytes_ -= item->bytes();
    return true;
  });
}

void MomentStore::clear() {
  items_ = {};
  bytes_ = 0;
}

void MomentStore::limitTo(std::size_t bytes) {
  limit_ = bytes;
  std::erase_if(items_, [&](const Item& item) {
    if (2 * item->bytes() <= limit_) return false;
    bytes_ -= item->bytes();
    return true;
  });
  thin();
}

MomentStore::Item MomentStore::before(std::uint64_t step) const {
  Item found;
  for (const Item& item : items_)
    if (item->step <= step) found = item;
  return found;
}

MomentStore::Item MomentStore::nearest(std::uint64_t step) const {
  const auto distance = [step](const Item& item) {
    return item->step > step ? item->step - step : step - item->step;
  };
  const auto least =
      std::min_element(items_.begin(), items_.end(),
                       [&](const Item& a, const Item& b) { return distance(a) < distance(b); });
  return least == items_.end() ? nullptr : *least;
}

}  // namespace cellscope
