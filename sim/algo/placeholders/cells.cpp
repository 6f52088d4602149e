#include "sim/algo/placeholders/cells.h"

#include <fmt/format.h>

#include "sim/algo/placeholders/engine_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

constexpr std::size_t kFewCells = 4096;  // allowed for any number of particles
constexpr std::uint32_t kSlotStep = 8;

static std::uint32_t inSteps(double slots) {
  return static_cast<std::uint32_t>(std::ceil(slots / kSlotStep)) * kSlotStep;
}

static double meanOccupancy(std::size_t n, const CellGrid& grid) {
  return static_cast<double>(n) / static_cast<double>(grid.count());
}

PlaceholderShape placeholderShape(std::size_t n, const Box& box, const PairSettings& settings) {
  PlaceholderShape shape;
  shape.cutoff = longestReach(settings.potential, settings.species);
  // Rounded coordinates may seem to lie in the next cell.
  const double least = (shape.cutoff + settings.skin) * (1.0 + 1e-5);
  const auto most = static_cast<double>(std::max(n, kFewCells));
  const double width = std::max(least, std::pow(box.volume() / most, 1.0 / box.dimension));
  for (int a = 0; a < box.dimension; ++a) {
    const double fit = std::floor(box.length[a] / least), wanted = box.length[a] / width;
    shape.grid.cells[a] =
        static_cast<std::int32_t>(std::max(std::floor(wanted), std::min(fit, 3.0)));
    shape.grid.cells[a] = std::max(shape.grid.cells[a], 1);
    shape.grid.perLength[a] = static_cast<float>(shape.grid.cells[a] / box.length[a]);
  }
  const double uniform = 1.25 * meanOccupancy(n, shape.grid);
  shape.slots = std::max(static_cast<std::uint32_t>(settings.slots),
                         inSteps(std::min(uniform, double{kMostSlots})));
  return shape;
}

bool PlaceholderShape::nextTo(std::uint32_t cell, const ParticleRecord& place) const {
  const auto c = static_cast<std::int32_t>(cell);
  const std::int32_t nx = grid.cells[0], ny = grid.cells[1];
  const std::int32_t at[3] = {c % nx, c / nx % ny, c / (nx * ny)};
  const float x[3] = {place.x, place.y, place.z};
  for (int a = 0; a < 3; ++a) {
    const std::int32_t apart = std::abs(grid.along(x[a], a) - at[a]);
    if (std::min(apart, grid.cells[a] - apart) > 1) return false;
  }
  return true;
}

std::optional<std::string> placeholdersRefused(std::size_t n, const Box& box,
                                               const PairSettings& settings,
                                               std::int64_t colloids) {
  const PlaceholderShape shape = placeholderShape(n, box, settings);
  const double least = shape.cutoff + settings.skin, third = box.shortest() / 3.0;
  const double mean = meanOccupancy(n, shape.grid);
  for (int a = 0; a < box.dimension; ++a)
    if (shape.grid.cells[a] < 3) {
      const double larger = 1.0001 * std::pow(least / third, box.dimension);
      const auto times = [&](std::int64_t of) {
        return std::ceil(larger * static_cast<double>(of));
      };
      const std::string way =
          colloids > 0
              ? fmt::format("colloids of at least {:.0f} at this fraction", times(colloids))
              : fmt::format("n of at least {:.0f} at this density",
                            times(static_cast<std::int64_t>(n)));
      return fmt::format(
          "method = placeholder_cells needs at least three cells along each side of the box, none "
          "narrower than the longest cutoff and cell_skin, {:g} + {:g} = {:g}, but there is room "
          "for {} along the side {} = {:.4g}; use a cutoff and cell_skin of at most {:.4g} "
          "together, {}, or method = cells",
          shape.cutoff, settings.skin, least, shape.grid.cells[a], "xyz"[a], box.length[a],
          std::floor(1000 * third * (1 - 1e-5)) / 1000, way);
    }
  if (1.25 * mean > kMostSlots)
    return fmt::format(
        "method = placeholder_cells has at most {} slots in a cell, and cells as wide as the "
        "longest cutoff and cell_skin, {:g}, would hold {:.0f} particles on average; use a shorter "
        "cutoff, a lower density or method = cells",
        kMostSlots, least, mean);
  return std::nullopt;
}

// Slots of a cell of `needed` particles: a quarter more. Throws RunError above kMostSlots.
static std::uint32_t grownSlots(std::uint32_t needed) {
  if (needed > kMostSlots)
    throw RunError(
        "a cell holds {} particles, and at most {} have slots in one; use method = cells, or a "
        "shorter cutoff and with it smaller cells",
        needed, kMostSlots);
  return std::min(inSteps(1.25 * needed), kMostSlots);
}

PlaceholderContents placeInCells(PlaceholderShape& shape,
                                 const std::vector<ParticleRecord>& records,
                                 const std::vector<std::uint32_t>& order,
                                 const std::vector<std::uint32_t>& cellOf) {
  const auto cells = static_cast<std::size_t>(shape.grid.count());
  PlaceholderContents c;
  c.filled.assign(cells, 0);
  const auto cellAt = [&](std::size_t k) -> std::size_t {
    return cellOf.empty() ? static_cast<std::size_t>(shape.grid.indexOf(records[order[k]]))
                          : cellOf[k];
  };
  for (std::size_t k = 0; k < order.size(); ++k) ++c.filled[cellAt(k)];
  const std::uint32_t fullest = *std::max_element(c.filled.begin(), c.filled.end());
  if (fullest > shape.slots) {
    shape.slots = grownSlots(fullest);
    c.grown = true;
  }
  std::fill(c.filled.begin(), c.filled.end(), 0u);
  c.slot.assign(shape.slotsInAll(), placeholder());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t cell = cellAt(k);
    const ParticleRecord& r = records[order[k]];
    c.slot[cell * shape.slots + c.filled[cell]++] = {r.x, r.y, r.z,
                                                     order[k] | r.type << kTypeShift};
  }
  return c;
}

// CPU engine with placeholder cells.
std::unique_ptr<MdEngine> makePlaceholdersCpu(const exec::Shared& exec) {
  return std::make_unique<PlaceholderEngine<exec::CpuExec>>(exec);
}

std::size_t placeholderBytes(std::size_t n, const Box& box, const PairSettings& settings) {
  return PlaceholderParticles::layout(n).bytes() + Displacements::bytesFor(n) +
         PlaceholderCells::layout(placeholderShape(n, box, settings)).bytes();
}

}  // namespace cellscope
