// H5MD files (nongnu.org/h5md, version 1.1; de Buyl, Colberg and Hoefling, Comput. Phys. Commun.
// 185, 1546, 2014) through the HDF5 library: binary trajectories that h5py, MDAnalysis, OVITO and
// VMD read.
//
// In particles/all: box/edges, position, velocity (where there are any), species and id, each with
// a value for every frame; steps and times are shared. The number of particles may differ from
// frame to frame: arrays are as long as the largest, and where a frame has no particle its id is
// -1. parameters/species has name, diameter and mass of each species; cellscope/run and
// cellscope/end store for each frame which run wrote it, and whether only because that run ended.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <exception>
#include <future>

#include "sim/io/formats/format.h"
#include "sim/io/formats/h5md_input.h"

namespace cellscope::io {
namespace {

using h5::Handle;
constexpr std::size_t kRunText = 64;
constexpr hsize_t kMostRows = 65536;  // of a part of a dataset

// A dataset of frames: the first dimension grows with the frames, the second one with the largest
// number of particles.
class Series {
 public:
  Series() = default;
  // within: sizes after the frames; the first may grow. fill: null for zeros.
  Series(hid_t at, const std::string& path, hid_t type, std::vector<hsize_t> within,
         const void* fill, bool keep)
      : path_(path), within_(std::move(within)) {
    if (keep) {
      data_ = h5::open(at, path);
      const std::vector<hsize_t> now = h5::extent(data_.get());
      bool fits = now.size() == within_.size() + 1;
      for (std::size_t k = 1; fits && k < within_.size(); ++k) fits = now[k + 1] == within_[k];
      h5::require(fits, path + " has other dimensions than the frames of this run");
      if (!within_.empty() && fill) within_[0] = now[1];
      return;
    }
    std::vector<hsize_t> size = {0}, most = {H5S_UNLIMITED}, chunk = {within_.empty() ? 256u : 1u};
    for (std::size_t k = 0; k < within_.size(); ++k) {
      size.push_back(within_[k]);
      most.push_back(k == 0 && within_.size() > 0 && fill ? H5S_UNLIMITED : within_[k]);
      chunk.push_back(k == 0 ? std::clamp<hsize_t>(within_[k], 1, kMostRows) : within_[k]);
    }
    const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()),
                       H5Sclose, path + ": no dataspace");
    const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path + ": no properties");
    H5Pset_chunk(how.get(), static_cast<int>(chunk.size()), chunk.data());
    if (fill) H5Pset_fill_value(how.get(), type, fill);
    const Handle parents(H5Pcreate(H5P_LINK_CREATE), H5Pclose, path + ": no properties");
    H5Pset_create_intermediate_group(parents.get(), 1);
    data_ = Handle(
        H5Dcreate2(at, path.c_str(), type, space.get(), parents.get(), how.get(), H5P_DEFAULT),
        H5Dclose, path + " cannot be made");
  }

  // count: of the first size after the frames, if there is one.
  void write(hsize_t frame, const void* values, hid_t memoryType, hsize_t count = 1) {
    std::vector<hsize_t> from = {frame}, part = {1};
    if (!within_.empty()) within_[0] = std::max(within_[0], count);
    std::vector<hsize_t> size = {frame + 1};
    for (std::size_t k = 0; k < within_.size(); ++k) {
      size.push_back(within_[k]);
      from.push_back(0);
      part.push_back(k == 0 ? count : within_[k]);
    }
    h5::require(H5Dset_extent(data_.get(), size.data()) >= 0, path_ + " cannot grow");
    if (count == 0) return;
    const Handle file(H5Dget_space(data_.get()), H5Sclose, path_ + ": no dataspace");
    H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, from.data(), nullptr, part.data(), nullptr);
    const Handle memory(H5Screate_simple(static_cast<int>(part.size()), part.data(), nullptr),
                        H5Sclose, path_ + ": no dataspace");
    h5::require(
        H5Dwrite(data_.get(), memoryType, memory.get(), file.get(), H5P_DEFAULT, values) >= 0,
        path_ + " cannot be written; is the disk full?");
  }
  hsize_t frames() const { return h5::extent(data_.get()).at(0); }
  hsize_t particles() const { return within_.at(0); }

 private:
  std::string path_;
  std::vector<hsize_t> within_;
  Handle data_;
};

