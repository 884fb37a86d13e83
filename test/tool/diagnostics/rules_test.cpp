#include "test/tool/diagnostics/rule_case.h"

namespace autoshard::tool {
namespace {

TEST_P(RuleTest, IsReportedWhereItIsBroken) {
  const RuleCase& one = GetParam();
  const Marked marked = take_marks(one.source);
  const Outcome outcome = parse_text(marked.text);

  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.diagnostics.size(), marked.marks.size()) << outcome.output;
  for (std::size_t at = 0; at < marked.marks.size(); ++at) {
    const Diagnostic& found = outcome.diagnostics[at];
    EXPECT_EQ(found.rule, "autoshard-" + one.rule) << outcome.output;
    EXPECT_EQ(found.span.begin, marked.marks[at]) << outcome.output;
    EXPECT_NE(found.message.find(one.message), std::string::npos) << outcome.output;
  }
  const std::vector<Edit>& fixes = outcome.diagnostics.front().fixes;
  EXPECT_EQ(fixes.empty(), one.fixed.empty()) << outcome.output;
  EXPECT_NE(applied(marked.text, fixes).find(one.fixed), std::string::npos) << applied(marked.text, fixes);
}

TEST(DiagnosticTest, LooksLikeClangs) {
  const Outcome outcome = parse_text("class [[autoshard::entity]] Question {\n  int id_;\n};\n");
  EXPECT_EQ(outcome.output,
            "entity.h:1:29: error: entity 'Question' has no id; mark one of its members [[autoshard::id]] "
            "[autoshard-no-id]\n"
            "    1 | class [[autoshard::entity]] Question {\n"
            "      |                             ^~~~~~~~\n");
}

TEST(DiagnosticTest, ErrorsOfClangComeFirst) {
  const Outcome outcome = parse_text("class [[autoshard::entity]] Question { Unknown id_; };\n");
  EXPECT_FALSE(outcome.ok);
  EXPECT_TRUE(outcome.diagnostics.empty());
  EXPECT_TRUE(outcome.output.starts_with("entity.h:1:40: error: unknown type name 'Unknown'"))
      << outcome.output;
}

}  // namespace
}  // namespace autoshard::tool
