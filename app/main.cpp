namespace cellscope::cli {
int runCommandLine(int argc, char** argv);  // app/cli/commands.h includes CLI11: 6 s
}

int main(int argc, char** argv) { return cellscope::cli::runCommandLine(argc, argv); }
