// Text formats of others: every rule once, for all of them, as it stands in the specifications.
#include "tests/support/formats.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr;

// The four particles of the cases.
const std::string kMoving =
    "3D 6 6 6 | 0 X 1 1 1 v 0.5 0 0 | 1 X 3 1 1 v -0.5 0 0 | 2 X 1 3 1 v 0 0.25 0 | 3 X 1 1 3 v 0 "
    "-0.25 0";

// Spellings of extended XYZ are those of xyz_test.cpp, datasets of H5MD those of h5md_test.cpp.
TEST_F(Formats, TheCasesGiveTheRightValues) {
  const std::pair<const char*, std::string> cases[] = {
      {"h5_unit_nm.h5", "Units: particles/all/position in nm, particles/all/box/edges in nm;"},
      {"xyz_momenta.xyz", kMoving + " # Velocities are momenta divided by the masses."},
      {"xyz_type_column.xyz", "3D 6 6 6 | 1 A 1 1 1 | 2 A 3 1 1 | 3 B 1 3 1 | 4 B 1 1 3"},
      {"xyz_atomic_numbers.xyz", "3D 6 6 6 | 0 Ar 1 1 1 | 1 Ar 3 1 1 | 2 Kr 1 3 1 | 3 Kr 1 1 3"},
      {"xyz_just_below_zero.xyz", "| 0 X 1 1 5.99999999 v 0.5 0 0 |"},
      {"xyz_origin_centred.xyz", kMoving},
      {"xyz_plane_with_vz.xyz",
       "2D 6 6 | 0 X 1 1 0 v 0.5 0 0 | 1 X 3 1 0 v -0.5 0 0 | 2 X 1 3 0 v 0 0.25 0 | 3 X 3 3 0 v 0 "
       "-0.25 0 # 4 of 4 particles had a velocity along z"},
      {"xyz_mixture_without_radius.xyz",
       "3D 6 6 6 | 0 A 1 1 1 | 1 A 3 1 1 | 2 A 1 3 1 | 3 B 1 1 3"},
      {"xyz_box_12_8_9.xyz", "3D 12 8 9 | 0 X 1 1 1"}};
  for (const auto& [name, expected] : cases) {
    const std::string found = readOrRefusal(foreign(name));
    EXPECT_THAT(found, HasSubstr(expected)) << name;
    if (expected == kMoving) {
      EXPECT_EQ(found, expected) << name;
    }
  }
  EXPECT_FALSE(
      io::readConfiguration(foreign("xyz_mixture_without_radius.xyz")).configuration.hasDiameters);
}

TEST_F(Formats, CasesRunWithTheRightTemperature) {
  const std::string options = " --backend cpu --set cutoff=2.5 dt=0.00001 --steps 1 --overwrite ";
  EXPECT_TRUE(completes("run lj_all_pairs" + options + "--sample-every 1 --csv " + file("a.csv") +
                            " --load-configuration " + foreign("xyz_plane_with_vz.xyz"),
                        {"velocity along z"}));
  EXPECT_TRUE(completes("run glass_mixture" + options + "--trajectory " + file("m.xyz") +
                        " --load-configuration " + foreign("xyz_mixture_without_radius.xyz")));
}

TEST_F(Formats, ATypeThatHasNoNameIsRefused) {
  const std::pair<std::vector<std::string>, std::uint32_t> cases[] = {{{}, 0}, {{"1", "2"}, 1000}};
  for (const auto& [names, type] : cases) {
    io::FileFrame f;
    f.file = "a.gsd", f.n = 1;
    f.position = {1, 1, 1}, f.cell = {4, 0, 0, 0, 4, 0, 0, 0, 4};
    f.kinds.push_back({"types", io::Field::name, names, {type}});
    expectRefusal([&] { io::settle(std::move(f)); },
                  {fmt::format("species {}; allowed: below {}", type, names.size())});
  }
}

