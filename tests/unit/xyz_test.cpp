// Extended XYZ files: what is written reads back the same, here and in ASE; what cannot be loaded
// is refused with file, line and the way out.
#include <limits>
#include <tuple>

#include "sim/io/text_lines.h"
#include "tests/support/formats.h"
#include "tests/support/message_of.h"
#include "tests/support/mixture.h"

namespace cellscope::test {
namespace {

// What a file with this text holds.
Configuration readText(const std::string& text) {
  const std::string path = testing::TempDir() + "text.xyz";
  std::ofstream(path, std::ios::binary) << text;
  return io::readConfiguration(path).configuration;
}

void write(const std::string& path, const std::vector<Configuration>& frames) {
  const auto file = io::formatToWrite(path).create(path, "", false);
  for (std::size_t k = 0; k < frames.size(); ++k) file->append(frames[k], {10 * k});
  file->close();
}

Configuration readAgain(const Configuration& c) {
  const std::string path = testing::TempDir() + "back.xyz";
  write(path, {c});
  return io::readConfiguration(path).configuration;
}

void expectSame(const Configuration& a, const Configuration& b) {
  EXPECT_EQ(a.box, b.box);
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.velocities, b.velocities);
  EXPECT_EQ(a.ids, b.ids);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.speciesOf(i), b.speciesOf(i)) << i;
}

TEST(Xyz, ReadsBackTheSameDoublesSpeciesAndIds) {
  for (const int dimension : {2, 3})
    for (const bool moving : {false, true}) {
      Configuration c = mixture(dimension, 40, 7);
      if (!moving) c.velocities.clear();
      expectSame(readAgain(c), c);
    }
}

TEST(Xyz, KeepsIdsUpToTheLargest) {
  Configuration c = mixture(3, 3, 1);
  c.ids = {std::numeric_limits<ParticleId>::max(), 0, std::numeric_limits<ParticleId>::max() - 1};
  EXPECT_EQ(readAgain(c).ids, c.ids);
}

TEST(Xyz, TheNumberOfParticlesMayDifferFromFrameToFrame) {
  const std::string path = testing::TempDir() + "varying.xyz";
  write(path, {mixture(3, 40, 1), mixture(3, 3, 2), mixture(3, 17, 3)});
  expectSame(io::readConfiguration(path).configuration, mixture(3, 17, 3));
  write(path, {mixture(2, 4, 1), mixture(2, 0, 2)});
  EXPECT_EQ(io::readConfiguration(path).configuration.size(), 0u) << "all particles may be gone";
}

TEST(Xyz, MassesAreWrittenWhereTheyAreNotOne) {
  Configuration c = mixture(3, 5, 1);
  for (Species& s : c.species) s.mass = 1;
  write(testing::TempDir() + "masses.xyz", {c});
  io::TextLines lines(testing::TempDir() + "masses.xyz");
  ASSERT_TRUE(lines.next() && lines.next());
  EXPECT_EQ(lines.line().find("mass"), std::string_view::npos) << lines.line();
}

// Without pbc a Lattice is periodic along all axes.
TEST(Xyz, TheDimensionIsThatOfTheFile) {
  const auto dimensionOf = [](const std::string& pbc, const std::string& z) {
    const Configuration c =
        readText("2\nLattice=\"4 0 0 0 4 0 0 0 4\" " + pbc + "\nX 1 1 0.5\nX 3 3 " + z + "\n");
    EXPECT_EQ(c.positions[2], c.box.dimension == 2 ? 0 : 0.5);
    return c.box.dimension;
  };
  EXPECT_EQ(dimensionOf("pbc=\"T T F\"", "0.5"), 2);
  EXPECT_EQ(dimensionOf("pbc=\"T T T\"", "0.5"), 3);
  EXPECT_EQ(dimensionOf("pbc=\"T T T\"", "1.5"), 3);
  EXPECT_EQ(dimensionOf("", "0.5"), 3);
  EXPECT_EQ(dimensionOf("", "1.5"), 3);
}

