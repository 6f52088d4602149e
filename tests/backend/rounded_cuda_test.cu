// Rounded arithmetic on a GPU that is written by hand against what the language has.
#include "sim/exec/cuda_exec.cuh"
//
#include <gtest/gtest.h>

#include "sim/core/rounded.h"

namespace cellscope {
namespace {

constexpr std::uint32_t kOne = 1u << 23;  // of the exponent

// Whether the reciprocal of a float, by its bits, differs from the rounded quotient.
struct InverseDiffers {
  std::uint32_t first;
  HOST_DEVICE std::uint64_t operator()(std::size_t i) const {
#ifdef __CUDA_ARCH__
    const float a = __uint_as_float(first + static_cast<std::uint32_t>(i));
    return __float_as_uint(inverseRn(a)) == __float_as_uint(__fdiv_rn(1.0f, a)) ? 0 : 1;
#else
    return i;
#endif
  }
};

// All numbers from 2^-125 up to 2^126.
TEST(RoundedCuda, InversesAreRoundedQuotients) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  exec::CudaExec exec;
  exec::DeviceValue<std::uint64_t> differ(Backend::cuda);
  const std::uint32_t first = 2 * kOne, end = 253 * kOne;
  exec.reduce("inverses", end - first, std::uint64_t{0}, InverseDiffers{first},
              std::plus<std::uint64_t>{}, differ);
  EXPECT_EQ(exec.read(differ), 0u);
}

}  // namespace
}  // namespace cellscope
