// Generates, compiles and runs the examples of each page.
#include "examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "expect.h"
#include "pages.h"

namespace autoshard::guides {
namespace {

std::vector<std::string> paths_of_examples() {
  std::vector<std::string> paths;
  std::ranges::copy_if(paths_of_pages(), std::back_inserter(paths),
                       [](const std::string& path) { return has_examples(page_at(path)); });
  return paths;
}

class ExamplesTest : public testing::TestWithParam<std::string> {};

TEST_P(ExamplesTest, DoWhatThePageSays) { expect_none(wrong_examples(page_at(GetParam()))); }

INSTANTIATE_TEST_SUITE_P(Guides, ExamplesTest, testing::ValuesIn(paths_of_examples()),
                         [](const auto& page) { return name_of_page(page.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ExamplesTest);

}  // namespace
}  // namespace autoshard::guides
