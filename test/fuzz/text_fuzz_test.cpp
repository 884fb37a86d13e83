// Any bytes, and the texts of the corpus with a few bytes changed.

#include "text_fuzz.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "test_store.h"

namespace autoshard::test {
namespace {

constexpr int kTexts = 20'000;

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const auto& file : std::filesystem::directory_iterator(FUZZ_CORPUS)) {
    std::ifstream in(file.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

TEST(TextFuzz, SurvivesTheCorpus) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 8U);
  for (const std::string& text : texts) try_text(text);
}

TEST(TextFuzz, SurvivesAnyBytes) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < kTexts; ++i) {
    std::string bytes(below(generator, 40), ' ');
    for (char& byte : bytes) byte = static_cast<char>(generator());
    try_text(bytes);
  }
}

TEST(TextFuzz, SurvivesDamagedTexts) {
  std::mt19937_64 generator = seeded_generator();
  const std::vector<std::string> texts = corpus();
  for (int i = 0; i < kTexts; ++i) {
    std::string text = texts[below(generator, texts.size())];
    for (std::size_t changes = 1 + below(generator, 4); changes > 0 && text.size() > 1; --changes) {
      const std::size_t at = 1 + below(generator, text.size() - 1);
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
    try_text(text);
  }
}

}  // namespace
}  // namespace autoshard::test
