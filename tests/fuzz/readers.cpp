// libFuzzer target of the readers of foreign files; the first byte chooses the reader: P and C
// pictures and checkpoints, a digit a format of particles (io::formats()).
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "render/png.h"
#include "sim/base/error.h"
#include "sim/io/container.h"
#include "sim/io/formats/format.h"
#include "sim/io/list_file.h"

namespace {

// A file in memory, under its name.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : fd_(::memfd_create("input", 0)) {
    if (::write(fd_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(fd_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace

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
      case 'P': {
        render::Metadata texts;
        render::decodePng({reinterpret_cast<const char*>(data + 1), size - 1}, path, &texts);
        break;
      }
      case 'C':
        io::unpack({reinterpret_cast<const char*>(data + 1), size - 1}, path);
        break;
      default:
        if (data[0] < '0' || data[0] >= '0' + io::formats().size()) return 0;
        io::formats()[data[0] - '0'].read(path, false,
                                          [](io::FileFrame f) { io::settle(std::move(f), {}); });
    }
  } catch (const InputError&) {  // clean
  }
  return 0;
}
