// The program as a person or a script meets it: arguments, exit codes, files, signals.
#include "tests/support/program.h"

#include <gmock/gmock.h>

#include <sstream>

#include "sim/io/formats/format.h"

namespace cellscope::test {
namespace {

using testing::Contains, testing::HasSubstr;

TEST_F(Program, ExplainsItself) {
  EXPECT_TRUE(completes("--help", {"run", "bench", "reproduce"}));
  EXPECT_TRUE(completes("list", {"hexatic", "hard_disks"}));
  EXPECT_TRUE(completes("list hard_disks", {"packing = ", "pressure",
                                            "Plots (scenario key view.plots)\n  pressure, "}));
  EXPECT_TRUE(completes("list four_disks", {"0.313418602"}));
  EXPECT_TRUE(completes("info", {"cuda", "OpenGL"}));
}

TEST_F(Program, TheInstructionSetCanBeChosen) {
  const std::string sse2 = "CELLSCOPE_ISA=sse2 " CELLSCOPE_PROGRAM " ";
  const std::string none = "CELLSCOPE_ISA=abacus " CELLSCOPE_PROGRAM " ";
  EXPECT_TRUE(has(shell(sse2 + "info"), "using sse2"));
  const std::string run = " --backend cpu --steps 2 --quiet", disks = "run four_disks" + run,
                    molecules = "run lj_all_pairs --set n=256" + run;
  for (const std::string& arguments : {disks, molecules})
    EXPECT_TRUE(ended(shell(sse2 + arguments), 0)) << arguments;
  for (const std::string& arguments :
       {disks, molecules, std::string("list lj_all_pairs"), std::string("bench --list")}) {
    const Result r = shell(none + arguments);
    EXPECT_TRUE(ended(r, 2,
                      {"cellscope: instruction set 'abacus' (CELLSCOPE_ISA) cannot be used",
                       "choose one of: scalar, sse2"}))
        << arguments;
    EXPECT_FALSE(has(r, ".toml")) << r.output;
  }
}

// Every environment variable that the program or a test reads is in the help, or in the README of
// the tests.
TEST_F(Program, EnvironmentVariablesAreDocumented) {
  const std::string texts = io::readFile(CELLSCOPE_SOURCE_DIR "/assets/help/environment.txt") +
                            io::readFile(CELLSCOPE_SOURCE_DIR "/tests/README.md");
  const Result found = shell("cd " CELLSCOPE_SOURCE_DIR
                             " && grep -rhoE 'getenv\\(\"[A-Z_]+\"' "
                             "app render sim tests --include=*.cpp --include=*.h");
  std::istringstream lines(found.output);
  int variables = 0;
  for (std::string line; std::getline(lines, line); ++variables) {
    const std::string name = line.substr(8, line.size() - 9);
    EXPECT_NE(texts.find(name), std::string::npos) << name;
  }
  EXPECT_GE(variables, 5) << found.output;
}

// Arguments that are refused, and what is said of them.
constexpr std::pair<const char*, const char*> kRefused[] = {
    {"run no_such_scenario", "hexatic"},
    {"run four_disk", "did you mean 'four_disks'"},
    {"run four_disks --set packign=0.2", "did you mean 'packing'"},
    {"run four_disks --set packing=2", "0.9"},
    {"run four_disks --set packing=nan", "finite"},
    {"run four_disks --set packing", "key=value"},
    {"run four_disks --steps many", "--steps"},
    {"run four_disks --steps -3", "--steps"},
    {"run four_disks --discard -1", "--discard"},
    {"run four_disks --steps 1.5", "'1.5' is not allowed; allowed: whole number 1 to"},
    {"run four_disks --steps 0x10", "'0x10' is not allowed; allowed: whole number 1 to"},
    {"run four_disks --seconds nan", "'nan' is not allowed; allowed: number 0.001 to"},
    {"reproduce table2 --minutes nan", "'nan' is not allowed; allowed: number 0.01 to"},
    {"reproduce table1 --sides 16,32", "--sides: it takes one value, 2 were given"},
    {"reproduce table2 --packings 0.30,0.5,3e-1", "--packings: 0.3 is given twice"},
    {"reproduce table4 --packings 0.7", "--packings: unknown option of table4; known:"},
    {"bench --json /tmp/a.out --csv /tmp/./a.out", "--json and --csv both name '/tmp/a.out'"},
    {"reproduce table2 --folder /proc/no/folder", "cannot make the folder '/proc/no/folder'"},
    {"run four_disks --steps 10 --discard 10", "leaves none of the 10 steps"},
    {"run four_disks --trajectory-every 3", "requires --trajectory"},
    {"run four_disks --checkpoint-every 3", "requires --checkpoint"},
    {"run four_disks --checkpoint-every-steps 3", "requires --checkpoint"},
    {"run four_disks --checkpoint a --checkpoint-every-steps 0", "--checkpoint-every-steps"},
    {"run four_disks --picture-size 80x80", "requires --picture"},
    {"run four_disks --select 'id == 1'", "--select requires --picture"},
    {"run four_disks --csv ''", "name is empty"},
    {"run four_disks --stepz 3", "--stepz"},
    {"run four_disks --backend gpu", "--backend"},
    {"run four_disks --load-configuration /no/such/file.xyz", "/no/such/file.xyz"},
    {"run --resume /no/such/file.checkpoint", "/no/such/file.checkpoint"},
    {"window --resume /no/such/file.checkpoint", "/no/such/file.checkpoint"},
    {"window four_disks --resume x.checkpoint", "excludes --resume"},
    {"window four_disks --screenshot-at-exit /no/such/folder/a.png",
     "cannot write '/no/such/folder/a.png': there is no folder '/no/such/folder'"},
    {"window four_disks --screenshot-at-exit /proc", "cannot write '/proc': Is a directory"},
    {"run four_disks --csv /etc/hostname/x",
     "cannot write '/etc/hostname/x': '/etc/hostname' is not a folder; choose another folder"},
    {"window four_disks --screenshot-at-exit ''", "name is empty"},
    {"window four_disks --log-events /no/such/folder/a.log",
     "cannot write '/no/such/folder/a.log': there is no folder '/no/such/folder'"},
    {"window four_disks --log-events /tmp/a.log --screenshot-at-exit /tmp/./a.log",
     "--screenshot-at-exit and --log-events both name '/tmp/./a.log'"},
    {"window four_disks --output /proc/no/folder", "cannot make the folder '/proc/no/folder'"},
    {"run", "name a scenario"},
    {"run four_disks --picture a.png --picture-size 3x3", "64 to 16000"},
    {"run four_disks --picture a.png --picture-size 4294967396x100", "64 to 16000"},
    {"run four_disks --picture a.png --picture-size 16384x64", "64 to 16000"},
    {"run four_disks --picture a.png --picture-size 100", "write WIDTHxHEIGHT"},
    {"run four_disks --picture a.jpg", "pictures are PNG files; name it 'a.png'"},
    {"run four_disks --video a.gif --video-every 10", ".mp4"},
    {"run four_disks --video a.mp4", "--video-every"},
    {"run four_disks --video-every 10", "--video"},
    {"run four_disks --video a.mp4 --video-every 0", "allowed"},
    {"run four_disks --video /nowhere/a.mp4 --video-every 1", "/nowhere"},
    // Settings.
    {"run four_disks --set d=0.1 n_M", "'n_M' is not expected after run"},
    {"run --set d=0.1 nowhere", "no scenario 'nowhere'"},
    {"run four_disks --set d=0.1 packign=0.2", "did you mean 'packing'"},
    {"run four_disks --set d=0.1 --steps 5 n_M=2", "'n_M=2' is not expected after run"},
    {"run four_disks --set d=0.1 -- n_M=2", "not expected"},
    {"window four_disks --set d=0.1 packign=0.2", "did you mean 'packing'"},
    {"run four_disks --set d=0.1 n_M=2 d=0.2", "--set d=0.2: 'd' is set twice"},
    {"run four_disks --set d=0.1 --set d=0.1", "set it once"},
    {"window four_disks --set d=0.1 --set d=0.2", "'d' is set twice"},
    {"run four_disks --set seed=9007199254740992.0", "too large to be exact; write it in digits"},
    {"run four_disks --set seed=1.5", "'1.5' is not a whole number"},
    {"run lj_all_pairs --set system=binary mixing=given sigma_ab=0.9 epsilon_ab=1 cutoff_ab=0.2",
     "cutoff_ab = 0.2 is too small; use at least 0.5"},
    {"run lj_all_pairs --set system=binary mixing=given sigma_ab=0.9 cutoff_ab=2",
     "missing pair parameters: mixing = given takes sigma, epsilon and cutoff between A and B "},
    // Arguments that nothing takes.
    {"run four_disks --set d=0.1 --seed 7",
     "--seed: run has no such option; to change a parameter of the scenario use --set seed=VALUE"},
    {"run four_disks --thread 7", "did you mean --threads?"},
    {"run four_disks 7", "'7' is not expected after run"},
    {"frobnicate", "'frobnicate' is not expected after cellscope"},
    {"list --all", "--all: list has no such option"},
    {"reproduce --packings 0.3 --sides 8 table4", "unknown option of table4"},
    // Devices that there are not.
    {"run four_disks --steps 1 --backend cpu --device 3", "--device 3: the CPU backend"},
    {"run four_disks --steps 1 --device 63", "--device 63: no "},
    {"bench --list --device 63", "--device 63: no "},
    // Nothing to do, and what there is instead of what was named.
    {"run four_disks --backend cpu --steps 0", "--steps"},
    {"run four_disks --backend cpu --seconds 0", "--seconds"},
    {"list hard_disk", "hexatic"},
    {"list hard_disk", "modes: hard_disks, md"}};

TEST_F(Program, BadInputExitsWithTwoAndNamesTheWayOut) {
  for (const auto& [arguments, wanted] : kRefused) EXPECT_TRUE(refuses(arguments, {wanted}));
}

TEST_F(Program, WholeNumbersMayBeWrittenAsReals) {
  const Result r = cellscope(
      "run four_disks --backend cpu --threads 1e0 --steps 2e1 --sample-every 10.0 --set seed=3e0 "
      "--seconds +60 --discard 010");
  EXPECT_TRUE(ended(r, 0, {"20 sweeps in", "(1 sample since step 10)"}));
  const std::size_t mean = r.output.find("20 sweeps in");  // and the mean rate in the same line
  const std::string line = r.output.substr(mean, r.output.find('\n', mean) - mean);
  EXPECT_TRUE(line.ends_with(" trial moves/s")) << line;
}

TEST_F(Program, StatesTheMethodThatItChose) {
  EXPECT_TRUE(completes("run gcmc_liquid --backend cpu --threads 1 --steps 2",
                        {"\n  method: serial_cells, chosen automatically"}));
}

// As in --set key=value ...: all that follow and are settings.
TEST_F(Program, OneSetTakesSeveralSettingsAndLeavesTheScenario) {
  const std::string own = file("own=four.toml");
  fs::copy_file(CELLSCOPE_SOURCE_DIR "/assets/scenarios/four_disks.toml", own);
  const std::string options = " --backend cpu --steps 5 --overwrite --csv " + csv_;
  for (const std::string& arguments :
       {std::string("run four_disks --set d=0.11 n_M=2 packing=0.15"),
        std::string("run --set d=0.11 n_M=2 packing=0.15 four_disks"),
        std::string("run --set=d=0.11 n_M=2 --threads 1 --set packing=0.15 four_disks"),
        "run --set d=0.11 n_M=2 packing=0.15 " + own}) {
    EXPECT_TRUE(completes(arguments + options));
    const std::string header = io::readFile(csv_);
    for (const char* line :
         {"# parameter d = 0.11", "# parameter n_M = 2", "# parameter packing = 0.15"})
      EXPECT_NE(header.find(line), std::string::npos) << arguments << "\n" << header;
  }
}

TEST_F(Program, TheLastConfigurationOfAStreamIsLoaded) {
  const std::string b = file("b.xyz");
  ASSERT_TRUE(
      completes("run dilute --set n=64 --backend cpu --steps 20 --trajectory-every 10 "
                "--trajectory " +
                xyz_));
  // Frames separated by blank lines, as some programs write them, through a pipe.
  const Result r = shell("sed 's/^64$/\\n64/' " + xyz_ +
                         " | " CELLSCOPE_PROGRAM
                         " run dilute --backend cpu --seconds 0.001 --load-configuration "
                         "/dev/stdin --trajectory " +
                         b);
  EXPECT_EQ(r.code, 0) << r.output;
  EXPECT_EQ(io::readConfiguration(xyz_).configuration.ids.size(), 64u);
  EXPECT_TRUE(has(r, "dilute, 64 particles")) << r.output;
}

// Long before the first step: these runs would take hours.
TEST_F(Program, OutputsThatCannotBeWrittenAreRefusedAtOnce) {
  const std::string folder = file("a-folder"), readOnly = "/proc/cellscope.out";
  std::filesystem::create_directories(folder);
  const std::pair<std::string, std::string> bad[] = {
      {"/no/such/folder/a.out", "there is no folder '/no/such/folder'; create it first"},
      {folder, "name a file, not a folder"},
      {readOnly, readOnly}};
  for (const char* option : {"--csv", "--trajectory", "--picture", "--checkpoint"})
    for (const auto& [path, wanted] : bad)
      EXPECT_TRUE(
          refuses("run million --backend cpu --steps 100000000 " + std::string(option) + " " + path,
                  {"'" + path + "'", wanted}));
}

// Where there is a GPU, it is hidden.
TEST_F(Program, AbsentGpuIsSaid) {
  const std::string start =
      "env -u DISPLAY -u WAYLAND_DISPLAY CUDA_VISIBLE_DEVICES= " CELLSCOPE_PROGRAM " ";
  for (const char* command : {"run four_disks --steps 1", "window four_disks", "bench"})
    EXPECT_TRUE(ended(shell(start + command + " --backend cuda"), 1,
                      {"the CUDA backend was requested, but ", "use --backend cpu"}));
  EXPECT_TRUE(ended(shell(start + "run four_disks --backend auto --steps 1"), 0,
                    {"Computing on cpu", "no CUDA: "}));
  const Result r = shell(start + "info");
  EXPECT_TRUE(has(r, "cuda: not usable: ")) << r.output;
}

TEST_F(Program, WithoutADisplayItRunsTheDefaultScenario) {
  EXPECT_TRUE(ended(here(""), 0, {"workbench.csv", "workbench.xyz"}));
  EXPECT_GT(io::readConfiguration(file("cellscope-output/workbench.xyz")).configuration.ids.size(),
            50u);
  // Its number is one that has settled.
  EXPECT_THAT(linesOf(file("cellscope-output/workbench.csv")),
              Contains(HasSubstr("averages begin at step")));
}

}  // namespace
}  // namespace cellscope::test
