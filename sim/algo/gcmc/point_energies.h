// Energies of test points, by a functor that writes one energy for each point.
#pragma once
#include <cstddef>
#include <vector>

#include "sim/core/gcmc_pair.h"
#include "sim/exec/memory.h"

namespace cellscope {

// Keeps the arrays of one sample after another, so that no sample allocates.
template <class Exec>
class GcmcPointEnergies {
 public:
  // make(points, energies): the functor, of arrays in the memory of the backend.
  template <class Make>
  std::vector<double> operator()(Exec& exec, const std::vector<GcmcPoint>& points,
                                 const Make& make) {
    const std::size_t n = points.size();
    if (n > point_.size()) {
      point_ = exec::Array<GcmcPoint>(Exec::backend, n);
      energy_ = exec::Array<double>(Exec::backend, n);
    }
    exec::copy(Exec::backend, point_.data(), Backend::cpu, points.data(), n * sizeof(GcmcPoint));
    exec.forEach("energies at points", n, make(point_.data(), energy_.data()), 16);
    exec.synchronize();
    std::vector<double> all(n);
    exec::copy(Backend::cpu, all.data(), Exec::backend, energy_.data(), n * sizeof(double));
    if (n > kKept) *this = {};
    return all;
  }
  std::size_t bytes() const { return point_.bytes() + energy_.bytes(); }

 private:
  static constexpr std::size_t kKept = 1 << 17;  // points, for which memory is held
  exec::Array<GcmcPoint> point_;
  exec::Array<double> energy_;
};

}  // namespace cellscope
