// Frame buffers that own an array of the backend that fills them: packed on the GPU, they reach GL
// without passing through the host. A pool hands out buffers that nobody reads any more.
#pragma once
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "sim/api/frame.h"
#include "sim/exec/memory.h"

namespace cellscope::exec {

template <class T>
class ArrayFrameBuffer final : public FrameBuffer {
 public:
  ArrayFrameBuffer(Backend where, std::size_t n) : items_(where, n) {}
  std::size_t bytes() const override { return items_.bytes(); }
  MemorySpace space() const override {
    return items_.where() == Backend::cuda ? MemorySpace::device : MemorySpace::host;
  }
  void copyTo(void* destination, MemorySpace where) const override {
    const Backend to = where == MemorySpace::device ? Backend::cuda : Backend::cpu;
    copy(to, destination, items_.where(), items_.data(), items_.bytes());
  }
  T* data() { return items_.data(); }  // for the filler only, before the buffer is published
  std::size_t size() const { return items_.size(); }

 private:
  Array<T> items_;
};

// take() returns a buffer of exactly n items that only the pool holds. It may be filled until it is
// handed on; it comes back by itself when the last reader lets go. One thread calls take().
template <class T>
class FrameBufferPool {
 public:
  std::shared_ptr<ArrayFrameBuffer<T>> take(Backend where, std::size_t n) {
    std::erase_if(buffers_, [&](const auto& b) { return b.use_count() == 1 && b->size() != n; });
    for (const auto& b : buffers_) {
      if (b.use_count() != 1) continue;
      std::atomic_thread_fence(std::memory_order_acquire);  // after the last reader's release
      return b;
    }
    buffers_.push_back(std::make_shared<ArrayFrameBuffer<T>>(where, n));
    return buffers_.back();
  }

 private:
  std::vector<std::shared_ptr<ArrayFrameBuffer<T>>> buffers_;
};

}  // namespace cellscope::exec
