// CPU engine with placeholder cells.
#include "sim/algo/placeholders/engine_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<MdEngine> makePlaceholdersCpu(const exec::Shared& exec) {
  return std::make_unique<PlaceholderEngine<exec::CpuExec>>(exec);
}

std::size_t placeholderBytes(std::size_t n, const Box& box, const PairSettings& settings) {
  return PlaceholderParticles::layout(n).bytes() + Displacements::bytesFor(n) +
         PlaceholderCells::layout(placeholderShape(n, box, settings)).bytes();
}

}  // namespace cellscope
