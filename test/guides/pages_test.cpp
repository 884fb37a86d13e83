// Every Markdown file of the repository: its links, lines, contents, blocks of code and tables of tests.
#include "pages.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "rules.h"

namespace autoshard::guides {
namespace {

using testing::IsEmpty;

const std::filesystem::path kRoot = SOURCE_FOLDER;

/// Pages that a rule does not judge, with the reason.
using Exceptions = std::map<std::string, std::string>;

const Exceptions kNotYetDivided = {{"README.md", "the guides take its place"}};

const Exceptions kWithoutContents = {
    {"README.md", "short enough to be read whole"},
    {"CHANGELOG.md", "its headings are versions, the newest first"},
    {"test/README.md", "it begins with a table of the suites"},
};

const Exceptions kOwnExamples = {
    {"tool/RULES.md", "the tool writes it from examples that tests of the tool hold"}};

class PageTest : public testing::TestWithParam<std::string> {
 protected:
  const Page page = page_at(GetParam());

  bool is_in(const Exceptions& exceptions) const { return exceptions.contains(page.path); }
};

TEST_P(PageTest, LinksLeadSomewhere) { EXPECT_THAT(broken_links(page, kRoot), IsEmpty()); }

TEST_P(PageTest, LinesAreNotWide) {
  if (is_in(kNotYetDivided)) GTEST_SKIP() << kNotYetDivided.at(page.path);
  EXPECT_THAT(wide_lines(page), IsEmpty());
}

TEST_P(PageTest, ContentsAreComplete) {
  if (is_in(kWithoutContents)) GTEST_SKIP() << kWithoutContents.at(page.path);
  EXPECT_THAT(missing_contents(page), IsEmpty());
}

TEST_P(PageTest, BlocksOfCodeAreHeldByTests) {
  if (is_in(kNotYetDivided)) GTEST_SKIP() << kNotYetDivided.at(page.path);
  if (is_in(kOwnExamples)) GTEST_SKIP() << kOwnExamples.at(page.path);
  EXPECT_THAT(unknown_blocks(page), IsEmpty());
}

TEST_P(PageTest, ExcerptsAreAsInTheirFiles) {
  EXPECT_THAT(changed_excerpts(page, files_below(kRoot)), IsEmpty());
}

TEST_P(PageTest, TestsThatHoldLimitsExist) {
  static const std::vector<std::string> tests = tests_below(kRoot / "test");
  EXPECT_THAT(missing_tests(page, tests, files_below(kRoot)), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Guides, PageTest, testing::ValuesIn(paths_of_pages()),
                         [](const auto& page) { return name_of_page(page.param); });

TEST(Readme, IsShort) {
  const Page readme = page_at("README.md");
  if (kNotYetDivided.contains(readme.path)) GTEST_SKIP() << kNotYetDivided.at(readme.path);
  EXPECT_LE(readme.lines.size(), 200U);
}

}  // namespace
}  // namespace autoshard::guides
