#include "sim/algo/observables/reference_data.h"

#include <map>
#include <memory>
#include <mutex>

#include "sim/algo/observables/reference_file.h"

namespace cellscope {
namespace {

PublishedSimulation simulation(const ReferenceTable& r) {
  PublishedSimulation s{r.text("method"), r.text("source"), r.number("disks"),
                        r.numbers("packing")};
  s.pressure = r.numbersLike("pressure", s.packing);
  s.error = r.numbersLike("error", s.packing);
  return s;
}

void addPrinted(const ReferenceTable& r, std::vector<PublishedSimulation>& all) {
  const std::vector<double> disks = r.numbers("disks");
  r.requireEqual("pressure", r.rows("pressure"), disks.size());
  for (std::size_t k = 0; k < disks.size(); ++k)
    all.push_back({r.text("method"), r.text("source"), static_cast<std::uint64_t>(disks[k]),
                   r.numbers("packing"), r.numbers("pressure", k), r.numbers("error", k)});
}

void addShuffles(const ReferenceTable& r, std::vector<ShufflePressure>& all) {
  const std::vector<double> packing = r.numbers("packing");
  r.requireEqual("pressure", r.rows("pressure"), 4);
  for (std::size_t k = 0; k < packing.size(); ++k)
    for (std::size_t row = 0; row < 4; ++row)
      all.push_back({packing[k], row < 2, row % 2 == 0, r.numbers("pressure", row).at(k),
                     r.numbers("error", row).at(k)});
}

DiskSpeed diskSpeed(const ReferenceTable& r) {
  DiskSpeed s{r.text("key"), r.text("hardware"), r.text("source"), r.numbers("sides"), {}, {}, {}};
  s.moves = r.numbersLike("moves", s.sides);
  s.ofLargest = r.numbersLike("of_largest", s.sides);
  s.overCore = r.numbersLike("over_core", s.sides);
  return s;
}

FluidFit fluidFit(const ReferenceTable& r) {
  FluidFit f{r.text("source"), r.numbers("power"), {}, r.numbers("density"), {}, {}};
  f.coefficient = r.numbersLike("coefficient", f.power);
  f.z = r.numbersLike("z", f.density);
  f.zError = r.numbersLike("z_error", f.density);
  return f;
}

}  // namespace

HardDiskData loadHardDiskData(const std::string& path) {
  const toml::table file = parseReferenceFile(path);
  HardDiskData data;
  const ReferenceTable virial = referenceTable(path, file, "virial");
  data.virial = virial.numbers("coefficients");
  virial.requireEqual("coefficients", data.virial.size(), 9);
  data.virialError = virial.numbersLike("errors", data.virial);
  data.virialSource = virial.text("source");
  data.pade = padeApproximant(virialSeries(data.virial), 4, 5);
  const ReferenceTable pade = referenceTable(path, file, "pade");
  data.padeSource = pade.text("source");
  data.padePacking = pade.numbers("packing");
  data.padeError = pade.numbersLike("error", data.padePacking);
  data.fluid = fluidFit(referenceTable(path, file, "fluid"));
  for (const ReferenceTable& r : referenceTables(path, file, "simulation"))
    data.simulations.push_back(simulation(r));
  for (const ReferenceTable& r : referenceTables(path, file, "exact"))
    data.exact.push_back(simulation(r));
  for (const ReferenceTable& r : referenceTables(path, file, "printed"))
    addPrinted(r, data.printed);
  addShuffles(referenceTable(path, file, "shuffles"), data.shuffles);
  for (const ReferenceTable& r : referenceTables(path, file, "speed"))
    data.speeds.push_back(diskSpeed(r));
  return data;
}

const HardDiskData& hardDiskData() {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<HardDiskData>> known;
  const std::string path = referencePath("hard_disks.toml");
  std::lock_guard lock(mutex);
  std::unique_ptr<HardDiskData>& data = known[path];
  if (!data) data = std::make_unique<HardDiskData>(loadHardDiskData(path));
  return *data;
}

}  // namespace cellscope
