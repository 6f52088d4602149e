// Binary file formats of others, as their own programs write them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/io/files.h"
#include "tests/support/formats.h"
#include "tests/support/message_of.h"

namespace cellscope {
namespace {

using test::Formats;
using test::textOf;
using testing::HasSubstr;

// As gsd 5 writes it: schema 2.0. The version stands at byte 40.
TEST_F(Formats, GsdOfSchemaTwoIsRead) {
  std::ofstream(file("a.xyz"))
      << "1\nLattice=\"6 0 0 0 5 0 0 0 4\" Properties=species:S:1:pos:R:3\nX 1 1 1\n";
  ASSERT_EQ(test::cellscope("convert " + file("a.xyz") + " " + file("a.gsd")).code, 0);
  const std::string whole = io::readFile(file("a.gsd"));
  for (const char major : {'\1', '\2', '\3'}) {
    std::string text = whole;
    text[40] = 0, text[41] = 0, text[42] = major, text[43] = 0;
    std::ofstream(file("b.gsd"), std::ios::binary) << text;
    const test::Result r =
        test::cellscope("convert " + file("b.gsd") + " " + file("b.xyz") + " --overwrite");
    EXPECT_EQ(r.code, major == '\3' ? 2 : 0) << r.output;
    EXPECT_EQ(has(r, "'hoomd' 3.0; allowed: 'hoomd' 1.x and 2.x"), major == '\3') << r.output;
  }
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
    EXPECT_THAT(test::readOrRefusal(path), HasSubstr(expected)) << name;
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
f, g = start('momenta'); g['momentum/value'] = np.full((3, 1, 3), 6.); g['momentum/step'] = [0, 10, 20]; g['mass'] = [3.]; f.close()
f, g = start('mass'); g['mass'] = [3.]; f.close()
f, g = start('steps'); del g['position/step']; g['position/step'] = [0, 10]; f.close()
f, g = start('box'); del g['box/edges']; g['box/edges/value'] = np.full((3, 3), 4.); g['box/edges/step'] = [0, 10, 15]; f.close()
)");
  const std::pair<const char*, std::string> cases[] = {
      {"rare", "| 0 X 3 3 3 v 2 0 0"},
      {"late", "'particles/all/velocity/value' has no frame of step 20."},
      {"steady", "| 0 X 3 3 3 v 2 0 0"},
      {"force", "# Not used: particles/all/force, particles/all/image."},
      {"momenta", "| 0 X 3 3 3 v 2 2 2 # Velocities are momenta divided by the masses."},
      {"steps", "'particles/all/position/step' has 2 values, and 3 were expected"},
      {"box", "'particles/all/box/edges/value' has no frame of step 20"},
  };
  for (const auto& [name, expected] : cases)
    EXPECT_THAT(test::readOrRefusal(file(name)), HasSubstr(expected)) << name;
  const io::LoadedFrame mass = io::readConfiguration(file("mass"));
  EXPECT_EQ(mass.configuration.species[0].mass, 3);
  EXPECT_EQ(mass.step, 20u);
  EXPECT_EQ(mass.time, 1);
}

}  // namespace
}  // namespace cellscope