// Of the specification of libAtoms/extxyz, of plain XYZ, and what some programs write: commas, and
// a text that is empty and has no quotes.
TEST_F(Formats, ExtendedXyzRuleByRule) {
  const std::string two = "X 1 1 1\nX 2 2 2\n", read2 = " | 0 X 1 1 1 | 1 X 2 2 2";
  const std::string box = "Lattice=\"4 0 0 0 4 0 0 0 4\" ",
                    cols = "Properties=species:S:1:pos:R:3 ";
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {"2\n" + box + cols + "\n" + two + "\n\n", "", "3D 4 4 4" + read2},
      {"2\n" + box + cols + "energy=-1.5 name=\"a=b \\\"c\\\" {d}\" ok=T flag\n" + two, "",
       "3D 4 4 4" + read2 + " # Not used: energy, name."},
      {"2\n" + box + cols + "stress=[[1,2],[3,4]] virial={1 2 3}\n" + two, "",
       "3D 4 4 4" + read2 + " # Not used: stress, virial."},
      {"2\nLattice=[4, 5, 6] " + cols + "\n" + two, "", "3D 4 5 6" + read2},
      {"2\n" + box + "Properties=pos:R:3:forces:R:3:fixed:L:1\n1 1 1 0 0 0 T\n2 2 2 0 0 0 F\n", "",
       "3D 4 4 4" + read2 + " # Not used: forces, fixed."},
      {"2\n" + box + "unit=nm " + cols + "\n" + two, "", "# Units: unit = nm; numbers are taken"},
      {"2\n" + box + "Properties=species:S:1:pos:R:3:id:I:1\nX 1 1 1 +7\nX 2 2 2 3\n", "",
       "| 7 X 1 1 1 | 3 X 2 2 2"},
      {"2\n" + box + "Properties=species:S:1:Z:I:1:pos:R:3\nX 1 1 1 1\nX 8 2 2 2\n", "",
       "| 0 H 1 1 1 | 1 O 2 2 2"},
      {"2\n" + box + "Properties=species:S:1:type:I:1:pos:R:3\nC 5 1 1 1\nC 2 2 2 2\n", "",
       "| 0 B 1 1 1 | 1 A 2 2 2"},
      {"2\n" + box +
           "Properties=species:S:1:tag:I:1:pos:R:3:velocities:R:3\nX 4 1 1 1 1 2 3\nX 5 2 2 "
           "2 4 5 6\n",
       "", "| 4 X 1 1 1 v 1 2 3 | 5 X 2 2 2 v 4 5 6"},
      {"2\n" + box + "Properties=species:S:1:pos:R:3:momenta:R:3\nX 1 1 1 1 2 3\nX 2 2 2 4 5 6\n",
       "", "v 4 5 6 # Velocities are momenta divided by mass 1: the file has no masses."},
      {"2\n" + box + cols + "\nX 1 1 1\nX -2.5 9 4\n", "",
       "| 1 X 1.5 1 0 # 1 of 2 particles were outside the box"},
      {"2\nwater\nO 1 1 1\nH 2 2 2\n", "4", "3D 4 4 4 | 0 O 1 1 1 | 1 H 2 2 2"},
      {"2\n\nO 1 1 1 0.5\nH 2 2 2 0.5\n", "4 5 6",
       "3D 4 5 6 | 0 O 1 1 1 | 1 H 2 2 2 # Not used: 1 "
       "columns behind the position."},
      {"2\n\nX 1 1 7\nX 2 2 7\n", "4x5", "2D 4 5 | 0 X 1 1 0 | 1 X 2 2 0"},
      {"2\n\n" + two, "", "give its sides with --box"},
      {"2\n" + box + "\n" + two, "4 4 5", "--box 4 4 5 contradicts the box of the file"},
      {"2\n" + box + "\n" + two, "4,4,four", "box '4,4,four': allowed"}};
  for (const auto& [text, sides, expected] : cases) {
    if (expected.find("allowed") == std::string::npos) {
      EXPECT_THAT(read(text, sides), HasSubstr(expected)) << text;
      continue;
    }
    put("any", text);  // sides that cannot be are no fault of the file
    expectRefusal([&] { io::readConfiguration(file("any"), sides); }, {expected});
  }
  EXPECT_EQ(read("1\nLattice=\"6.0, 0, 0 0, 5,0 0 0 4\" " + cols + "\nX 1 1 1\n"),
            "3D 6 5 4 | 0 X 1 1 1");
  EXPECT_EQ(read("1\nNote= Lattice=\"6 0 0 0 5 0 0 0 4\" pbc = \"T T T\" " + cols + "\nX 1 1 1\n"),
            "3D 6 5 4 | 0 X 1 1 1 # Not used: Note.");
}

TEST_F(Formats, PackedTextsAreUnpacked) {
  put("a.xyz", "2\nLattice=\"4 0 0 0 4 0 0 0 4\"\nX 1 1 1\nX 2 2 2\n");
  ASSERT_EQ(shell("gzip -k " + file("a.xyz")).code, 0);
  EXPECT_EQ(textOf(io::readConfiguration(file("a.xyz.gz"))), "3D 4 4 4 | 0 X 1 1 1 | 1 X 2 2 2");
  ASSERT_EQ(shell("head -c 40 " + file("a.xyz.gz") + " > " + file("cut.xyz.gz")).code, 0);
  expectRefusal([&] { io::readConfiguration(file("cut.xyz.gz")); }, {"cut.xyz.gz"});
}

