#include "sim/exec/pooled_buffer.h"

#include <algorithm>

#include "sim/base/error.h"

namespace cellscope::exec {

PooledBuffer::PooledBuffer(std::shared_ptr<Pool> pool, Array<std::byte> memory, std::size_t bytes)
    : pool_(std::move(pool)), memory_(std::move(memory)), bytes_(bytes) {}

PooledBuffer::~PooledBuffer() { pool_->giveBack(std::move(memory_)); }

MemorySpace PooledBuffer::space() const {
  return memory_.where() == Backend::cuda ? MemorySpace::device : MemorySpace::host;
}

void PooledBuffer::copyTo(void* destination, MemorySpace where) const {
  const Backend to = where == MemorySpace::device ? Backend::cuda : Backend::cpu;
  copy(to, destination, memory_.where(), memory_.data(), bytes_);
}

std::shared_ptr<PooledBuffer> PooledBuffer::Pool::get(std::size_t bytes) {
  Array<std::byte> memory;
  {
    std::lock_guard lock(mutex_);
    const auto fits = [&](const Array<std::byte>& a) {
      return a.size() >= bytes && a.size() <= 2 * bytes + 4096;
    };
    const auto found = std::find_if(spare_.begin(), spare_.end(), fits);
    if (found != spare_.end()) {
      memory = std::move(*found);
      spare_.erase(found);
    }
  }
  if (memory.size() == 0) {
    memory = newMemory(std::max<std::size_t>(bytes, 1));
    bytes_ += memory.bytes();
  }
  return std::make_shared<PooledBuffer>(shared_from_this(), std::move(memory), bytes);
}

// Where memory is short, spare arrays of other sizes make room.
Array<std::byte> PooledBuffer::Pool::newMemory(std::size_t bytes) {
  try {
    return {where_, bytes};
  } catch (const OutOfMemory&) {
    std::lock_guard lock(mutex_);
    if (spare_.empty()) throw;
    for (const Array<std::byte>& a : spare_) bytes_ -= a.bytes();
    spare_.clear();
  }
  return {where_, bytes};
}

void PooledBuffer::Pool::giveBack(Array<std::byte> memory) noexcept {
  std::lock_guard lock(mutex_);
  if (spare_.size() == kSpare) {
    bytes_ -= spare_.front().bytes();
    spare_.erase(spare_.begin());
  }
  spare_.push_back(std::move(memory));
}

}  // namespace cellscope::exec
