#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "sim/io/h5md.h"
#include "sim/io/h5md_input.h"

namespace cellscope::io {
namespace {

using h5::Content;
using h5::Dataset;
using h5::Input;

constexpr hsize_t kMostSpecies = 256;

// particles/all/, or the only group of particles.
std::string particlesOf(const Input& in) {
  if (!in.has("particles")) in.refuse("there is no group 'particles'");
  if (in.has("particles/all")) return "particles/all/";
  if (!in.isGroup("particles")) in.refuse("'particles' is not a group");
  const std::vector<std::string> names = in.members("particles");
  if (names.size() != 1)
    in.refuse(fmt::format("'particles' has {} groups, and none is named 'all'",
                          names.empty() ? "no" : "several"));
  return "particles/" + names[0] + "/";
}

// An element is a dataset, or where it changes with time a group with a dataset `value` of frames.
std::optional<Dataset> element(const Input& in, const std::string& name, Content content) {
  if (!in.has(name)) return std::nullopt;
  const bool byFrame = in.isGroup(name);
  Dataset d = in.open(byFrame ? name + "/value" : name, content);
  d.byFrame = byFrame;
  if (byFrame && d.extent.empty()) in.refuse(fmt::format("'{}' has no frames", d.name));
  for (const std::string& unit : in.attributeTexts(d.name, "unit"))
    if (!unit.empty() && unit != "1")
      in.refuse(
          fmt::format("'{}' is in {}, and numbers without a unit were expected: multiples of "
                      "sigma, epsilon and m; convert it and remove the attribute 'unit'",
                      d.name, unit));
  return d;
}

// The elements of a file, opened and compared with each other; nothing is read yet.
struct Elements {
  explicit Elements(const Input& in);
  // The last frame, or all of an element that is the same for every frame.
  h5::Part last(const Dataset& d) const {
    return d.byFrame ? h5::frameOf(d, frames - 1) : h5::wholeOf(d);
  }
  hsize_t frames = 1, particles = 0, dimension = 0;
  std::optional<Dataset> position, velocity, edges, species, id, name, diameter, mass;

