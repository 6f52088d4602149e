// The check of neighbour lists against brute force over a cube of images, and what it finds of
// planted faults.
#include "sim/algo/list_check/check.h"

#include "sim/base/error.h"
#include "tests/support/list_faults.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using list_check::check, list_check::Kind, list_check::Report, list_check::Wrong;

std::uint64_t countOf(const Report& r, Kind k) { return r.count[static_cast<std::size_t>(k)]; }

void expectRight(const PairList& l) {
  const Report r = check(l);
  EXPECT_EQ(r.wrongPairs(), 0u) << l.file;
  EXPECT_EQ(r.right, r.entries) << l.file;
  EXPECT_TRUE(r.faults.empty()) << l.file;
}

// Of a right list that is damaged: one wrong pair and no other.
template <class Damage>
void expectOne(PairList l, Kind kind, std::int64_t i, std::int64_t j, const Damage& damage) {
  damage(l);
  const Report r = check(l);
  EXPECT_EQ(r.wrongPairs(), 1u) << l.file << " " << static_cast<int>(kind);
  ASSERT_EQ(countOf(r, kind), 1u) << l.file << " " << static_cast<int>(kind);
  const Wrong& w = r.wrong.at(0);
  EXPECT_TRUE((w.i == i && w.j == j) || (w.i == j && w.j == i))
      << l.file << " " << w.i << " " << w.j;
}

bool says(const Report& r, Kind kind, const std::string& words) {
  for (const list_check::Cause& c : r.causes)
    if (c.kind == kind && c.words.find(words) != c.words.npos) return true;
  return false;
}

TEST(ListCheck, FindsBruteForceRightInEveryBox) {
  for (const BoxCase& c : boxCases())
    for (const unsigned seed : {1u, 2u}) {
      PairList full = listed(c, seed);
      ASSERT_GT(full.i.size(), 0u) << c.name;
      expectRight(full);
      expectRight(halfOf(full));
      PairList numbers = full, halfNumbers = halfOf(full);
      numbers.shift.clear(), halfNumbers.shift.clear();
      expectRight(numbers);
      expectRight(halfNumbers);
    }
}

TEST(ListCheck, KnowsHalfAndFullListsByThemselves) {
  PairList full = listed(boxCases()[0]), half = halfOf(full);
  full.half.reset(), half.half.reset();
  expectRight(full);
  expectRight(half);
  EXPECT_TRUE(check(half).half);
  EXPECT_FALSE(check(full).half);
}

TEST(ListCheck, FindsEveryPlantedFaultOfAFullList) {
  for (const BoxCase& c : boxCases()) {
    const PairList l = listed(c);
    const std::size_t k = l.i.size() / 3, axis = c.periodic[0] ? 0 : 2;
    const std::int64_t i = l.i[k], j = l.j[k];
    const std::array<int, 3> s = shiftOf(l, k);
    std::array<int, 3> far = s;
    far[axis] += 11;
    ASSERT_LT(reverseOf(l, k), l.i.size());
    expectOne(l, Kind::oneSided, i, j, [&](auto& d) { erasePair(d, k); });
    expectOne(l, Kind::missing, i, j, [&](auto& d) { eraseBoth(d, k); });
    expectOne(l, Kind::twice, i, j, [&](auto& d) { addPair(d, i, j, s); });
    expectOne(l, Kind::self, i, i, [&](auto& d) { addPair(d, i, i); });
    for (const std::int64_t no : {std::int64_t{-1}, static_cast<std::int64_t>(l.size())})
      expectOne(l, Kind::outOfRange, i, no, [&](auto& d) { addPair(d, i, no); });
    expectOne(l, Kind::beyond, i, j, [&](auto& d) { addPair(d, i, j, far); });
    expectOne(l, Kind::wrongImage, i, j, [&](auto& d) { d.shift[3 * k + axis] += 11; });
  }
}

TEST(ListCheck, FindsEveryPlantedFaultOfAHalfList) {
  for (const BoxCase& c : boxCases()) {
    const PairList l = halfOf(listed(c));
    const std::size_t k = l.i.size() / 2;
    const std::int64_t i = l.i[k], j = l.j[k];
    const std::array<int, 3> s = shiftOf(l, k), back = {-s[0], -s[1], -s[2]};
    expectOne(l, Kind::missing, i, j, [&](auto& d) { erasePair(d, k); });
    expectOne(l, Kind::twice, i, j, [&](auto& d) { addPair(d, j, i, back); });
    expectOne(l, Kind::self, j, j, [&](auto& d) { addPair(d, j, j); });
  }
}

