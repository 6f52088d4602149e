// Checks of the program itself: on failure print the expression and its line, and abort.
#pragma once
#include <cstdio>
#include <cstdlib>

#define CELLSCOPE_ASSERT(condition)                                                               \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      std::fprintf(stderr, "%s:%d: internal check failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                               \
    }                                                                                             \
  } while (false)
