#include "sim/run/lesson.h"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <initializer_list>

#include "sim/api/mode.h"
#include "sim/base/error.h"
#include "sim/core/rng.h"
#include "sim/io/container.h"
#include "sim/io/text_lines.h"

namespace cellscope::lesson {

namespace {

constexpr const char* kLessonName = "the lesson";  // in messages

[[noreturn]] void refuseRecord(const std::string& why) {
  throw InputError("this is no lesson: {}", why);
}

std::string unpacked(std::string_view stored, std::size_t size) {
  if (stored.size() == size) return std::string(stored);
  std::string body(size, '\0');
  uLongf got = size;
  const int result = uncompress(reinterpret_cast<Bytef*>(body.data()), &got,
                                reinterpret_cast<const Bytef*>(stored.data()), stored.size());
  if (result != Z_OK || got != size) refuseRecord("a record cannot be unpacked");
  return body;
}

std::uint64_t lessonNumber(const std::string& text) {
  if (const auto value = io::numberOf<std::uint64_t>(text)) return *value;
  refuseRecord(fmt::format("'{}' is no number", io::shortened(text)));
}

// The first line of a text, as `count` words, which is taken from it.
std::vector<std::string> takeWords(std::string& text, std::size_t count) {
  const std::size_t end = text.find('\n');
  if (end == text.npos || end > 200) refuseRecord("a record has no first line");
  const std::vector<std::string> words = io::splitAt(text.substr(0, end), ' ');
  if (words.size() != count) refuseRecord("the first line of a record has another length");
  text.erase(0, end + 1);
  return words;
}

std::uint64_t mixed(std::uint64_t x) {
  const RngKey key = hashSeed(x);
  return std::uint64_t{key.k1} << 32 | key.k0;
}

std::uint64_t joined(std::initializer_list<double> values, std::uint64_t hash) {
  for (const double v : values) hash = mixed(hash + std::bit_cast<std::uint64_t>(v)) + 1;
  return hash;
}

}  // namespace

std::size_t mostBytes(RecordKind kind) {
  using enum RecordKind;
  return kind == welcome || kind == refusal || kind == shown ? 1 << 10
         : kind == mark                                      ? 1 << 16
         : kind == scenario                                  ? 1 << 18
         : kind == state                                     ? 1 << 28
                                                             : 0;
}

std::string packRecord(RecordKind kind, std::string_view body) {
  const std::size_t most = mostBytes(kind);
  if (body.size() > most)
    throw InputError(
        "{} bytes are too many for a lesson, which takes at most {}; use fewer particles",
        body.size(), most);
  uLongf size = compressBound(body.size());
  std::string packed(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(body.data()), body.size(),
                               kind == RecordKind::state ? Z_BEST_SPEED : Z_BEST_COMPRESSION);
  packed.resize(size);
  const std::string_view stored = result == Z_OK && size < body.size() ? packed : body;
  std::string out(1, static_cast<char>(kind));
  for (const std::size_t bytes : {stored.size(), body.size()})
    appendRaw(out, static_cast<std::uint32_t>(bytes));
  return out.append(stored);
}

std::optional<Record> RecordReader::next() {
  if (buffer_.empty()) return {};
  const auto kind = static_cast<RecordKind>(buffer_[0]);
  const std::size_t most = mostBytes(kind);
  if (most == 0) refuseRecord(fmt::format("there is no record of kind {}", +buffer_[0]));
  if (buffer_.size() < kHeaderBytes) return {};
  const std::size_t stored = rawAt<std::uint32_t>(buffer_, 1),
                    size = rawAt<std::uint32_t>(buffer_, 5);
  if (size > most || stored > size)
    refuseRecord(fmt::format("a record of kind {} has {} bytes; at most {} are allowed", buffer_[0],
                             std::max(size, stored), most));
  if (buffer_.size() - kHeaderBytes < stored) return {};
  Record record{kind, unpacked(std::string_view(buffer_).substr(kHeaderBytes, stored), size)};
  buffer_.erase(0, kHeaderBytes + stored);
  return record;
}

std::string markText(const Mark& m) {
  return fmt::format("{} {} {} {} {} {}\n", m.course, m.step, m.preparing, m.hash,
                     m.playing ? 1 : 0, m.first) +
         editsText(m.edits);
}

Mark markFromText(const std::string& text) {
  std::string rest = text;
  const std::vector<std::string> words = takeWords(rest, 6);
  Mark m{lessonNumber(words[0]),          lessonNumber(words[1]), lessonNumber(words[2]),
         lessonNumber(words[3]),          words[4] == "1",        lessonNumber(words[5]),
         editsFromText(rest, kLessonName)};
  std::uint64_t before = 0;
  for (const Edit& e : m.edits) {
    if (e.step < before || e.step > m.step)
      refuseRecord(fmt::format("the change of '{}' at step {} is out of order",
                               io::shortened(e.key), e.step));
    before = e.step;
  }
  return m;
}

std::string stateText(const Place& place, std::string_view body) {
  return fmt::format("{} {}\n", place.course, place.edits).append(body);
}

Place takePlace(std::string& text) {
  const std::vector<std::string> words = takeWords(text, 2);
  return {lessonNumber(words[0]), lessonNumber(words[1])};
}

std::uint64_t stateHash(const Mode& mode) {
  const Configuration c = mode.configuration();
  std::uint64_t sum = joined({c.box.length[0], c.box.length[1], c.box.length[2]}, mode.step());
  for (const double v : mode.numbersOfAll()) sum = joined({v}, sum);
  for (std::size_t i = 0; i < c.size(); ++i) {
    std::uint64_t hash = mixed(static_cast<std::uint64_t>(c.ids[i])) + c.typeOf(i);
    hash = joined({c.positions[3 * i], c.positions[3 * i + 1], c.positions[3 * i + 2]}, hash);
    if (!c.velocities.empty())
      hash = joined({c.velocities[3 * i], c.velocities[3 * i + 1], c.velocities[3 * i + 2]}, hash);
    sum += mixed(hash);
  }
  return sum;
}

}  // namespace cellscope::lesson
