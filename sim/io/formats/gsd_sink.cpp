#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <numeric>
#include <string_view>

#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/io/formats/bytes.h"

namespace cellscope::io::gsd {
namespace {

// A coordinate of the box around 0, below its upper face in float32 too.
float centred(double x, double length) {
  const auto half = static_cast<float>(length / 2);
  const auto f = static_cast<float>(x - length / 2);
  return f < half ? f : std::nextafterf(half, 0.f);
}

// A frame is complete once the index names it: data, then index, then header.
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

}  // namespace

std::unique_ptr<FrameSink> create(const std::string& path, const std::string& program,
                                  bool append) {
  if (append) refuseToContinue(path);
  return std::make_unique<Sink>(path, program);
}

}  // namespace cellscope::io::gsd