TEST(Xyz, RefusesWhatItCannotLoadAndSaysWhere) {
  const std::string box = "Lattice=\"4 0 0 0 4 0 0 0 4\" ";
  const std::string rest =
      "Properties=species:S:1:pos:R:3:id:I:1:radius:R:1:mass:R:1 pbc=\"T T T\"\n";
  const std::string head = "2\n" + box + rest, flat = "2\n" + box + "pbc=\"T T F\"\n";
  const std::string first = "A 1 1 1 5 0.5 1\n";
  const std::tuple<std::string, const char*, const char*> cases[] = {
      {"2\n" + box + "pbc=\"F F F\"\nX 1 1 1\nX 2 2 2\n", ":2: the box is not periodic",
       "allowed: \"T T T\", and \"T T F\" in two dimensions"},
      {"2\n" + box + "pbc=\"F T T\"\nX 1 1 1\nX 2 2 2\n", ":2: the box is not periodic",
       "only periodic"},
      {"2\n" + box + "pbc=\"T T\"\nX 1 1 1\nX 2 2 2\n", ":2: pbc=\"T T\"", "only periodic"},
      {"2\n" + box + "pbc=\"T T maybe\"\nX 1 1 1\nX 2 2 2\n", ":2: pbc: 'maybe'", "T nor F"},
      {flat + "X 1 1 0\nX 3 3 middle\n", ":4: particle 1: pos = 'middle' is not a number", ""},
      {flat + "X 1 1 0\nX 3 3 nan\n", ":4: particle 1: z = nan is not a finite number",
       "one height for all particles"},
      {flat + "X 1 1 0\nX nan 3 0\n", ":4: particle 1: x = nan is not a finite number",
       "allowed: 0 to 4, or an image; correct it"},
      {flat + "X 1 1 0\nX 3 3 2\n", ":4: particle 1: z = 2, particle 0 has 0",
       "all particles lie at one height"},
      {head + first + "A 2 2 2 5 0.5 1\n", ":2: frame: id 5 appears twice", "renumber"},
      {head + first + "A 2 2 2 -5 0.5 1\n", ":4: the id '-5' is not a whole number", "leave out"},
      {head + first + "A 2 2 2 9223372036854775808 0.5 1\n", ":4: the id '9223372036854775808'",
       "9223372036854775807"},
      {head + first + "A 2 2 2 6 -0.5 1\n", ":4: particle 6: the radius -0.5", "above 0"},
      {head + first + "A 2 2 2 6 inf 1\n", ":4: particle 6: the radius inf", "above 0"},
      {head + first + "A 2 2 2 6 0.5 0\n", ":4: particle 6: the mass 0", "above 0"},
      {head + first + "A 2 2 2 6 0.7 1\n",
       ":4: particle 6: it is of species 'A' and has radius 0.7, particle 5 of the same species "
       "0.5",
       "name another species"},
      {head + first + "A 2 2 2 6 0.5 3\n", "of species 'A' and has mass 3", "name another species"},
      {head + first + "B 2 2 1e30 6 5 1\n", ":4: particle 6: z = 1e+30", "allowed: 0 to 4"},
      {head + first + "B 2 2 2\n", ":4: 4 columns found, 7 are named", ""},
      {"2\nLattice=\"4 1 0 0 4 0 0 0 4\"\nX 1 1 1\nX 2 2 2\n",
       ":2: the box is tilted: its vector a has y = 1", "only rectangular boxes"},
      {"2\nLattice=\"4 0 0 0 -4 0 0 0 4\"\nX 1 1 1\nX 2 2 2\n", ":2: the box has no extent in y",
       "above 0"},
      {"2\nLattice=\"4 0 0 0 4 0 0 0 0\" pbc=\"T T T\"\nX 1 1 1\nX 2 2 2\n", ":2: the box",
       "no extent"},
      {"2\nLattice=\"4 0 0 0 4 0 0 0\"\nX 1 1 1\nX 2 2 2\n", ":2: Lattice needs 9 numbers", ""},
      {"2\n" + box + "Properties=species:S:1:pos:Q:3\nX 1 1 1\nX 2 2 2\n", ":2: Properties: 'Q'",
       "allowed: S, R, I, L"},
      {"2\n" + box + "Properties=species:S:1:pos:R:2\nX 1 1\nX 2 2\n",
       ":2: there is no position among the columns", "pos of three columns, or x, y and z"},
      {"2\nany text\nX 1 1 1\nX 2 2 2\n", ":2: the file has no box", "--box"},
      {"2\n" + box + box + "pbc=\"T T T\"\nX 1 1 1\nX 2 2 2\n", ":2: Lattice stands twice",
       "remove one"},
      {"2\n" + box + "Properties=a:S:2147483647:b:S:2147483647:pos:R:3\n1\n",
       "'2147483647' is not a column count", ""},
      {head + first, ": the file ends after 1 of 2 particles", "or remove this frame"},
      {"2\n", ": the file ends before the comment line", "copy it again, or remove this frame"},
      {"", ": the file is empty", "name one with a configuration"},
      {head + first + "A 2 2 2 6 0.5 1\nA 3 3 3 7 0.5 1\n", "the number of particles was expected",
       "save the file as extended XYZ"},
      {"atoms\n" + box + rest, ":1: the number of particles was expected", "extended XYZ"},
      {"-2\n" + box + rest, ":1: the number of particles was expected", "extended XYZ"},
      {"2 " + std::string(io::kLongestLine + 70000, 'x'), ":1: the line is longer than",
       "not a text file"}};
  for (const auto& [text, cause, wayOut] : cases) {
    expectRefusal([&, &t = text] { readText(t); },
                  {testing::TempDir() + "text.xyz:", cause, wayOut});
  }
}

