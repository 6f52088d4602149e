// File formats of others: every rule once, for all of them. Texts are read as they stand in the
// specifications; binary files as their own programs write them.
#include "sim/io/formats/format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include "sim/base/error.h"
#include "tests/support/message_of.h"
#include "tests/support/mixture.h"
#include "tests/support/program.h"

namespace cellscope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// All that was read, as one text: "3D 6 6 6 | 0 X 1 1 1 | ...", velocities behind a v, notes at the
// end behind a #.
std::string textOf(const io::LoadedFrame& f) {
  const Configuration& c = f.configuration;
  std::string text = fmt::format("{}D", c.box.dimension);
  for (int a = 0; a < c.box.dimension; ++a) text += fmt::format(" {}", c.box.length[a]);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double* r = &c.positions[3 * i];
    text += fmt::format(" | {} {} {} {} {}", c.ids[i], c.speciesOf(i).name, r[0], r[1], r[2]);
    if (!c.velocities.empty())
      text += fmt::format(" v {} {} {}", c.velocities[3 * i], c.velocities[3 * i + 1],
                          c.velocities[3 * i + 2]);
  }
  for (const std::string& note : f.notes) text += " # " + note;
  return text;
}

class Formats : public test::Program {
 protected:
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  // Without a suffix that tells: formats are recognised by what files hold.
  std::string read(const std::string& text, const std::string& box = "") const {
    const std::string path = put("any", text);
    try {
      return textOf(io::readConfiguration(path, {box}));
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(path));
      return e.what();
    }
  }
  void python(const std::string& module, const std::string& code) const {
    const std::string script = put("t.py",
                                   "import warnings\nwarnings.simplefilter('ignore')\n"
                                   "import numpy as np, " +
                                       module +
                                       "\n"
                                       "folder = '" +
                                       folder_.string() + "/'\n" + code + "\nprint('good')\n");
    const test::Result r = test::shell("/usr/bin/python3 -W ignore " + script);
    EXPECT_TRUE(r.output.ends_with("good\n")) << r.output << code;
  }
  static bool hasPython(const std::string& module) {
    return test::shell("/usr/bin/python3 -c 'import " + module + "'").code == 0;
  }
};

std::string foreign(const std::string& name) {
  return std::string(CELLSCOPE_TEST_DATA) + "/foreign/" + name;
}

// The four particles of the cases, and their velocities.
const std::string kFour = "3D 6 6 6 | 0 X 1 1 1 | 1 X 3 1 1 | 2 X 1 3 1 | 3 X 1 1 3";
const std::string kMoving =
    "3D 6 6 6 | 0 X 1 1 1 v 0.5 0 0 | 1 X 3 1 1 v -0.5 0 0 | 2 X 1 3 1 v 0 0.25 0 | 3 X 1 1 3 v 0 "
    "-0.25 0";

TEST_F(Formats, TheCasesGiveTheRightValues) {
  const std::pair<const char*, std::string> cases[] = {
      {"h5_velocity_short.h5",
       "'particles/all/velocity/value' has 1 x 1 x 3 values, and 1 x 2000000"},
      {"h5_velocity_three_of_four.h5", "'particles/all/velocity/value' has 1 x 3 x 3 values"},
      {"h5_velocity_two_coordinates.h5", "'particles/all/velocity/value' has 1 x 4 x 2 values"},
      {"h5_velocity_fixed.h5", kMoving},
      {"h5_boundary_none.h5", "only periodic boxes can be loaded"},
      {"h5_unit_nm.h5", "Units: particles/all/position in nm, particles/all/box/edges in nm;"},
      {"xyz_momenta.xyz", kMoving + " # Velocities are momenta divided by the masses."},
      {"xyz_type_column.xyz", "3D 6 6 6 | 1 A 1 1 1 | 2 A 3 1 1 | 3 B 1 3 1 | 4 B 1 1 3"},
      {"xyz_atomic_numbers.xyz", "3D 6 6 6 | 0 Ar 1 1 1 | 1 Ar 3 1 1 | 2 Kr 1 3 1 | 3 Kr 1 1 3"},
      {"xyz_pbc_brackets.xyz", kMoving},
      {"xyz_lattice_matrix.xyz", kMoving},
      {"xyz_spaces_around_equals.xyz", kMoving},
      {"xyz_fortran_exponent.xyz", kMoving},
      {"xyz_just_below_zero.xyz", "| 0 X 1 1 5.99999999 v 0.5 0 0 |"},
      {"xyz_origin_centred.xyz", kMoving},
      {"xyz_plane_with_vz.xyz",
       "2D 6 6 | 0 X 1 1 0 v 0.5 0 0 | 1 X 3 1 0 v -0.5 0 0 | 2 X 1 3 0 v 0 0.25 0 | 3 X 3 3 0 v 0 "
       "-0.25 0 # 4 of 4 particles had a velocity along z"},
      {"xyz_mixture_without_radius.xyz",
       "3D 6 6 6 | 0 A 1 1 1 | 1 A 3 1 1 | 2 A 1 3 1 | 3 B 1 1 3"},
      {"xyz_flat_without_pbc.xyz", "3D 6 6 6 | 0 X 1 1 1"},
      {"xyz_box_12_8_9.xyz", "3D 12 8 9 | 0 X 1 1 1"},
      {"xyz_bom.xyz", kFour},
  };
  for (const auto& [name, expected] : cases) {
    std::string found;
    try {
      found = textOf(io::readConfiguration(foreign(name)));
    } catch (const InputError& e) {
      found = e.what();
      EXPECT_THAT(found, HasSubstr(name));
    }
    EXPECT_THAT(found, HasSubstr(expected)) << name;
    if (expected == kMoving || expected == kFour) {
      EXPECT_EQ(found, expected) << name;
    }
  }
  EXPECT_FALSE(
      io::readConfiguration(foreign("xyz_mixture_without_radius.xyz")).configuration.hasDiameters);
}