std::string dump(const std::string& bounds, const std::string& columns, const std::string& rows) {
  return "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS " + bounds +
         "\nITEM: ATOMS " + columns + "\n" + rows;
}

TEST_F(Formats, LammpsDumpItemByItem) {
  const std::string box = "pp pp pp\n0 4\n0 4\n0 4", moved = "pp pp pp\n-1 3\n-1 3\n-1 3";
  const std::string two = "1 1 1 1 1\n2 1 2 2 2\n", read2 = "3D 4 4 4 | 1 A 1 1 1 | 2 A 2 2 2";
  const std::pair<std::string, std::string> cases[] = {
      {dump(box, "id type x y z", two), read2},
      {dump(moved, "id type x y z", two), "| 1 A 2 2 2 | 2 A 3 3 3"},
      {dump(box, "id type xs ys zs", "1 1 0.25 0.25 0.25\n2 1 0.5 0.5 0.5\n"), read2},
      {dump(moved, "id type xs ys zs", "1 1 0.25 0.25 0.25\n2 1 0.5 0.5 0.5\n"), read2},
      {dump(box, "id type xu yu zu", "1 1 5 -3 1\n2 1 2 2 6\n"),
       read2 + " # 2 of 2 particles were outside the box and were wrapped into it."},
      {dump(box, "id type xsu ysu zsu", "1 1 1.25 0.25 0.25\n2 1 0.5 0.5 0.5\n"), read2},
      {dump(box, "id element x y z vx vy vz", "1 Ar 1 1 1 1 2 3\n2 Kr 2 2 2 4 5 6\n"),
       "| 1 Ar 1 1 1 v 1 2 3 | 2 Kr 2 2 2 v 4 5 6"},
      {dump(box, "id type x y z mass radius", "1 2 1 1 1 3 0.6\n2 1 2 2 2 1 0.5\n"),
       "| 1 B 1 1 1 | 2 A 2 2 2"},
      {dump(box, "id type x y z fx q", "1 1 1 1 1 0 0\n2 1 2 2 2 0 0\n"), "# Not used: fx, q."},
      {"ITEM: UNITS\nmetal\nITEM: TIME\n0.5\n" + dump(box, "id type x y z", two),
       "# Units: LAMMPS units metal;"},
      {"ITEM: UNITS\nlj\n" + dump(box, "id type x y z", two), read2},
      {dump("pp pp ff\n0 4\n0 4\n-0.5 0.5", "id type x y z", "1 1 1 1 0\n2 1 2 2 0\n"),
       "2D 4 4 | 1 A 1 1 0 | 2 A 2 2 0"},
      {dump("ff pp pp\n0 4\n0 4\n0 4", "id type x y z", two),
       "not periodic along all axes (F T T)"},
      {dump("xy xz yz pp pp pp\n0 4 0\n0 4 0\n0 4 0", "id type x y z", two), read2},
      {dump("xy xz yz pp pp pp\n0 5 1\n0 4 0\n0 4 0", "id type x y z", two),
       "the box is tilted: its vector b has x = 1"},
      {dump("abc origin pp pp pp\n4 0 0 0\n0 4 0 0\n0 0 4 0", "id type x y z", two), "triclinic"},
      {dump(box, "id type x y", "1 1 1 1\n2 1 2 2\n"),
       "no position among the columns (id, type, x, y)"},
      {dump(box, "id type x y z", "1 1 1 1 1\n"), "the frame ends after 1 of 2 particles"},
      {dump(box, "id type x y z", "1 1 1 1 1\n1 1 2 2 2\n"), "id 1 appears twice"},
      {"ITEM: TIMESTEP\n7\nITEM: ATOMS id type x y z\n" + two, "are needed before ATOMS"},
      {"ITEM: TIMESTEP\n-7\n", "the time step '-7' is not a whole number"},
      {"ITEM: WHAT\n", "'WHAT' is not known; allowed: TIMESTEP"}};
  for (const auto& [text, expected] : cases) EXPECT_THAT(read(text), HasSubstr(expected)) << text;
}

