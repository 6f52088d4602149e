// What the CUDA engine with Verlet lists takes where it may choose, for measurements. The forces
// and positions are the same bits whatever is set here.
#pragma once

namespace cellscope {

struct VerletTuning {
  int chain = 0;         // steps before the GPU looks whether to go on; 0: by size
  int threads = 256;     // of a block of the force kernels: 32 to 256
  bool byItself = true;  // whole steps in one graph; false: the host orders every part
  // Cells from which on a list of one type is searched with a warp for each cell (0: always), not
  // for each four particles.
  int warpPerCell = 2000;
};
// Read when an engine records its steps, or builds a list.
inline VerletTuning verletTuning;

}  // namespace cellscope
