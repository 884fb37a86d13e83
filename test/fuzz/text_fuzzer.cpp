// For libFuzzer: `text_fuzzer -max_total_time=60 CORPUS_FOLDER test/fuzz/corpus`, which adds what it finds to
// the first folder.

#include <cstddef>
#include <cstdint>

#include "text_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  autoshard::test::try_text({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
