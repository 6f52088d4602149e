// The fast serial chain of the CPU.
#include "sim/algo/gcmc/chain_cells.h"

#include "sim/algo/gcmc/chain.h"
#include "sim/algo/gcmc/chain_store.h"

namespace cellscope {

std::unique_ptr<GcmcEngine> makeGcmcCellChain(const exec::Shared&, const GcmcOptions&) {
  return std::make_unique<GcmcChain<GcmcCellStore>>();
}

}  // namespace cellscope
