#include "sim/io/h5md_input.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "sim/io/h5md.h"

namespace cellscope::io::h5 {
namespace {

constexpr std::uint64_t kUnpacked = 1032;         // bytes that deflate makes of one, at most (zlib)
constexpr std::uint64_t kFree = 64ull << 20;      // bytes that any packed dataset may have
constexpr std::uint64_t kMostOfAttribute = 1024;  // entries

// 2^64 - 1 for all that is larger.
std::uint64_t product(const std::vector<hsize_t>& factors, std::uint64_t value = 1) {
  for (const hsize_t f : factors) {
    if (f == 0) return 0;
    if (value > std::numeric_limits<std::uint64_t>::max() / f)
      value = std::numeric_limits<std::uint64_t>::max() / f;
    value *= f;
  }
  return value;
}

herr_t refuseOtherFile(const char*, const char*, const char*, const char*, unsigned*, hid_t,
                       void*) {
  return -1;
}

std::string untilItsEnd(const char* text, std::size_t most) {
  std::string all(text, strnlen(text, most));
  all.erase(all.find_last_not_of(' ') + 1);
  return all;
}

}  // namespace

Part wholeOf(const Dataset& d) { return {std::vector<hsize_t>(d.extent.size()), d.extent}; }

Part frameOf(const Dataset& d, hsize_t frame) {
  Part part = wholeOf(d);
  part.from[0] = frame, part.size[0] = 1;
  return part;
}

std::string textOf(const std::vector<hsize_t>& extent) {
  return extent.empty() ? "1" : fmt::format("{}", fmt::join(extent, " x "));
}

Input::Input(const std::string& path, const std::string& kind) : path_(path), kind_(kind) {
  quiet();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError("'{}' cannot be read: there is no such file", path);
  fileBytes_ = std::filesystem::file_size(path, error);
  within_ = sure(H5Pcreate(H5P_LINK_ACCESS), H5Pclose, "");
  H5Pset_elink_cb(within_.get(), refuseOtherFile, nullptr);
  // A run that writes the file has locked it; between two frames it is whole.
  const Handle how(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "no properties");
  H5Pset_file_locking(how.get(), false, true);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, how.get());
  if (id < 0)
    throw InputError(
        "'{}' is not a readable HDF5 file: it is of another format, cut off, or being written just "
        "now; use a whole {}",
        path, kind_);
  file_ = Handle(id, H5Fclose, "");
}

Handle Input::sure(hid_t id, herr_t (*closing)(hid_t), const std::string& name) const {
  if (id < 0) refuse("'{}' cannot be read", name);
  return {id, closing, ""};
}

// What lies under a name; H5I_BADID: nothing.
H5I_type_t Input::at(const std::string& name) const {
  for (std::size_t end = 0; end != name.npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (H5Lexists(file_.get(), part.c_str(), within_.get()) <= 0) return H5I_BADID;
    H5L_info_t link{};
    if (H5Lget_info(file_.get(), part.c_str(), &link, within_.get()) < 0 ||
        (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT))
      refuse("'{}' is a link to another file", part);
  }
  return H5Iget_type(object(name).get());
}

Handle Input::object(const std::string& name) const {
  const hid_t id = H5Oopen(file_.get(), name.c_str(), within_.get());
  if (id < 0) refuse("'{}' leads to nothing in this file", name);
  return {id, H5Oclose, ""};
}

std::vector<std::string> Input::members(const std::string& group, std::size_t most) const {
  const Handle g = sure(H5Gopen2(file_.get(), group.c_str(), H5P_DEFAULT), H5Gclose, group);
  std::vector<std::string> names;
  H5G_info_t info{};
  H5Gget_info(g.get(), &info);
  for (hsize_t k = 0; k < std::min<hsize_t>(info.nlinks, most); ++k) {
    std::array<char, 256> name{};
    if (H5Lget_name_by_idx(g.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size(),
                           H5P_DEFAULT) < 0)
      refuse("'{}' cannot be read", group);
    names.push_back(name.data());
  }
  return names;
}

Dataset Input::open(const std::string& name, Content content) const {
  const H5I_type_t found = at(name);
  if (found == H5I_BADID) refuse("there is no '{}'", name);
  if (found != H5I_DATASET)
    refuse("'{}' is {}, a dataset was expected", name, found == H5I_GROUP ? "a group" : "a type");
  Dataset d;
  d.name = name;
  d.handle = object(name);
  measure(d);
  requireContent(d, content);
  const Handle space = sure(H5Dget_space(d.handle.get()), H5Sclose, name);
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) refuse("'{}' is without values", name);
  d.extent.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  H5Sget_simple_extent_dims(space.get(), d.extent.data(), nullptr);
  return d;
}

void Input::requireContent(Dataset& d, Content content) const {
  const Handle type = sure(H5Dget_type(d.handle.get()), H5Tclose, d.name);
  const H5T_class_t kind = H5Tget_class(type.get());
  d.entry = H5Tget_size(type.get());
  const bool fits = content == Content::texts
                        ? kind == H5T_STRING && H5Tis_variable_str(type.get()) == 0
                    : content == Content::numbers ? kind == H5T_FLOAT || kind == H5T_INTEGER
                                                  : kind == H5T_INTEGER || kind == H5T_ENUM;
  if (!fits || d.entry == 0)
    refuse("'{}' is not of {}", d.name,
           content == Content::texts     ? "texts of one length"
           : content == Content::numbers ? "numbers"
                                         : "whole numbers");
}

