// What the CUDA engine with Verlet lists takes where it may choose: set by measurements. The forces
// and positions are the same bits whatever is set here.
#pragma once

namespace cellscope {

struct VerletTuning {
  int chain = 0;         // steps before the GPU looks whether to go on; 0: by size
  int threads = 256;     // of a block of the force kernels: 32 to 256
  bool byItself = true;  // whole steps in one graph; false: the host orders every part
};
// Read when an engine records its steps.
inline VerletTuning verletTuning;

}  // namespace cellscope
