/// What is cut out of a header: text in, text out.

#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

std::string without_attributes(const std::string& text) {
  const Outcome outcome = parse_text(text);
  if (outcome.model.files.empty()) return outcome.output;
  return applied(text, outcome.model.files[0].attribute_edits);
}

/// `member`, standing in a class, without attributes.
void expect_member(const std::string& member, const std::string& expected, const std::string& before = "") {
  const std::string open = before + "class C {\n";
  EXPECT_EQ(without_attributes(open + member + "};\n"), open + expected + "};\n");
}

TEST(AttributeEditsTest, TakeTheBlankBehind) {
  EXPECT_EQ(without_attributes("class [[autoshard::entity]] Q {};\n"), "class Q {};\n");
  expect_member("  [[autoshard::id]] int id_;\n", "  int id_;\n");
  expect_member("  [[autoshard::id]]   int id_;\n", "  int id_;\n");
}

TEST(AttributeEditsTest, TakeTheBlankBeforeAtTheEnd) {
  expect_member("  int id_ [[autoshard::id]];\n", "  int id_;\n");
}

TEST(AttributeEditsTest, TakeAnEmptyLine) {
  expect_member("  [[autoshard::shardable(neutral = 0,\n      shards = 10)]]\n  int x_;\n", "  int x_;\n");
  expect_member("  [[autoshard::id]]\r\n  int x_;\r\n", "  int x_;\r\n");
}

TEST(AttributeEditsTest, LeaveCommentsAlone) {
  expect_member("  [[autoshard::id]]  // the key\n  int x_;\n", "  // the key\n  int x_;\n");
}

TEST(AttributeEditsTest, TakeSeveralAtOnce) {
  expect_member("  [[autoshard::id]] [[autoshard::transient]] int x_;\n", "  int x_;\n");
  expect_member("  [[autoshard::id, autoshard::transient]] int x_;\n", "  int x_;\n");
  expect_member("  [[using autoshard: id, transient]] int x_;\n", "  int x_;\n");
}

TEST(AttributeEditsTest, LeaveOthersInTheList) {
  expect_member("  [[maybe_unused, autoshard::id]] int x_;\n", "  [[maybe_unused]] int x_;\n");
  expect_member("  [[autoshard::id, maybe_unused]] int x_;\n", "  [[maybe_unused]] int x_;\n");
  expect_member("  [[gnu::unused, autoshard::id, autoshard::transient, maybe_unused]] int x_;\n",
                "  [[gnu::unused, maybe_unused]] int x_;\n");
  expect_member("  [[nodiscard]] int f();\n", "  [[nodiscard]] int f();\n");
}

TEST(AttributeEditsTest, TakeMacrosOfAttributesOnly) {
  const std::string macro = "#define HOT(n) [[autoshard::shardable(neutral = 0, shards = n)]]\n";
  expect_member("  HOT(4) int x_;\n", "  int x_;\n", macro);
  expect_member("  HOT(4)\n  int x_;\n", "  int x_;\n", macro);
  expect_member("  [[ID]] int x_;\n", "  int x_;\n", "#define ID autoshard::id\n");
}

TEST(AttributeEditsTest, ExpandMacrosThatHoldMore) {
  expect_member("  COUNTER(x_);\n", "  int x_ = 0;\n",
                "#define COUNTER(name) [[autoshard::shardable(neutral = 0, shards = 4)]] int name = 0\n");
  expect_member("  UPDATE f();\n", "  void f();\n", "#define UPDATE [[autoshard::shard_method]] void\n");
}

TEST(AttributeEditsTest, CountBytesBehindAByteOrderMark) {
  EXPECT_EQ(without_attributes("\xEF\xBB\xBF"
                               "class [[autoshard::entity]] Q {};\n"),
            "\xEF\xBB\xBF"
            "class Q {};\n");
}

TEST(DirectivesTest, PragmaOnceIsAWholeLine) {
  const std::string text = "// x\n#pragma once  // here\n#pragma pack(push)\n#pragma pack(pop)\n";
  const Outcome outcome = parse_text(text);
  ASSERT_EQ(outcome.model.files[0].pragma_once.size(), 1U);
  const Span& span = outcome.model.files[0].pragma_once[0];
  EXPECT_EQ(text.substr(span.begin, span.end - span.begin), "#pragma once  // here\n");
}

std::vector<std::string> skipped(const std::string& text, const Outcome& outcome, std::size_t file) {
  std::vector<std::string> result;
  for (const Span& span : outcome.model.files.at(file).skipped)
    result.push_back(text.substr(span.begin, span.end - span.begin));
  return result;
}

TEST(DirectivesTest, SkippedBranchesInsideAnEntity) {
  const std::string text =
      "#if 0\noutside\n#endif\nclass [[autoshard::entity]] Q {\n#if A\n  int a_;\n#if B\n  int "
      "b_;\n#endif\n#elif B\n"
      "  int c_;\n#else\n  [[autoshard::id]] int id_;\n#endif\n};\n";
  EXPECT_EQ(skipped(text, parse_text(text), 0),
            (std::vector<std::string>{"  int a_;\n#if B\n  int b_;\n#endif\n", "  int c_;\n"}));
}