TEST_F(Formats, CasesRunWithTheRightTemperature) {
  const std::string options = " --backend cpu --set cutoff=2.5 dt=0.00001 --steps 1 --overwrite ";
  test::Result r =
      test::cellscope("run lj_all_pairs" + options + "--sample-every 1 --csv " + file("a.csv") +
                      " --load-configuration " + foreign("xyz_plane_with_vz.xyz"));
  EXPECT_EQ(r.code, 0) << r.output;
  EXPECT_TRUE(has(r, "velocity along z")) << r.output;
  r = test::cellscope("run glass_mixture" + options + "--trajectory " + file("m.xyz") +
                      " --load-configuration " + foreign("xyz_mixture_without_radius.xyz"));
  EXPECT_EQ(r.code, 0) << r.output;
}

// Of the specification of libAtoms/extxyz, and of plain XYZ.
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
      {"2\n" + box + "\n" + two, "4,4,four", "box '4,4,four': allowed"},
  };
  for (const auto& [text, sides, expected] : cases) {
    if (expected.find("allowed") == std::string::npos) {
      EXPECT_THAT(read(text, sides), HasSubstr(expected)) << text;
      continue;
    }
    put("any", text);
    EXPECT_THAT(test::messageOf<InputError>([&] { io::readConfiguration(file("any"), {sides}); }),
                HasSubstr(expected));
  }
}

TEST_F(Formats, PackedTextsAreUnpacked) {
  put("a.xyz", "2\nLattice=\"4 0 0 0 4 0 0 0 4\"\nX 1 1 1\nX 2 2 2\n");
  ASSERT_EQ(test::shell("gzip -k " + file("a.xyz")).code, 0);
  EXPECT_EQ(textOf(io::readConfiguration(file("a.xyz.gz"))), "3D 4 4 4 | 0 X 1 1 1 | 1 X 2 2 2");
  ASSERT_EQ(test::shell("head -c 40 " + file("a.xyz.gz") + " > " + file("cut.xyz.gz")).code, 0);
  EXPECT_THAT(test::messageOf<InputError>([&] { io::readConfiguration(file("cut.xyz.gz")); }),
              HasSubstr("cut.xyz.gz"));
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
      {"ITEM: WHAT\n", "'WHAT' is not known; allowed: TIMESTEP"},
  };
  for (const auto& [text, expected] : cases) EXPECT_THAT(read(text), HasSubstr(expected)) << text;
}

