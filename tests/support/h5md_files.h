// Fixture of tests of H5MD files.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/program.h"

namespace cellscope::test {

class H5md : public Program {
 protected:
  // h5py in the interpreter of the distribution.
  Result python(const std::string& code) const {
    std::ofstream(file("t.py")) << "import h5py, numpy as np, sys\n" << code;
    return shell("/usr/bin/python3 " + file("t.py"));
  }
  // Nothing that it asserts fails.
  void expectGood(const std::string& code) const {
    EXPECT_EQ(python(code + "print('good')\n").output, "good\n");
  }
  // Every group, dataset and attribute: values, types, extents, how they may grow.
  void expectSameFiles(const std::string& a, const std::string& b) const {
    expectGood("files = ['" + a + "', '" + b + R"(']
def parts(path):
    found = {}
    def add(name, o):
        attributes = {k: np.array(v).tolist() for k, v in o.attrs.items()}
        found[name] = attributes if isinstance(o, h5py.Group) else (
            attributes, o.shape, o.maxshape, o.chunks, o.dtype.str, str(o.fillvalue), o[()].tobytes())
    h5py.File(path, 'r').visititems(add)
    return found
a, b = [parts(f) for f in files]
assert a.keys() == b.keys(), a.keys() ^ b.keys()
for k in a:
    assert a[k] == b[k], (k, a[k][:-1], b[k][:-1])
)");
  }
};

}  // namespace cellscope::test
