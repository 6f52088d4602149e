// What is published of going back in a run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/run/observable_series.h"

namespace cellscope {

// Immutable lists that many hold at once: a copy shares the memory.
template <class T>
class SharedList {
 public:
  using value_type = T;
  using const_iterator = typename std::vector<T>::const_iterator;
  using iterator = const_iterator;

  SharedList() : items_(none()) {}
  SharedList(std::vector<T> items)
      : items_(std::make_shared<const std::vector<T>>(std::move(items))) {}

  const_iterator begin() const { return items_->begin(); }
  const_iterator end() const { return items_->end(); }
  bool empty() const { return items_->empty(); }
  std::size_t size() const { return items_->size(); }
  const T& operator[](std::size_t i) const { return (*items_)[i]; }
  const T& at(std::size_t i) const { return items_->at(i); }
  const T& front() const { return items_->front(); }
  const T& back() const { return items_->back(); }
  operator const std::vector<T>&() const { return *items_; }

  // The very same list, not an equal one.
  bool sharesWith(const SharedList& other) const { return items_ == other.items_; }

 private:
  static const std::shared_ptr<const std::vector<T>>& none() {
    static const auto empty = std::make_shared<const std::vector<T>>();
    return empty;
  }

  std::shared_ptr<const std::vector<T>> items_;
};

// A part of the run that was left by going back: what was measured, from the step on at which the
// present run leaves it.
struct Branch {
  std::uint64_t from = 0, to = 0;
  SharedList<ObservableSeries> series;  // with what came before
  bool ahead = false;                   // it can still be gone forward to
};

struct Timeline {
  std::size_t limitBytes = 0, usedBytes = 0;  // limit 0: switched off
  std::size_t needed = 0;                     // > 0: bytes of a state, too large for the limit
  std::uint64_t run = 0;                      // another number: another run
  std::uint64_t end = 0;                      // the step that "forward to now" leads to
  bool behind = false;                        // the present step is before the end
  SharedList<std::uint64_t> steps;            // of moments that are kept, in order
  SharedList<Branch> branches;                // the last ones
};

}  // namespace cellscope
