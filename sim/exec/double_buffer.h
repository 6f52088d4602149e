// Two arrays of one size: work reads one, writes the other, and they are swapped instead of copied.
#pragma once
#include <cstddef>
#include <utility>

#include "sim/exec/memory.h"

namespace cellscope::exec {

template <class T>
class DoubleBuffer {
 public:
  DoubleBuffer() = default;
  DoubleBuffer(Backend where, std::size_t n) : now_(where, n), spare_(where, n) {}

  T* data() const { return now_.data(); }  // the current contents
  T* spare() const { return spare_.data(); }
  void swap() noexcept { now_.swap(spare_); }
  Array<T>& array() { return now_; }
  const Array<T>& array() const { return now_; }
  std::size_t size() const { return now_.size(); }
  std::size_t bytes() const { return now_.bytes() + spare_.bytes(); }

 private:
  Array<T> now_, spare_;
};

// Bits [begin, end) of a key, the lowest being 0.
struct BitRange {
  int begin = 0, end = 0;
};
template <class Key>
inline constexpr BitRange kAllBits{0, static_cast<int>(8 * sizeof(Key))};

}  // namespace cellscope::exec