TEST(ListCheck, FindsFaultsWithoutImages) {
  for (const BoxCase& c : boxCases()) {
    PairList l = listed(c);
    const std::size_t k = l.i.size() / 3;
    const std::int64_t i = l.i[k], j = l.j[k];
    l.shift.clear();
    expectOne(l, i == j ? Kind::missing : Kind::oneSided, i, j, [&](auto& d) { erasePair(d, k); });
    expectOne(l, Kind::twice, i, j, [&](auto& d) { addPair(d, i, j); });
    if (c.name != "cubic") continue;
    expectOne(l, Kind::self, 4, 4, [](auto& d) { addPair(d, 4, 4); });
    const std::int64_t other = apartFromFirst(l);
    expectOne(l, Kind::beyond, 0, other, [&](auto& d) { addPair(d, 0, other); });
    addPair(l, 0, other);
    const Wrong far = check(l).wrong.at(0);
    EXPECT_NEAR(far.distance, lengthOfPair(l, 0, static_cast<std::size_t>(other), far.shift),
                1e-12);
  }
}

TEST(ListCheck, TakesTheNearestImageAlone) {
  PairList l = scattered(boxCases()[4]);  // tiny
  listAll(l, boxCases()[4]);
  PairList nearest = l;
  nearest.nearest = true;
  nearest.i.clear(), nearest.j.clear(), nearest.shift.clear();
  for (std::size_t i = 0; i < l.size(); ++i)
    for (std::size_t j = 0; j < l.size(); ++j) {
      double best = 1e9;
      std::size_t at = 0;
      for (std::size_t k = 0; k < l.i.size() && i != j; ++k) {
        if (l.i[k] != static_cast<std::int64_t>(i) || l.j[k] != static_cast<std::int64_t>(j))
          continue;
        const double r = lengthOfPair(l, i, j, shiftOf(l, k));
        if (r < best) best = r, at = k;
      }
      if (best < 1e9) addPair(nearest, l.i[at], l.j[at], shiftOf(l, at));
    }
  if (nearest.shift.size() != 3 * nearest.i.size()) GTEST_FAIL();
  expectRight(nearest);
  PairList numbers = nearest;
  numbers.shift.clear();
  expectRight(numbers);
  l.nearest = true;
  EXPECT_GT(check(l).wrongPairs(), 0u) << "all images are more than the nearest";
}

TEST(ListCheck, KnowsCutoffsByTypeRadiiAndSkin) {
  for (const BoxCase& c : boxCases()) {
    if (c.n < 30) continue;
    PairList l = scattered(c);
    l.types = 3;
    const double r = c.cutoff;
    l.cutoffs = {r, 0.6 * r, 0, 0.6 * r, 0.8 * r, 0.3 * r, 0, 0.3 * r, 0.9 * r};
    for (std::size_t i = 0; i < l.size(); ++i) l.type.push_back(static_cast<std::uint32_t>(i % 3));
    listAll(l, c);
    expectRight(l);
    // The mask of one pair of types was forgotten.
    PairList masked = l;
    for (std::size_t k = masked.i.size(); k-- > 0;)
      if (masked.type[static_cast<std::size_t>(masked.i[k])] +
              masked.type[static_cast<std::size_t>(masked.j[k])] * 3u ==
          4u)
        erasePair(masked, k);
    const Report report = check(masked);
    EXPECT_GT(countOf(report, Kind::missing), 1u) << c.name;
    EXPECT_TRUE(says(report, Kind::missing, "types 1 and 1")) << c.name;
    PairList radii = scattered(c);
    for (std::size_t i = 0; i < radii.size(); ++i)
      radii.radius.push_back(i % 2 ? 0.5 * r : 0.2 * r);
    listAll(radii, c);
    expectRight(radii);
    PairList longer = scattered(c);
    longer.cutoff = r;
    listAll(longer, c);
    longer.cutoff = 0.8 * r, longer.skin = 0.2 * r;
    expectRight(longer);
    longer.skin = 0;
    EXPECT_GT(countOf(check(longer), Kind::beyond), 0u) << c.name;
  }
}

// Particles of a lattice whose spacing is the cutoff: each of these pairs may be listed or not,
// whether rounding is that of double or of single precision.
TEST(ListCheck, LeavesPairsAtTheCutoffOpen) {
  for (const bool single : {false, true}) {
    PairList l{.single = single, .cutoff = 0.7};
    const double side = 0.7 * 5;
    for (int a = 0; a < 3; ++a) l.cell[4 * a] = side;
    for (int k = 0; k < 125; ++k)
      for (const int c : {k % 5, k / 5 % 5, k / 25}) {
        const double x = 0.7 * c + 0.1;
        l.position.push_back(single ? static_cast<double>(static_cast<float>(x)) : x);
      }
    l.half = true;
    EXPECT_EQ(check(l).wrongPairs(), 0u);
    EXPECT_EQ(check(l).atCutoff, 375u);
    addPair(l, 0, 1);
    EXPECT_EQ(check(l).wrongPairs(), 0u);
    l.cutoff = single ? 0.7 + 1e-4 : 0.7 + 1e-12;
    EXPECT_EQ(countOf(check(l), Kind::missing), 374u);
    EXPECT_EQ(check(l).atCutoff, 0u);
  }
}