TEST_F(Formats, LammpsDataSectionBySection) {
  const std::string head =
      "title\n\n2 atoms\n2 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n-1 3 zlo zhi\n\n";
  const std::string read2 = "3D 4 4 4 | 1 A 1 1 2 | 2 B 2 2 3";
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
      {head + "1 0 0 xy xz yz\nAtoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n", "the box is tilted"},
      {head + "Atoms # atomic\n\n1 1 1 1 1\n", "the file ends after 1 of 2 particles"},
      {head + "Masses\n\n1 3\n3 5\n\nAtoms # atomic\n\n1 1 1 1 1\n2 2 2 2 2\n",
       "Masses: there is none of type 2"},
      {"t\n\n2 atoms\n0 4 xlo xhi\n0 4 ylo yhi\n\nAtoms\n\n1 1 1 1 1\n2 2 2 2 2\n",
       "the box is not complete"},
  };
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
      {box + "MODEL        1\n" + atom(1, "C", 3, "C") + "ENDMDL\nMODEL        2\n" + two +
           "ENDMDL\n",
       "", read2},
      {"CRYST1    4.000    5.000    6.000  90.00 100.00  90.00 P 1           1\n" + two, "",
       "the box is tilted: an angle is 100"},
      {box + "ATOM      1 AR   MOL A   1       1.000   1.0x0   1.000\n", "",
       "a coordinate = '1.0x0' in columns 39 to 46"},
      {box + "END\n", "", "has no frame"},
  };
  for (const auto& [text, sides, expected] : cases)
    EXPECT_THAT(read(text, sides), HasSubstr(expected)) << text;
}

TEST_F(Formats, GsdOfHoomdIsRead) {
  if (!hasPython("gsd.hoomd")) GTEST_SKIP() << "python3-gsd is not installed";
  python("gsd.hoomd", R"(
Frame = getattr(gsd.hoomd, 'Frame', None) or gsd.hoomd.Snapshot
def write(name, *changes):
    f = gsd.hoomd.open(folder + name, 'wb')
    for change in changes:
        s = Frame()
        s.particles.N = 2
        s.particles.position = [[-1, -1, -1], [0, 0, 0]]
        s.configuration.box = [4, 4, 4, 0, 0, 0]
        s.configuration.step = 7
        change(s)
        f.append(s)
    f.close()
def moving(s): s.particles.velocity = [[1, 2, 3], [4, 5, 6]]
def mixed(s): s.particles.types, s.particles.typeid = ['Ar', 'Kr'], [1, 0]
def plane(s): s.configuration.dimensions, s.particles.position = 2, [[-1, -1, 0], [0, 0, 0]]
def thin(s): s.configuration.box, s.particles.position = [4, 4, 0, 0, 0, 0], [[-1, -1, 0], [0, 0, 0]]
def tilted(s): s.configuration.box = [4, 4, 4, 0.5, 0, 0]
def charged(s): s.particles.charge = [1, -1]
def sized(s): s.particles.diameter, s.particles.mass = [2, 2], [3, 3]
write('default', lambda s: None)
write('moving', lambda s: None, moving)
write('mixed', mixed)
write('plane', plane)
write('thin', thin)
write('tilted', tilted)
write('charged', charged)
write('sized', sized)
)");
  const std::pair<const char*, std::string> cases[] = {
      {"default", "3D 4 4 4 | 0 A 1 1 1 | 1 A 2 2 2"},
      {"moving", "| 0 A 1 1 1 v 1 2 3 | 1 A 2 2 2 v 4 5 6"},
      {"mixed", "| 0 Kr 1 1 1 | 1 Ar 2 2 2"},
      {"plane", "2D 4 4 | 0 A 1 1 0 | 1 A 2 2 0"},
      {"thin", "2D 4 4 | 0 A 1 1 0 | 1 A 2 2 0"},
      {"charged", "# Not used: particles/charge."},
      {"sized", "3D 4 4 4 | 0 A 1 1 1 | 1 A 2 2 2"},
  };
  for (const auto& [name, expected] : cases)
    EXPECT_THAT(textOf(io::readConfiguration(file(name))), HasSubstr(expected)) << name;
  EXPECT_THAT(test::messageOf<InputError>([&] { io::readConfiguration(file("tilted")); }),
              HasSubstr("tilted': the box is tilted: its vector b has x = 2"));
  const io::LoadedFrame sized = io::readConfiguration(file("sized"));
  EXPECT_EQ(sized.configuration.species[0], (Species{"A", 2, 3}));
  EXPECT_EQ(sized.step, 7u);
}

