// Marks functions that compile for both the CPU and the GPU.
#pragma once

#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__ inline
#else
#define HOST_DEVICE inline
#endif
