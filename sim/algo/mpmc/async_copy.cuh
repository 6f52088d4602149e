// Copies to shared memory without passing through registers (compute capability 8.0 on; plain loads
// and stores before).
#pragma once

namespace cellscope::mpmc {

// Of 4 or 8 bytes.
template <class T>
__device__ inline void copyAsync(T* to, const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "n"(sizeof(T)));
#else
  *to = *from;
#endif
}
// Closes the group of copies made since the last call.
__device__ inline void closeCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits for all copies of this thread except the last kLater groups.
template <int kLater>
__device__ inline void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kLater) : "memory");
#endif
}

}  // namespace cellscope::mpmc
