// What is suggested for each header in headers/, byte for byte, and what --fix makes of it.
// With AUTOSHARD_UPDATE_GOLDEN=1 the test writes the expected files instead: read the difference before you
// commit it.
#include "support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/temporary_folder.h"
#include "tool/pipeline.h"
#include "tool/suggest.h"

namespace autoshard::tool {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> headers() {
  std::vector<std::string> result;
  for (const fs::directory_entry& entry : fs::directory_iterator(HEADERS_FOLDER)) {
    if (entry.path().extension() == ".h") result.push_back(entry.path().stem().string());
  }
  std::ranges::sort(result);
  return result;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_golden(const std::string& actual, const fs::path& file) {
  if (test::updates_golden()) {
    std::ofstream(file, std::ios::binary) << actual;
  } else {
    EXPECT_EQ(actual, read(file)) << test::how_to_update_golden("advise_test");
  }
}

/// Works on copies, beside their `.clang-format`.
class Advice : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    fs::copy(kHeaders / ".clang-format", folder_.path());
    fs::copy(kHeaders / header(), folder_.path());
    before_ = fs::current_path();
    fs::current_path(folder_.path());
  }
  void TearDown() override { fs::current_path(before_); }

  static std::string header() { return GetParam() + ".h"; }

  /// What it prints.
  static std::string advise(bool fix) {
    testing::internal::CaptureStdout();
    EXPECT_TRUE(suggest({.headers = {header()}, .fix = fix}));
    return testing::internal::GetCapturedStdout();
  }

  const fs::path kHeaders{HEADERS_FOLDER};
  const test::TemporaryFolder folder_;
  fs::path before_;
};

TEST_P(Advice, IsAsExpectedAndFitsATerminal) {
  const std::string advice = advise(false);
  expect_golden(advice, kHeaders / (GetParam() + ".txt"));
  EXPECT_EQ(read(header()), read(kHeaders / header())) << "nothing is written without --fix";
  std::istringstream lines(advice);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("---")) break;  // lines of the header
    const auto begins_character = [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    };
    EXPECT_LE(std::ranges::count_if(line, begins_character), 80) << line;
  }
}

TEST_P(Advice, IsWrittenAsExpectedAndOnlyOnce) {
  advise(true);
  const std::string fixed = read(header());
  expect_golden(fixed, kHeaders / "fixed" / header());
  const auto written = fs::last_write_time(header());
  advise(true);
  EXPECT_EQ(read(header()), fixed);
  EXPECT_EQ(fs::last_write_time(header()), written);
  EXPECT_EQ(std::distance(fs::directory_iterator("."), fs::directory_iterator()), 2);
}

INSTANTIATE_TEST_SUITE_P(Headers, Advice, testing::ValuesIn(headers()),
                         [](const auto& header) { return header.param; });

}  // namespace
}  // namespace autoshard::tool
