// Immutable lists that many hold at once: a copy shares the memory.
#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace cellscope {

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

}  // namespace cellscope