std::size_t eraseWhere(PairList& l, const std::function<bool(std::size_t)>& which) {
  std::size_t erased = 0;
  for (std::size_t k = l.i.size(); k-- > 0;)
    if (which(k)) erasePair(l, k), ++erased;
  return erased;
}

// Positions in the box, so that S tells what is crossed.
PairList inBox(const BoxCase& c) {
  PairList l = scattered(c);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (std::size_t i = 0; i < l.size(); ++i) {
    const double f[3] = {unit(random), unit(random), unit(random)};
    for (std::size_t k = 0; k < 3; ++k)
      l.position[3 * i + k] = f[0] * c.cell[k] + f[1] * c.cell[3 + k] + f[2] * c.cell[6 + k];
  }
  listAll(l, c);
  return l;
}

TEST(ListCheck, GuessesTheCommonCause) {
  const std::vector<BoxCase> boxes = boxCases();
  PairList face = inBox(boxes[0]);
  eraseWhere(face, [&](std::size_t k) { return face.shift[3 * k + 2] != 0; });
  EXPECT_TRUE(says(check(face), Kind::missing, "face along vector c"));

  PairList tilt = inBox(boxes[2]);
  eraseWhere(tilt, [&](std::size_t k) { return tilt.shift[3 * k + 1] != 0; });
  EXPECT_TRUE(says(check(tilt), Kind::missing, "tilted vector b"));

  PairList half = inBox(boxes[4]);
  eraseWhere(half, [&](std::size_t k) {
    return lengthOfPair(half, static_cast<std::size_t>(half.i[k]),
                        static_cast<std::size_t>(half.j[k]), shiftOf(half, k)) > 2.48;
  });
  EXPECT_TRUE(says(check(half), Kind::missing, "within 5 % of the cutoff"));

  PairList first = inBox(boxes[0]);
  eraseWhere(first, [&](std::size_t k) { return first.i[k] == 0 || first.j[k] == 0; });
  EXPECT_TRUE(says(check(first), Kind::missing, "first particle"));

  PairList sign = inBox(boxes[0]);
  for (std::int32_t& s : sign.shift) s = -s;
  EXPECT_TRUE(says(check(sign), Kind::wrongImage, "-S"));

  PairList counted = inBox(boxes[0]);
  for (std::size_t k = 0; k < counted.i.size(); ++k) ++counted.i[k], ++counted.j[k];
  EXPECT_TRUE(says(check(counted), Kind::outOfRange, "counting from 1"));

  PairList thread = inBox(boxes[0]);
  eraseWhere(thread, [&](std::size_t k) { return thread.i[k] % 32 == 7; });
  EXPECT_TRUE(says(check(thread), Kind::oneSided, "thread 7"));

  PairList cell = inBox(boxes[0]);
  putIntoCells(cell, {4, 4, 4});
  EXPECT_TRUE(check(cell).isRight());
  const auto at = [&](std::int64_t p) { return cell.cells.of[static_cast<std::size_t>(p)]; };
  eraseWhere(cell, [&](std::size_t k) { return at(cell.i[k]) == 0 || at(cell.j[k]) == 0; });
  EXPECT_TRUE(says(check(cell), Kind::missing, "in cell 0"));
}

// Pairs erased at random have nothing in common: with 40 of some 2000 pairs every trait is as
// common as among right ones, to a few standard errors.
TEST(ListCheck, GuessesNothingWhereThereIsNothing) {
  PairList l = inBox(boxCases()[0]);
  std::mt19937 random(9);
  for (int k = 0; k < 40; ++k) {
    const std::size_t at = random() % l.i.size();
    if (reverseOf(l, at) != l.i.size()) eraseBoth(l, at);
  }
  const Report r = check(l);
  EXPECT_GE(countOf(r, Kind::missing), 35u);
  EXPECT_TRUE(r.causes.empty()) << r.causes.front().words;
}

TEST(ListCheck, RefusesWhatItCannotJudge) {
  const std::pair<void (*)(PairList&), const char*> cases[] = {
      {[](auto& l) { l.cell[6] = l.cell[0], l.cell[7] = l.cell[4], l.cell[8] = 0; }, "volume"},
      {[](auto& l) { l.cutoff = 0; }, "cutoff"},
      {[](auto& l) { l.cutoff = 1e6; }, "allowed"},
      {[](auto& l) { l.position[5] = 1e30; }, "particle 1"}};
  for (const auto& [spoil, word] : cases) {
    PairList l = listed(boxCases()[0]);
    spoil(l);
    expectRefusal([&] { check(l); }, {word});
  }
}

TEST(ListCheck, HasNoPairsOfNoParticles) {
  PairList l = scattered(boxCases()[0]);
  l.position.clear(), l.half = false;
  EXPECT_TRUE(check(l).isRight());
}

}  // namespace
}  // namespace cellscope::test
