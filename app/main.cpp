#include "app/cli/command_line.h"

int main(int argc, char** argv) { return cellscope::cli::runCommandLine(argc, argv); }
