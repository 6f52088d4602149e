// GSD files (gsd.readthedocs.io, file layer 1 and 2) with the names of schema hoomd 1.x. Debian has
// the library for Python alone, so that reader and writer are the program's own.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/io/files.h"
#include "sim/io/formats/bytes.h"

namespace cellscope::io {
namespace gsd {
namespace {

constexpr std::uint64_t kMagic = 0x65DF65DF65DF65DFull;

struct Header {
  std::uint64_t magic = kMagic, indexAt = 0, indexSize = 0, namesAt = 0, namesSize = 0;
  std::uint32_t schema = 0x00010004, version = 0x00020000;
  char application[64] = {}, schemaName[64] = {}, reserved[80] = {};
};
static_assert(sizeof(Header) == 256);

// A chunk of rows x columns values.
struct Entry {
  std::uint64_t frame = 0, rows = 0;
  std::int64_t at = 0;  // 0: the entry is not used
  std::uint32_t columns = 0;
  std::uint16_t name = 0;
  std::uint8_t type = 0, flags = 0;  // type: 1 to 10 as io::Number, from 0; 11: characters
};
static_assert(sizeof(Entry) == 32);
constexpr std::uint64_t kNameBytes = 64;  // unit of the list of names

// Beyond the schema, which keeps particles in the order of their ids and has neither ids nor times.
constexpr const char* kIdName = "log/particles/cellscope/id";
constexpr const char* kTimeName = "log/cellscope/time";
// All that is written and read.
constexpr const char* kNames[] = {"configuration/step",
                                  "configuration/dimensions",
                                  "configuration/box",
                                  "particles/N",
                                  "particles/types",
                                  "particles/typeid",
                                  "particles/mass",
                                  "particles/diameter",
                                  "particles/position",
                                  "particles/velocity",
                                  kIdName,
                                  kTimeName};

class GsdFile {
 public:
  explicit GsdFile(const std::string& path) : path_(path), file_(path) {
    const auto h = file_.value<Header>(0, "the header");
    if (h.magic != kMagic) file_.fail("it is not a GSD file");
    if (h.version >> 16 > 2)
      file_.fail("it is of GSD version {}.{}; allowed: 1 and 2", h.version >> 16,
                 h.version & 0xffff);
    const std::string schema(h.schemaName, strnlen(h.schemaName, sizeof h.schemaName));
    // 2.x has reals of double precision where the writer asks for it.
    if (schema != "hoomd" || (h.schema >> 16 != 1 && h.schema >> 16 != 2))
      file_.fail("its schema is '{}' {}.{}; allowed: 'hoomd' 1.x and 2.x", schema, h.schema >> 16,
                 h.schema & 0xffff);
    readNames(h);
    readIndex(h);
  }
  std::uint64_t frames() const { return index_.empty() ? 0 : index_.back().frame + 1; }
  FileFrame frame(std::uint64_t k) {
    FileFrame f;
    f.file = path_;
    f.step = static_cast<std::uint64_t>(whole(k, "configuration/step").value_or(0));
    const std::int64_t n = whole(k, "particles/N").value_or(0);
    std::vector<double> b = {1, 1, 1, 0, 0, 0};  // centred at 0: box lengths and tilt factors
    if (const std::optional<Chunk> c = chunk(k, "configuration/box"))
      b = converted<double>(c->kind, c->bytes);
    if (b.size() != 6)
      file_.fail("'configuration/box' of frame {} has {} values; allowed: 6", k, b.size());
    f.cell = boxVectors(b);
    for (std::size_t a = 0; a < 3; ++a) f.origin[a] = -b[a] / 2;
    // Without a value a box of no height is a plane.
    const std::int64_t dimension =
        whole(k, "configuration/dimensions").value_or(f.cell[8] == 0 ? 2 : 3);
    if (dimension != 2 && dimension != 3)
      file_.fail("'configuration/dimensions' is {}; allowed: 2 and 3", dimension);
    f.dimension = static_cast<int>(dimension);
    // At least a position of each is in the file.
    if (n < 0 || static_cast<std::uint64_t>(n) > file_.size() / 4)
      file_.fail("'particles/N' of frame {} is {}; the file has {} bytes", k, n, file_.size());
    f.n = static_cast<std::size_t>(n);
    f.position = perParticle(f, k, "particles/position", 3);
    if (f.position.empty()) f.position.assign(3 * f.n, 0.0);
    f.velocity = perParticle(f, k, "particles/velocity", 3);
    f.mass = perParticle(f, k, "particles/mass", 1);
    f.radius = perParticle(f, k, "particles/diameter", 1);
    for (double& r : f.radius) r /= 2;
    readTypes(f, k);
    if (const Entry* e = entryOf(k, kIdName);
        e && e->rows == f.n && e->columns == 1 && e->type == static_cast<int>(Number::i64) + 1)
      f.id = converted<std::int64_t>(Number::i64, chunk(k, kIdName)->bytes);
    if (const std::optional<Chunk> t = chunk(k, kTimeName); t && t->rows * t->columns == 1)
      f.time = converted<double>(t->kind, t->bytes)[0];
    for (const std::string& name : names_) {
      const bool read = std::ranges::find(kNames, name) != std::end(kNames);
      if (!read && (entryOf(k, name) || entryOf(0, name))) f.unused.push_back(name);
    }
    return f;
  }