// Metadata stay in memory until a flush, so that between two frames the file on disk is that of the
// last one.
Handle fileAccess() {
  Handle how(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "no properties");
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(how.get(), &cache);
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(how.get(), &cache);
  return how;
}

std::vector<double> flattened(const std::vector<double>& all, int dimension) {
  if (dimension == 3) return all;
  std::vector<double> flat;
  flat.reserve(all.size() / 3 * 2);
  for (std::size_t k = 0; k < all.size(); k += 3) flat.insert(flat.end(), {all[k], all[k + 1]});
  return flat;
}

// For what the library does not do. Closing gives back the room that was reserved and not needed.
struct PlainFile {
  PlainFile() = default;
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  ~PlainFile() {
    if (descriptor < 0) return;
    struct stat now {};
    if (::fstat(descriptor, &now) == 0 && ::ftruncate(descriptor, now.st_size) != 0) errno = 0;
    ::close(descriptor);
  }
  int descriptor = -1;
};

// The file itself; used by one thread at a time.
class File {
 public:
  File(const std::string& path, const std::string& creator, bool keep)
      : path_(path), creator_(creator), keep_(keep) {
    h5::quiet();
    if (!isRegularOrAbsent(path))
      throw InputError(
          "'{}' is a pipe or a device: HDF5 is written to regular files only; name one", path);
    const Handle how = fileAccess();
    const std::string failed = fmt::format("'{}' cannot be written as HDF5", path);
    if (keep)
      file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, how.get()), H5Fclose, failed);
    else
      file_ =
          Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, how.get()), H5Fclose, failed);
    plain_.descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    h5::require(plain_.descriptor >= 0, failed);
    reserve(0, 0);
    // A run that is killed before its first frame leaves a file that can be opened.
    flush();
  }

  // Whether the file is that of the last flush, with nothing left to write.
  bool isSound() const { return sound_; }

  void write(const Configuration& c, const FrameNotes& notes) {
    const auto n = static_cast<hsize_t>(c.size());
    const int d = c.box.dimension;
    reserve(n, d);
    sound_ = false;
    if (!made_) make(c);
    h5::require(c.velocities.size() == (hasVelocities_ ? 3 * c.size() : 0),
                "velocities in some frames and none in others");
    const std::vector<double> position = flattened(c.positions, d);
    std::vector<std::int32_t> species(c.size());
    for (std::size_t i = 0; i < c.size(); ++i) species[i] = static_cast<std::int32_t>(c.typeOf(i));
    std::vector<std::int64_t> ids(c.ids.begin(), c.ids.end());
    position_.write(frames_, position.data(), H5T_NATIVE_DOUBLE, n);
    if (hasVelocities_)
      velocity_.write(frames_, flattened(c.velocities, d).data(), H5T_NATIVE_DOUBLE, n);
    species_.write(frames_, species.data(), H5T_NATIVE_INT32, n);
    id_.write(frames_, ids.data(), H5T_NATIVE_INT64, n);
    // Box vectors as rows of a matrix: MDAnalysis takes them for those of any box.
    const auto sides = static_cast<std::size_t>(d);
    std::vector<double> edges(sides * sides, 0.0);
    for (std::size_t a = 0; a < sides; ++a) edges[a * sides + a] = c.box.length[a];
    edges_.write(frames_, edges.data(), H5T_NATIVE_DOUBLE, static_cast<hsize_t>(d));
    std::array<char, kRunText> run{};
    std::memcpy(run.data(), notes.run.data(), std::min(notes.run.size(), kRunText - 1));
    run_.write(frames_, run.data(), h5::textType(kRunText).get());
    const auto number = static_cast<std::int64_t>(notes.step);
    step_.write(frames_, &number, H5T_NATIVE_INT64);
    time_.write(frames_, &notes.time, H5T_NATIVE_DOUBLE);
    flush();
    // Last, so that a run that is killed within a flush leaves no frame that counts and is cut off.
    const std::uint8_t end = notes.end;
    end_.write(frames_++, &end, H5T_NATIVE_UINT8);
    flush();
    sound_ = true;
  }
  void flush() const {
    h5::require(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0,
                "cannot be flushed; is the disk full?");
  }
  void sync() const {
    requirePlace();
    if (::fsync(plain_.descriptor) != 0 && errno != EINVAL && errno != EROFS)
      throw RunError(writeErrorText(path_, errno));
  }
  // Throws RunError when the name no longer refers to the file.
  void requirePlace() const {
    if (!isBehind(plain_.descriptor, path_)) throw RunError(removedText(path_));
  }

 private:
  // Room for a frame before the library begins to write it: what it has half written when a disk is
  // full can be neither taken back nor read. Not every file system reports it.
  void reserve(hsize_t n, int dimension) const {
    constexpr hsize_t kRest = 256 << 10;  // groups, indices, what is not of particles
    const hsize_t width = made_ ? std::max(n, id_.particles()) : n;
    const hsize_t rows = n + std::min(width, kMostRows);  // the last part is written whole
    const hsize_t bytes = rows * (16 * static_cast<hsize_t>(dimension) + 12) + kRest;
    struct stat now {};
    struct rlimit limit {};
    if (::fstat(plain_.descriptor, &now) != 0) return;
    const auto size = static_cast<hsize_t>(now.st_size);
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < size + bytes)
      throw RunError(writeErrorText(path_, EFBIG));
    if (::fallocate(plain_.descriptor, FALLOC_FL_KEEP_SIZE, now.st_size,
                    static_cast<off_t>(bytes)) != 0 &&
        (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
      throw RunError(writeErrorText(path_, errno));
  }
  void make(const Configuration& c) {
    const hid_t f = file_.get();
    const auto d = static_cast<hsize_t>(c.box.dimension), n = static_cast<hsize_t>(c.size());
    const bool had = keep_ && H5Lexists(f, "particles/all/velocity", H5P_DEFAULT) > 0;
    hasVelocities_ = keep_ ? had : !c.velocities.empty();
    if (!keep_) describe(c);
    const double zero = 0;
    const std::int64_t none = -1;
    const std::int32_t noSpecies = -1;
    const std::string at = "particles/all/";
    position_ = Series(f, at + "position/value", H5T_IEEE_F64LE, {n, d}, &zero, keep_);
    if (hasVelocities_)
      velocity_ = Series(f, at + "velocity/value", H5T_IEEE_F64LE, {n, d}, &zero, keep_);
    species_ = Series(f, at + "species/value", H5T_STD_I32LE, {n}, &noSpecies, keep_);
    id_ = Series(f, at + "id/value", H5T_STD_I64LE, {n}, &none, keep_);
    edges_ = Series(f, at + "box/edges/value", H5T_IEEE_F64LE, {d, d}, nullptr, keep_);
    run_ = Series(f, "cellscope/run", h5::textType(kRunText).get(), {}, nullptr, keep_);
    end_ = Series(f, "cellscope/end", H5T_STD_U8LE, {}, nullptr, keep_);
    step_ = Series(f, at + "position/step", H5T_STD_I64LE, {}, nullptr, keep_);
    time_ = Series(f, at + "position/time", H5T_IEEE_F64LE, {}, nullptr, keep_);
    if (keep_) {
      frames_ = std::min({position_.frames(), species_.frames(), id_.frames(), edges_.frames(),
                          run_.frames(), end_.frames(), step_.frames(), time_.frames(),
                          hasVelocities_ ? velocity_.frames() : ~hsize_t{0}});
    } else {
      for (const std::string other : {"velocity", "species", "id", "box/edges"})
        for (const std::string shared : {"/step", "/time"})
          if (hasVelocities_ || other != "velocity")
            H5Lcreate_hard(f, (at + "position" + shared).c_str(), f, (at + other + shared).c_str(),
                           H5P_DEFAULT, H5P_DEFAULT);
    }
    made_ = true;
  }
  void describe(const Configuration& c) const {
    const hid_t f = file_.get();
    const Handle h5md = h5::group(f, "h5md");
    const std::int32_t version[2] = {1, 1};
    h5::attribute(h5md.get(), "version", H5T_NATIVE_INT32, 2, version);
    const Handle author = h5::group(f, "h5md/author"), creator = h5::group(f, "h5md/creator");
    h5::textAttribute(author.get(), "name", "unknown");
    const std::size_t space = creator_.find(' ');
    h5::textAttribute(creator.get(), "name", creator_.substr(0, space));
    h5::textAttribute(creator.get(), "version",
                      space == creator_.npos ? "unknown" : creator_.substr(space + 1));
    const Handle box = h5::group(f, "particles/all/box");
    const std::int32_t dimension = c.box.dimension;
    h5::attribute(box.get(), "dimension", H5T_NATIVE_INT32, 0, &dimension);
    const Handle word = h5::textType(8);
    std::array<char, 24> periodic{};
    for (std::size_t a = 0; a < 3; ++a) std::memcpy(&periodic[8 * a], "periodic", 8);
    h5::attribute(box.get(), "boundary", word.get(), static_cast<hsize_t>(dimension),
                  periodic.data());
    const Handle species = h5::group(f, "parameters/species"), own = h5::group(f, "cellscope");
    std::vector<double> diameter, mass;
    std::size_t longest = 1;
    for (const Species& s : c.species) longest = std::max(longest, s.name.size());
    std::vector<char> names(longest * c.species.size(), '\0');
    for (std::size_t k = 0; k < c.species.size(); ++k) {
      std::memcpy(&names[k * longest], c.species[k].name.data(), c.species[k].name.size());
      diameter.push_back(c.species[k].diameter), mass.push_back(c.species[k].mass);
    }
    const auto count = static_cast<hsize_t>(c.species.size());
    h5::dataset(species.get(), "name", h5::textType(longest).get(), count, names.data());
    h5::dataset(species.get(), "diameter", H5T_NATIVE_DOUBLE, count, diameter.data());
    h5::dataset(species.get(), "mass", H5T_NATIVE_DOUBLE, count, mass.data());
  }

  PlainFile plain_;  // the same file; closed last
  std::string path_, creator_;
  bool keep_ = false, made_ = false, hasVelocities_ = false, sound_ = true;
  hsize_t frames_ = 0;
  Handle file_;
  Series position_, velocity_, species_, id_, edges_, run_, end_, step_, time_;
};

