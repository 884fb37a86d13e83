// The generator must write of every annotated header in test/entities, byte for byte, the companion beside
// it. With AUTOSHARD_UPDATE_GOLDEN=1 the test writes the expected files instead: read the difference before
// you commit it.
#include "support/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Config/llvm-config.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_folder.h"
#include "tool/model/model.h"
#include "tool/pipeline.h"

namespace autoshard::tool {
namespace {

namespace fs = std::filesystem;

using test::TemporaryFolder;

constexpr std::string_view kCompanion = ".autoshard.h";

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string in_tests(const std::string& file) { return (fs::path(TEST_FOLDER) / file).string(); }

/// The files below test/entities for which `is_wanted` holds, by their paths below test, sorted.
template <class Predicate>
std::vector<std::string> entities_that(Predicate is_wanted) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(in_tests("entities"))) {
    const std::string file = entry.path().lexically_relative(TEST_FOLDER).generic_string();
    if (entry.is_regular_file() && is_wanted(file)) files.push_back(file);
  }
  std::ranges::sort(files);
  return files;
}

bool is_annotated(const std::string& header) {
  return header.ends_with(".h") && !header.ends_with(kCompanion) &&
         read(in_tests(header)).find("autoshard::entity") != std::string::npos;
}

std::vector<std::string> headers() {
  return entities_that([](const std::string& file) {
    if (LLVM_VERSION_MAJOR < 22 && file.ends_with("/odd.h")) return false;  // Clang refuses its attributes
    return is_annotated(file);
  });
}

/// `text` as the libFormat of this LLVM lays it out: older ones leave no blank before a `&`
/// behind a parameter list.
std::string as_formatted_here(std::string text) {
#if LLVM_VERSION_MAJOR < 22
  for (std::size_t at = 0; (at = text.find(") &>(", at)) != std::string::npos;) text.erase(at + 1, 1);
#endif
  return text;
}

void expect_golden(const std::string& actual, const std::string& file) {
  if (test::updates_golden()) {
    // Other programs include the file, and are built again if it is written.
    if (read(in_tests(file)) != actual) std::ofstream(in_tests(file), std::ios::binary) << actual;
  } else {
    EXPECT_EQ(actual, as_formatted_here(read(in_tests(file)))) << test::how_to_update_golden("golden_test");
  }
}

class Golden : public testing::TestWithParam<std::string> {};

/// A source of the same name belongs to the header.
TEST_P(Golden, IsGeneratedAsExpected) {
  const TemporaryFolder folder;
  const std::string source = fs::path(GetParam()).replace_extension(".cpp").generic_string();
  Job job{.headers = {in_tests(GetParam())},
          .flags = {"-std=c++20", "-I" RUNTIME_FOLDER},
          .output_folder = folder.path(),
          .root = TEST_FOLDER};
  if (fs::exists(in_tests(source))) job.sources.push_back(in_tests(source));
  ASSERT_TRUE(run(job));
  std::vector<std::string> written;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file()) continue;
    written.push_back(entry.path().lexically_relative(folder.path()).generic_string());
    expect_golden(read(entry.path()), written.back());
  }
  std::vector<std::string> expected = {generated_name(GetParam())};
  if (!job.sources.empty()) expected.push_back(generated_name(source));
  EXPECT_THAT(written, testing::UnorderedElementsAreArray(expected));
}

TEST(Golden, EveryCompanionHasItsHeader) {
  for (const std::string& companion :
       entities_that([](const std::string& file) { return file.ends_with(kCompanion); })) {
    const std::string header = companion.substr(0, companion.size() - kCompanion.size()) + ".h";
    EXPECT_TRUE(is_annotated(header)) << companion << " is not what the generator writes of " << header;
  }
}

/// What `text`, as the header x.h, becomes.
std::string generated(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "x.h", std::ios::binary) << text;
  EXPECT_TRUE(run({.headers = {folder.path() / "x.h"}, .output_folder = folder.path()}));
  return read(folder.path() / "x.autoshard.h");
}

TEST(Generated, TellsTheRuntimeWhatFoldsDo) {
  const std::string text = generated(
      "struct [[autoshard::entity]] Race {\n  [[autoshard::id]] int id = 0;\n"
      "  [[autoshard::shard_fold(runs)]] static int add(int a, int b) { return a + b; }\n"
      "  [[autoshard::shard_fold(best)]] static int less(int a, int b) { return a < b ? a : b; }\n"
      "  [[autoshard::shard_fold(most)]] static unsigned more(unsigned a, unsigned b) {\n"
      "    return a > b ? a : b;\n  }\n"
      "  [[autoshard::shard_fold(flags)]] static unsigned all(unsigned a, unsigned b) { return a | b; }\n"
      "  [[autoshard::shard_fold(left)]] static int sum(int a, int b) { return a + b; }\n"
      "  [[autoshard::shard_write]] void reset() { runs = 0; }\n\n"
      " private:\n"
      "  [[autoshard::shardable(neutral = 0, shards = 4)]] int runs = 0;\n"
      "  [[autoshard::shardable(neutral = 0x7fffffff, shards = 4)]] int best = 0x7fffffff;\n"
      "  [[autoshard::shardable(neutral = 0, shards = 4)]] unsigned most = 0;\n"
      "  [[autoshard::shardable(neutral = 0, shards = 4)]] unsigned flags = 0;\n"
      "  [[autoshard::shardable(neutral = 0, shards = 4, min = 0)]] int left = 0;\n};\n");
  const std::size_t begin = text.find("sharded_properties()");
  std::string properties;
  for (const char c : text.substr(begin, text.find("};", begin) - begin)) {
    if (c != ' ' && c != '\n') properties += c;
  }
  for (const char* part :
       {"&Shard::fold_runs}.folds_by(Fold::kSum).replaced_by(&Shard::replaced_runs),",
        "&Shard::fold_best}.folds_by(Fold::kMinimum),", "&Shard::fold_most}.folds_by(Fold::kMaximum),",
        "&Shard::fold_flags},", "&Shard::fold_left}.at_least(&Shard::min_left)"})
    EXPECT_NE(properties.find(part), std::string::npos) << part << '\n' << text;
}

