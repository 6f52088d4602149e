// Fixture of tests of file formats.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "sim/base/error.h"
#include "sim/io/formats/format.h"
#include "tests/support/program.h"

namespace cellscope::test {

// All that was read, as one text: "3D 6 6 6 | 0 X 1 1 1 | ...", velocities behind a v, notes at the
// end behind a #.
inline std::string textOf(const io::LoadedFrame& f) {
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

// All that was read, or why it is refused.
inline std::string readOrRefusal(const std::string& path, const std::string& box = "") {
  try {
    return textOf(io::readConfiguration(path, box));
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr(path));
    return e.what();
  }
}

class Formats : public Program {
 protected:
  // Without a suffix that tells: formats are recognised by what files hold.
  std::string read(const std::string& text, const std::string& box = "") const {
    return readOrRefusal(put("any", text), box);
  }
  void python(const std::string& module, const std::string& code) const {
    const std::string script =
        put("t.py", fmt::format("import warnings\nwarnings.simplefilter('ignore')\n"
                                "import numpy as np, {}\nfolder = '{}/'\n{}\nprint('good')\n",
                                module, folder_.string(), code));
    const test::Result r = test::shell("/usr/bin/python3 -W ignore " + script);
    EXPECT_TRUE(r.output.ends_with("good\n")) << r.output << code;
  }
  static bool hasPython(const std::string& module) {
    return test::shell("/usr/bin/python3 -c 'import " + module + "'").code == 0;
  }
};

inline std::string foreign(const std::string& name) {
  return CELLSCOPE_TEST_DATA "/foreign/" + name;
}

}  // namespace cellscope::test
