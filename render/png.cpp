#include "render/png.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "sim/base/error.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>

namespace cellscope::render {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kSignature = 8;
constexpr std::size_t kHeaderChunk = 12 + 13;  // IHDR

std::uint32_t crcOf(const std::uint8_t* p, std::size_t n) {
  return static_cast<std::uint32_t>(crc32(0, p, static_cast<uInt>(n)));
}

void appendBig(Bytes& out, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(v >> shift));
}
std::uint32_t big(const std::uint8_t* p) {
  return static_cast<std::uint32_t>(p[0]) << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

bool printable(unsigned char c) { return c >= 32 && c < 127; }
bool asciiText(const std::string& s) {
  return std::all_of(s.begin(), s.end(), [](unsigned char c) { return printable(c) || c == '\n'; });
}

void appendText(Bytes& out, const std::string& keyword, const std::string& text) {
  if (keyword.empty() || keyword.size() > 79 ||
      !std::all_of(keyword.begin(), keyword.end(), [](unsigned char c) { return printable(c); }))
    throw InputError(fmt::format(
        "PNG metadata: the keyword \"{}\" must have 1 to 79 printable ASCII characters", keyword));
  const bool ascii = asciiText(text);
  std::string chunk = (ascii ? "tEXt" : "iTXt") + keyword + '\0';
  // iTXt: not compressed, method 0, no language, no translated keyword.
  if (!ascii) chunk.append(4, '\0');
  chunk += text;
  const auto* p = reinterpret_cast<const std::uint8_t*>(chunk.data());
  appendBig(out, static_cast<std::uint32_t>(chunk.size() - 4));
  out.insert(out.end(), p, p + chunk.size());
  appendBig(out, crcOf(p, chunk.size()));
}

std::string readText(const std::string& type, const std::uint8_t* p, std::size_t n,
                     std::string& keyword) {
  const std::uint8_t* end = p + n;
  const std::uint8_t* zero = std::find(p, end, std::uint8_t{0});
  keyword.assign(p, zero);
  const std::ptrdiff_t skip = type == "iTXt" ? 5 : 1;
  return end - zero > skip ? std::string(zero + skip, end) : std::string();
}

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

[[noreturn]] void cannotWrite(const std::string& path, int code) {
  throw RunError(
      fmt::format("cannot write picture {}: {}; choose another folder or free some space", path,
                  std::strerror(code)));
}

// `picture`: the name that messages give.
void writeBytes(const std::string& path, const Bytes& bytes, const std::string& picture) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) cannotWrite(picture, errno);
  int code = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    code = errno ? errno : ENOSPC;
  if (std::fclose(file) != 0 && code == 0) code = errno;
  if (code != 0) cannotWrite(picture, code);
}

// Of a PNG file, with its header.
Bytes bytesOf(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("cannot read picture {}: {}", path, why));
  };
  constexpr std::uintmax_t kMost = 1 << 30;  // stb counts in int
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    refuse("it is not a regular file");
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse(std::strerror(errno));
  if (std::filesystem::file_size(path, error) > kMost) refuse("it is larger than 1 GiB");
  Bytes bytes;
  std::uint8_t block[65536];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get()))
    bytes.insert(bytes.end(), block, block + n);
  const std::uint8_t begin[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                0,    0,   0,   13,  'I',  'H',  'D',  'R'};
  if (bytes.size() < kSignature + kHeaderChunk ||
      !std::equal(std::begin(begin), std::end(begin), bytes.begin()))
    throw InputError(fmt::format("{} is not a PNG picture: it does not begin as one", path));
  return bytes;
}

// Before memory is taken for them. A row has a byte and at least a bit for each pixel; deflate
// makes at most 1032 bytes of one (zlib).
void requirePossibleSize(const Bytes& bytes, const std::string& path) {
  const std::uint64_t width = big(&bytes[kSignature + 8]), height = big(&bytes[kSignature + 12]);
  const std::uint64_t packed = bytes.size() - kSignature - kHeaderChunk;
  if (width < 1 || height < 1 || width * height > kMostPixelsRead)
    throw InputError(fmt::format("{} has {} x {} pixels; allowed: 1 to {}", path, width, height,
                                 kMostPixelsRead));
  if (height * (1 + (width + 7) / 8) > 1032 * packed)
    throw InputError(fmt::format("{} declares {} x {} pixels, more than its {} bytes can hold",
                                 path, width, height, bytes.size()));
}

Metadata textsOf(const Bytes& bytes, const std::string& path) {
  Metadata texts;
  for (std::size_t at = kSignature; at + 12 <= bytes.size();) {
    const std::size_t size = big(&bytes[at]);
    const std::string type(bytes.begin() + at + 4, bytes.begin() + at + 8);
    if (size > bytes.size() - at - 12) break;
    if (crcOf(&bytes[at + 4], size + 4) != big(&bytes[at + 8 + size]))
      throw InputError(fmt::format("{}: the checksum of chunk {} is wrong", path, type));
    if (type == "tEXt" || type == "iTXt") {
      std::string keyword;
      std::string text = readText(type, &bytes[at + 8], size, keyword);
      texts.emplace_back(std::move(keyword), std::move(text));
    }
    at += 12 + size;
  }
  return texts;
}

// A pipe or a device such as /dev/stdout is written to; renaming a file over it would destroy it.
bool isDevice(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace

Bytes encodePng(const Image& image, const Metadata& metadata) {
  Bytes png;
  const auto append = [](void* context, void* data, int size) {
    auto& out = *static_cast<Bytes*>(context);
    const auto* p = static_cast<const std::uint8_t*>(data);
    out.insert(out.end(), p, p + size);
  };
  if (!stbi_write_png_to_func(append, &png, image.width, image.height, 3, image.rgb.data(),
                              image.width * 3) ||
      png.size() < kSignature + kHeaderChunk)
    throw RunError(fmt::format("out of memory while encoding a picture of {} x {} pixels",
                               image.width, image.height));
  Bytes chunks;
  for (const auto& [keyword, text] : metadata) appendText(chunks, keyword, text);
  png.insert(png.begin() + kSignature + kHeaderChunk, chunks.begin(), chunks.end());
  return png;
}

void writePng(const std::string& path, const Image& image, const Metadata& metadata) {
  const Bytes png = encodePng(image, metadata);
  if (isDevice(path)) return writeBytes(path, png, path);
  const std::string temporary = path + ".part";
  try {
    writeBytes(temporary, png, path);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) cannotWrite(path, errno);
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
}

Image readPng(const std::string& path, Metadata* metadata) {
  const Bytes bytes = bytesOf(path);
  requirePossibleSize(bytes, path);
  Image image;
  int channels = 0;
  std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &image.width,
                            &image.height, &channels, 3),
      stbi_image_free);
  if (!pixels)
    throw InputError(fmt::format("{} is not a PNG picture: {}", path, stbi_failure_reason()));
  image.rgb.assign(pixels.get(),
                   pixels.get() + 3 * static_cast<std::size_t>(image.width) * image.height);
  if (metadata) *metadata = textsOf(bytes, path);
  return image;
}

Metadata readPngTexts(const std::string& path) { return textsOf(bytesOf(path), path); }

}  // namespace cellscope::render
