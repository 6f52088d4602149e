#include "sim/modes/gcmc/observables.h"

#include <ranges>

#include "sim/modes/gcmc/methods/method.h"

namespace cellscope::gcmc {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double acceptance(const GcmcSample& s, GcmcKind kind) {
  const auto k = static_cast<int>(kind);
  return shareOf(s.moves.accepted[k], s.moves.attempted[k], kNone);
}

std::vector<GcmcObservable> ofEveryMethod() {
  return {
      {{"particles", "Number of particles", "N", "", "fluctuates about its mean", "particles", true,
        true},
       [](const GcmcSample& s) { return s.particles; }},
      {{"density", "Density", "rho*", "sigma^-d", "rho = N / V", "density", true},
       [](const GcmcSample& s) { return s.density(); }},
      {{"energy", "Energy per particle", "U/N", "epsilon",
        "U = sum over pairs of u(r_ij), plus c N^2 / V where the tail correction is on", "energy",
        true},
       [](const GcmcSample& s) { return s.particles > 0 ? s.energy / s.particles : kNone; }},
      {{"total_energy", "Energy", "U", "epsilon",
        "U = sum over pairs of u(r_ij), plus c N^2 / V where the tail correction is on",
        "total energy", true},
       [](const GcmcSample& s) { return s.energy; }},
      {{"pressure", "Pressure", "P*", "epsilon/sigma^d",
        "P = rho T + W / (d V) + P_tail, W = sum over pairs of r_ij . f_ij; P_tail = (16 pi / 3) "
        "rho^2 (2 r_c^-9 / 3 - r_c^-3) in space where the correction is on; the impulse at the "
        "cutoff of a truncated potential is left out. Hard spheres: P = rho T (1 + S_d rho g(1+) / "
        "(2 d)), S_d = 2 pi or 4 pi, g(1+) by a polynomial of degree 4 from pairs up to 1.05 "
        "(Anderson et al. 2013, eq. 4)",
        "pressure", true},
       [](const GcmcSample& s) {
         const double rho = s.density();
         return rho * s.temperature + s.virial / (s.dimension * s.volume) +
                s.tailPressure * rho * rho;
       }},
      {{"acceptance_displacement", "Acceptance of displacements", "a_disp", "",
        "accepted / attempted since the last sample", "acceptance"},
       [](const GcmcSample& s) { return acceptance(s, GcmcKind::displacement); }},
      {{"acceptance_insertion", "Acceptance of insertions", "a_ins", "",
        "accepted / attempted since the last sample", "acceptance"},
       [](const GcmcSample& s) { return acceptance(s, GcmcKind::insertion); }},
      {{"acceptance_deletion", "Acceptance of deletions", "a_del", "",
        "accepted / attempted since the last sample", "acceptance"},
       [](const GcmcSample& s) { return acceptance(s, GcmcKind::deletion); }},
      {{"insertion_factor", "Boltzmann factor of insertion", "<exp(-dU/T)>", "",
        "mean of exp(-dU / T) over random test points (Widom 1963), tail included; in equilibrium "
        "<N> = z V <exp(-dU / T)>",
        "insertion factor"},
       [](const GcmcSample& s) { return s.boltzmann; }},
      {{"energy_drift", "Energy drift", "U_run - U", "epsilon",
        "running energy minus the energy recomputed from the positions; pair energies are rounded "
        "to 2^-20, so that this is exactly 0",
        "drift", false, false, true},
       [](const GcmcSample& s) { return s.drift; }},
  };
}

std::vector<GcmcObservable> ofMixtures() {
  return {
      // In this order the lines of the chart have the colours of the particles.
      {{"number_b", "Number of B", "N_B", "", "particles of type B, in a mixture", "particles"},
       [](const GcmcSample& s) { return s.ofB; }},
      {{"number_a", "Number of A", "N_A", "", "particles of type A, in a mixture", "particles"},
       [](const GcmcSample& s) { return s.particles - s.ofB; }},
      {{"fraction_b", "Fraction of B", "x_B", "", "x_B = N_B / N, in a mixture", "composition",
        true},
       [](const GcmcSample& s) { return s.particles > 0 ? s.ofB / s.particles : kNone; }},
      {{"acceptance_exchange", "Acceptance of exchanges", "a_ex", "",
        "accepted / attempted since the last sample; trials that draw the particle's own type are "
        "accepted",
        "acceptance"},
       [](const GcmcSample& s) { return acceptance(s, GcmcKind::exchange); }},
  };
}

}  // namespace

const std::vector<GcmcObservable>& gcmcObservables() {
  static const std::vector<GcmcObservable> all = [] {
    std::vector<GcmcObservable> list = ofEveryMethod();
    for (const auto& method : methods() | std::views::reverse)
      for (GcmcObservable& o : method->observables()) list.push_back(std::move(o));
    for (GcmcObservable& o : ofMixtures()) list.push_back(std::move(o));
    return list;
  }();
  return all;
}

}  // namespace cellscope::gcmc
