#include "app/cli/commands.h"

int main(int argc, char** argv) { return cellscope::cli::runCommandLine(argc, argv); }
