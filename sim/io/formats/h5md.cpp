// H5MD files (nongnu.org/h5md, version 1.1) of anybody. Positions, velocities, species, ids, masses
// and box are read; other elements are named. Elements that are written more rarely than positions
// are found by their steps.
#include <cmath>

#include "sim/io/formats/format.h"
#include "sim/io/formats/h5md_input.h"

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
    in.refuse("'particles' has {} groups, and none is named 'all'",
              names.empty() ? "no" : "several");
  return "particles/" + names[0] + "/";
}

// An element: a dataset that holds for all frames, or a group with a dataset `value` of frames and
// maybe one of their steps.
struct Element {
  Dataset data;
  std::vector<std::int64_t> steps;  // empty: the file does not tell
};

// The steps of at most so many frames, written one by one or as a distance and an offset.
std::vector<std::int64_t> stepsOf(const Input& in, const std::string& name, hsize_t frames,
                                  hsize_t most) {
  const std::string at = name + "/step";
  if (!in.has(at)) return {};
  const Dataset d = in.open(at, Content::wholeNumbers);
  auto all = in.read<std::int64_t>(d, H5T_NATIVE_INT64, h5::wholeOf(d));
  if (d.extent.size() == 1) {
    if (all.size() > most) all.resize(static_cast<std::size_t>(most));
    if (all.size() != frames)
      in.refuse("'{}' has {} values, and {} were expected, one for each frame", at, all.size(),
                frames);
    return all;
  }
  const std::int64_t offset = in.attributeNumber(at, "offset").value_or(0);
  if (!d.extent.empty() || all.size() != 1 || all[0] < 0 || all[0] > 1'000'000'000'000 ||
      offset < 0 || offset > 1'000'000'000'000 || frames > 1'000'000)
    in.refuse("'{}' is neither a list of steps nor a distance of at most 10^12", at);
  std::vector<std::int64_t> steps(static_cast<std::size_t>(frames));
  for (std::size_t k = 0; k < steps.size(); ++k)
    steps[k] = offset + static_cast<std::int64_t>(k) * all[0];
  return steps;
}

// The elements of a file, opened and compared with each other; nothing is read yet.
class Elements {
 public:
  explicit Elements(const Input& in) : in_(in) {
    const std::string at = particlesOf(in);
    if (in.has("cellscope/end")) {
      const Dataset end = in.open("cellscope/end", Content::wholeNumbers);
      if (!end.extent.empty()) whole_ = end.extent[0];
    }
    position_ = open(at + "position", Content::numbers);
    if (!position_) in.refuse("there is no '{}position'", at);
    const Dataset& p = position_->data;
    const std::vector<hsize_t>& n = p.extent;
    const std::size_t ranks = p.byFrame ? 3 : 2;
    if (n.size() != ranks)
      in.refuse("'{}' has {} dimensions, {} were expected", p.name, n.size(), ranks);
    frames_ = p.byFrame ? n[0] : 1;
    particles_ = n[ranks - 2], dimension_ = n[ranks - 1];
    if (frames_ == 0) in.refuse("it has no frame");
    if (dimension_ != 2 && dimension_ != 3) in.refuse("positions have {} coordinates", dimension_);
    constexpr std::size_t kMostMembers = 100;
    const std::vector<std::string> members = in.members(at, kMostMembers);
    openVelocity(at, members);
    species_ = open(at + "species", Content::numbers);  // some programs write reals
    id_ = open(at + "id", Content::wholeNumbers);
    mass_ = open(at + "mass", Content::numbers);
    require(velocity_, {particles_, dimension_});
    for (const std::optional<Element>* e : {&species_, &id_, &mass_}) require(*e, {particles_});
    if (in.has(at + "position/time")) time_ = in.open(at + "position/time", Content::numbers);
    openBox(at + "box");
    openSpecies();
    for (const std::string& name : members)
      if (name != "position" && name != velocityName_ && name != "species" && name != "id" &&
          name != "mass" && name != "box")
        unused_.push_back(at + name);
  }
  FileFrame frame(hsize_t k, const std::string& path) const {
    const auto n = static_cast<std::size_t>(particles_), d = static_cast<std::size_t>(dimension_);
    FileFrame f;
    f.file = path;
    f.units = units_, f.unused = unused_;
    if (!position_->steps.empty() && position_->steps[k] >= 0)
      f.step = static_cast<std::uint64_t>(position_->steps[k]);
    if (time_ && time_->extent.size() == 1 && std::min(time_->extent[0], whole_) == frames_)
      f.time = in_.numbers(*time_, h5::frameOf(*time_, k))[0];
    const std::vector<double> position = numbersOf(position_, k, f),
                              velocity = numbersOf(velocity_, k, f), mass = numbersOf(mass_, k, f);
    std::vector<std::int64_t> id;
    if (const auto part = id_ ? partOf(*id_, k) : std::nullopt)
      id = in_.read<std::int64_t>(id_->data, H5T_NATIVE_INT64, *part);
    std::vector<std::size_t> kept;  // an id below 0 stands where a frame has no particle
    for (std::size_t i = 0; i < n; ++i)
      if (id.empty() || id[i] >= 0) kept.push_back(i);
    f.n = kept.size();
    std::vector<double>& moving = momenta_ ? f.momentum : f.velocity;
    for (const std::size_t i : kept) {
      if (!id.empty()) f.id.push_back(id[i]);
      if (!mass.empty()) f.mass.push_back(mass[i]);
      for (std::size_t a = 0; a < 3; ++a) {
        f.position.push_back(a < d ? position[i * d + a] : 0);
        if (!velocity.empty()) moving.push_back(a < d ? velocity[i * d + a] : 0);
      }
    }
    const std::vector<double> edges = numbersOf(edges_, k, f);
    if (edges.empty()) in_.refuse("'{}' has no frame of step {}", edges_->data.name, f.step);
    f.dimension = static_cast<int>(dimension_);
    f.cell = boxVectors(edges);
    readSpecies(k, kept, f);
    return f;
  }
  hsize_t frames() const { return frames_; }

