// Memory of either backend in one owning array.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/backend.h"
#include "sim/base/error.h"

namespace cellscope::exec {

// Throws OutOfMemory, with the memory requested and the memory free.
void* allocate(Backend where, std::size_t bytes);
void release(Backend where, void* p, std::size_t bytes) noexcept;
// Bytes allocated and not yet released, and the most of them since forgetPeak().
struct MemoryUse {
  std::size_t now = 0, peak = 0;
};
MemoryUse memoryUse(Backend where);
void forgetPeak(Backend where);
// Bookkeeping of allocate() and release().
void countMemory(Backend where, std::ptrdiff_t bytes) noexcept;
// Complete on return; does not wait for work that is queued in streams.
void copy(Backend to, void* destination, Backend from, const void* source, std::size_t bytes);
// A copy of an array in the memory of a backend; null: of none.
template <class T>
std::vector<T> onHost(Backend where, const T* array, std::size_t count) {
  std::vector<T> values(array ? count : 0);
  if (!values.empty()) copy(Backend::cpu, values.data(), where, array, values.size() * sizeof(T));
  return values;
}
// Host memory for results of work on `backend`: the device copies to it without waiting. Not
// counted.
void* allocateStaging(Backend backend, std::size_t bytes);
void releaseStaging(Backend backend, void* p) noexcept;
void zeroBytes(Backend where, void* p, std::size_t bytes);

// What a CUDA build on this machine can do, and if nothing, why ("no NVIDIA driver", ...).
struct CudaStatus {
  bool usable = false;
  std::string reason;                // when not usable
  std::vector<std::string> devices;  // "NVIDIA H200, 139.8 GiB, compute 9.0"
};
const CudaStatus& cudaStatus();

// Throws RunError with the reason why there is no CUDA, if cudaStatus() is not usable.
void requireCuda();

// Free and total bytes of the device that the calling thread uses. Zero without CUDA.
std::pair<std::size_t, std::size_t> cudaMemory();

// Make `device` current for the calling thread. Throws RunError.
void useCudaDevice(int device);

// The CUDA half of these: defined by builds with CUDA only, called only if kCudaBuilt.
CudaStatus detectCuda();
void chooseDevice(int device);
std::pair<std::size_t, std::size_t> deviceMemory();  // free, total
void* allocateDevice(std::size_t bytes);             // throws OutOfMemory
void releaseDevice(void* p) noexcept;
void* allocatePinned(std::size_t bytes);
void releasePinned(void* p) noexcept;
// At least one side lies in device memory.
void copyDevice(Backend to, void* destination, Backend from, const void* source, std::size_t bytes);
void zeroDevice(void* p, std::size_t bytes);

// Owning array of trivially copyable T in host or device memory.
template <class T>
class Array {
 public:
  Array() = default;
  static constexpr std::size_t kBytesOfItem = sizeof(T);
  Array(Backend where, std::size_t n)
      : where_(where),
        size_(n),
        data_(n ? static_cast<T*>(allocate(where, n * sizeof(T))) : nullptr) {}
  Array(Backend where, const std::vector<T>& values) : Array(where, values.size()) { set(values); }
  Array(Array&& o) noexcept { swap(o); }
  Array& operator=(Array&& o) noexcept {
    Array(std::move(o)).swap(*this);
    return *this;
  }
  ~Array() {
    if (data_) release(where_, data_, bytes());
  }

  void swap(Array& o) noexcept {
    std::swap(where_, o.where_);
    std::swap(size_, o.size_);
    std::swap(data_, o.data_);
  }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  Backend where() const { return where_; }

  void set(std::span<const T> values) {
    CELLSCOPE_ASSERT(values.size() == size_);
    if (size_) copy(where_, data_, Backend::cpu, values.data(), bytes());
  }
  std::vector<T> get() const { return onHost<T>(where_, data_, size_); }
  T get(std::size_t i) const {
    T value;
    copy(Backend::cpu, &value, where_, data_ + i, sizeof(T));
    return value;
  }
  void zero() { zeroBytes(where_, data_, bytes()); }

 private:
  Backend where_ = Backend::cpu;
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

// Allocator of std::vector for large arrays of the CPU backend: counted, and in large pages.
template <class T>
struct HostAllocator {
  using value_type = T;
  HostAllocator() = default;
  template <class U>
  HostAllocator(const HostAllocator<U>&) {}

