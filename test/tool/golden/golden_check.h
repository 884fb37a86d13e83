#pragma once

/// Shared by the checks, which use the expected headers. All checks are one program, compiled by several
/// compilers.

#include <autoshard/autoshard.h>

#include <cstdio>
#include <cstdlib>

inline void check(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: expected %s\n", file, line, what);
  std::exit(1);
}

#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)

/// Defines the check of the header `name`.h. The program calls it.
#define GOLDEN_CHECK(name) static void name##_check()