 private:
  std::optional<Element> open(const std::string& name, Content content) {
    if (!in_.has(name)) return std::nullopt;
    const bool byFrame = in_.isGroup(name);
    Element e{in_.open(byFrame ? name + "/value" : name, content), {}};
    e.data.byFrame = byFrame;
    if (byFrame && e.data.extent.empty()) in_.refuse("'{}' has no frames", e.data.name);
    if (byFrame) e.data.extent[0] = std::min(e.data.extent[0], whole_);
    if (byFrame) e.steps = stepsOf(in_, name, e.data.extent[0], whole_);
    for (const std::string& unit : in_.attributeTexts(e.data.name, "unit"))
      if (!unit.empty() && unit != "1") units_.push_back(fmt::format("{} in {}", name, unit));
    return e;
  }
  // Elements with steps of their own may have other frames than the positions.
  bool fits(const Dataset& d, std::vector<hsize_t> each) const {
    if (d.byFrame) each.insert(each.begin(), d.extent[0]);
    return d.extent == each;
  }
  void require(const std::optional<Element>& e, std::vector<hsize_t> each) const {
    if (!e) return;
    const Dataset& d = e->data;
    const bool stepped = !e->steps.empty() && !position_->steps.empty();
    if (fits(d, each) && (!d.byFrame || stepped || d.extent[0] == frames_)) return;
    if (d.byFrame) each.insert(each.begin(), frames_);
    in_.refuse("'{}' has {} values, and {} were expected for {} particles{}", d.name,
               h5::textOf(d.extent), h5::textOf(each), particles_,
               d.byFrame ? fmt::format(" in {} frame{}", frames_, frames_ == 1 ? "" : "s") : "");
  }
  void openBox(const std::string& box) {
    for (const std::string& boundary : in_.attributeTexts(box, "boundary"))
      if (boundary != "periodic")
        in_.refuse("the boundary of '{}' is '{}': only periodic boxes can be loaded", box,
                   boundary);
    const std::optional<std::int64_t> named = in_.attributeNumber(box, "dimension");
    if (named && *named != static_cast<std::int64_t>(dimension_))
      in_.refuse("'{}' has {} dimensions, and the positions have {} coordinates", box, *named,
                 dimension_);
    edges_ = open(box + "/edges", Content::numbers);
    if (!edges_) in_.refuse("there is no '{}/edges'", box);
    require(edges_, fits(edges_->data, {dimension_})
                        ? std::vector<hsize_t>{dimension_}
                        : std::vector<hsize_t>{dimension_, dimension_});
  }
  void openSpecies() {
    const std::string at = "parameters/species/";
    const auto list = [&](const std::string& what, Content content) -> std::optional<Dataset> {
      if (!in_.has(at + what)) return std::nullopt;
      return in_.open(at + what, content);
    };
    name_ = list("name", Content::texts);
    diameter_ = list("diameter", Content::numbers);
    speciesMass_ = list("mass", Content::numbers);
    const std::vector<hsize_t> count = name_ ? name_->extent : std::vector<hsize_t>{0};
    if (count.size() != 1 || count[0] > kMostSpecies)
      in_.refuse("'{}name' has {} entries; allowed: a list of at most {}", at, h5::textOf(count),
                 kMostSpecies);
    for (const std::optional<Dataset>* d : {&diameter_, &speciesMass_})
      if (*d && (*d)->extent != count)
        in_.refuse("'{}' has {} entries, and '{}name' has {}", (*d)->name, h5::textOf((*d)->extent),
                   at, h5::textOf(count));
  }
  // The standard has velocities; some programs write momenta.
  void openVelocity(const std::string& at, std::vector<std::string> names) {
    names.insert(names.begin(), "velocity");
    for (const Field field : {Field::velocity, Field::momentum})
      for (const std::string& name : names)
        if (const Meaning m = meaningOf(name); !velocity_ && m.field == field && m.width == 3) {
          velocity_ = open(at + name, Content::numbers);
          velocityName_ = name, momenta_ = field == Field::momentum;
        }
  }
  // Of frame k of the positions; nothing: the element has none of its step.
  std::optional<h5::Part> partOf(const Element& e, hsize_t k) const {
    if (!e.data.byFrame) return h5::wholeOf(e.data);
    const bool byIndex = e.steps.empty() || position_->steps.empty() ||
                         (k < e.steps.size() && e.steps[k] == position_->steps[k]);
    if (byIndex) return h5::frameOf(e.data, k);
    const auto at = std::find(e.steps.rbegin(), e.steps.rend(), position_->steps[k]);
    if (at == e.steps.rend()) return std::nullopt;
    return h5::frameOf(e.data, static_cast<hsize_t>(e.steps.rend() - at - 1));
  }
  std::vector<double> numbersOf(const std::optional<Element>& e, hsize_t k, FileFrame& f) const {
    if (!e) return {};
    const std::optional<h5::Part> part = partOf(*e, k);
    if (part) return in_.numbers(e->data, *part);
    f.notes.push_back(fmt::format("'{}' has no frame of step {}.", e->data.name, f.step));
    return {};
  }
  void readSpecies(hsize_t k, const std::vector<std::size_t>& kept, FileFrame& f) const {
    const std::vector<std::string> names = name_ ? in_.texts(*name_) : std::vector<std::string>();
    const auto each = [&](const std::optional<Dataset>& d) {
      return d ? in_.numbers(*d, h5::wholeOf(*d)) : std::vector<double>(names.size(), 1);
    };
    const std::vector<double> diameter = each(diameter_), mass = each(speciesMass_);
    Kinds kinds{species_ ? species_->data.name : "species", Field::type, names, {}};
    for (std::size_t s = 0; diameter_ && speciesMass_ && s < names.size(); ++s)
      f.declared.push_back({names[s], diameter[s], mass[s]});
    std::vector<double> all;
    const std::optional<h5::Part> part = species_ ? partOf(*species_, k) : std::nullopt;
    if (part) all = in_.numbers(species_->data, *part);
    for (const std::size_t i : kept) {
      const double s = all.empty() ? 0 : all[i];
      if (!(s >= 0 && s < static_cast<double>(kMostSpecies)) || s != std::floor(s))
        in_.refuse("'{}': particle {} is of species {}; allowed: 0 to {}", species_->data.name, i,
                   s, kMostSpecies - 1);
      while (kinds.names.size() <= static_cast<std::size_t>(s))
        kinds.names.push_back(fmt::format("{}", kinds.names.size()));
      kinds.of.push_back(static_cast<std::uint32_t>(s));
    }
    if (species_ || !names.empty()) f.kinds.push_back(std::move(kinds));
  }

