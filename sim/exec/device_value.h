// A single result of parallel work that stays where it was computed until it is read.
#pragma once
#include <type_traits>
#include <utility>

#include "sim/exec/memory.h"

namespace cellscope::exec {

// A verb writes data(); exec.fetch(v) orders a copy after the work ordered so far, which may be
// recorded in a graph; after exec.synchronize() the copy is seen(). exec.read(v) does all at once
// and waits.
template <class T>
class DeviceValue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit DeviceValue(Backend where, const T& value = T{})
      : value_(where, 1), seen_(static_cast<T*>(allocateStaging(where, sizeof(T)))) {
    value_.set(std::span(&value, 1));
    *seen_ = value;
  }
  DeviceValue(DeviceValue&& o) noexcept
      : value_(std::move(o.value_)), seen_(std::exchange(o.seen_, nullptr)) {}
  DeviceValue& operator=(DeviceValue&& o) noexcept {
    std::swap(value_, o.value_);
    std::swap(seen_, o.seen_);
    return *this;
  }
  ~DeviceValue() {
    if (seen_) releaseStaging(value_.where(), seen_);
  }

  T* data() const { return value_.data(); }  // in the backend's memory
  const T& seen() const { return *seen_; }   // as of the last fetch that is done
  T* staging() const { return seen_; }       // where fetch() copies to
  Backend where() const { return value_.where(); }

 private:
  Array<T> value_;
  T* seen_;
};

}  // namespace cellscope::exec