// Each frame is written by a thread of its own, which first waits for that of the frame before.
class Writer final : public FrameSink {
 public:
  Writer(const std::string& path, const std::string& creator, bool keep)
      : path_(path), file_(std::make_unique<File>(path, creator, keep)) {}
  // Completes what waits, without reporting.
  ~Writer() override { finish(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void append(const Configuration& c, const FrameNotes& notes) override {
    while (!frames_.empty() && (frames_.size() > 2 || isReady(frames_.front()))) takeFirst();
    frames_.push_back(
        std::async(std::launch::async, [this, before = frames_.empty() ? Written() : frames_.back(),
                                        frame = Configuration(c), notes]() mutable {
          // What went wrong with it goes on to this one, which is not written then.
          if (before.valid()) std::exchange(before, {}).get();
          write(std::exchange(frame, {}), notes);
        }));
  }
  // Until all frames are on the device.
  void flushToDisk() override {
    while (!frames_.empty()) takeFirst();
    if (file_) file_->sync();
  }
  void close() override {
    while (!frames_.empty()) takeFirst();
    if (file_) file_->requirePlace();
    finish();
  }

 private:
  using Written = std::shared_future<void>;
  static bool isReady(const Written& frame) {
    return frame.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  void write(const Configuration& c, const FrameNotes& notes) {
    h5::quiet();
    try {
      file_->write(c, notes);
    } catch (const std::exception& e) {
      throw RunError("'{}': step {}: {}; the frames before are kept", path_, notes.step, e.what());
    }
  }
  // An error is that of those which wait, too, and thrown once.
  void takeFirst() {
    const Written first = frames_.front();
    frames_.pop_front();
    try {
      first.get();
    } catch (...) {
      frames_.clear();
      throw;
    }
  }
  void finish() {
    frames_.clear();  // waits for each
    h5::quiet();
    // What the library could not write it would try again at every closing: it stays open then.
    if (file_ && !file_->isSound()) static_cast<void>(file_.release());
    file_.reset();
  }

  std::string path_;
  std::unique_ptr<File> file_;
  std::deque<Written> frames_;  // that are written or wait
};

}  // namespace

std::unique_ptr<FrameSink> createH5md(const std::string& path, const std::string& creator,
                                      bool keep) {
  return std::make_unique<Writer>(path, creator, keep);
}

}  // namespace cellscope::io
