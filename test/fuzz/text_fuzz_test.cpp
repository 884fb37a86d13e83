// Any bytes, and the texts of the corpora with a few bytes changed.

#include "text_fuzz.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "record_fuzz.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

constexpr int kTexts = 5'000;

/// One kind of input, with the name of its folder in the corpus.
struct Fuzzed {
  const char* name;
  void (*attempt)(std::string_view bytes);
};

class TextFuzz : public ::testing::TestWithParam<Fuzzed> {
 protected:
  static std::vector<std::string> corpus() {
    std::vector<std::string> texts;
    for (const auto& file :
         std::filesystem::directory_iterator(std::filesystem::path(FUZZ_CORPUS) / GetParam().name)) {
      std::ifstream in(file.path(), std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return texts;
  }

  static void attempt(std::string_view bytes) { GetParam().attempt(bytes); }
};

TEST_P(TextFuzz, SurvivesTheCorpus) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 2U);
  for (const std::string& text : texts) attempt(text);
}

TEST_P(TextFuzz, SurvivesAnyBytes) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < kTexts; ++i) {
    std::string bytes(below(generator, 40), ' ');
    for (char& byte : bytes) byte = static_cast<char>(generator());
    attempt(bytes);
  }
}

TEST_P(TextFuzz, SurvivesDamagedTexts) {
  std::mt19937_64 generator = seeded_generator();
  const std::vector<std::string> texts = corpus();
  for (int i = 0; i < kTexts; ++i) {
    std::string text = texts[below(generator, texts.size())];
    for (std::size_t changes = 1 + below(generator, 4); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = below(generator, text.size());
      switch (below(generator, 3)) {
        case 0:
          text[at] = static_cast<char>(generator());
          break;
        case 1:
          text.erase(at, 1 + below(generator, 4));
          break;
        default:
          text.insert(at, text.substr(below(generator, text.size()), below(generator, 9)));
      }
    }
    attempt(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, TextFuzz,
                         ::testing::Values(Fuzzed{"record", try_record}, Fuzzed{"key", try_key},
                                           Fuzzed{"order", try_order}, Fuzzed{"cursor", try_cursor},
                                           Fuzzed{"json", try_json}, Fuzzed{"token", try_token}),
                         [](const auto& fuzzed) { return fuzzed.param.name; });

}  // namespace
}  // namespace autoshard::test