TEST(Xyz, SidesOfABoxStandBetweenTheirSigns) {
  const std::vector<double> three{12, 8, 9}, plane{12, 8}, cube{4, 4, 4};
  for (const char* text : {"12 8 9", "12,8,9", "12x8x9", " 12 x 8 x 9 "})
    EXPECT_EQ(io::parseSides(text), three) << text;
  EXPECT_EQ(io::parseSides("12 8"), plane);
  EXPECT_EQ(io::parseSides("4"), cube);
  for (const char* text : {"", "4 x", "x4", "4,,4", "4 x 4 4", "1 2 3 4", "4 -4", "4 nan", "4 a"})
    expectRefusal([&] { io::parseSides(text); },
                  {fmt::format("box '{}'", text), "one to three finite lengths above 0"});
}

// As the specification of extended XYZ (libAtoms/extxyz) writes the same: arrays in brackets,
// spaces around the sign, words for true, Fortran's exponents, a byte order mark.
TEST(Xyz, ReadsEverySpellingOfTheSameFrame) {
  const std::string columns = "Properties=species:S:1:pos:R:3:velo:R:3 ", box = "6 0 0 0 6 0 0 0 6";
  const std::string atoms = "X 1 1 1 0.5 0 0\nX 3 1 1 -0.5 0 0\n";
  const std::string usual = "Lattice=\"" + box + "\" " + columns;
  const std::string texts[] = {
      "2\n" + usual + "pbc=\"T T T\"\n" + atoms,
      "\xef\xbb\xbf"
      "2\n" +
          usual + "pbc=\"T T T\"\n" + atoms,
      "2\n" + usual + "pbc=[T, T, T]\n" + atoms,
      "2\n" + usual + "pbc={true True 1}\n" + atoms,
      "2\nLattice=[[6, 0, 0], [0, 6, 0], [0, 0, 6]] " + columns + "pbc='T T T'\n" + atoms,
      "2\nLattice = \"" + box + "\" Properties = species:S:1:pos:R:3:velo:R:3 pbc\t=\t\"T T T\"\n" +
          atoms,
      "2\nname=\"Lattice=\\\"1 2\\\" pbc=F\" flag " + usual + "pbc=\"T T T\"\n" + atoms,
      "2\n" + usual + "pbc=\"T T T\"\nX 1.0D0 +1.0d+00 0.1D+01 5d-1 0 0\nX 3 1 1 -0.5 0 0\n",
  };
  for (const std::string& text : texts) {
    const Configuration c = readText(text);
    EXPECT_EQ(c.box, (Box{3, {6, 6, 6}})) << text;
    EXPECT_EQ(c.positions, (std::vector<double>{1, 1, 1, 3, 1, 1})) << text;
    EXPECT_EQ(c.velocities, (std::vector<double>{0.5, 0, 0, -0.5, 0, 0})) << text;
  }
}