 private:
  bool fits(const Dataset& d, std::vector<hsize_t> each) const {
    if (d.byFrame) each.insert(each.begin(), frames);
    return d.extent == each;
  }
  void require(const Input& in, const std::optional<Dataset>& d, std::vector<hsize_t> each) const;
  void openBox(const Input& in, const std::string& box);
  void openSpecies(const Input& in);
};

Elements::Elements(const Input& in) {
  const std::string at = particlesOf(in);
  position = element(in, at + "position", Content::numbers);
  if (!position) in.refuse(fmt::format("there is no '{}position'", at));
  const std::vector<hsize_t>& n = position->extent;
  const std::size_t ranks = position->byFrame ? 3 : 2;
  if (n.size() != ranks)
    in.refuse(
        fmt::format("'{}' has {} dimensions, {} were expected", position->name, n.size(), ranks));
  frames = position->byFrame ? n[0] : 1;
  particles = n[ranks - 2], dimension = n[ranks - 1];
  if (frames == 0) in.refuse("it has no frame");
  if (dimension != 2 && dimension != 3)
    in.refuse(fmt::format("positions have {} coordinates", dimension));
  velocity = element(in, at + "velocity", Content::numbers);
  species = element(in, at + "species", Content::wholeNumbers);
  id = element(in, at + "id", Content::wholeNumbers);
  require(in, velocity, {particles, dimension});
  require(in, species, {particles});
  require(in, id, {particles});
  openBox(in, at + "box");
  openSpecies(in);
}

void Elements::require(const Input& in, const std::optional<Dataset>& d,
                       std::vector<hsize_t> each) const {
  if (!d || fits(*d, each)) return;
  if (d->byFrame) each.insert(each.begin(), frames);
  in.refuse(
      fmt::format("'{}' has {} values, and {} were expected for {} particles{}", d->name,
                  h5::textOf(d->extent), h5::textOf(each), particles,
                  d->byFrame ? fmt::format(" in {} frame{}", frames, frames == 1 ? "" : "s") : ""));
}

void Elements::openBox(const Input& in, const std::string& box) {
  for (const std::string& boundary : in.attributeTexts(box, "boundary"))
    if (boundary != "periodic")
      in.refuse(fmt::format("the boundary of '{}' is '{}': only periodic boxes can be loaded", box,
                            boundary));
  const std::optional<std::int64_t> said = in.attributeNumber(box, "dimension");
  if (said && *said != static_cast<std::int64_t>(dimension))
    in.refuse(fmt::format("'{}' has {} dimensions, and the positions have {} coordinates", box,
                          *said, dimension));
  edges = element(in, box + "/edges", Content::numbers);
  if (!edges) in.refuse(fmt::format("there is no '{}/edges'", box));
  if (!fits(*edges, {dimension})) require(in, edges, {dimension, dimension});
}

void Elements::openSpecies(const Input& in) {
  const std::string at = "parameters/species/";
  const auto list = [&](const std::string& what, Content content) -> std::optional<Dataset> {
    if (!in.has(at + what)) return std::nullopt;
    return in.open(at + what, content);
  };
  name = list("name", Content::texts);
  diameter = list("diameter", Content::numbers);
  mass = list("mass", Content::numbers);
  const std::vector<hsize_t> count = name ? name->extent : std::vector<hsize_t>{0};
  if (count.size() != 1 || count[0] > kMostSpecies)
    in.refuse(fmt::format("'{}name' has {} entries; allowed: a list of at most {}", at,
                          h5::textOf(count), kMostSpecies));
  for (const std::optional<Dataset>* d : {&diameter, &mass})
    if (*d && (*d)->extent != count)
      in.refuse(fmt::format("'{}' has {} entries, and '{}name' has {}", (*d)->name,
                            h5::textOf((*d)->extent), at, h5::textOf(count)));
}

void readBox(const Input& in, const Elements& e, Configuration& c) {
  const std::vector<double> all = in.numbers(*e.edges, e.last(*e.edges));
  const auto d = static_cast<std::size_t>(e.dimension);
  c.box.dimension = static_cast<int>(d);
  const bool matrix = all.size() == d * d;
  for (std::size_t a = 0; a < d; ++a) {
    c.box.length[a] = all[matrix ? a * d + a : a];
    for (std::size_t b = 0; matrix && b < d; ++b)
      if (a != b && all[a * d + b] != 0)
        in.refuse(fmt::format("'{}': the box is not a rectangle", e.edges->name));
  }
}

void readSpecies(const Input& in, const Elements& e, const std::vector<std::size_t>& kept,
                 Configuration& c) {
  const std::vector<std::string> names = e.name ? in.texts(*e.name) : std::vector<std::string>();
  const auto each = [&](const std::optional<Dataset>& d) {
    return d ? in.numbers(*d, h5::wholeOf(*d)) : std::vector<double>(names.size(), 1);
  };
  const std::vector<double> diameter = each(e.diameter), mass = each(e.mass);
  c.species.clear();
  for (std::size_t k = 0; k < names.size(); ++k)
    c.species.push_back({names[k], diameter[k], mass[k]});
  std::vector<std::int32_t> all;
  if (e.species) all = in.read<std::int32_t>(*e.species, H5T_NATIVE_INT32, e.last(*e.species));
  for (const std::size_t i : kept) {
    const std::int32_t s = e.species ? all[i] : 0;
    if (s < 0 || s >= static_cast<std::int32_t>(kMostSpecies))
      in.refuse(fmt::format("'{}': particle {} is of species {}; allowed: 0 to {}", e.species->name,
                            i, s, kMostSpecies - 1));
    while (c.species.size() <= static_cast<std::size_t>(s))
      c.species.push_back({c.species.empty() ? "X" : fmt::format("X{}", c.species.size()), 1, 1});
    c.types.push_back(static_cast<std::uint32_t>(s));
  }
  if (c.species.empty()) c.species.resize(1);
}

void readParticles(const Input& in, const Elements& e, Configuration& c) {
  const auto n = static_cast<std::size_t>(e.particles), d = static_cast<std::size_t>(e.dimension);
  const std::vector<double> position = in.numbers(*e.position, e.last(*e.position));
  std::vector<double> velocity;
  if (e.velocity) velocity = in.numbers(*e.velocity, e.last(*e.velocity));
  std::vector<std::int64_t> id;
  if (e.id) id = in.read<std::int64_t>(*e.id, H5T_NATIVE_INT64, e.last(*e.id));
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < n; ++i)
    if (!e.id || id[i] >= 0) kept.push_back(i);
  for (const std::size_t i : kept) {
    c.ids.push_back(e.id ? id[i] : static_cast<ParticleId>(i));
    for (std::size_t a = 0; a < 3; ++a) {
      double x = a < d ? position[i * d + a] : 0;
      const double l = c.box.length[a];
      if (a < d && !(x >= 0 && x < l)) x -= l * std::floor(x / l);
      c.positions.push_back(a < d && x >= l ? 0.0 : x);
      if (e.velocity) c.velocities.push_back(a < d ? velocity[i * d + a] : 0);
    }
  }
  readSpecies(in, e, kept, c);
}

// The datasets of a file of this program, which grow with the frames.
struct GrowingDataset {
  const char* name;
  Content content;
  std::size_t ranks;
  bool byParticle;  // the second dimension grows with the particles
};
constexpr GrowingDataset kGrowing[] = {
    {"particles/all/position/value", Content::numbers, 3, true},
    {"particles/all/velocity/value", Content::numbers, 3, true},
    {"particles/all/species/value", Content::wholeNumbers, 2, true},
    {"particles/all/id/value", Content::wholeNumbers, 2, true},
    {"particles/all/box/edges/value", Content::numbers, 3, false},
    {"particles/all/position/step", Content::wholeNumbers, 1, false},
    {"particles/all/position/time", Content::numbers, 1, false},
    {"cellscope/run", Content::texts, 1, false},
    {"cellscope/end", Content::wholeNumbers, 1, false},
};
constexpr const char* kId = "particles/all/id/value";

// The number of frames that all of them hold.
hsize_t wholeFrames(const Input& in) {
  hsize_t frames = ~hsize_t{0};
  for (const GrowingDataset& g : kGrowing) {
    if (g.name == std::string("particles/all/velocity/value") && !in.has(g.name)) continue;
    const Dataset d = in.open(g.name, g.content);
    if (d.extent.size() != g.ranks)
      in.refuse(fmt::format("'{}' has {} dimensions, {} were expected", g.name, d.extent.size(),
                            g.ranks));
    frames = std::min(frames, d.extent[0]);
  }
  return frames;
}

// A part of what H5Fcreate() leaves, into which no dataset fits.
bool isPartOfHeader(const std::string& path) {
  constexpr std::uintmax_t kCreated = 800;
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes > kCreated || H5Fis_hdf5(path.c_str()) <= 0) return false;
  const hid_t whole = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (whole >= 0) H5Fclose(whole);
  return whole < 0;
}