TEST_F(Formats, LammpsDataSectionBySection) {
  const std::string head =
      "title\n\n2 atoms\n2 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n-1 3 zlo zhi\n\n";
  const std::string read2 = "3D 4 4 4 | 1 A 1 1 2 | 2 B 2 2 3";
  const std::string bonded = head.substr(0, head.size() - 1) + "1 bonds\n2 bond types \n\n";
  const std::pair<std::string, std::string> cases[] = {
      {head + "Atoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n", read2},
      {head + "Atoms\n\n1 1 1 1 1\n2 2 2 2 2\n", read2},
      {head + "Atoms # atomic\n\n1 1 1 1 1 0 0 0\n2 2 2 2 2 0 -1 0\n", read2},
      {head + "Atoms # full\n\n1 9 1 0.5 1 1 1\n2 9 2 0.5 2 2 2\n",
       read2 + " # Not used: molecule, q."},
      {head + "Atoms # charge\n\n1 1 0.5 1 1 1\n2 2 0.5 2 2 2\n", read2 + " # Not used: q."},
      {head + "Masses\n\n1 3 # A\n2 5 # B\n\nAtoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n\n"
              "Velocities\n\n2 4 5 6\n1 1 2 3\n",
       "| 1 A 1 1 2 v 1 2 3 | 2 B 2 2 3 v 4 5 6"},
      {head + "Atoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n\nBonds\n\n1 1 1 2\n", "# Not used: Bonds."},
      {head + "Pair Coeffs\n\n1 1.0 1.0\n2 1.0 1.0\n\nAtoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n",
       read2 + " # Not used: Pair Coeffs."},
      {"LAMMPS data file via write_data, units = real\n" + head.substr(6) +
           "Atoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n",
       "# Units: LAMMPS units real;"},
      {head + "Atoms # hybrid\n\n1 1 1 1 1\n2 2 2 2 2\n", "the atom style 'hybrid' is not known"},
      {head + "Atoms\n\n1 1 0 1 1 1\n2 2 0 2 2 2\n", "6 columns, and no atom style is named"},
      {bonded + "Atoms\n\n1 9 1 0.5 1 1 1\n2 9 2 0.5 2 2 2\n",
       read2 + " # Read as atom style full: it has bonds and 7 columns. # Not used: bonds, bond "
               "types, "},
      {bonded + "Atoms\n\n1 9 1 0.5 1 1 1 0 0 0\n2 9 2 0.5 2 2 2 0 -1 0\n",
       read2 + " # Read as atom style full"},
      {bonded + "Atoms\n\n1 9 1 1 1 1\n2 9 2 2 2 2\n", read2 + " # Read as atom style molecular"},
      {head + "1 0 0 xy xz yz\nAtoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n", "the box is tilted"},
      {head + "Atoms # atomic\n\n1 1 1 1 1\n", "the file ends after 1 of 2 particles"},
      {head + "Masses\n\n1 3\n3 5\n\nAtoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n",
       "Masses: there is none of type 2"},
      {"t\n\n2 atoms\n0 4 xlo xhi\n0 4 ylo yhi\n\nAtoms\n\n1 1 1 1 1\n2 2 2 2 2\n",
       "the box is not complete"}};
  for (const auto& [text, expected] : cases) EXPECT_THAT(read(text), HasSubstr(expected)) << text;
}

TEST_F(Formats, PdbColumnByColumn) {
  const std::string box =
      "CRYST1    4.000    5.000    6.000  90.00  90.00  90.00 P 1           1\n";
  const auto atom = [](int k, const char* name, double x, const char* element) {
    return fmt::format(
        "ATOM  {:5} {:<4} MOL A   1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00          "
        "{:>2}\n",
        k, name, x, x, x, element);
  };
  const std::string two = atom(1, "AR", 1, "AR") + atom(2, "KR1", 2, "Kr");
  const std::string read2 = "3D 4 5 6 | 0 Ar 1 1 1 | 1 Kr 2 2 2 # Units: lengths in angstrom";
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {box + two + "END\n", "", read2},
      {"REMARK any\n" + two, "4 5 6", read2},
      {two + "END\n", "", "give its sides with --box"},
      {"CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n" + two, "4 5 6",
       read2},
      {"CRYST1    0.000    0.000    0.000   0.00   0.00   0.00 P 1           1\n" + two, "4 5 6",
       read2},
      {"CRYST1    0.000    0.000    0.000   0.00   0.00   0.00 P 1           1\n" + two, "",
       "give its sides with --box"},
      {box + "MODEL        1\n" + atom(1, "C", 3, "C") + "ENDMDL\nMODEL        2\n" + two +
           "ENDMDL\n",
       "", read2},
      {"CRYST1    4.000    5.000    6.000  90.00 100.00  90.00 P 1           1\n" + two, "",
       "the box is tilted: an angle is 100"},
      {box + "ATOM      1 AR   MOL A   1       1.000   1.0x0   1.000\n", "",
       "a coordinate = '1.0x0' in columns 39 to 46"},
      {box + "END\n", "", "has no frame"}};
  for (const auto& [text, sides, expected] : cases)
    EXPECT_THAT(read(text, sides), HasSubstr(expected)) << text;
}

}  // namespace
}  // namespace cellscope::test
