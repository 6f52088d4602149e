// Extended XYZ by its specification (github.com/libAtoms/extxyz), packed by gzip or not, and plain
// XYZ, which has no box.
#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <new>

#include "sim/base/error.h"
#include "sim/base/words.h"
#include "sim/io/formats/text_table.h"

namespace cellscope::io {
namespace {

std::vector<double> numbersOf(const TextLines& lines, const char* key, const std::string& text,
                              std::initializer_list<std::size_t> allowed) {
  std::vector<double> values;
  std::string spaced = text;  // some programs write commas between the numbers
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  for (const std::string_view word : wordsOf(spaced)) {
    const std::optional<double> v = realOf(word);
    if (!v || !std::isfinite(*v)) lines.fail("{} entry '{}' is not a finite number", key, word);
    values.push_back(*v);
  }
  if (std::ranges::count(allowed, values.size()) == 0)
    lines.fail("{} needs {} numbers; it has {}", key, *allowed.begin(), values.size());
  return values;
}

void readProperties(const TextLines& lines, const std::string& properties, TextTable& table) {
  constexpr int kMostColumns = 1000;  // of one property
  const std::vector<std::string> parts = splitAt(properties, ':');
  if (parts.size() % 3 != 0) lines.fail("Properties is not a list of name:type:columns");
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    const std::optional<int> width = numberOf<int>(parts[i + 2]);
    if (!width || *width < 1 || *width > kMostColumns)
      lines.fail("Properties: '{}' is not a column count", parts[i + 2]);
    if (parts[i + 1].size() != 1 ||
        std::string_view("SRIL").find(parts[i + 1]) == std::string::npos)
      lines.fail("Properties: '{}' is no type of '{}'; allowed: S, R, I, L", parts[i + 1],
                 parts[i]);
    table.add(parts[i], *width);
  }
}

// T, true, True, TRUE, 1, and the same of false.
std::string periodicOf(const TextLines& lines, const std::string& text) {
  std::string axes;
  for (const std::string_view word : wordsOf(text)) {
    const std::string small = lowered(std::string(word));
    const bool yes = small == "t" || small == "true" || small == "1";
    if (!yes && small != "f" && small != "false" && small != "0")
      lines.fail("pbc: '{}' is neither T nor F", word);
    axes += yes ? 'T' : 'F';
  }
  if (axes.size() != 3)
    lines.fail(
        "pbc=\"{}\": only periodic boxes can be loaded; allowed: \"T T T\", and \"T T F\" in two "
        "dimensions",
        text);
  return axes;
}

// Keys that are read, and those of this program.
constexpr const char* kKnownKeys[] = {"Lattice", "Properties", "pbc",        "Origin",
                                      "Step",    "Time",       "Program",    "Scenario",
                                      "Run",     "End",        "Experiments"};

// False: no Properties, so that columns behind the position may follow, which are not read.
bool readComment(const TextLines& lines, std::string_view comment, FileFrame& f, TextTable& table) {
  const std::vector<std::pair<std::string, std::string>> entries = entriesOf(comment);
  // A key that is read stands in the line once.
  const auto entry = [&](const char* key) {
    const std::string* found = nullptr;
    for (const auto& [name, value] : entries) {
      if (name != key) continue;
      if (found) lines.fail("{} stands twice in the comment line; remove one", key);
      found = &value;
    }
    return found;
  };
  const std::string* properties = entry("Properties");
  if (const std::string* lattice = entry("Lattice"))
    f.cell = boxVectors(numbersOf(lines, "Lattice", *lattice, {9, 3}));
  if (const std::string* origin = entry("Origin")) {
    const std::vector<double> o = numbersOf(lines, "Origin", *origin, {3});
    std::copy(o.begin(), o.end(), f.origin);
  }
  if (const std::string* pbc = entry("pbc")) f.periodic = periodicOf(lines, *pbc);
  if (const std::string* step = entry("Step")) f.step = numberOf<std::uint64_t>(*step).value_or(0);
  if (const std::string* time = entry("Time")) f.time = realOf(*time).value_or(0);
  readProperties(lines, properties ? *properties : "species:S:1:pos:R:3", table);
  if (f.cell.empty() && !properties) return false;  // plain XYZ: any text
  for (const auto& [key, value] : entries) {
    if (key == "unit" || key == "units")
      f.units.push_back(fmt::format("{} = {}", key, value));
    else if (std::ranges::count(kKnownKeys, key) == 0 && value != "T")
      f.unused.push_back(key);
  }
  return properties;
}

FileFrame readXyzFrame(TextLines& lines) {
  std::string_view line;
  lines.next(line);
  const auto count = wordsOf(line);
  const auto n = count.size() == 1 ? numberOf<std::uint32_t>(count[0]) : std::nullopt;
  if (!n)
    lines.fail(
        "the number of particles was expected, alone in its line; save the file as extended XYZ");
  if (!lines.next(line))
    lines.fail("the file ends before the comment line; copy it again, or remove this frame");
  FileFrame f;
  f.file = lines.path();
  f.headLine = lines.number();
  f.firstLine = lines.number() + 1;
  TextTable table(lines);
  const bool complete = readComment(lines, line, f, table);
  table.begin(f);
  for (std::uint32_t i = 0; i < *n; ++i) {
    if (!lines.next(line))
      lines.fail("the file ends after {} of {} particles; copy it again, or remove this frame", i,
                 *n);
    if (!complete && i == 0 && wordsOf(line).size() > table.columns()) {
      const int more = static_cast<int>(wordsOf(line).size() - table.columns());
      table.addAs("", more, {});
      f.unused.push_back(fmt::format("{} columns behind the position", more));
    }
    table.read(line, f);
  }
  return f;
}

void readXyzFrames(const std::string& path, bool, const TakeFrame& take) {
  TextLines lines(path);
  if (lines.atEnd()) throw InputError(path + ": the file is empty; name one with a configuration");
  while (!lines.atEnd()) take(readXyzFrame(lines));
}

bool isXyz(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const std::size_t end = head.find('\n');
  if (end == head.npos) return false;
  const std::string_view first = head.substr(0, end);
  const std::size_t from = first.find_first_not_of(" \t\r");
  return from != first.npos && first.find_first_not_of("0123456789 \t\r") == first.npos;
}

bool writesMass(const Configuration& c) {
  return std::ranges::any_of(c.species, [](const Species& s) { return s.mass != 1; });
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

std::string commentLine(const Configuration& c, const FrameNotes& notes) {
  const bool flat = c.box.dimension == 2;
  std::string line = fmt::format(
      "Lattice=\"{} 0 0 0 {} 0 0 0 {}\" Properties={}:S:1:pos:R:3:id:I:1:radius:R:1{}{} pbc=\"T T "
      "{}\" Step={}",
      c.box.length[0], c.box.length[1], flat ? c.largestDiameter() : c.box.length[2],
      onlyElements(c) ? "species" : "type", writesMass(c) ? ":mass:R:1" : "",
      c.velocities.empty() ? "" : ":velo:R:3", flat ? "F" : "T", notes.step);
  for (const auto& [key, value] : notes.texts) {
    std::string clean = oneLine(value);
    for (char& ch : clean)
      if (ch == '"' || ch == '\\') ch = ' ';
    line += fmt::format(" {}=\"{}\"", key, clean);
  }
  return line + (notes.end ? " End=\"T\"\n" : "\n");
}

// Appends a frame and flushes it; packed: as one gzip member.
template <bool packed>
void writeXyz(OutputFile& file, const Configuration& c, const FrameNotes& notes) {
  const bool mass = writesMass(c);
  Text out(file, packed);
  out.write(fmt::format("{}\n", c.size()));
  out.write(commentLine(c, notes));
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

template <bool packed>
std::unique_ptr<FrameSink> createXyz(const std::string& path, const std::string&, bool append) {
  return fileSink(path, writeXyz<packed>, append);
}

}  // namespace

std::optional<std::string> xyzEntry(std::string_view comment, const std::string& key) {
  for (auto& [name, value] : entriesOf(comment))
    if (name == key) return std::move(value);
  return std::nullopt;
}

Format xyzFormat() {
  return {"xyz", "extended XYZ", {".xyz", ".extxyz"}, true, isXyz, readXyzFrames, createXyz<false>};
}

// Read as the other; each frame is packed by itself, so that those of a killed run are whole.
Format xyzPackedFormat() {
  return Format("xyz.gz", "extended XYZ packed by gzip", {".xyz.gz", ".extxyz.gz"}, true, nullptr,
                readXyzFrames, createXyz<true>);
}

}  // namespace cellscope::io
