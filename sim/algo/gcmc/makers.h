// Who makes the engine of each method, by backend; methods.cpp lists the methods. Those of CUDA are
// there in builds with CUDA only.
#pragma once
#include <cstdint>
#include <memory>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/grid.h"

namespace cellscope {

// On one core of the host: the serial chain without cells, the oracle, and with cells, at a cost
// that does not depend on N.
GcmcMaker makeGcmcSerial, makeGcmcCellChain;

GcmcMaker makeGcmcBlocksCpu;       // parallel_methods.h
GcmcMaker makeGcmcSpeculativeCpu;  // speculative.h

// The checkerboard (board.h). It is not the serial chain: its moves have another order, the same
// equilibrium.
GcmcMaker makeGcmcCheckerboardCpu;
class GcmcBoardPart;  // board_domains.h
std::unique_ptr<GcmcBoardPart> makeGcmcBoardPartCpu(const ExecConfig& config);

// The chain by slot (slot_chain.h) with many moves in flight (flight.h), whatever their number or
// that of threads. One move in flight on the CPU is the plain serial loop over moves: the oracle of
// the others.
GcmcMaker makeGcmcInOrderCpu;
// Moves of a batch; where the options leave it to the program, a whole turn on a GPU.
std::uint32_t gcmcInFlight(const GcmcCube& cube, int wanted, Backend backend);

class GcmcReplicas;  // replicas.h

// Those of CUDA, for chains of one type or of two (GCMC_TYPES in sim/core/gcmc_pair.h).
template <bool mixtures>
struct GcmcOnCuda {
  static GcmcMaker blocks, speculative, checkerboard, inOrder;
  static std::unique_ptr<GcmcBoardPart> boardPart(const ExecConfig& config);
  static std::unique_ptr<GcmcReplicas> replicas(const exec::Shared& exec,
                                                const GcmcOptions& options);
};

}  // namespace cellscope
