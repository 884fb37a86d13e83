#pragma once

/// What the programs that use the expected output share: each is compiled by several compilers, and run.

#include <autoshard/autoshard.h>

#include <cstdio>
#include <cstdlib>

inline void check(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "line %d: expected %s\n", line, what);
  std::exit(1);
}

#define CHECK(condition) check(condition, #condition, __LINE__)
