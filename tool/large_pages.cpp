#include "tool/large_pages.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace autoshard::tool {
namespace {

constexpr int kReserved = 256 << 20;  ///< reserves addresses; pages get memory when they are used
constexpr std::uintptr_t kLargePage = 2 << 20;

}  // namespace

void use_large_pages() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, kReserved);
  mallopt(M_TRIM_THRESHOLD, kReserved);
  mallopt(M_TOP_PAD, kReserved);
  // This block exceeds the free memory of malloc, so malloc asks for the whole reserve.
  void* const block = std::malloc(kLargePage);
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(block) + kLargePage - 1) & ~(kLargePage - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  // If the kernel refuses, the generator is only slower.
  if (block && begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  std::free(block);
#endif
}

}  // namespace autoshard::tool
