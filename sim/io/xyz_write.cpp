#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>

#include "sim/io/formats/frame.h"
#include "sim/io/text_lines.h"
#include "sim/io/xyz.h"

namespace cellscope::io {
namespace {

bool writesMass(const Configuration& c) {
  return std::any_of(c.species.begin(), c.species.end(),
                     [](const Species& s) { return s.mass != 1; });
}

// To a file, packed or not.
class Text {
 public:
  Text(OutputFile& out, bool packed) : out_(out), packed_(packed) {
    constexpr int kGzip = 15 + 16;  // largest window, with a gzip header
    if (packed && deflateInit2(&zip_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8,
                               Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() {
    if (packed_) deflateEnd(&zip_);
  }
  void write(std::string_view text, bool last = false) {
    if (!packed_) return out_.write(text);
    char block[65536];
    zip_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    zip_.avail_in = static_cast<uInt>(text.size());
    do {
      zip_.next_out = reinterpret_cast<Bytef*>(block);
      zip_.avail_out = sizeof block;
      deflate(&zip_, last ? Z_FINISH : Z_NO_FLUSH);
      out_.write({block, sizeof block - zip_.avail_out});
    } while (zip_.avail_out == 0);
  }

 private:
  OutputFile& out_;
  bool packed_;
  z_stream zip_{};
};

std::string commentLine(const Configuration& c, std::uint64_t step, const XyzNotes& notes) {
  const bool flat = c.box.dimension == 2;
  std::string line = fmt::format(
      "Lattice=\"{} 0 0 0 {} 0 0 0 {}\" Properties={}:S:1:pos:R:3:id:I:1:radius:R:1{}{} "
      "pbc=\"T T {}\" Step={}",
      c.box.length[0], c.box.length[1], flat ? c.largestDiameter() : c.box.length[2],
      onlyElements(c) ? "species" : "type", writesMass(c) ? ":mass:R:1" : "",
      c.velocities.empty() ? "" : ":velo:R:3", flat ? "F" : "T", step);
  for (const auto& [key, value] : notes) {
    std::string clean = oneLine(value);
    for (char& ch : clean)
      if (ch == '"' || ch == '\\') ch = ' ';
    line += fmt::format(" {}=\"{}\"", key, clean);
  }
  return line + "\n";
}

}  // namespace

void writeXyzFrame(OutputFile& file, const Configuration& c, std::uint64_t step,
                   const XyzNotes& notes, bool packed) {
  const bool mass = writesMass(c);
  Text out(file, packed);
  out.write(fmt::format("{}\n", c.size()));
  out.write(commentLine(c, step, notes));
  fmt::memory_buffer block;
  auto to = std::back_inserter(block);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Species& species = c.speciesOf(i);
    const double* r = &c.positions[3 * i];
    fmt::format_to(to, "{} {} {} {} {} {}", species.name, r[0], r[1], r[2], c.ids[i],
                   species.diameter / 2);
    if (mass) fmt::format_to(to, " {}", species.mass);
    if (!c.velocities.empty()) {
      const double* v = &c.velocities[3 * i];
      fmt::format_to(to, " {} {} {}", v[0], v[1], v[2]);
    }
    block.push_back('\n');
    if (block.size() > 65536) {
      out.write({block.data(), block.size()});
      block.clear();
    }
  }
  out.write({block.data(), block.size()}, true);
  file.flush();
}

}  // namespace cellscope::io