 private:
  struct Chunk {
    std::uint64_t rows = 0, columns = 0;
    Number kind = Number::f32;
    std::string bytes;
  };
  // Version 1: texts of 64 bytes; version 2: one behind the other.
  void readNames(const Header& h) {
    if (!file_.holds(h.namesAt, h.namesSize, kNameBytes))
      file_.fail("the list of names lies outside the file");
    const std::string all = file_.text(h.namesAt, h.namesSize * kNameBytes, "the names");
    const bool fixed = h.version >> 16 < 2;
    for (std::size_t at = 0; at < all.size() && all[at] != '\0';) {
      const std::size_t length = strnlen(all.data() + at, all.size() - at);
      names_.push_back(all.substr(at, fixed ? std::min<std::size_t>(length, kNameBytes) : length));
      at += fixed ? kNameBytes : length + 1;
    }
  }
  void readIndex(const Header& h) {
    index_ = file_.values<Entry>(h.indexAt, h.indexSize, "the index");
    index_.erase(std::ranges::find(index_, 0, &Entry::at), index_.end());
    for (const Entry& e : index_) {
      const bool known = e.type >= 1 && e.type <= 11 && e.name < names_.size();
      const std::uint64_t each = !known || e.type == 11 ? 1 : kBytesOf[e.type - 1];
      const bool fits = e.at > 0 && e.rows <= file_.size() && e.columns <= file_.size() &&
                        file_.holds(static_cast<std::uint64_t>(e.at),
                                    e.columns == 0 ? 0 : e.rows * e.columns, each) &&
                        (e.columns == 0 || e.rows <= file_.size() / e.columns);
      if (!known || !fits || e.frame > index_.size())
        file_.fail(
            "an entry of the index (frame {}, {} x {} values at byte {}) is impossible for a file "
            "of {} bytes; copy it again",
            e.frame, e.rows, e.columns, e.at, file_.size());
    }
    std::ranges::stable_sort(index_, {}, placeOf);
  }
  static std::pair<std::uint64_t, std::ptrdiff_t> placeOf(const Entry& e) {
    return {e.frame, e.name};
  }
  const Entry* entryOf(std::uint64_t frame, const std::string& name) const {
    const std::pair place(frame, std::ranges::find(names_, name) - names_.begin());
    const auto at = std::ranges::lower_bound(index_, place, {}, placeOf);
    return at != index_.end() && placeOf(*at) == place ? &*at : nullptr;
  }
  // Of the frame, or where it has none that of the first one.
  std::optional<Chunk> chunk(std::uint64_t frame, const std::string& name) {
    const Entry* e = entryOf(frame, name);
    if (!e) e = entryOf(0, name);
    if (!e) return std::nullopt;
    Chunk c{e->rows, e->columns, e->type == 11 ? Number::u8 : static_cast<Number>(e->type - 1), ""};
    c.bytes = file_.text(static_cast<std::uint64_t>(e->at),
                         e->rows * e->columns * kBytesOf[static_cast<int>(c.kind)], name.c_str());
    return c;
  }
  // Of the first frame only where it has as many particles.
  std::vector<double> perParticle(const FileFrame& f, std::uint64_t k, const std::string& name,
                                  std::uint64_t columns) {
    const Entry* own = entryOf(k, name);
    const Entry* e = own ? own : entryOf(0, name);
    if (!e || (!own && e->rows != f.n)) return {};
    if (e->rows != f.n || e->columns != columns)
      file_.fail("'{}' of frame {} has {} x {} values; allowed: {} x {}", name, k, e->rows,
                 e->columns, f.n, columns);
    const Chunk c = *chunk(k, name);
    return converted<double>(c.kind, c.bytes);
  }
  void readTypes(FileFrame& f, std::uint64_t k) {
    Kinds kinds{"particles/typeid", Field::name, {"A"}, {}};
    if (const std::optional<Chunk> c = chunk(k, "particles/types")) {
      kinds.names.clear();
      for (std::size_t r = 0; r < c->rows && c->columns > 0; ++r) {
        const char* text = c->bytes.data() + r * c->columns;
        kinds.names.emplace_back(text, strnlen(text, c->columns));
      }
    }
    if (kinds.names.size() > kMostKinds) file_.fail("'particles/types' has more than 1000 types");
    const std::vector<double> ids = perParticle(f, k, "particles/typeid", 1);
    kinds.of.assign(f.n, 0);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!(ids[i] >= 0 && ids[i] < static_cast<double>(kinds.names.size())))
        file_.fail("'particles/typeid' of particle {} is {}; allowed: 0 to {}", i, ids[i],
                   kinds.names.size() - 1);
      kinds.of[i] = static_cast<std::uint32_t>(ids[i]);
    }
    f.kinds.push_back(std::move(kinds));
  }
  std::optional<std::int64_t> whole(std::uint64_t frame, const std::string& name) {
    const std::optional<Chunk> c = chunk(frame, name);
    if (!c) return std::nullopt;
    if (!isWhole(c->kind) || c->rows * c->columns != 1)
      file_.fail("'{}' of frame {} is not one whole number", name, frame);
    return converted<std::int64_t>(c->kind, c->bytes)[0];
  }