constexpr const char* kEntity =
    "struct [[autoshard::entity]] Grüße {\n  [[autoshard::id]] int id;\n  int größe = 0;\n};\n";

TEST(Generated, KeepsTheByteOrderMarkInFront) {
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(generated(mark + kEntity), mark + generated(kEntity));
}

TEST(Generated, EndsLinesAsTheHeaderDoes) {
  const auto with_returns = [](const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\n' ? "\r\n" : std::string(1, c);
    return result;
  };
  EXPECT_EQ(generated(with_returns(kEntity)), with_returns(generated(kEntity)));
}

TEST(Generated, DropsInForTheOriginal) {
  const TemporaryFolder folder;
  const std::string includes = "#pragma once\n#include \"a.h\"\n";
  std::ofstream(folder.path() / "a.h") << "#pragma once\n" << kEntity;
  std::ofstream(folder.path() / "b.h")
      << includes
      << "struct [[autoshard::entity]] B {\n  [[autoshard::id]] int id = 0;\n\n private:\n"
         "  [[autoshard::shardable(neutral = 0, shards = 2, last = 1min, bucket = 5s,\n"
         "    fold = [](int x, int y) { return x + y; })]] int hits = 0;\n};\n";
  EXPECT_TRUE(run({.headers = {folder.path() / "a.h", folder.path() / "b.h"},
                   .output_folder = folder.path() / "out",
                   .drop_in = true}));
  EXPECT_TRUE(fs::exists(folder.path() / "out/a.h"));
  const std::string b = read(folder.path() / "out/b.h");
  EXPECT_NE(b.find("#include \"a.h\"\n"), std::string::npos) << b;
  EXPECT_NE(b.find("\"b.h is of another version"), std::string::npos) << b;
  EXPECT_NE(b.find(".windowed({.last = 60, .bucket = 5})"), std::string::npos) << b;
}

TEST(Generated, NeverInPlaceOfTheOriginal) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "x.h") << kEntity;
  testing::internal::CaptureStderr();
  EXPECT_FALSE(run({.headers = {folder.path() / "x.h"}, .output_folder = folder.path(), .drop_in = true}));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("would replace the original"), std::string::npos);
  EXPECT_EQ(read(folder.path() / "x.h"), kEntity);
}

INSTANTIATE_TEST_SUITE_P(Headers, Golden, testing::ValuesIn(headers()),
                         [](const auto& header) {  // entities/forms/question.h: forms_question
                           const fs::path path = fs::path(header.param).lexically_relative("entities");
                           std::string name = path.parent_path() / path.stem();
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST(Golden, ExplanationIsAsExpectedAndFitsATerminal) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(
      run({.headers = {in_tests("entities/forms/question.h"), in_tests("entities/strategies/rating.h"),
                       in_tests("entities/strategies/show.h"), in_tests("entities/types/survey.h"),
                       in_tests("entities/groups/thread.h"), in_tests("entities/strategies/traffic.h")},
           .product = Product::kExplanation}));
  const std::string explained = testing::internal::GetCapturedStdout();
  expect_golden(explained, "tool/golden/explain.txt");
  std::istringstream lines(explained);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Golden, LawsAreWrittenAsJson) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(run({.headers = {in_tests("entities/strategies/rating.h")}, .product = Product::kLaws}));
  expect_golden(testing::internal::GetCapturedStdout(), "tool/golden/laws.json");
}

TEST(Golden, ExplanationKnowsWhatSourcesDefine) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(run({.headers = {in_tests("entities/forms/poll.h")},
                   .sources = {in_tests("entities/forms/poll.cpp")},
                   .product = Product::kExplanation}));
  const std::string explained = testing::internal::GetCapturedStdout();
  EXPECT_NE(explained.find("fold Poll::merge;\n      updated by say; replaced by mute\n"), std::string::npos)
      << explained;
}

TEST(Golden, LawTestsAreGeneratedAsExpected) {
  const TemporaryFolder folder;
  EXPECT_TRUE(run({.headers = {in_tests("entities/forms/account.h"), in_tests("entities/forms/question.h"),
                               in_tests("entities/groups/thread.h"), in_tests("entities/strategies/rating.h"),
                               in_tests("entities/strategies/show.h"), in_tests("entities/types/survey.h")},
                   .product = Product::kLawTests,
                   .root = TEST_FOLDER,
                   .law_tests = folder.path() / "laws.cpp"}));
  expect_golden(read(folder.path() / "laws.cpp"), "tool/golden/laws.autoshard.cpp");
}

}  // namespace
}  // namespace autoshard::tool
