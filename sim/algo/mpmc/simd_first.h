// Included first by *_simd.cpp: forces inlining of shared inline functions, so that no copy
// compiled for a newer processor is linked into common code.
#pragma once
#include "sim/base/host_device.h"
#undef HOST_DEVICE
#define HOST_DEVICE inline __attribute__((always_inline))