  T* allocate(std::size_t n) {
    return static_cast<T*>(exec::allocate(Backend::cpu, n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) noexcept { release(Backend::cpu, p, n * sizeof(T)); }
  friend bool operator==(HostAllocator, HostAllocator) { return true; }
};

template <class T>
using HostVector = std::vector<T, HostAllocator<T>>;

// How many bytes were copied from a GPU to the host by exec::copy() since the program began: for
// tests that state stays where it is. Single results (DeviceValue) are not counted.

std::size_t copiedToHost();
void countCopyToHost(std::size_t bytes) noexcept;

// Two arrays of one size: work reads one, writes the other, and they are swapped instead of copied.
template <class T>
class DoubleBuffer {
 public:
  static constexpr std::size_t kBytesOfItem = 2 * sizeof(T);
  DoubleBuffer() = default;
  DoubleBuffer(Backend where, std::size_t n) : now_(where, n), spare_(where, n) {}

  T* data() const { return now_.data(); }  // the current contents
  T* spare() const { return spare_.data(); }
  void swap() noexcept {
    now_.swap(spare_);
    away_ = !away_;
  }
  bool away() const { return away_; }
  // To the array that was the current one at first, for launches that are recorded.
  void goHome() noexcept {
    if (away_) swap();
  }
  Array<T>& array() { return now_; }
  const Array<T>& array() const { return now_; }
  std::size_t size() const { return now_.size(); }
  std::size_t bytes() const { return now_.bytes() + spare_.bytes(); }

 private:
  Array<T> now_, spare_;
  bool away_ = false;
};

// Bits [begin, end) of a key, the lowest being 0.
struct BitRange {
  int begin = 0, end = 0;
};
template <class Key>
inline constexpr BitRange kAllBits{0, static_cast<int>(8 * sizeof(Key))};

// A single result of parallel work that stays where it was computed until it is read. A verb writes
// data(); exec.fetch(v) orders a copy after the work ordered so far, which may be recorded in a
// graph; after exec.synchronize() the copy is seen(). exec.read(v) does all at once and waits.
template <class T>
class DeviceValue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit DeviceValue(Backend where, const T& value = T{})
      : value_(where, 1), seen_(static_cast<T*>(allocateStaging(where, sizeof(T))), {where}) {
    value_.set(std::span(&value, 1));
    *seen_ = value;
  }

  T* data() const { return value_.data(); }   // in the backend's memory
  const T& seen() const { return *seen_; }    // as of the last fetch that is done
  T* staging() const { return seen_.get(); }  // where fetch() copies to
  Backend where() const { return value_.where(); }

 private:
  struct Release {
    Backend where;
    void operator()(T* p) const noexcept { releaseStaging(where, p); }
  };
  Array<T> value_;
  std::unique_ptr<T, Release> seen_;
};

// Scratch memory of the verbs of one exec: one block that grows and is not freed between calls, so
// that a step that has run once neither allocates nor frees.
class Workspace {
 public:
  explicit Workspace(Backend where) : where_(where) {}

  // At least `bytes`, aligned for any type; valid until the next call. Grows by a quarter more than
  // asked for. Throws OutOfMemory; while launches are recorded, RunError instead of growing, with
  // `verb` in its message.
  std::byte* get(const char* verb, std::size_t bytes);
  // What it has after it grew to hold `bytes`.
  static constexpr std::size_t roomFor(std::size_t bytes) { return bytes + bytes / 4; }
  void reserve(std::size_t bytes);
  std::size_t bytes() const;  // with blocks that are kept for recorded launches

  // Between these two, growing is an error. Blocks handed out then stay until the workspace goes:
  // recorded launches use them at every replay.
  void beginRecording() { recording_ = true; }
  void endRecording() { recording_ = false; }

 private:
  Backend where_;
  Array<std::byte> block_;
  std::vector<Array<std::byte>> kept_;
  bool recording_ = false, recorded_ = false;
};

// Cuts one block of scratch into arrays, each aligned to a cache line.
class Carver {
 public:
  explicit Carver(std::byte* block) : at_(block) {}
  template <class T>
  static constexpr std::size_t room(std::size_t n) {
    return (n * sizeof(T) + kLine - 1) / kLine * kLine;
  }
  // n uninitialised T.
  template <class T>
  T* take(std::size_t n) {
    T* const p = reinterpret_cast<T*>(at_);
    at_ += room<T>(n);
    return p;
  }

 private:
  static constexpr std::size_t kLine = 64;
  std::byte* at_;
};

// Scratch of a scan of n 32-bit words, known before there is an exec: what its workspace will have
// room for.
std::size_t scanScratch(std::size_t n, const ExecConfig& config);
std::size_t scanScratchCuda(std::size_t n, int device);  // builds with CUDA only

}  // namespace cellscope::exec
