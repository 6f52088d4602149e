#include "render/renderer.h"

#include <zlib.h>

#include <string_view>

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

constexpr std::size_t kSignature = 8;
constexpr std::size_t kHeaderChunk = 12 + 13;  // IHDR

static const std::uint8_t* octets(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}
std::uint32_t crcOf(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32(0, octets(bytes), static_cast<uInt>(bytes.size())));
}

void appendBig(std::string& out, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(v >> shift);
}
std::uint32_t big(std::string_view bytes, std::size_t at) {
  const std::uint8_t* p = octets(bytes) + at;
  return static_cast<std::uint32_t>(p[0]) << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

bool printable(unsigned char c) { return c >= 32 && c < 127; }

void appendText(std::string& out, const std::string& keyword, const std::string& text) {
  if (keyword.empty() || keyword.size() > 79 ||
      !std::ranges::all_of(keyword, [](unsigned char c) { return printable(c); }))
    throw InputError(
        "PNG metadata: the keyword \"{}\" must have 1 to 79 printable ASCII characters", keyword);
  const bool ascii =
      std::ranges::all_of(text, [](unsigned char c) { return printable(c) || c == '\n'; });
  std::string chunk = (ascii ? "tEXt" : "iTXt") + keyword + '\0';
  // iTXt: not compressed, method 0, no language, no translated keyword.
  if (!ascii) chunk.append(4, '\0');
  chunk += text;
  appendBig(out, static_cast<std::uint32_t>(chunk.size() - 4));
  out += chunk;
  appendBig(out, crcOf(chunk));
}

void requireHeader(const std::string& bytes, const std::string& path) {
  constexpr std::string_view kBegin("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16);
  if (bytes.size() < kSignature + kHeaderChunk || !bytes.starts_with(kBegin))
    throw InputError("{} is not a PNG picture: it does not begin as one", path);
}

// Before memory is taken for them. A row has a byte and at least a bit for each pixel; deflate
// makes at most 1032 bytes of one (zlib).
void requirePossibleSize(const std::string& bytes, const std::string& path) {
  const std::uint64_t width = big(bytes, kSignature + 8), height = big(bytes, kSignature + 12);
  const std::uint64_t packed = bytes.size() - kSignature - kHeaderChunk;
  if (width < 1 || height < 1 || width * height > kMostPixelsRead)
    throw InputError("{} has {} x {} pixels; allowed: 1 to {}", path, width, height,
                     kMostPixelsRead);
  if (height * (1 + (width + 7) / 8) > 1032 * packed)
    throw InputError("{} declares {} x {} pixels, more than its {} bytes can hold", path, width,
                     height, bytes.size());
}

std::string encodePng(const Image& image, const Metadata& metadata) {
  std::string png;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                               static_cast<std::size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &png, image.width, image.height, 3, image.rgb.data(),
                              image.width * 3) ||
      png.size() < kSignature + kHeaderChunk)
    throw RunError("out of memory while encoding a picture of {} x {} pixels", image.width,
                   image.height);
  std::string chunks;
  for (const auto& [keyword, text] : metadata) appendText(chunks, keyword, text);
  return png.insert(kSignature + kHeaderChunk, chunks);
}

Image decodePng(const std::string& bytes, const std::string& path, Metadata* metadata) {
  constexpr std::size_t kMost = 1 << 30;  // stb counts in int
  if (bytes.size() > kMost)
    throw InputError("cannot read picture {}: it is larger than 1 GiB", path);
  requireHeader(bytes, path);
  requirePossibleSize(bytes, path);
  Image image;
  int channels = 0;
  std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(octets(bytes), static_cast<int>(bytes.size()), &image.width,
                            &image.height, &channels, 3),
      stbi_image_free);
  if (!pixels) throw InputError("{} is not a PNG picture: {}", path, stbi_failure_reason());
  image.rgb.assign(pixels.get(),
                   pixels.get() + 3 * static_cast<std::size_t>(image.width) * image.height);
  if (metadata) *metadata = pngTexts(bytes, path);
  return image;
}

Metadata pngTexts(const std::string& bytes, const std::string& path) {
  requireHeader(bytes, path);
  Metadata texts;
  for (std::size_t at = kSignature; at + 12 <= bytes.size();) {
    const std::size_t size = big(bytes, at);
    if (size > bytes.size() - at - 12) break;
    const std::string_view chunk = std::string_view(bytes).substr(at + 4, size + 4);
    const std::string_view type = chunk.substr(0, 4);
    if (crcOf(chunk) != big(bytes, at + 8 + size))
      throw InputError("{}: the checksum of chunk {} is wrong", path, type);
    if (type == "tEXt" || type == "iTXt") {
      const std::string_view all = chunk.substr(4);
      const std::size_t zero = std::min(all.find('\0'), all.size());
      // iTXt has five bytes between keyword and text.
      const std::size_t from = std::min(zero + (type == "iTXt" ? 5 : 1), all.size());
      texts.emplace_back(all.substr(0, zero), all.substr(from));
    }
    at += 12 + size;
  }
  return texts;
}

}  // namespace cellscope::render
