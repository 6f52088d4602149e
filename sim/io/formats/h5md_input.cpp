#include "sim/io/formats/h5md_input.h"

#include <algorithm>
#include <filesystem>

#include "sim/io/formats/format.h"

// What this program asks of the H5MD files that it continues.
namespace cellscope::io {
namespace {

using h5::Content;
using h5::Dataset;
using h5::Input;

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
