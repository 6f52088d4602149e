#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <filesystem>
#include <optional>

#include "sim/base/error.h"
#include "sim/io/formats/format.h"
#include "sim/io/output_file.h"

namespace cellscope::io {
namespace {

// The first bytes of a regular file, unpacked.
std::string headOf(const std::string& path) {
  constexpr unsigned kHead = 8192;
  std::string head(kHead, '\0');
  const gzFile file = gzopen(path.c_str(), "rb");
  if (!file) return "";
  const int n = gzread(file, head.data(), kHead);
  gzclose(file);
  head.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return head;
}

std::string suffixes() {
  std::vector<std::string> all;
  for (const Format& f : formats()) all.insert(all.end(), f.suffixes.begin(), f.suffixes.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

class TextSink : public FrameSink {
 public:
  TextSink(const std::string& path, FrameText text) : file_(path, OpenAs::replace), text_(text) {}
  void append(const Configuration& c, const FrameNotes& notes) override {
    file_.write(text_(c, notes));
    file_.flush();
  }
  void flushToDisk() override { file_.flushToDisk(); }
  void close() override { file_.close(); }

 private:
  OutputFile file_;
  FrameText text_;
};

}  // namespace

void refuseToContinue(const std::string& path) {
  throw InputError("'" + path +
                   "': files of this format cannot be continued; use another file for the rest of "
                   "the run, or .xyz or .h5 from the beginning");
}

std::unique_ptr<FrameSink> textSink(const std::string& path, FrameText text, bool append) {
  if (append) refuseToContinue(path);
  return std::make_unique<TextSink>(path, text);
}

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {xyzFormat(), xyzPackedFormat(),  h5mdFormat(),
                                          gsdFormat(), lammpsDumpFormat(), lammpsDataFormat(),
                                          pdbFormat(), npzFormat()};
  return all;
}

std::string formatKeys() {
  std::vector<std::string> keys;
  for (const Format& f : formats()) keys.push_back(f.key);
  return fmt::format("{}", fmt::join(keys, ", "));
}

const Format* formatOfName(const std::string& path) {
  for (const Format& f : formats())
    for (const std::string_view suffix : f.suffixes)
      if (path.size() > suffix.size() && path.ends_with(suffix)) return &f;
  return nullptr;
}

const Format& formatToWrite(const std::string& path, const std::string& key) {
  if (!key.empty()) {
    for (const Format& f : formats())
      if (key == f.key) return f;
    throw InputError(fmt::format("the format '{}' is not known; allowed: {}", key, formatKeys()));
  }
  if (const Format* f = formatOfName(path)) return *f;
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (!isRegularOrAbsent(path) || isOpenAlready(path)) return formats().front();
  throw InputError(
      fmt::format("'{}': {} names no format; allowed: {}; or give the format", path,
                  suffix.empty() ? "its name has no suffix, which" : "the suffix '" + suffix + "'",
                  suffixes()));
}

const Format* formatOfContent(const std::string& path) {
  const std::string head = headOf(path);
  for (const Format& f : formats())
    if (f.recognises && f.recognises(head)) return &f;
  return nullptr;
}

const Format& formatOfFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return formats().front();
  if (const Format* f = formatOfContent(path)) return *f;
  if (const Format* f = formatOfName(path)) return *f;
  std::string known;
  for (const Format& f : formats()) known += (known.empty() ? "" : ", ") + std::string(f.label);
  throw InputError(fmt::format(
      "'{}' is of no known format, by what it holds and by its suffix; known: {}", path, known));
}

LoadedFrame readConfiguration(const std::string& path, const ReadOptions& options) {
  std::optional<FileFrame> last;
  formatOfFile(path).read(path, true, [&](FileFrame f) { last = std::move(f); });
  if (!last) throw InputError(fmt::format("'{}' has no frame", path));
  return settle(std::move(*last), options);
}

void readFrames(const std::string& path, const ReadOptions& options,
                const std::function<void(LoadedFrame)>& take) {
  bool any = false;
  formatOfFile(path).read(path, false, [&](FileFrame f) {
    any = true;
    take(settle(std::move(f), options));
  });
  if (!any) throw InputError(fmt::format("'{}' has no frame", path));
}

}  // namespace cellscope::io
