// Every header in this folder must become, byte for byte, what stands beside it as expected.
// With AUTOSHARD_UPDATE_GOLDEN=1 the expected files are written instead; read the difference before
// committing it.
#include <gtest/gtest.h>

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
    if (name.ends_with(".h") && !name.ends_with(".autoshard.h") && name != "check.h") result.push_back(name);
  }
  std::ranges::sort(result);
  return result;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What stands in the golden `file` shall be `actual`.
void expect_golden(const std::string& actual, const std::string& file) {
  const fs::path expected = fs::path(GOLDEN_FOLDER) / file;
  if (std::getenv("AUTOSHARD_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected, std::ios::binary) << actual;
  } else {
    EXPECT_EQ(actual, read(expected));
  }
}

std::string in_folder(const char* header) { return (fs::path(GOLDEN_FOLDER) / header).string(); }

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsGeneratedAsExpected) {
  const fs::path input = fs::path(GOLDEN_FOLDER) / GetParam();
  std::string folder = testing::TempDir() + "golden-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);

  ASSERT_TRUE(run(
      {.headers = {input.string()}, .flags = {"-std=c++20", "-I" RUNTIME_FOLDER}, .output_folder = folder}));
  const std::string generated = read(fs::path(folder) / generated_name(GetParam()));
  fs::remove_all(folder);
  expect_golden(generated, generated_name(GetParam()));
}

/// What `text`, as the header x.h, becomes.
std::string generated(const std::string& text) {
  std::string folder = testing::TempDir() + "generated-XXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/x.h", std::ios::binary) << text;
  EXPECT_TRUE(run({.headers = {folder + "/x.h"}, .output_folder = folder}));
  std::string result = read(folder + "/x.autoshard.h");
  fs::remove_all(folder);
  return result;
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

INSTANTIATE_TEST_SUITE_P(Headers, Golden, testing::ValuesIn(headers()),
                         [](const auto& header) { return header.param.substr(0, header.param.find('.')); });

TEST(Golden, ExplanationIsAsExpectedAndFitsATerminal) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(run({.headers = {in_folder("question.h"), in_folder("rating.h")}, .explain = true}));
  const std::string explained = testing::internal::GetCapturedStdout();
  expect_golden(explained, "explain.txt");
  std::istringstream lines(explained);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Golden, LawTestsAreGeneratedAsExpected) {
  const std::string generated = testing::TempDir() + "laws.cpp";
  EXPECT_TRUE(run({.headers = {in_folder("account.h"), in_folder("question.h"), in_folder("rating.h")},
                   .law_tests = generated}));
  expect_golden(read(generated), "laws.autoshard.cpp");
  fs::remove(generated);
}

}  // namespace
}  // namespace autoshard::tool
