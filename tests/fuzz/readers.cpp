// libFuzzer target of the readers of foreign files; the first byte chooses the reader.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "render/png.h"
#include "sim/base/error.h"
#include "sim/io/container.h"
#include "sim/io/h5md.h"
#include "sim/io/xyz.h"

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
      case 'x':
        io::readXyz(path);
        break;
      case 'h':
        io::readH5md(path);
        break;
      case 'p': {
        render::Metadata texts;
        render::readPng(path, &texts);
        break;
      }
      case 'c':
        io::unpack({reinterpret_cast<const char*>(data + 1), size - 1}, path);
        break;
    }
  } catch (const InputError&) {  // clean
  }
  return 0;
}
