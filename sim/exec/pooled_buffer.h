// Frame buffers whose memory is reused: a snapshot per frame without an allocation per frame.
// Packed on the GPU, they reach GL without passing through the host.
#pragma once
#include <atomic>
#include <mutex>

#include "sim/base/frame_buffer.h"
#include "sim/exec/memory.h"

namespace cellscope {

// Instances in host memory that can be copied to either backend: used by the CPU backend and for
// small layers of either backend.
class HostFrameBuffer final : public FrameBuffer {
 public:
  explicit HostFrameBuffer(std::vector<std::byte> data) : data_(std::move(data)) {}
  template <class T>
  static std::shared_ptr<HostFrameBuffer> of(const std::vector<T>& items) {
    const auto bytes = std::as_bytes(std::span(items));
    return std::make_shared<HostFrameBuffer>(std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  std::size_t bytes() const override { return data_.size(); }
  MemorySpace space() const override { return MemorySpace::host; }
  void copyTo(void* destination, MemorySpace where) const override {
    const Backend to = where == MemorySpace::device ? Backend::cuda : Backend::cpu;
    exec::copy(to, destination, Backend::cpu, data_.data(), data_.size());
  }
  const std::byte* data() const { return data_.data(); }

 private:
  std::vector<std::byte> data_;
};

namespace exec {

// A snapshot in host or device memory. Written once by its maker before it is published, immutable
// afterwards; when the last reader releases it, the memory returns to its pool.
class PooledBuffer final : public FrameBuffer {
 public:
  class Pool;
  PooledBuffer(std::shared_ptr<Pool> pool, Array<std::byte> memory, std::size_t bytes);
  ~PooledBuffer() override;
  std::size_t bytes() const override { return bytes_; }
  MemorySpace space() const override;
  void copyTo(void* destination, MemorySpace where) const override;
  // The items to be written; for the maker, before publication.
  template <class T>
  T* items() const {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<T*>(memory_.data());
  }
  // Only the first ones were written; likewise for the maker.
  void shorten(std::size_t bytes) { bytes_ = bytes; }

 private:
  std::shared_ptr<Pool> pool_;
  Array<std::byte> memory_;
  std::size_t bytes_;
};

// Thread-safe. Keeps at most kSpare unused arrays.
class PooledBuffer::Pool : public std::enable_shared_from_this<PooledBuffer::Pool> {
 public:
  static constexpr std::size_t kSpare = 6;
  explicit Pool(Backend where) : where_(where) {}
  // Throws RunError when memory runs out.
  std::shared_ptr<PooledBuffer> get(std::size_t bytes);
  void giveBack(Array<std::byte> memory) noexcept;
  Backend where() const { return where_; }
  std::size_t bytes() const { return bytes_; }  // in use and spare

 private:
  Array<std::byte> newMemory(std::size_t bytes);

  Backend where_;
  std::mutex mutex_;
  std::vector<Array<std::byte>> spare_;
  std::atomic<std::size_t> bytes_{0};
};

}  // namespace exec

}  // namespace cellscope