  std::string path_;
  Bytes file_;
  std::vector<std::string> names_;
  std::vector<Entry> index_;  // sorted by frame, then by name
};

void readGsd(const std::string& path, bool lastOnly, const TakeFrame& take) {
  GsdFile file(path);
  const std::uint64_t frames = file.frames();
  for (std::uint64_t k = lastOnly && frames > 0 ? frames - 1 : 0; k < frames; ++k)
    take(file.frame(k));
}

// A coordinate of the box around 0, below its upper face in float32 too.
float centred(double x, double length) {
  const auto half = static_cast<float>(length / 2);
  const auto f = static_cast<float>(x - length / 2);
  return f < half ? f : std::nextafterf(half, 0.f);
}

// In float32, as HOOMD writes them, particles in the order of their ids. A frame is complete once
// the index names it: data, then index, then header.
class Sink : public FrameSink {
 public:
  Sink(const std::string& path, const std::string& program) : path_(path) {
    if (!isRegularOrAbsent(path))
      throw InputError("'{}' is a pipe or a device: GSD is written to regular files only; name one",
                       path);
    file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file_.isOpen()) fail();
    program.copy(header_.application, sizeof header_.application - 1);
    std::strcpy(header_.schemaName, "hoomd");
    std::string names;
    for (const char* name : kNames) names += std::string(name) + '\0';
    header_.namesAt = sizeof(Header);
    header_.namesSize = names.size() / kNameBytes + 1;
    names.resize(header_.namesSize * kNameBytes);
    put(names.data(), names.size(), sizeof(Header));
    end_ = sizeof(Header) + names.size();
    growIndex();
  }

