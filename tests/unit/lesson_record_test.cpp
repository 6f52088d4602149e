// The records of a lesson: what a follower takes from the network, and all that it refuses.
#include <gtest/gtest.h>

#include <string>

#include "sim/base/error.h"
#include "sim/run/lesson.h"
#include "tests/support/message_of.h"

namespace cellscope::lesson {
namespace {

using test::messageOf;

// Pieces of `size` bytes, as a network may cut them.
std::vector<Record> readInPieces(const std::string& bytes, std::size_t size) {
  RecordReader reader;
  std::vector<Record> all;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    reader.add(std::string_view(bytes).substr(at, size));
    while (auto record = reader.next()) all.push_back(*record);
  }
  return all;
}

std::string refusalOf(const std::string& bytes) {
  return messageOf<InputError>([&] { readInPieces(bytes, bytes.size()); });
}

std::string headerOf(char kind, std::uint32_t stored, std::uint32_t size) {
  std::string out(1, kind);
  for (const std::uint32_t n : {stored, size})
    for (int k = 0; k < 4; ++k) out += static_cast<char>(n >> (8 * k) & 0xff);
  return out;
}

TEST(LessonRecords, ComeBackWhereverTheStreamIsCut) {
  const std::string longText(30000, 'x');
  const std::string bytes = lesson::packRecord(RecordKind::mark, "one") +
                            lesson::packRecord(RecordKind::state, longText) +
                            lesson::packRecord(RecordKind::welcome, "");
  EXPECT_LT(bytes.size(), 1000u);  // packed
  for (const std::size_t size : {1, 7, 1000}) {
    const std::vector<Record> all = readInPieces(bytes, size);
    ASSERT_EQ(all.size(), 3u) << size;
    EXPECT_EQ(all[0].body, "one");
    EXPECT_EQ(all[1].kind, RecordKind::state);
    EXPECT_EQ(all[1].body, longText);
    EXPECT_EQ(all[2].body, "");
  }
}

TEST(LessonRecords, TruncatedOnesAreWaitedFor) {
  const std::string bytes = lesson::packRecord(RecordKind::mark, "some text");
  EXPECT_TRUE(readInPieces(bytes.substr(0, bytes.size() - 1), 4).empty());
  EXPECT_TRUE(readInPieces(bytes.substr(0, lesson::kHeaderBytes - 1), 4).empty());
}

TEST(LessonRecords, GarbageAndUnknownKindsAreRefusedAtTheFirstByte) {
  EXPECT_NE(refusalOf("HTTP/1.1 200 OK").find("no record of kind"), std::string::npos);
  for (int kind = 0; kind < 256; ++kind) {
    const std::string bytes(1, static_cast<char>(kind));
    const bool isKnown = lesson::mostBytes(static_cast<RecordKind>(bytes[0])) > 0;
    EXPECT_EQ(refusalOf(bytes).empty(), isKnown) << kind;
    EXPECT_EQ(isKnown, std::string("WRSCMP").find(bytes) != std::string::npos) << kind;
  }
}

// By its header alone: nothing of it is waited for or kept.
TEST(LessonRecords, TooLargeOnesAreRefusedBeforeTheyCome) {
  for (const char kind : {'W', 'R', 'S', 'C', 'M', 'P'}) {
    const auto most = static_cast<std::uint32_t>(lesson::mostBytes(static_cast<RecordKind>(kind)));
    EXPECT_EQ(refusalOf(headerOf(kind, 1, most)), "") << kind;
    EXPECT_NE(refusalOf(headerOf(kind, 1, most + 1)).find("at most"), std::string::npos) << kind;
    EXPECT_NE(refusalOf(headerOf(kind, 2, 1)).find("at most"), std::string::npos) << kind;
    EXPECT_NE(refusalOf(headerOf(kind, ~0u, ~0u)).find("at most"), std::string::npos) << kind;
  }
  EXPECT_THROW(lesson::packRecord(RecordKind::mark, std::string((1 << 16) + 1, 'x')), InputError);
}

TEST(LessonRecords, DamagedOnesAreRefused) {
  const std::string good = lesson::packRecord(RecordKind::scenario, std::string(2000, 'x'));
  int refused = 0;
  for (std::size_t at = lesson::kHeaderBytes; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    refused += refusalOf(bad).empty() ? 0 : 1;
  }
  // zlib checks every byte of the body (Adler-32), but for unused bits of its last one.
  EXPECT_GE(refused, static_cast<int>(good.size() - lesson::kHeaderBytes) - 1);
  // A size that is not that of what was packed.
  std::string bomb = good;
  bomb[5] = 1, bomb[6] = 1;
  EXPECT_NE(refusalOf(bomb), "");
}

TEST(LessonMarks, ComeBackWithEveryNumberExact) {
  const Mark m{
      3,
      1234567890123,
      17,
      0xfedcba9876543210,
      true,
      2,
      {{5, 0, "packing", 0.1 + 0.2}, {5, 3, "n", std::int64_t{7}, true}, {9, 0, "d", true}}};
  const Mark back = lesson::markFromText(lesson::markText(m));
  EXPECT_EQ(back.course, m.course);
  EXPECT_EQ(back.step, m.step);
  EXPECT_EQ(back.preparing, m.preparing);
  EXPECT_EQ(back.hash, m.hash);
  EXPECT_EQ(back.playing, m.playing);
  EXPECT_EQ(back.first, m.first);
  EXPECT_EQ(back.edits, m.edits);
}

TEST(LessonMarks, WrongOnesAreRefused) {
  for (const char* text : {"", "\n", "1 2 3 4 1\n", "1 2 3 4 1 5 6\n", "1 2 3 xyz 1 5\n",
                           "-1 2 3 4 1 5\n", "1 99999999999999999999999 3 4 1 5\n",
                           "1 2 3 4 1 5\nnot an edit\n", "1 2 3 4 1 5\n1\t0\td\tq\t1\n",
                           "1 2 3 4 1 5\n3\t0\td\td\t0.1\n",                    // after the mark
                           "1 2 3 4 1 5\n2\t0\td\td\t0.1\n1\t0\td\td\t0.1\n"})  // back in time
    EXPECT_THROW(lesson::markFromText(text), InputError) << text;
  EXPECT_THROW(lesson::markFromText(std::string(300, '1')), InputError);
}

}  // namespace
}  // namespace cellscope::lesson