// Of the first frames: as many as the largest of them has.
hsize_t mostParticles(const std::string& path, hsize_t frames) {
  const Input in(path);
  const Dataset ids = in.open(kId, Content::wholeNumbers);
  hsize_t most = 0;
  for (hsize_t k = 0; k < frames; ++k) {
    const h5::Part behind{{k, most}, {1, ids.extent[1] - most}};
    const auto id = in.read<std::int64_t>(ids, H5T_NATIVE_INT64, behind);
    for (std::size_t i = id.size(); i > 0; --i)
      if (id[i - 1] >= 0) {
        most += i;
        break;
      }
  }
  return most;
}

}  // namespace

bool isH5mdName(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  return suffix == ".h5" || suffix == ".h5md";
}

Configuration readH5md(const std::string& path) {
  const Input in(path);
  const Elements elements(in);
  Configuration c;
  readBox(in, elements, c);
  readParticles(in, elements, c);
  requireValid(c, fmt::format("'{}'", path));
  return c;
}

std::vector<H5mdFrame> h5mdFrames(const std::string& path) {
  h5::quiet();
  if (isPartOfHeader(path)) return {};
  const Input in(path);
  if (in.members("/").empty()) return {};
  if (!in.has("cellscope/run") || !in.has("cellscope/end"))
    in.refuse("it was written by another program and cannot be continued");
  const hsize_t whole = wholeFrames(in);
  const Dataset steps = in.open("particles/all/position/step", Content::wholeNumbers);
  const auto step = in.read<std::int64_t>(steps, H5T_NATIVE_INT64, h5::wholeOf(steps));
  const std::vector<std::string> run = in.texts(in.open("cellscope/run", Content::texts));
  const Dataset ends = in.open("cellscope/end", Content::wholeNumbers);
  const auto end = in.read<std::uint8_t>(ends, H5T_NATIVE_UINT8, h5::wholeOf(ends));
  std::vector<H5mdFrame> frames;
  for (std::size_t k = 0; k < whole; ++k)
    frames.push_back({static_cast<std::uint64_t>(step[k]), {run[k], end[k] != 0}});
  return frames;
}

void cutH5md(const std::string& path, std::uint64_t frames) {
  h5::quiet();
  const hsize_t most = mostParticles(path, frames);
  const std::string failed = fmt::format("'{}' cannot be changed", path);
  const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, failed);
  for (const GrowingDataset& g : kGrowing) {
    if (H5Lexists(file.get(), g.name, H5P_DEFAULT) <= 0) continue;
    const h5::Handle d = h5::open(file.get(), g.name);
    std::vector<hsize_t> n = h5::extent(d.get());
    n[0] = std::min<hsize_t>(n[0], frames);
    if (g.byParticle) n[1] = std::min(n[1], most);
    h5::require(H5Dset_extent(d.get(), n.data()) >= 0, failed);
  }
  h5::require(H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0, failed);
}

}  // namespace cellscope::io