  const Input& in_;
  hsize_t frames_ = 1, particles_ = 0, dimension_ = 0;
  hsize_t whole_ = ~hsize_t{0};  // frames that were not cut off when the run was killed
  std::optional<Dataset> time_;
  std::optional<Element> position_, velocity_, edges_, species_, id_, mass_;
  std::optional<Dataset> name_, diameter_, speciesMass_;
  std::string velocityName_;
  bool momenta_ = false;  // in the place of velocities
  std::vector<std::string> units_, unused_;
};

void readH5md(const std::string& path, bool lastOnly, const TakeFrame& take) {
  const Input in(path);
  const Elements elements(in);
  for (hsize_t k = lastOnly ? elements.frames() - 1 : 0; k < elements.frames(); ++k)
    take(elements.frame(k, path));
}

// Behind a block of the user, at 512 bytes times a power of 2, too.
bool isH5md(std::string_view head) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  for (std::size_t at = 0; at < head.size(); at = at == 0 ? 512 : 2 * at)
    if (head.substr(at, kSignature.size()) == kSignature) return true;
  return false;
}

}  // namespace

Format h5mdFormat() {
  return {"h5md", "H5MD", {".h5", ".h5md", ".hdf5"}, true, isH5md, readH5md, createH5md};
}

// What this program asks of the H5MD files that it continues.

namespace {

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
      in.refuse("'{}' has {} dimensions, {} were expected", g.name, d.extent.size(), g.ranks);
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

std::vector<FrameNotes> h5mdFrames(const std::string& path) {
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
  std::vector<FrameNotes> frames;
  for (std::size_t k = 0; k < whole; ++k)
    frames.push_back({static_cast<std::uint64_t>(step[k]), 0, run[k], end[k] != 0, {}});
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
