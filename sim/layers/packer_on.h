// Packer over one exec: included where a backend is instantiated only.
#pragma once
#include "sim/base/error.h"
#include "sim/exec/context.h"
#include "sim/exec/memory.h"
#include "sim/exec/pooled_buffer.h"
#include "sim/layers/list.h"

namespace cellscope::layers {

// Functors of the packer's selection.
template <class Kernel>
struct InstanceOf {
  Kernel kernel;
  HOST_DEVICE auto operator()(std::size_t i) const { return kernel.instance(i); }
};
template <class Kernel>
struct IsShown {
  Kernel kernel;
  HOST_DEVICE bool operator()(std::size_t i) const { return kernel.shows(i); }
};
template <class Kernel>
struct WriteInstance {
  Kernel kernel;
  decltype(kernel.instance(0))* out;
  HOST_DEVICE void operator()(std::size_t i) const { out[i] = kernel.instance(i); }
};
struct CopyCount {
  const std::uint32_t* from;
  std::uint32_t* to;
  HOST_DEVICE void operator()(std::size_t) const { *to = *from; }
};

template <class Exec>
class PackerOn final : public Packer {
 public:
  explicit PackerOn(exec::Shared exec)
      : shared_(std::move(exec)),
        exec_(exec::as<Exec>(shared_)),
        pool_(std::make_shared<exec::PooledBuffer::Pool>(Exec::backend)) {}
  std::size_t bytes() const override { return pool_->bytes() + first_.bytes(); }

 protected:
  Packed packAny(std::type_index type, const void* kernel) override {
    std::optional<Packed> result;
    tryAll(LayerKernels{}, type, kernel, result);
    CELLSCOPE_ASSERT(result.has_value());  // is in the list of kernels
    return *result;
  }

 private:
  template <class... Some>
  void tryAll(KernelList<Some...>, std::type_index type, const void* kernel,
              std::optional<Packed>& result) {
    ((type == typeid(Some) ? (void)(result = run(*static_cast<const Some*>(kernel))) : (void)0),
     ...);
  }

  template <class Kernel>
  Packed run(Kernel kernel) {
    using Instance = decltype(kernel.instance(0));
    const std::size_t n = kernel.items();
    if (n == 0) return {};
    auto buffer = pool_->get(n * sizeof(Instance));
    const auto out = buffer->template items<Instance>();
    if constexpr (requires { kernel.leavesOut(); })
      if (kernel.leavesOut()) return select(kernel, buffer, out);
    exec_.forEach(Kernel::kName, n, WriteInstance<Kernel>{kernel, out}, Kernel::kGrain);
    exec_.synchronize();
    return {buffer, nullptr, n};
  }
  // Of a kernel that writes where it wants.
  template <class Kernel>
  requires requires(Kernel kernel) { kernel.out; }
  Packed run(Kernel kernel) {
    if (kernel.capacity() == 0) return {};
    auto buffer = pool_->get(kernel.capacity() * sizeof *kernel.out);
    kernel.out = buffer->template items<std::remove_pointer_t<decltype(kernel.out)>>();
    if constexpr (requires { kernel.first; })
      kernel.first = firstOfCells(kernel.cells.count, kernel.items());
    exec_.forEach(Kernel::kName, kernel.items(), kernel, Kernel::kGrain);
    exec_.synchronize();
    return {buffer, nullptr, kernel.capacity()};
  }

  // In order of the items, so that the same state gives the same picture.
  template <class Kernel>
  Packed select(const Kernel& kernel, const std::shared_ptr<exec::PooledBuffer>& buffer,
                auto* out) {
    exec_.select(Kernel::kName, kernel.items(), InstanceOf<Kernel>{kernel}, IsShown<Kernel>{kernel},
                 out, shown_);
    if constexpr (Exec::backend == Backend::cpu) {  // known here: no detour
      const std::size_t count = exec_.read(shown_);
      if (count == 0) return {};
      buffer->shorten(count * sizeof *out);
      return {buffer, nullptr, count};
    } else {
      auto drawn = pool_->get(sizeof(std::uint32_t));
      exec_.forEach("count shown", 1,
                    CopyCount{shown_.data(), drawn->template items<std::uint32_t>()}, 1);
      exec_.synchronize();
      return {buffer, drawn, kernel.items()};
    }
  }

  const std::uint32_t* firstOfCells(const std::uint8_t* count, std::size_t cells) {
    if (first_.size() <= cells) first_ = PackScratch::layout(cells).make(Exec::backend).first;
    exec_.forEach("count particles", cells, WidenCount{count, first_.data()}, 16384);
    exec_.offsets("place particles", first_.data(), first_.data(), cells);
    return first_.data();
  }

  exec::Shared shared_;
  Exec& exec_;
  exec::DeviceValue<std::uint32_t> shown_{Exec::backend};
  exec::Array<std::uint32_t> first_;  // scratch of firstOfCells()
  std::shared_ptr<exec::PooledBuffer::Pool> pool_;
};

}  // namespace cellscope::layers
