namespace cellscope::cli {
int runCommandLine(int argc, char** argv);  // app/cli/commands.h, which takes 6 s to compile
}

int main(int argc, char** argv) { return cellscope::cli::runCommandLine(argc, argv); }