TEST(DirectivesTest, SkippedDefinitionsOfShardMethods) {
  const std::string members =
      question("[[autoshard::shard_method]] void up(); [[autoshard::shard_method]] void operator+=(int n);");
  const std::string definition = "inline void Question::up() { ++votes_; }\n";
  const std::string add = "inline void Question::operator+=(int n) { votes_ += n; }\n";
  const std::string text =
      members + "\n#if A\n" + definition + "#else\n" + definition + "#endif\n#if A\n" + add +
      "#elif B\n// up\n#else\n" + add + "#endif\n" +
      "#if A\nconst auto kUp = call(&Question::up), kVotes = Question::votes();\n#endif\n";
  EXPECT_EQ(skipped(text, parse_text(text), 0), (std::vector{definition, add}));

  const std::string source =
      "#include \"entity.h\"\n#ifndef A\n" + definition + "#else\n" + definition + "#endif\n" + add;
  const Outcome outcome = parse_source(members, source);
  ASSERT_EQ(outcome.model.files.size(), 2U);
  EXPECT_EQ(skipped(source, outcome, 1), std::vector{definition});
}

/// The guard leaves all of it out when it is included once more.
TEST(DirectivesTest, HeadersThatComeBackToThemselvesAreSkippedByNobody) {
  const std::string text = "#ifndef A_H\n#define A_H\n#include \"b.h\"\n" +
                           question("[[autoshard::shard_method]] void up();") +
                           "inline void Question::up() { ++votes_; }\n#endif\n";
  const Outcome outcome = parse_texts({{"a.h", text}}, {{"b.h", "#pragma once\n#include \"a.h\"\n"}});
  ASSERT_TRUE(outcome.ok) << outcome.output;
  EXPECT_EQ(skipped(text, outcome, 0), std::vector<std::string>());
}

TEST(DirectivesTest, IncludesOfAnnotatedHeaders) {
  const std::string text = "#include \"sub/b.hpp\"\n#include <plain.h>\n";
  const Outcome outcome =
      parse_texts({{"a.h", text}},
                  {{"sub/b.hpp", "class [[autoshard::entity]] B { [[autoshard::id]] int id_; };"},
                   {"plain.h", "struct P {};"}},
                  {"-I."});
  ASSERT_FALSE(outcome.model.files.empty()) << outcome.output;
  EXPECT_EQ(applied(text, outcome.model.files[0].include_edits),
            "#if !__has_include(\"sub/b.autoshard.hpp\")\n"
            "#error \"no companion classes of sub/b.hpp were generated: give it to the generator "
            "(in CMake, as one of HEADERS)\"\n"
            "#endif\n"
            "#include \"sub/b.autoshard.hpp\"\n#include <plain.h>\n");
}

/// What declares an entity, or includes what does, has a generated form as well.
TEST(DirectivesTest, IncludesOfForwardDeclarations) {
  const std::string forward = "#pragma once\nclass B;\nvoid audit(const B&);\n";
  const std::string all = "#pragma once\n#include \"forward.h\"\n#include \"plain.h\"\n";
  const std::string text =
      "#include \"all.h\"\nclass [[autoshard::entity]] B { [[autoshard::id]] int id_; };";
  const Outcome outcome =
      parse_texts({{"b.h", text}, {"all.h", all}, {"forward.h", forward}}, {{"plain.h", "struct P {};"}});
  ASSERT_TRUE(outcome.ok) << outcome.output;
  EXPECT_TRUE(
      applied(text, outcome.model.files[0].include_edits).starts_with("#include \"all.autoshard.h\"\n"));
  EXPECT_EQ(applied(all, outcome.model.files[1].include_edits),
            "#pragma once\n#include \"forward.autoshard.h\"\n#include \"plain.h\"\n");
  EXPECT_EQ(outcome.model.files[2].forward_declarations.size(), 1U);
}

constexpr const char* kEntity = "class [[autoshard::entity]] E { [[autoshard::id]] int id_ = 0; };\n}\n";
constexpr const char* kPlain = "class E { int id_ = 0; };\n}\n";
constexpr const char* kDeclared = "inline namespace sharded {\nclass E;\n}\n";

TEST(IntroductionsTest, OfAnEntityBeforeAFunctionThatNamesItFirst) {
  const std::string function = "  /// Says it.\n  void print(const class E& e);\n";
  EXPECT_EQ(without_attributes("namespace n {\n" + function + kEntity),
            "namespace n {\n" + std::string(kDeclared) + function + kPlain);
}

TEST(IntroductionsTest, OfAnEntityThatIsTheFriendOfAPlainClass) {
  EXPECT_EQ(without_attributes("namespace n {\nclass P { struct In { friend class E; }; };\n" +
                               std::string(kEntity)),
            "namespace n {\n" + std::string(kDeclared) +
                "class P { struct In { friend class ::n::E; }; };\n" + kPlain);
}

TEST(IntroductionsTest, OfAPlainClassThatAnEntityNamesFirst) {
  const std::string rest = "int id_ = 0;\n  class P* p_ = nullptr;\n};\nclass P {};\n";
  EXPECT_EQ(without_attributes("class [[autoshard::entity]] E {\n  [[autoshard::id]] " +
                               std::string(rest).insert(rest.find("class"), "[[autoshard::transient]] ")),
            "class P;\nclass E {\n  " + rest);
}

TEST(IntroductionsTest, NotOfWhatIsKnown) {
  const std::string before = "namespace n {\nclass E;\nclass P { class E* e_; friend class ::n::E; };\n";
  const std::string other = "struct F { friend class E; class E* e() const; int id; };\n";
  EXPECT_EQ(without_attributes(before + kEntity + "namespace n {\n" +
                               std::string(other)
                                   .insert(other.find("int"), "[[autoshard::id]] ")
                                   .insert(other.find('F'), "[[autoshard::entity]] ") +
                               "}\n"),
            before + kPlain + "namespace n {\n" + other + "}\n");
}

}  // namespace
}  // namespace autoshard::tool
