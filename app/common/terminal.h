// Output to the terminal. A closed terminal or full disk never ends a run.
#pragma once
#include <string>

namespace cellscope::common {

// Redirects closed standard streams to /dev/null: otherwise the next opened file would take their
// descriptor and receive messages.
void openStandardStreams();

// A reader that exits (head) or a file size limit (ulimit -f) must not end the program: writes
// return errors instead of raising SIGPIPE or SIGXFSZ.
void outliveOutputs();

// Escapes control characters (except tab and newline) and invalid UTF-8 bytes in text from users
// (titles, file names) as \x1b and the like, so that they cannot control the terminal.
std::string printable(const std::string& text);

enum class Tone { plain, warning };  // warnings are red where inRed() allows it

// Print a line of printable() text and flush.
void printLine(const std::string& line, Tone tone = Tone::plain);   // standard output
void printError(const std::string& line, Tone tone = Tone::plain);  // standard error
void put(const std::string& text);          // printable() text to standard output, without newline
void putOnStderr(const std::string& text);  // unchanged

// Error of writing to standard output; "" if none, or if the reader has exited.
std::string outputTrouble();

// Whether a path such as /dev/stdout refers to standard output (and is not /dev/null).
bool isStandardOutput(const std::string& path);

// Quotes the name if a shell needs it.
std::string forShell(const std::string& name);

// The line in red if the descriptor is a colour terminal and NO_COLOR is not set.
std::string inRed(const std::string& line, int descriptor);

// Columns of the terminal of a file descriptor; 0 if unknown or not a terminal.
int terminalColumns(int descriptor);

}  // namespace cellscope::common
