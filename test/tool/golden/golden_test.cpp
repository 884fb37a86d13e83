// Every header in this folder must become, byte for byte, what stands beside it as expected.
// With AUTOSHARD_UPDATE_GOLDEN=1 the expected files are written instead; read the difference before
// committing it.
#include <gtest/gtest.h>
#include <llvm/Config/llvm-config.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tool/model/model.h"
#include "tool/pipeline.h"

namespace autoshard::tool {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> headers() {
  std::vector<std::string> result;
  for (const fs::directory_entry& entry : fs::directory_iterator(GOLDEN_FOLDER)) {
    const std::string name = entry.path().filename().string();
    if (LLVM_VERSION_MAJOR < 22 && name == "odd.h") continue;  // Clang itself refuses the order of attributes
    if (name.ends_with(".h") && !name.ends_with(".autoshard.h") && name != "golden_check.h")
      result.push_back(name);
  }
  std::ranges::sort(result);
  return result;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// `text` as the libFormat of this LLVM lays it out: older ones leave no blank before a `&`
/// behind a parameter list.
std::string as_formatted_here(std::string text) {
#if LLVM_VERSION_MAJOR < 22
  for (std::size_t at = 0; (at = text.find(") &>(", at)) != std::string::npos;) text.erase(at + 1, 1);
#endif
  return text;
}

/// What stands in the golden `file` shall be `actual`.
void expect_golden(const std::string& actual, const std::string& file) {
  const fs::path expected = fs::path(GOLDEN_FOLDER) / file;
  if (std::getenv("AUTOSHARD_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected, std::ios::binary) << actual;
  } else {
    EXPECT_EQ(actual, as_formatted_here(read(expected)));
  }
}

std::string in_folder(const std::string& file) { return (fs::path(GOLDEN_FOLDER) / file).string(); }

/// A folder that is gone with its last use.
class TemporaryFolder {
 public:
  TemporaryFolder() { EXPECT_NE(mkdtemp(path_.data()), nullptr); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { fs::remove_all(path_); }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "golden-XXXXXX";
};

class Golden : public testing::TestWithParam<std::string> {};

/// A source of the same name belongs to the header.
TEST_P(Golden, IsGeneratedAsExpected) {
  const TemporaryFolder folder;
  const fs::path source = fs::path(GetParam()).replace_extension(".cpp");
  Job job{.headers = {in_folder(GetParam())},
          .flags = {"-std=c++20", "-I" RUNTIME_FOLDER},
          .output_folder = folder.path()};
  if (fs::exists(in_folder(source.string()))) job.sources.push_back(in_folder(source.string()));
  ASSERT_TRUE(run(job));
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    expect_golden(read(entry.path()), entry.path().filename().string());
  }
  EXPECT_TRUE(fs::exists(folder / generated_name(GetParam())));
  EXPECT_EQ(fs::exists(folder / generated_name(source.string())), !job.sources.empty());
}

/// What `text`, as the header x.h, becomes.
std::string generated(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder / "x.h", std::ios::binary) << text;
  EXPECT_TRUE(run({.headers = {folder / "x.h"}, .output_folder = folder.path()}));
  return read(folder / "x.autoshard.h");
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
  std::ofstream(folder / "a.h") << "#pragma once\n" << kEntity;
  std::ofstream(folder / "b.h")
      << includes
      << "struct [[autoshard::entity]] B {\n  [[autoshard::id]] int id = 0;\n\n private:\n"
         "  [[autoshard::shardable(neutral = 0, shards = 2, last = 1min, bucket = 5s,\n"
         "    fold = [](int x, int y) { return x + y; })]] int hits = 0;\n};\n";
  EXPECT_TRUE(
      run({.headers = {folder / "a.h", folder / "b.h"}, .output_folder = folder / "out", .drop_in = true}));
  EXPECT_TRUE(fs::exists(folder / "out/a.h"));
  const std::string b = read(folder / "out/b.h");
  EXPECT_NE(b.find("#include \"a.h\"\n"), std::string::npos) << b;
  EXPECT_NE(b.find("\"b.h does not fit"), std::string::npos) << b;
  EXPECT_NE(b.find(".windowed({.last = 60, .bucket = 5})"), std::string::npos) << b;
}

TEST(Generated, NeverInPlaceOfTheOriginal) {
  const TemporaryFolder folder;
  std::ofstream(folder / "x.h") << kEntity;
  testing::internal::CaptureStderr();
  EXPECT_FALSE(run({.headers = {folder / "x.h"}, .output_folder = folder.path(), .drop_in = true}));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("would replace the original"), std::string::npos);
  EXPECT_EQ(read(folder / "x.h"), kEntity);
}

INSTANTIATE_TEST_SUITE_P(Headers, Golden, testing::ValuesIn(headers()),
                         [](const auto& header) { return header.param.substr(0, header.param.find('.')); });

TEST(Golden, ExplanationIsAsExpectedAndFitsATerminal) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(run({.headers = {in_folder("question.h"), in_folder("rating.h"), in_folder("show.h"),
                               in_folder("survey.h"), in_folder("thread.h"), in_folder("traffic.h")},
                   .explain = true}));
  const std::string explained = testing::internal::GetCapturedStdout();
  expect_golden(explained, "explain.txt");
  std::istringstream lines(explained);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Golden, ExplanationKnowsWhatSourcesDefine) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(run({.headers = {in_folder("poll.h")}, .sources = {in_folder("poll.cpp")}, .explain = true}));
  const std::string explained = testing::internal::GetCapturedStdout();
  EXPECT_NE(explained.find("fold Poll::merge;\n      updated by say; replaced by mute\n"), std::string::npos)
      << explained;
}

TEST(Golden, LawTestsAreGeneratedAsExpected) {
  const TemporaryFolder folder;
  EXPECT_TRUE(run({.headers = {in_folder("account.h"), in_folder("question.h"), in_folder("rating.h"),
                               in_folder("show.h"), in_folder("survey.h"), in_folder("thread.h")},
                   .law_tests = folder / "laws.cpp"}));
  expect_golden(read(folder / "laws.cpp"), "laws.autoshard.cpp");
}

}  // namespace
}  // namespace autoshard::tool