TEST_F(Formats, NumpyArchivesAreRead) {
  if (!hasPython("numpy")) GTEST_SKIP() << "python3-numpy is not installed";
  python("numpy", R"(
r = np.array([[1., 1, 1], [2, 2, 2]])
c = 4 * np.eye(3)
np.savez(folder + 'usual', positions=r, cell=c, pbc=[True] * 3)
np.savez_compressed(folder + 'packed', pos=r.astype('f4'), box=[4., 4, 4], vel=r[::-1])
np.savez(folder + 'fortran', positions=np.asfortranarray(r), cell=c)
np.savez(folder + 'names', positions=r, cell=c, species=np.array(['Ar', 'Kr']), ids=[5, 3])
np.savez(folder + 'numbers', R=r, cell=c, numbers=[18, 36], masses=[1., 2.], forces=r)
np.savez(folder + 'plane', positions=r[:, :2], box=[4., 4.])
np.savez(folder + 'sixth', positions=r, box=[4., 4, 4, 0, 0, 0])
np.savez(folder + 'tilted', positions=r, box=[4., 4, 4, 0.25, 0, 0])
np.savez(folder + 'open', positions=r, cell=c, pbc=[True, False, True])
np.savez(folder + 'none', cell=c)
np.savez(folder + 'short', positions=r, cell=c, velocities=r[:1])
np.savez(folder + 'shape', positions=np.zeros((2, 4)), cell=c)
np.savez(folder + 'complex', positions=r + 1j, cell=c)
np.savez(folder + 'objects', positions=np.array([r, None], dtype=object), cell=c)
np.savez(folder + 'boxless', positions=r)
)");
  const std::string read2 = "3D 4 4 4 | 0 X 1 1 1 | 1 X 2 2 2";
  const std::pair<const char*, std::string> cases[] = {
      {"usual", read2},
      {"packed", "3D 4 4 4 | 0 X 1 1 1 v 2 2 2 | 1 X 2 2 2 v 1 1 1"},
      {"fortran", read2},
      {"names", "| 5 Ar 1 1 1 | 3 Kr 2 2 2"},
      {"numbers", "| 0 Ar 1 1 1 | 1 Kr 2 2 2 # Not used: forces."},
      {"plane", "2D 4 4 | 0 X 1 1 0 | 1 X 2 2 0"},
      {"sixth", read2},
      {"tilted", "the box is tilted: its vector b has x = 1"},
      {"open", "not periodic along all axes (T F T)"},
      {"none", "there is no array 'positions'"},
      {"short", "3 values of the velocity for 2 particles; allowed: 6"},
      {"shape", "'positions' has the shape (2, 4); allowed: (N, 3)"},
      {"complex", "'positions' is of type '<c16'"},
      {"objects", "'positions' is of type '|O'"},
      {"boxless", "give its sides with --box"},
  };
  for (const auto& [name, expected] : cases) {
    const std::string path = file(std::string(name) + ".npz");
    std::string found;
    try {
      found = textOf(io::readConfiguration(path));
    } catch (const InputError& e) {
      found = e.what();
      EXPECT_THAT(found, HasSubstr(path));
    }
    EXPECT_THAT(found, HasSubstr(expected)) << name;
  }
}

// Elements of H5MD with steps of their own, and what is not read.
TEST_F(Formats, ElementsOfH5mdAreFoundByTheirSteps) {
  if (!hasPython("h5py")) GTEST_SKIP() << "python3-h5py is not installed";
  python("h5py", R"(
def start(name):
    f = h5py.File(folder + name, 'w')
    g = f.create_group('particles/all')
    g['box/edges'] = [4., 4, 4]
    g['position/value'] = [[[1., 1, 1]], [[2, 2, 2]], [[3, 3, 3]]]
    g['position/step'] = [0, 10, 20]
    g['position/time'] = [0, 0.5, 1]
    return f, g
f, g = start('rare'); g['velocity/value'] = [[[1., 0, 0]], [[2, 0, 0]]]; g['velocity/step'] = [0, 20]; f.close()
f, g = start('late'); g['velocity/value'] = [[[1., 0, 0]], [[2, 0, 0]]]; g['velocity/step'] = [0, 10]; f.close()
f, g = start('steady'); g['velocity/value'] = [[[1., 0, 0]], [[2, 0, 0]]]; g['velocity/step'] = 20; f.close()
f, g = start('force'); g['force/value'] = np.zeros((3, 1, 3)); g['image'] = np.zeros((1, 3), int); f.close()
f, g = start('mass'); g['mass'] = [3.]; f.close()
f, g = start('steps'); del g['position/step']; g['position/step'] = [0, 10]; f.close()
f, g = start('box'); del g['box/edges']; g['box/edges/value'] = np.full((3, 3), 4.); g['box/edges/step'] = [0, 10, 15]; f.close()
)");
  const std::pair<const char*, std::string> cases[] = {
      {"rare", "| 0 X 3 3 3 v 2 0 0"},
      {"late", "'particles/all/velocity/value' has no frame of step 20."},
      {"steady", "| 0 X 3 3 3 v 2 0 0"},
      {"force", "# Not used: particles/all/force, particles/all/image."},
      {"steps", "'particles/all/position/step' has 2 values, and 3 were expected"},
      {"box", "'particles/all/box/edges/value' has no frame of step 20"},
  };
  for (const auto& [name, expected] : cases) {
    std::string found;
    try {
      found = textOf(io::readConfiguration(file(name)));
    } catch (const InputError& e) {
      found = e.what();
    }
    EXPECT_THAT(found, HasSubstr(expected)) << name;
  }
  const io::LoadedFrame mass = io::readConfiguration(file("mass"));
  EXPECT_EQ(mass.configuration.species[0].mass, 3);
  EXPECT_EQ(mass.step, 20u);
  EXPECT_EQ(mass.time, 1);
}