TEST(Xyz, ReadsOnlyRegularFiles) {
  for (const char* path : {"/dev/zero", "/tmp"}) {
    expectRefusal([&] { io::readConfiguration(path); }, {std::string("cannot read '") + path});
  }
}

TEST(TextLines, GivesLinesAndTheirPlacesWhereverTheBlocksEnd) {
  const std::string path = testing::TempDir() + "lines.txt";
  std::string text;
  std::vector<std::string> lines;
  for (int k = 0; k < 3000; ++k) {
    lines.push_back(std::string(static_cast<std::size_t>(k % 97), static_cast<char>('a' + k % 26)));
    text += lines.back() + "\n";
  }
  for (const std::string end : {"", "unfinished"}) {
    std::ofstream(path, std::ios::binary) << text << end;
    io::TextLines scan(path);
    std::uint64_t at = 0;
    for (const std::string& line : lines) {
      ASSERT_TRUE(scan.next());
      ASSERT_EQ(scan.line(), line);
      ASSERT_TRUE(scan.complete());
      ASSERT_EQ(scan.end(), at += line.size() + 1);
    }
    ASSERT_EQ(scan.next(), !end.empty());
    if (end.empty()) continue;
    EXPECT_EQ(scan.line(), end);
    EXPECT_FALSE(scan.complete());
    EXPECT_EQ(scan.end(), text.size() + end.size());
    EXPECT_FALSE(scan.next());
  }
}

// ASE knows nothing of this program. Its integer columns have 32 bits.
class XyzFiles : public Formats {};

TEST_F(XyzFiles, AseReadsSpeciesIdsRadiiMassesAndFramesOfDifferentSize) {
  if (!hasPython("ase")) GTEST_SKIP() << "python3-ase is not installed";
  Configuration last = mixture(3, 17, 3);
  for (std::size_t i = 0; i < last.size(); ++i)
    last.ids[i] = 2147483647 - static_cast<ParticleId>(i * i * 1000);
  write(file("ase.xyz"), {mixture(3, 40, 1), last});
  python("ase.io", R"(
a, b = ase.io.read(folder + 'ase.xyz', index=':')
assert len(a) == 40 and len(b) == 17
assert list(b.pbc) == [True] * 3 and list(b.cell.lengths()) == [30, 40, 50], b.cell
large = b.arrays['radius'] == 5
assert 0 < large.sum() < 17 and ((b.arrays['radius'] == 0.5) | large).all()
masses = b.arrays['mass'] if 'mass' in b.arrays else b.get_masses()
assert (masses[large] == 7.5).all() and (masses[~large] == 1).all()
assert [s == 'Xe' for s in b.get_chemical_symbols()] == list(large)
assert list(b.arrays['id']) == [2147483647 - i * i * 1000 for i in range(17)]
b.arrays['mass'] = masses
ase.io.write(folder + 'back.xyz', b, format='extxyz',
             columns=['symbols', 'positions', 'id', 'radius', 'mass', 'velo'])
)");
  const Configuration again = io::readConfiguration(file("back.xyz")).configuration;
  EXPECT_EQ(again.ids, last.ids);
  EXPECT_EQ(again.box, last.box);
  ASSERT_EQ(again.size(), last.size());
  for (std::size_t i = 0; i < 3 * last.size(); ++i)  // ASE writes eight decimals
    EXPECT_NEAR(again.positions[i], last.positions[i], 1e-7);
  for (std::size_t i = 0; i < last.size(); ++i)
    EXPECT_EQ(again.speciesOf(i), last.speciesOf(i)) << i;
}

}  // namespace
}  // namespace cellscope::test
