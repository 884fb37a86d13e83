#pragma once

/// Included by every source that `mutate` has rewritten. Environment variables choose what it does:
/// - AUTOSHARD_MUTANT: the number of the mutant that is in force; without it, none is.
/// - AUTOSHARD_MUTANTS_REACHED: a file with a byte for each mutant, which is set when execution reaches the
/// mutant.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

// Where an operator was a constant expression, a function is none.
#pragma clang diagnostic ignored "-Wc++11-narrowing"

namespace mutants {

struct Choice {
  int mutant = -1;
  unsigned char* reached = nullptr;
  std::size_t size = 0;

  Choice() {
    if (const char* number = std::getenv("AUTOSHARD_MUTANT")) mutant = std::atoi(number);
    const char* path = std::getenv("AUTOSHARD_MUTANTS_REACHED");
    if (!path) return;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) std::abort();
    size = static_cast<std::size_t>(status.st_size);
    // Shared, so that it survives a crash and is the same for child processes.
    void* const bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) std::abort();
    reached = static_cast<unsigned char*>(bytes);
    close(file);
  }
};

/// Whether the mutant is in force.
inline bool is(int mutant) {
  static const Choice choice;
  const auto place = static_cast<std::size_t>(mutant);
  if (place < choice.size) __atomic_store_n(choice.reached + place, 1, __ATOMIC_RELAXED);
  return mutant == choice.mutant;
}

enum class Comparison { kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kEqual, kUnequal };

/// `left` compared with `right`, or a neighbouring comparison if the mutant is in force.
template <Comparison comparison, class Left, class Right>
bool compare(int mutant, const Left& left, const Right& right) {
  const bool changed = is(mutant);
  if constexpr (comparison == Comparison::kLess) return changed ? left <= right : left < right;
  if constexpr (comparison == Comparison::kLessOrEqual) return changed ? left < right : left <= right;
  if constexpr (comparison == Comparison::kGreater) return changed ? left >= right : left > right;
  if constexpr (comparison == Comparison::kGreaterOrEqual) return changed ? left > right : left >= right;
  if constexpr (comparison == Comparison::kEqual) return changed ? left != right : left == right;
  if constexpr (comparison == Comparison::kUnequal) return changed ? left == right : left != right;
}

template <class Left, class Right>
auto add(int mutant, Left left, Right right) {
  return is(mutant) ? left - right : left + right;
}

template <class Left, class Right>
auto subtract(int mutant, Left left, Right right) {
  return is(mutant) ? left + right : left - right;
}

}  // namespace mutants
