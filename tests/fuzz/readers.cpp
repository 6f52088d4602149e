// libFuzzer target of the readers of foreign files; the first byte chooses the reader: P and C
// pictures and checkpoints, a digit a format of particles (io::formats()).
#include <unistd.h>

#include <cstdlib>

#include "render/renderer.h"
#include "sim/io/container.h"
#include "sim/io/formats/format.h"
#include "sim/io/list_file.h"
#include "tests/fuzz/hdf5_file.h"

namespace {

// A file in memory, under its name: HDF5 opens no file that has none.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) {
    const int fd = ::mkstemp(path_);
    if (fd < 0 || ::write(fd, data, size) != static_cast<ssize_t>(size)) std::abort();
    ::close(fd);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::unlink(path_); }
  std::string path() const { return path_; }

 private:
  char path_[40] = "/dev/shm/cellscope-fuzz-XXXXXX";
};

std::string sealed(std::string body) {
  const std::uint64_t sum = cellscope::io::crc64(body);
  return body.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

}  // namespace

// So that changed archives and pictures are read on: all checksums of the inputs are 0.
extern "C" unsigned long crc32(unsigned long, const unsigned char*, unsigned) { return 0; }

// The reader stays the same.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned) {
  return size < 2 || most < 2 ? size : 1 + LLVMFuzzerMutate(data + 1, size - 1, most - 1);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cellscope;
  if (size < 1) return 0;
  const MemoryFile file(data + 1, size - 1);
  const std::string path = file.path();
  try {
    switch (data[0]) {
      case 'L':
        io::readPairList(path);
        break;
      case 'M':
        fuzz::writeHdf5(path, true, data + 1, size - 1);
        io::readPairList(path);
        break;
      case 'H':
        fuzz::writeHdf5(path, false, data + 1, size - 1);
        io::h5mdFormat().read(path, false, [](io::FileFrame f) { io::settle(std::move(f)); });
        break;
      case 'P': {
        render::Metadata texts;
        render::decodePng({reinterpret_cast<const char*>(data + 1), size - 1}, path, &texts);
        break;
      }
      case 'C':
        io::unpack(sealed({reinterpret_cast<const char*>(data + 1), size - 1}), path);
        break;
      default:
        if (data[0] < '0' || data[0] >= '0' + io::formats().size()) return 0;
        io::formats()[data[0] - '0'].read(path, false,
                                          [](io::FileFrame f) { io::settle(std::move(f)); });
    }
  } catch (const InputError&) {  // clean
  }
  return 0;
}