// Positions to what a format can hold: GSD has 24 bits, PDB three digits.
struct RoundTrip {
  const char* suffix;
  double position, velocity;  // largest differences; below 0: the format has no velocities
  bool ids, sizes;
};

TEST_F(Formats, WhatIsWrittenIsReadAgain) {
  const RoundTrip cases[] = {
      {".xyz", 0, 0, true, true},          {".xyz.gz", 0, 0, true, true},
      {".h5", 0, 0, true, true},           {".gsd", 50 * 0x1p-24, 0x1p-25, true, true},
      {".dump", 0, 0, true, true},         {".data", 0, 0, true, false},
      {".pdb", 5.01e-4, -1, false, false}, {".npz", 0, 0, true, true}};
  for (const RoundTrip& t : cases)
    for (const int dimension : {2, 3}) {
      const Configuration c = test::mixture(dimension, 40, 7);
      const std::string path = file(std::string("a") + t.suffix);
      const io::Format& format = io::formatToWrite(path);
      const auto sink = format.create(path, "test 1.0", false);
      if (format.manyFrames) sink->append(test::mixture(dimension, 7, 3), {1, 0.5, "", false, {}});
      sink->append(c, {10, 1.5, "", false, {}});
      sink->close();
      const std::string box = t.sizes || dimension == 3 ? "" : "30 40";  // data has no plane
      std::vector<io::LoadedFrame> frames;
      io::readFrames(path, {box}, [&](io::LoadedFrame f) { frames.push_back(std::move(f)); });
      ASSERT_EQ(frames.size(), format.manyFrames ? 2u : 1u) << path;
      EXPECT_EQ(io::readConfiguration(path, {box}).configuration.positions,
                frames.back().configuration.positions);
      const Configuration d = frames.back().configuration;
      ASSERT_EQ(d.size(), c.size()) << path;
      EXPECT_EQ(d.box.dimension, dimension) << path;
      for (std::size_t i = 0; i < c.size(); ++i) {
        std::size_t j = i;
        if (t.ids)
          j = static_cast<std::size_t>(std::find(d.ids.begin(), d.ids.end(), c.ids[i]) -
                                       d.ids.begin());
        ASSERT_LT(j, d.size()) << path;
        for (std::size_t a = 0; a < 3; ++a) {
          const double apart = std::abs(d.positions[3 * j + a] - c.positions[3 * i + a]);
          EXPECT_LE(std::min(apart, c.box.length[a] - apart), t.position) << path;
          if (t.velocity >= 0) {
            EXPECT_NEAR(d.velocities[3 * j + a], c.velocities[3 * i + a], t.velocity) << path;
          }
        }
        if (t.sizes) {
          EXPECT_EQ(d.speciesOf(j), c.speciesOf(i)) << path;
        }
      }
    }
}

TEST_F(Formats, NamesOfNoFormatAreRefused) {
  for (const char* name : {"t.gz", "t.foo", "t", "t.xyz.bak"})
    EXPECT_THAT(test::messageOf<InputError>([&] { io::formatToWrite(name); }),
                HasSubstr("allowed: .xyz,"))
        << name;
  EXPECT_STREQ(io::formatToWrite("t.hdf5").key, "h5md");
  EXPECT_STREQ(io::formatToWrite("t.foo", "gsd").key, "gsd");
  EXPECT_STREQ(io::formatToWrite("/dev/null").key, "xyz");
  EXPECT_THAT(test::messageOf<InputError>([&] { io::formatToWrite("t.xyz", "foo"); }),
              HasSubstr("allowed: xyz, xyz.gz, h5md, gsd, dump, data, pdb, npz"));
  const test::Result r =
      test::cellscope("run four_disks --steps 1 --backend cpu --trajectory " + file("t.foo"));
  EXPECT_EQ(r.code, 2) << r.output;
  EXPECT_FALSE(fs::exists(file("t.foo")));
}

