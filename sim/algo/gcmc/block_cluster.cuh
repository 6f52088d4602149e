// The blocks of a cluster and the sums that they send each other. Before compute capability 9.0
// there is one block.
//
// Asynchronous stores write a sum to the shared memory of another block and count its bytes at a
// barrier there (mbarrier). Only the reader waits. A barrier of the cluster would make all threads
// wait until their stores have arrived.
#pragma once
#include <cooperative_groups.h>

#include <cstdint>

namespace cellscope {
inline namespace GCMC_TYPES {

class BlockCluster {
 public:
#if __CUDA_ARCH__ >= 900
  __device__ int rank() const { return static_cast<int>(cluster_.block_rank()); }
  __device__ int blocks() const { return static_cast<int>(cluster_.num_blocks()); }
  __device__ void sync() const { cluster_.sync(); }
  // Before the first sync: by one thread.
  __device__ static void prepare(std::uint64_t* sums) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(sums)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  // One thread announces the number of bytes; await() returns when all have arrived. odd: in every
  // second use of `sums`. The sums of a block that is alone are there after its next barrier.
  __device__ void expect(std::uint64_t* sums, int bytes) const {
    if (blocks() == 1) return;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(sums)),
                 "r"(bytes)
                 : "memory");
  }
  __device__ void await(std::uint64_t* sums, bool odd) const {
    unsigned done = blocks() == 1 ? 1 : 0;
    while (done == 0)
      asm volatile(
          "{ .reg .pred p;\n"
          "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(shared(sums)), "r"(static_cast<unsigned>(odd))
          : "memory");
  }
  // A sum to the same place in another block.
  __device__ void send(double u, double* to, std::uint64_t* sums, int rank) const {
    // Outside clusters asynchronous stores are illegal.
    if (blocks() == 1) {
      *to = u;
      return;
    }
    asm volatile(
        "{ .reg .b32 to, sums;\n"
        "mapa.shared::cluster.u32 to, %0, %2;\n"
        "mapa.shared::cluster.u32 sums, %1, %2;\n"
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [to], %3, [sums]; }" ::"r"(
            shared(to)),
        "r"(shared(sums)), "r"(rank), "l"(__double_as_longlong(u))
        : "memory");
  }
  template <class T>
  __device__ T* of(T* shared, int rank) const {
    return cluster_.map_shared_rank(shared, rank);
  }

 private:
  __device__ static unsigned shared(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
  }

  cooperative_groups::cluster_group cluster_ = cooperative_groups::this_cluster();
#else
  __device__ int rank() const { return 0; }
  __device__ int blocks() const { return 1; }
  __device__ void sync() const { __syncthreads(); }
  __device__ static void prepare(std::uint64_t*) {}
  __device__ void expect(std::uint64_t*, int) const {}
  __device__ void await(std::uint64_t*, bool) const {}
  __device__ void send(double u, double* to, std::uint64_t*, int) const { *to = u; }
  template <class T>
  __device__ T* of(T* shared, int) const {
    return shared;
  }
#endif
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
