// Output to the terminal. A terminal that is gone, closed or full never ends a run.
#pragma once
#include <string>

namespace cellscope::common {

// Standard input, output and errors that were closed lead nowhere: otherwise the next file that is
// opened would get the number of one, and messages would go into it.
void openStandardStreams();

// A reader that leaves, as head does, or a limit on the size of files (ulimit -f) is no reason to
// lose what is being computed: writing fails from now on instead of ending the program.
void outliveOutputs();

// Text of users (titles, names of files) may hold anything, and control characters would act on the
// terminal: each of them, except tabs and ends of lines, becomes \x1b or the like. So does every
// byte that belongs to no UTF-8 character.
std::string printable(const std::string& text);

enum class Tone { plain, warning };  // warnings are red where inRed() allows it

// Lines of printable() text, complete at once.
void say(const std::string& line, Tone tone = Tone::plain);       // standard output
void complain(const std::string& line, Tone tone = Tone::plain);  // standard error
void put(const std::string& text);  // printable() text on standard output, without an end of line
void putOnStderr(const std::string& text);  // as it is

// Why standard output could not be written, "" if all of it could or its reader has left.
std::string outputTrouble();

// Whether a name such as /dev/stdout leads where standard output does (and not to nowhere).
bool isStandardOutput(const std::string& path);

// In quotation marks where a shell would not take the name as it is.
std::string forShell(const std::string& name);

// The line in red where the file descriptor is a terminal that shows colours and NO_COLOR is not
// set, else as it is.
std::string inRed(const std::string& line, int descriptor);

// Columns of the terminal behind a file descriptor; 0 where it is none or does not tell.
int terminalColumns(int descriptor);

}  // namespace cellscope::common