// What the programs of others make of trajectories of a mixture.
TEST_F(Formats, ClientsReadMixtures) {
  const test::Result run = test::cellscope(
      "run glass_mixture --backend cpu --set n=100 --steps 4 --trajectory-every 2 "
      "--quiet --trajectory " +
      file("m.h5"));
  ASSERT_EQ(run.code, 0) << run.output;
  for (const char* name : {"m.xyz", "m.gsd", "m.dump"}) {
    const test::Result r =
        test::cellscope("convert --all --quiet " + file("m.h5") + " " + file(name));
    ASSERT_EQ(r.code, 0) << r.output;
  }
  if (!hasPython("ase, gsd.hoomd, h5py, MDAnalysis"))
    GTEST_SKIP() << "python3-ase, -gsd, -h5py or -mdanalysis is not installed";
  python("ase.io, gsd.hoomd, h5py, MDAnalysis", R"(
p = h5py.File(folder + 'm.h5', 'r')['particles/all']
steps = list(p['position/step'])
assert steps == [0, 2, 4], steps
x, v, ids, kind = [p[k + '/value'] for k in ('position', 'velocity', 'id', 'species')]
L = p['box/edges/value'][2].diagonal()
order = np.argsort(ids[2])
a = ase.io.read(folder + 'm.xyz', index=':')
assert [f.info['Step'] for f in a] == steps
assert (a[2].positions == x[2]).all() and (a[2].arrays['velo'] == v[2]).all()
assert [t == 'B' for t in a[2].arrays['type']] == list(kind[2] == 1)
g = gsd.hoomd.open(folder + 'm.gsd', 'rb')
assert [f.configuration.step for f in g] == steps
assert g[2].particles.types == ['A', 'B'] and (g[2].particles.typeid == kind[2][order]).all()
assert np.allclose(g[2].particles.position + L / 2, x[2][order], atol=1e-6)
assert np.allclose(g[2].particles.velocity, v[2][order], atol=1e-6)
assert (abs(g[2].particles.position) <= L.astype('f4') / 2).all()
d = ase.io.read(folder + 'm.dump', index=':', format='lammps-dump-text', order=False)
assert np.allclose(d[2].positions, x[2]) and len(d) == 3
u = MDAnalysis.Universe(folder + 'm.gsd')
assert u.atoms.n_atoms == 100 and len(u.trajectory) == 3
)");
}

TEST_F(Formats, ConvertNamesWhatItCannotDo) {
  put("a.xyz",
      "1\nLattice=\"4 0 0 0 4 0 0 0 4\"\nX 1 1 5\n1\nLattice=\"4 0 0 0 4 0 0 0 4\"\nX 2 2 2\n");
  put("plain.xyz", "1\n\nX 1 1 1\n");
  const auto convert = [&](const std::string& arguments) {
    return test::shell("cd " + folder_.string() + " && " CELLSCOPE_PROGRAM " convert " + arguments);
  };
  const std::tuple<const char*, int, const char*> cases[] = {
      {"a.xyz a.gsd", 0, "a.xyz (extended XYZ) -> a.gsd (GSD): 1 frame, 1 particles"},
      {"--all a.xyz b.gsd", 0, "2 frames"},
      {"--all a.xyz b.h5", 0, "1 of 1 particles were outside the box"},
      {"--all a.xyz b.npz", 2, "the format npz holds one frame, and 'a.xyz' has several"},
      {"a.xyz a.xyz", 2, "OUT would overwrite 'a.xyz'"},
      {"a.xyz a.foo", 2, "the suffix '.foo' names no format"},
      {"a.xyz a.foo --format gsd", 0, "(GSD)"},
      {"plain.xyz c.gsd", 2, "plain.xyz:2: the file has no box"},
      {"plain.xyz c.gsd --box 4", 0, "(GSD)"},
      {"none.xyz c.gsd", 2, "none.xyz"},
      {"a.xyz no/c.gsd", 2, "no/c.gsd"},
  };
  for (const auto& [arguments, code, expected] : cases) {
    const test::Result r = convert(arguments);
    EXPECT_EQ(r.code, code) << arguments << "\n" << r.output;
    EXPECT_THAT(r.output, HasSubstr(expected)) << arguments;
  }
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".new-")) << entry.path();
}

}  // namespace
}  // namespace cellscope