  void append(const Configuration& c, const FrameNotes& notes) override {
    const bool flat = c.box.dimension == 2;
    std::vector<std::size_t> order(c.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return c.ids[i]; });
    std::vector<float> box(6, 0.f);
    for (std::size_t a = 0; a < 3; ++a)
      box[a] = flat && a == 2 ? 0.f : static_cast<float>(c.box.length[a]);
    chunk("configuration/step", Number::u64, std::vector<std::uint64_t>{notes.step}, 1);
    chunk("configuration/dimensions", Number::u8,
          std::vector<std::uint8_t>{static_cast<std::uint8_t>(c.box.dimension)}, 1);
    chunk("configuration/box", Number::f32, box, 1);
    chunk("particles/N", Number::u32,
          std::vector<std::uint32_t>{static_cast<std::uint32_t>(c.size())}, 1);
    types(c);
    particles(c, order);
    chunk(kTimeName, Number::f64, std::vector<double>{notes.time}, 1);
    const std::size_t before = index_.size();
    index_.insert(index_.end(), fresh_.begin(), fresh_.end());
    fresh_.clear();
    ++frames_;
    if (index_.size() > header_.indexSize) return growIndex();
    put(&index_[before], (index_.size() - before) * sizeof(Entry),
        header_.indexAt + before * sizeof(Entry));
  }
  void flushToDisk() override {
    if (::fsync(file_.fd()) != 0 && errno != EINVAL && errno != EROFS) fail();
  }
  void close() override {
    if (::close(file_.release()) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw RunError(writeErrorText(path_, errno)); }
  void put(const void* bytes, std::size_t count, std::uint64_t at) {
    for (std::string_view left(static_cast<const char*>(bytes), count); !left.empty();) {
      const ssize_t n = ::pwrite(file_.fd(), left.data(), left.size(), static_cast<off_t>(at));
      if (n < 0) fail();
      left.remove_prefix(static_cast<std::size_t>(n));
      at += static_cast<std::uint64_t>(n);
    }
  }
  // Twice as long at the end of the file, with what it holds.
  void growIndex() {
    header_.indexSize = std::max<std::uint64_t>(128, 2 * header_.indexSize);
    std::vector<Entry> room(header_.indexSize);
    std::copy(index_.begin(), index_.end(), room.begin());
    put(room.data(), room.size() * sizeof(Entry), end_);
    header_.indexAt = end_;
    end_ += room.size() * sizeof(Entry);
    put(&header_, sizeof header_, 0);
  }
  template <class T>
  void chunk(std::string_view name, Number type, const std::vector<T>& values,
             std::uint32_t columns) {
    if (values.empty()) return;
    Entry e;
    e.frame = frames_, e.rows = values.size() / columns, e.columns = columns;
    e.at = static_cast<std::int64_t>(end_);
    e.name = static_cast<std::uint16_t>(std::ranges::find(kNames, name) - kNames);
    e.type = static_cast<std::uint8_t>(static_cast<int>(type) + 1);
    put(values.data(), values.size() * sizeof(T), end_);
    end_ += values.size() * sizeof(T);
    fresh_.push_back(e);
  }
  void types(const Configuration& c) {
    std::size_t longest = 0;
    for (const Species& s : c.species) longest = std::max(longest, s.name.size());
    const std::size_t width = longest + 1;
    std::vector<char> names(width * c.species.size(), '\0');
    for (std::size_t k = 0; k < c.species.size(); ++k)
      c.species[k].name.copy(&names[k * width], longest);
    chunk("particles/types", Number::i8, names, static_cast<std::uint32_t>(width));
  }
  void particles(const Configuration& c, const std::vector<std::size_t>& order) {
    std::vector<std::uint32_t> type;
    std::vector<float> mass, diameter, position, velocity;
    std::vector<std::int64_t> ids;
    for (const std::size_t i : order) {
      ids.push_back(c.ids[i]);
      type.push_back(c.typeOf(i));
      mass.push_back(static_cast<float>(c.speciesOf(i).mass));
      diameter.push_back(static_cast<float>(c.speciesOf(i).diameter));
      for (std::size_t a = 0; a < 3; ++a) {
        const bool flat = static_cast<int>(a) >= c.box.dimension;
        position.push_back(flat ? 0.f : centred(c.positions[3 * i + a], c.box.length[a]));
        if (!c.velocities.empty()) velocity.push_back(static_cast<float>(c.velocities[3 * i + a]));
      }
    }
    chunk("particles/typeid", Number::u32, type, 1);
    chunk("particles/mass", Number::f32, mass, 1);
    chunk("particles/diameter", Number::f32, diameter, 1);
    chunk("particles/position", Number::f32, position, 3);
    chunk("particles/velocity", Number::f32, velocity, 3);
    // In every frame: readers look in the first one for what a frame does not have.
    if (ids.empty()) ids.push_back(-1);
    chunk(kIdName, Number::i64, ids, 1);
  }

  std::string path_;
  Descriptor file_;
  Header header_;
  std::uint64_t end_ = 0, frames_ = 0;
  std::vector<Entry> index_, fresh_;
};

std::unique_ptr<FrameSink> create(const std::string& path, const std::string& program,
                                  bool append) {
  if (append) refuseToContinue(path);
  return std::make_unique<Sink>(path, program);
}

}  // namespace
}  // namespace gsd

Format gsdFormat() {
  return Format(
      "gsd", "GSD", {".gsd"}, true,
      [](std::string_view head) { return head.starts_with("\xdf\x65\xdf\x65\xdf\x65\xdf\x65"); },
      gsd::readGsd, gsd::create, "more than single precision");
}

}  // namespace cellscope::io
