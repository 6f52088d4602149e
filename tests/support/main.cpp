// Runs the tests of an executable. Several run at once, so that each has a temporary folder of its
// own, testing::TempDir(), which is removed afterwards.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  std::string folder = std::filesystem::temp_directory_path() / "cellscope-tests-XXXXXX";
  if (!mkdtemp(folder.data())) {
    std::cerr << "cannot create the folder '" << folder << "' for the files of the tests\n";
    return 1;
  }
  setenv("TEST_TMPDIR", folder.c_str(), 1);
  const int result = RUN_ALL_TESTS();
  std::filesystem::remove_all(folder);
  return result;
}
