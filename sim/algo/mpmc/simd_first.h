// To be included before anything else by *_simd.cpp: shared inline functions are inlined by force,
// so that no copy compiled for a newer processor can be linked into common code.
#pragma once
#include "sim/base/host_device.h"
#undef HOST_DEVICE
#define HOST_DEVICE inline __attribute__((always_inline))
