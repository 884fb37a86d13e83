// For libFuzzer: `json_fuzzer -max_total_time=60 FOLDER test/fuzz/corpus/json` adds what it finds to FOLDER.
// The program's name says which inputs it tries; AUTOSHARD_FUZZED is the function that takes them.

#include <cstddef>
#include <cstdint>

#include "record_fuzz.h"
#include "text_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  autoshard::test::AUTOSHARD_FUZZED({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
