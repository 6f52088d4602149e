// Instances in host memory that can be copied to either backend.
#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/frame_buffer.h"

namespace cellscope {

// Host-memory buffer, used by the CPU backend and for small layers of either backend.
class HostFrameBuffer final : public FrameBuffer {
 public:
  explicit HostFrameBuffer(std::vector<std::byte> data) : data_(std::move(data)) {}
  template <class T>
  static std::shared_ptr<HostFrameBuffer> of(const std::vector<T>& items);
  std::size_t bytes() const override { return data_.size(); }
  MemorySpace space() const override { return MemorySpace::host; }
  void copyTo(void* destination, MemorySpace where) const override;
  const std::byte* data() const { return data_.data(); }

 private:
  std::vector<std::byte> data_;
};

template <class T>
std::shared_ptr<HostFrameBuffer> HostFrameBuffer::of(const std::vector<T>& items) {
  const auto* p = reinterpret_cast<const std::byte*>(items.data());
  return std::make_shared<HostFrameBuffer>(std::vector<std::byte>(p, p + items.size() * sizeof(T)));
}

}  // namespace cellscope
