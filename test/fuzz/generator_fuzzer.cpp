// For libFuzzer: `generator_fuzzer -max_total_time=600 CORPUS_FOLDER`.

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "generator_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace autoshard::test;
  static GeneratorFuzz fuzz(Process::kOwn);
  static std::size_t number = 0;
  if (size == 0) return 0;
  Choices choices({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  const Case one = make_case(choices, number++, static_cast<Mistakes>(bytes[0] % 3));
  if (const auto finding = fuzz.try_cases({one})) {
    std::cerr << describe(*finding);
    std::abort();
  }
  return 0;
}
