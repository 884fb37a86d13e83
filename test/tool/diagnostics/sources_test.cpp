/// Methods that are defined outside of their classes: in the header, and in a source.

#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

/// A source for the header with `members`, in which exactly one thing is wrong, at the `^`.
struct Case {
  std::string name;
  std::string rule;
  std::string members;
  std::string source;
  std::string message;  ///< a part of it
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.source; }

class SourceRuleTest : public testing::TestWithParam<Case> {};

TEST_P(SourceRuleTest, IsReportedInTheSource) {
  const Case& one = GetParam();
  const Marked marked = take_marks("#include \"entity.h\"\n" + one.source);
  const Outcome outcome = parse_source(question(one.members), marked.text);
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  const Diagnostic& found = outcome.diagnostics.front();
  EXPECT_EQ(found.rule, "autoshard-" + one.rule);
  EXPECT_EQ(outcome.model.files[found.span.file].path, marked.marks.empty() ? "entity.h" : "entity.cpp");
  if (!marked.marks.empty()) {
    EXPECT_EQ(found.span.begin, marked.marks.front()) << outcome.output;
  }
  EXPECT_NE(found.message.find(one.message), std::string::npos) << found.message;
}

constexpr const char* kUp = "[[autoshard::shard_method]] void up(int n = 1);";

