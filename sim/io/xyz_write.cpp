#include <fmt/format.h>

#include <algorithm>

#include "sim/io/utf8.h"
#include "sim/io/xyz.h"

namespace cellscope::io {
namespace {

bool writesMass(const Configuration& c) {
  return std::any_of(c.species.begin(), c.species.end(),
                     [](const Species& s) { return s.mass != 1; });
}

std::string commentLine(const Configuration& c, std::uint64_t step, const XyzNotes& notes) {
  const bool flat = c.box.dimension == 2;
  std::string line = fmt::format(
      "Lattice=\"{} 0 0 0 {} 0 0 0 {}\" Properties=species:S:1:pos:R:3:id:I:1:radius:R:1{}{} "
      "pbc=\"T T {}\" Step={}",
      c.box.length[0], c.box.length[1], flat ? c.largestDiameter() : c.box.length[2],
      writesMass(c) ? ":mass:R:1" : "", c.velocities.empty() ? "" : ":velo:R:3", flat ? "F" : "T",
      step);
  for (const auto& [key, value] : notes) {
    std::string clean = oneLine(value);
    for (char& ch : clean)
      if (ch == '"' || ch == '\\') ch = ' ';
    line += fmt::format(" {}=\"{}\"", key, clean);
  }
  return line + "\n";
}

}  // namespace

void writeXyzFrame(OutputFile& out, const Configuration& c, std::uint64_t step,
                   const XyzNotes& notes) {
  const bool mass = writesMass(c);
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
  out.write({block.data(), block.size()});
  out.flush();
}

}  // namespace cellscope::io
