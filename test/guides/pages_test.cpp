// Every Markdown file of the repository: its links, lines, contents, blocks of code and tables of tests.
#include "pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "expect.h"
#include "rules.h"

namespace autoshard::guides {
namespace {

const std::filesystem::path kRoot = SOURCE_FOLDER;

/// Pages that a rule does not judge, with the reason.
using Exceptions = std::map<std::string, std::string>;

const Exceptions kWithoutContents = {
    {"README.md", "short enough to be read whole"},
    {"CHANGELOG.md", "its headings are versions, the newest first"},
};

const Exceptions kOwnExamples = {
    {"tool/RULES.md", "the tool writes it from examples that tests of the tool hold"}};

class PageTest : public testing::TestWithParam<std::string> {
 protected:
  const Page page = page_at(GetParam());

  bool is_in(const Exceptions& exceptions) const { return exceptions.contains(page.path); }
};

TEST_P(PageTest, LinksLeadSomewhere) { expect_none(broken_links(page, kRoot)); }

TEST_P(PageTest, LinesAreNotWide) { expect_none(wide_lines(page)); }

TEST_P(PageTest, ContentsAreComplete) {
  if (is_in(kWithoutContents)) GTEST_SKIP() << kWithoutContents.at(page.path);
  expect_none(missing_contents(page));
}

TEST_P(PageTest, BlocksOfCodeAreHeldByTests) {
  if (is_in(kOwnExamples)) GTEST_SKIP() << kOwnExamples.at(page.path);
  expect_none(unknown_blocks(page));
}

TEST_P(PageTest, ExcerptsAreAsInTheirFiles) { expect_none(changed_excerpts(page, files_below(kRoot))); }

TEST_P(PageTest, TestsThatHoldLimitsExist) {
  static const std::vector<std::string> tests = tests_below(kRoot / "test");
  expect_none(missing_tests(page, tests, files_below(kRoot)));
}

INSTANTIATE_TEST_SUITE_P(Guides, PageTest, testing::ValuesIn(paths_of_pages()),
                         [](const auto& page) { return name_of_page(page.param); });

/// For those who change AutoShard. Other pages name files of their readers.
TEST(Contributing, NamesFilesThatExist) {
  expect_none(unknown_files(page_at("CONTRIBUTING.md"), paths_below(kRoot)));
}

TEST(Readme, IsShort) {
  const Page readme = page_at("README.md");
  EXPECT_LE(readme.lines.size(), 200U);
}

}  // namespace
}  // namespace autoshard::guides
