// Packer over one exec: included by packer_cpu.cpp and packer_cuda.cu only.
#pragma once
#include <cstring>
#include <memory>
#include <optional>

#include "sim/core/assert.h"
#include "sim/exec/memory.h"
#include "sim/exec/pooled_buffer.h"
#include "sim/layers/list.h"

namespace cellscope::layers {

template <class Exec>
class PackerOn final : public Packer {
 public:
  explicit PackerOn(Exec& exec)
      : exec_(exec), pool_(std::make_shared<exec::PooledBuffer::Pool>(Exec::backend)) {}
  std::size_t bytes() const override { return pool_->bytes() + first_.bytes(); }

 protected:
  Packed packAny(std::type_index type, const void* kernel) override {
    std::optional<Packed> result;
    tryAll(LayerKernels{}, type, kernel, result);
    CELLSCOPE_ASSERT(result.has_value());  // stands in the list of kernels
    return *result;
  }

 private:
  template <class... Kernels>
  void tryAll(KernelList<Kernels...>, std::type_index type, const void* kernel,
              std::optional<Packed>& result) {
    ((type == typeid(Kernels) ? (void)(result = run(*static_cast<const Kernels*>(kernel)))
                              : (void)0),
     ...);
  }

  template <class Kernel>
  Packed run(Kernel kernel) {
    using Instance = typename Kernel::Instance;
    if (kernel.capacity() == 0) return {};
    auto buffer = pool_->get(kernel.capacity() * sizeof(Instance));
    kernel.out = buffer->template items<Instance>();
    if constexpr (requires { kernel.first; })
      kernel.first = firstOfCells(kernel.cells.count, kernel.items());
    Packed packed{buffer, nullptr, kernel.capacity()};
    if constexpr (requires { kernel.drawn; }) {
      auto drawn = pool_->get(sizeof(std::uint32_t));
      kernel.drawn = drawn->template items<std::uint32_t>();
      const std::uint32_t none = 0;
      exec::copy(Exec::backend, kernel.drawn, Backend::cpu, &none, sizeof none);
      exec_.forEach(Kernel::kName, kernel.items(), kernel, Kernel::kGrain);
      exec_.synchronize();
      if constexpr (Exec::backend == Backend::cpu)  // known here: no detour
        packed.count = std::min<std::size_t>(*kernel.drawn, kernel.capacity());
      else
        packed.drawn = drawn;
    } else {
      exec_.forEach(Kernel::kName, kernel.items(), kernel, Kernel::kGrain);
      exec_.synchronize();
    }
    return packed;
  }

  const std::uint32_t* firstOfCells(const std::uint8_t* count, std::size_t cells) {
    if (first_.size() < cells) first_ = exec::Array<std::uint32_t>(Exec::backend, cells);
    exec_.forEach("count particles", cells, WidenCount{count, first_.data()}, 16384);
    exec_.exclusiveScan("place particles", first_.data(), first_.data(), cells);
    return first_.data();
  }

  Exec& exec_;
  exec::Array<std::uint32_t> first_;  // scratch of firstOfCells()
  std::shared_ptr<exec::PooledBuffer::Pool> pool_;
};

}  // namespace cellscope::layers