const Case kCases[] = {
    {"PlainMember", "shard-method-members", kUp, "void Question::up(int n) { votes_ += n + ^plain_; }",
     "which is not sharded"},
    {"PassesThisOn", "shard-method-escape", kUp,
     "void see(Question&);\nvoid Question::up(int n) { votes_ += n; see(*^this); }", "passes 'this' on"},
    {"StaticVariable", "shard-method-escape", kUp,
     "void Question::up(int n) { static int ^calls = 0; votes_ += n + ++calls; }", "static variable"},
    {"NoUpdate", "shard-method-no-update", kUp, "void Question::up(int) {}", "changes no sharded member"},
    {"OutOfMacro", "shard-method-macro", kUp,
     "#define DEFINE(name) void Question::name(int n) { votes_ += n; }\nDEFINE(up)", "comes out of a macro"},
    {"ReturnsReference", "shard-method-result", "[[autoshard::shard_method]] int& up();",
     "int& Question::up() { return ++votes_; }", "returns a reference"},
    {"ReturnsAnother", "shard-method-result", "[[autoshard::shard_method]] Question up();",
     "Question Question::up() { ++votes_; return Question(); }", "move its body into the class"},
    {"PlainWrite", "plain-write", "void reset();", "void Question::reset() { ^votes_ = 0; }", "mark it"},
    {"DoesNotCommute", "method-does-not-commute", "[[autoshard::shard_method]] void twice();",
     "void Question::twice() { votes_ *= 2; }", "twice"},
    {"FriendWrites", "plain-write", "friend void hack(Question&);",
     "void hack(Question& q) { q.^votes_ += 1000; }", "friend 'hack' may change the sharded member 'votes_'"},
    {"FriendClassWrites", "plain-write", "friend class Hacker;",
     "class Hacker { void hack(Question& q); };\nvoid Hacker::hack(Question& q) { q.^votes_ += 1000; }",
     "friend class's 'hack' may change the sharded member 'votes_'"},
    {"Prints", "shard-method-effect", kUp,
     "#include <cstdio>\nvoid Question::up(int n) { votes_ += n; ^std::puts(\"up\"); }", "calls 'puts'"},
    {"AttributeOnTheDefinition", "misplaced", "[[autoshard::shard_method]] void up();",
     "[[^autoshard::shard_method]] void Question::up() { ++votes_; }", "a definition outside its class"},
};
INSTANTIATE_TEST_SUITE_P(Sources, SourceRuleTest, testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

TEST(SourceTest, WhatAnotherSourceDefinesIsNotMissing) {
  const Outcome outcome = parse_source(
      question("[[autoshard::shard_method]] void up(); [[autoshard::shard_method]] void down();"),
      "#include \"entity.h\"\nvoid Question::up() { ++votes_; }\n");
  EXPECT_TRUE(outcome.ok) << outcome.output;
  const Entity& entity = outcome.model.entities.front();
  EXPECT_EQ(defined_outside(outcome.model), std::set{method_key(entity.methods.front())});
  EXPECT_NE(outcome.explanation.find("up commutes with the fold: by the solver"), std::string::npos)
      << outcome.explanation;
  EXPECT_NE(outcome.explanation.find("down commutes with the fold: it is defined in a source"),
            std::string::npos)
      << outcome.explanation;
}

TEST(SourceTest, WhatIsNotKnownMayTouchEverything) {
  const Outcome outcome = parse_source(
      question("[[autoshard::shard_method]] void up(); [[autoshard::shard_method]] void twice() { "
               "up(); up(); }"),
      "#include \"entity.h\"\n");
  const Entity& entity = outcome.model.entities.front();
  EXPECT_EQ(entity.methods.at(1).touches, std::vector<std::string>{"votes_"});
  EXPECT_EQ(entity.methods.at(1).writes, std::vector<std::string>{"votes_"});
}

TEST(SourceTest, PlainMethodWhoseBodyIsNowhereIsWarnedOf) {
  const std::string members =
      "void read() const; static void all(); Question(); ~Question(); [[autoshard::shard_method]] void up() "
      "{ ++votes_; } void gone() = delete; void ^reset();";
  const Marked marked = take_marks(question(members));
  const Outcome outcome = parse_text(marked.text);
  EXPECT_TRUE(outcome.ok);
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  const Diagnostic& found = outcome.diagnostics.front();
  EXPECT_EQ(found.rule, "autoshard-plain-method-body");
  EXPECT_EQ(found.severity, Diagnostic::Severity::kWarning);
  EXPECT_EQ(found.span.begin, marked.marks.front()) << outcome.output;
  EXPECT_NE(found.message.find("perhaps 'entity.cpp'"), std::string::npos) << found.message;
}

TEST(SourceTest, PlainMethodIsNotWarnedOf) {
  const std::string declared = question("void reset(); int plain();");
  const std::string unsharded =
      "class [[autoshard::entity]] Plain { public: void reset(); private: [[autoshard::id]] int id_; };\n";
  const Outcome outcomes[] = {
      parse_text(unsharded),
      parse_text(
          declared +
          "inline void Question::reset() { plain_ = 0; }\ninline int Question::plain() { return 1; }\n"),
      parse_source(declared, "#include \"entity.h\"\nvoid Question::reset() { plain_ = 0; }\n"),
  };
  for (const Outcome& outcome : outcomes) {
    EXPECT_TRUE(outcome.ok) << outcome.output;
    EXPECT_EQ(outcome.output, "");
  }
}

TEST(SourceTest, ReturnTypeMustBeWrittenOutWhereTheBodyIsElsewhere) {
  const Outcome outcome =
      parse_source(question("[[autoshard::shard_method]] auto up();"), "#include \"entity.h\"\n");
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_NE(outcome.diagnostics.front().message.find("write it out"), std::string::npos) << outcome.output;
}

TEST(SourceTest, DefinitionBehindTheClassIsRead) {
  const Outcome outcome = parse_text(question("[[autoshard::shard_method]] void up(int n = 1);") +
                                     "inline void Question::up(int by) { votes_ += by; }\n");
  EXPECT_TRUE(outcome.ok) << outcome.output;
  const Method& up = outcome.model.entities.front().methods.front();
  EXPECT_EQ(up.parameters.front().name, "n");
  ASSERT_EQ(up.definition.size(), 1U);
  EXPECT_EQ(up.definition.front().parameters.front().name, "by");
  EXPECT_EQ(up.definition.front().parameters.front().default_argument, "1");
  EXPECT_EQ(up.definition.front().scope, "Question");
}

TEST(SourceTest, DefinitionInAnIncludedFileThatWasNotGivenIsMissing) {
  const Outcome outcome = parse_texts(
      {{"entity.h", question("[[autoshard::shard_method]] void up();") + "#include \"entity.inl\"\n"}},
      {{"entity.inl", "inline void Question::up() { ++votes_; }\n"}});
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-shard-method-body");
}

}  // namespace
}  // namespace autoshard::tool
