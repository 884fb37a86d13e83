// Every header in this folder must become, byte for byte, what stands beside it as expected.
// With AUTOSHARD_UPDATE_GOLDEN=1 the expected files are written instead; read the difference before
// committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsGeneratedAsExpected) {
  const fs::path input = fs::path(GOLDEN_FOLDER) / GetParam();
  const fs::path expected = fs::path(GOLDEN_FOLDER) / generated_name(GetParam());
  std::string folder = testing::TempDir() + "golden-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);

  ASSERT_TRUE(run(
      {.headers = {input.string()}, .flags = {"-std=c++20", "-I" RUNTIME_FOLDER}, .output_folder = folder}));
  const std::string generated = read(fs::path(folder) / generated_name(GetParam()));
  fs::remove_all(folder);

  if (std::getenv("AUTOSHARD_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected, std::ios::binary) << generated;
  } else {
    EXPECT_EQ(generated, read(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Headers, Golden, testing::ValuesIn(headers()),
                         [](const auto& header) { return header.param.substr(0, header.param.find('.')); });

}  // namespace
}  // namespace autoshard::tool
