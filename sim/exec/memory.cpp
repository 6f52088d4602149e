#include "sim/exec/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "sim/base/build.h"
#include "sim/exec/machine.h"
#include "sim/exec/pooled_buffer.h"

namespace cellscope::exec {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

std::size_t upTo(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// Arrays much larger than a large page lie in such: random reads beyond the caches otherwise wait
// for the page table as long as for the memory. They are mapped afresh, as pages of a heap that
// were in use stay small, and only whole ones are asked for, so that no more memory is taken.
bool isMapped(std::size_t bytes) { return bytes >= 2 * kLargePage; }

[[noreturn]] void throwOutOfMemory(std::size_t bytes) {
  const std::size_t free = hostMemory();
  constexpr double kGib = 1 << 30;
  throw OutOfMemory(
      fmt::format("out of memory: {:.2f} GiB more needed, {:.2f} GiB free",
                  static_cast<double>(bytes) / kGib, static_cast<double>(free) / kGib),
      bytes, free);
}

void* mapLarge(std::size_t bytes) {
  const std::size_t size = upTo(bytes, kLargePage);
  void* const all = ::mmap(nullptr, size + kLargePage, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throwOutOfMemory(bytes);
  auto* const first = static_cast<std::byte*>(all);
  const std::size_t skipped =
      upTo(reinterpret_cast<std::size_t>(all), kLargePage) - reinterpret_cast<std::size_t>(all);
  if (skipped > 0) ::munmap(first, skipped);
  if (skipped < kLargePage) ::munmap(first + skipped + size, kLargePage - skipped);
  static_cast<void>(::madvise(first + skipped, bytes / kLargePage * kLargePage, MADV_HUGEPAGE));
  return first + skipped;
}

// 64-byte aligned; to be given to free().
void* allocateHost(std::size_t bytes) {
  void* p = std::aligned_alloc(64, upTo(bytes, 64));
  if (!p) throwOutOfMemory(bytes);
  return p;
}

struct Counter {
  std::atomic<std::size_t> now{0}, peak{0};
};

Counter& counterOf(Backend where) {
  static Counter host, gpu;
  return where == Backend::cpu ? host : gpu;
}

std::atomic<std::size_t> toHost{0};

}  // namespace

const CudaStatus& cudaStatus() {
  static const CudaStatus status = []() -> CudaStatus {
    if constexpr (kCudaBuilt) return detectCuda();
    return {false, fmt::format("this build has no CUDA ({})", whyNoCuda()), {}};
  }();
  return status;
}

void requireCuda() {
  if (!cudaStatus().usable)
    throw RunError("the CUDA backend was asked for, but " + cudaStatus().reason +
                   "; use --backend cpu");
}

std::pair<std::size_t, std::size_t> cudaMemory() {
  if constexpr (kCudaBuilt)
    if (cudaStatus().usable) return deviceMemory();
  return {0, 0};
}

void useCudaDevice(int device) {
  requireCuda();
  if constexpr (kCudaBuilt) chooseDevice(device);
}

void* allocate(Backend where, std::size_t bytes) {
  void* p = nullptr;
  if (where == Backend::cpu) {
    p = isMapped(bytes) ? mapLarge(bytes) : allocateHost(bytes);
  } else {
    requireCuda();
    if constexpr (kCudaBuilt) p = allocateDevice(bytes);
  }
  countMemory(where, static_cast<std::ptrdiff_t>(bytes));
  return p;
}

void release(Backend where, void* p, std::size_t bytes) noexcept {
  if (where == Backend::cpu)
    isMapped(bytes) ? static_cast<void>(::munmap(p, upTo(bytes, kLargePage))) : std::free(p);
  if constexpr (kCudaBuilt)
    if (where == Backend::cuda) releaseDevice(p);
  countMemory(where, -static_cast<std::ptrdiff_t>(bytes));
}

void* allocateStaging(Backend backend, std::size_t bytes) {
  if constexpr (kCudaBuilt)
    if (backend == Backend::cuda) return allocatePinned(bytes);
  return allocateHost(bytes);
}

void releaseStaging(Backend backend, void* p) noexcept {
  if constexpr (kCudaBuilt)
    if (backend == Backend::cuda) return releasePinned(p);
  std::free(p);
}

void copy(Backend to, void* destination, Backend from, const void* source, std::size_t bytes) {
  if (bytes == 0) return;  // nothing may be at a null pointer
  if constexpr (kCudaBuilt)
    if (to == Backend::cuda || from == Backend::cuda)
      return copyDevice(to, destination, from, source, bytes);
  std::memcpy(destination, source, bytes);
}

void zeroBytes(Backend where, void* p, std::size_t bytes) {
  if (bytes == 0) return;
  if constexpr (kCudaBuilt)
    if (where == Backend::cuda) return zeroDevice(p, bytes);
  std::memset(p, 0, bytes);
}

std::size_t copiedToHost() { return toHost; }
void countCopyToHost(std::size_t bytes) noexcept { toHost += bytes; }

void countMemory(Backend where, std::ptrdiff_t bytes) noexcept {
  Counter& c = counterOf(where);
  const auto change = static_cast<std::size_t>(bytes);  // wraps round for what is released
  const std::size_t now = c.now.fetch_add(change) + change;
  std::size_t peak = c.peak;
  while (now > peak && !c.peak.compare_exchange_weak(peak, now)) {
  }
}

MemoryUse memoryUse(Backend where) {
  const Counter& c = counterOf(where);
  return {c.now, c.peak};
}

void forgetPeak(Backend where) {
  Counter& c = counterOf(where);
  c.peak = c.now.load();
}

std::byte* Workspace::get(const char* verb, std::size_t bytes) {
  if (bytes > block_.size()) {
    if (recording_)
      throw RunError(
          "{}: the workspace has {} bytes and needs {}, but cannot grow while launches are "
          "recorded; run the same work once before recording it, or reserve the workspace",
          verb, block_.size(), bytes);
    reserve(roomFor(bytes));
  }
  recorded_ |= recording_;
  return block_.data();
}

void Workspace::reserve(std::size_t bytes) {
  if (bytes <= block_.size()) return;
  if (recorded_) kept_.push_back(std::move(block_));
  recorded_ = false;
  block_ = {};  // first, so that both need not fit
  block_ = Array<std::byte>(where_, bytes);
}

std::size_t Workspace::bytes() const {
  std::size_t sum = block_.bytes();
  for (const Array<std::byte>& b : kept_) sum += b.bytes();
  return sum;
}

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
