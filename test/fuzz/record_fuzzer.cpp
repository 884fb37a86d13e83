// For libFuzzer: `record_fuzzer -max_total_time=60 CORPUS_FOLDER`.

#include <cstddef>
#include <cstdint>

#include "record_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  autoshard::test::try_bytes({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