// How much the file can hold of a dataset, and that it holds it itself.
void Input::measure(Dataset& d) const {
  const Handle made = sure(H5Dget_create_plist(d.handle.get()), H5Pclose, d.name);
  const H5D_layout_t layout = H5Pget_layout(made.get());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(made.get()) > 0)
    refuse("the values of '{}' lie in other files", d.name);
  d.room = std::min<std::uint64_t>(H5Dget_storage_size(d.handle.get()), fileBytes_);
  if (layout != H5D_CHUNKED || H5Pget_nfilters(made.get()) <= 0) return;
  d.room = std::max(kUnpacked * d.room, kFree);
  std::vector<hsize_t> chunk(H5S_MAX_RANK);
  chunk.resize(
      static_cast<std::size_t>(std::max(0, H5Pget_chunk(made.get(), H5S_MAX_RANK, chunk.data()))));
  const Handle type = sure(H5Dget_type(d.handle.get()), H5Tclose, d.name);
  d.chunk = product(chunk, H5Tget_size(type.get()));
}

// The number of values.
std::size_t Input::requireRoom(const Dataset& d, const Part& part) const {
  const std::uint64_t count = product(part.size);
  if (count > 0 && (count > d.room / d.entry || d.chunk > d.room))
    refuse("'{}' declares {} values of {} bytes, and the file holds at most {} bytes of them",
           d.name, textOf(part.size), d.entry, d.room);
  return static_cast<std::size_t>(count);
}

void Input::read(const Dataset& d, hid_t type, const Part& part, void* values) const {
  const Handle file = sure(H5Dget_space(d.handle.get()), H5Sclose, d.name);
  if (!part.size.empty())
    H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, part.from.data(), nullptr, part.size.data(),
                        nullptr);
  const Handle memory =
      sure(H5Screate_simple(static_cast<int>(part.size.size()), part.size.data(), nullptr),
           H5Sclose, d.name);
  if (H5Dread(d.handle.get(), type, memory.get(), file.get(), H5P_DEFAULT, values) < 0)
    refuse("'{}' cannot be read", d.name);
}

std::vector<std::string> Input::texts(const Dataset& d) const {
  if (d.extent.size() != 1)
    refuse("'{}' has {} dimensions, a list was expected", d.name, d.extent.size());
  const Part all = wholeOf(d);
  const std::size_t count = requireRoom(d, all), size = static_cast<std::size_t>(d.entry);
  const Handle type = sure(H5Dget_type(d.handle.get()), H5Tclose, d.name);
  std::vector<char> bytes(count * size);
  if (count > 0) read(d, type.get(), all, bytes.data());
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < count; ++k) texts.push_back(untilItsEnd(&bytes[k * size], size));
  return texts;
}

std::optional<Input::Attribute> Input::attributeOf(const std::string& name,
                                                   const char* attribute) const {
  if (!has(name)) return std::nullopt;
  const Handle owner = object(name);
  if (H5Aexists(owner.get(), attribute) <= 0) return std::nullopt;
  const std::string what = fmt::format("{} ({})", name, attribute);
  Attribute a;
  a.handle = sure(H5Aopen(owner.get(), attribute, H5P_DEFAULT), H5Aclose, what);
  a.type = sure(H5Aget_type(a.handle.get()), H5Tclose, what);
  a.space = sure(H5Aget_space(a.handle.get()), H5Sclose, what);
  const hssize_t count = H5Sget_simple_extent_npoints(a.space.get());
  if (count < 0 || static_cast<std::uint64_t>(count) > kMostOfAttribute)
    refuse("'{}' has {} entries", what, count);
  a.count = static_cast<std::size_t>(count);
  return a;
}

std::vector<std::string> Input::attributeTexts(const std::string& name,
                                               const char* attribute) const {
  const std::optional<Attribute> a = attributeOf(name, attribute);
  if (!a || a->count == 0) return {};
  const auto refuseIt = [&](const char* why) {
    refuse("the attribute '{}' of '{}' {}", attribute, name, why);
  };
  if (H5Tget_class(a->type.get()) != H5T_STRING) refuseIt("is not a text");
  const std::size_t size = H5Tget_size(a->type.get());
  std::vector<std::string> texts;
  if (H5Tis_variable_str(a->type.get()) > 0) {
    std::vector<char*> all(a->count, nullptr);
    if (H5Aread(a->handle.get(), a->type.get(), all.data()) < 0) refuseIt("cannot be read");
    for (const char* text : all) texts.push_back(text ? text : "");
    H5Dvlen_reclaim(a->type.get(), a->space.get(), H5P_DEFAULT, all.data());
    return texts;
  }
  if (size > fileBytes_ / a->count) refuseIt("is longer than the file");
  std::vector<char> all(a->count * size);
  if (H5Aread(a->handle.get(), a->type.get(), all.data()) < 0) refuseIt("cannot be read");
  for (std::size_t k = 0; k < a->count; ++k) texts.push_back(untilItsEnd(&all[k * size], size));
  return texts;
}

std::optional<std::int64_t> Input::attributeNumber(const std::string& name,
                                                   const char* attribute) const {
  const std::optional<Attribute> a = attributeOf(name, attribute);
  if (!a) return std::nullopt;
  std::int64_t value = 0;
  if (a->count != 1 || H5Tget_class(a->type.get()) != H5T_INTEGER ||
      H5Aread(a->handle.get(), H5T_NATIVE_INT64, &value) < 0)
    refuse("the attribute '{}' of '{}' is not a whole number", attribute, name);
  return value;
}

}  // namespace cellscope::io::h5

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
