// The manual of the generator knows the rules and attributes of tool/RULES.md, which the generator writes.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "expect.h"
#include "pages.h"
#include "rules.h"

namespace autoshard::guides {
namespace {

const Page& rules() {
  static const Page kRules = page_at("tool/RULES.md");
  return kRules;
}

std::set<std::string> anchors_of(const Page& page) {
  std::set<std::string> anchors;
  for (const Heading& heading : page.headings) anchors.insert(heading.anchor);
  return anchors;
}

/// The first code of each row of the tables whose first column is `attribute`.
std::set<std::string> attributes_in(const Page& page) {
  std::set<std::string> names;
  for (const Table& table : page.tables) {
    if (table.header.cells.front() != "attribute") continue;
    for (const Row& row : table.rows) names.insert(code_in(row.cells.front()).at(0));
  }
  return names;
}

/// Whether a page is of the manual, and written by hand.
bool is_of_tool(const std::string& path) {
  return path == "README.md" || path == "tool/README.md" || path.starts_with("tool/guide/");
}

/// Tags without a rule. Options of the plugin look like tags.
Findings unknown_tags(const Page& page) {
  static const std::regex kTag("(-fplugin-arg-)?autoshard-[a-z-]+");
  const std::set<std::string> tags = anchors_of(rules());
  Findings findings;
  for (std::size_t line = 0; line < page.lines.size(); ++line) {
    const std::string& text = page.lines[line];
    for (std::sregex_iterator found(text.begin(), text.end(), kTag), end; found != end; ++found) {
      if (!(*found)[1].matched && !tags.contains(found->str()))
        findings.push_back(at(page, line + 1) + "there is no rule " + found->str());
    }
  }
  return findings;
}

TEST(ToolPages, NameRulesThatExist) {
  for (const std::string& path : paths_of_pages()) {
    if (is_of_tool(path)) expect_none(unknown_tags(page_at(path)));
  }
}

TEST(ToolPages, FindUnknownRules) {
  EXPECT_EQ(
      unknown_tags(parse("a.md", "`autoshard-no-id`, `-fplugin-arg-autoshard-werror`\n\n`autoshard-x`\n")),
      Findings{"a.md:3: there is no rule autoshard-x"});
}

TEST(ToolPages, HaveEachAttribute) {
  const std::set<std::string> attributes = attributes_in(rules());
  EXPECT_GE(attributes.size(), 16U);
  EXPECT_EQ(attributes_in(page_at("tool/README.md")), attributes);
  std::set<std::string> sections;
  for (const std::string& path : paths_of_pages()) {
    if (path.starts_with("tool/guide/")) sections.merge(anchors_of(page_at(path)));
  }
  for (const std::string& attribute : attributes)
    EXPECT_TRUE(sections.contains(attribute)) << "no page of tool/guide has a section about " << attribute;
}

}  // namespace
}  // namespace autoshard::guides
