/// How annotations are written into headers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_folder.h"
#include "test/tool/diagnostics/source.h"
#include "tool/advise/annotate.h"
#include "tool/advise/report.h"
#include "tool/pipeline.h"
#include "tool/suggest.h"

namespace autoshard::tool {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// `text` with the annotations that are suggested for it.
std::string annotated(const std::string& text) {
  Model model = parse_candidates(text);
  model.files.at(0).path = "/no/such/folder/entity.h";  // where no .clang-format is
  const std::vector<ClassAdvice> advice = advise(model);
  return apply_changes(text, annotations(model, advice, 0)).text;
}

std::string counter(const std::string& method, const std::string& members,
                    const std::string& head = "class C {\n") {
  return head + " public:\n" + method + " private:\n" + members + "};\n";
}

TEST(Annotate, InFrontOfWhatItBelongsTo) {
  const std::string nothing = counter("  void f() { n_ = 1; }\n", "  int id_;\n  int n_ = 0;\n");
  EXPECT_EQ(annotated(nothing), nothing);
  EXPECT_EQ(
      annotated(counter("  void f() { ++n_; }\n", "  int id_;\n  // many\n  int n_ = 0;  // none yet\n")),
      counter("  [[autoshard::shard_method]] void f() { ++n_; }\n",
              "  [[autoshard::id]] int id_;\n  // many\n"
              "  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]\n"
              "  int n_ = 0;  // none yet\n",
              "class [[autoshard::entity]] C {\n"));
}

TEST(Annotate, OnTheSameLineAsFarAsTheLongestLineGoes) {
  const std::string longest = "//" + std::string(90, '-') + "\n";
  EXPECT_THAT(
      annotated(longest + counter("  void f() { ++n_; }\n", "  int id_;\n  int n_ = 0;\n")),
      HasSubstr("  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]] int n_ = 0;\n"));
}

TEST(Annotate, OnlyWhatIsMeantAmongMembersThatAreDeclaredTogether) {
  EXPECT_THAT(annotated(counter("  void f() { ++n_; }\n", "  int id_;\n  int limit_{10}, n_{0};\n")),
              HasSubstr("  int limit_{10}, n_\n      [[autoshard::shardable(neutral = 0, shards = 10, "
                        "fold = std::plus<>{})]]{0};\n"));
  EXPECT_THAT(annotated(counter("  void f() { ++n_; --m_; }\n", "  int id_;\n  int m_{10}, n_{0};\n")),
              HasSubstr("  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]\n"
                        "  int m_{10}, n_{0};\n"));
}

TEST(Annotate, TabsStayTabs) {
  EXPECT_THAT(
      annotated(counter("\tvoid f(unsigned long number_of_votes_at_once, unsigned long weight_of_votes) {\n"
                        "\t\tn_ += number_of_votes_at_once * weight_of_votes;\n\t}\n",
                        "\tint id_;\n\tunsigned long n_ = 0;\n")),
      HasSubstr("\t[[autoshard::shard_method]]\n\tvoid f(unsigned"));
}

TEST(Annotate, BehindTheNameOfOneOfSeveral) {
  const std::string text = annotated(counter("  void f() { ++n_; }\n", "  int id_ = 0, n_ = 0, m_ = 0;\n"));
  EXPECT_THAT(text,
              HasSubstr("  int id_ [[autoshard::id]] = 0, n_\n"
                        "      [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]] = 0, "
                        "m_ = 0;\n"));
  EXPECT_NE(parse_text(text).explanation, "") << text;
}

TEST(Annotate, OnceForAllThatAreDeclaredTogether) {
  EXPECT_THAT(annotated(counter("  void f() { ++n_; --m_; }\n", "  int id_;\n  int n_ = 0, m_ = 0;\n")),
              HasSubstr("  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]\n"
                        "  int n_ = 0, m_ = 0;\n"));
}

TEST(Annotate, BesideOtherAttributesAndMacros) {
  const std::string text =
      annotated("#define API __attribute__((visibility(\"default\")))\n#define EMPTY\n" +
                counter("  [[nodiscard]] API int f() { ++n_; return 1; }\n  EMPTY void g() { ++n_; }\n",
                        "  [[maybe_unused]] int id_;\n  [[maybe_unused]] int n_ = 0;\n",
                        "class API [[deprecated]] C {\n"));
  EXPECT_THAT(text, HasSubstr("class [[autoshard::entity]] API [[deprecated]] C {"));
  EXPECT_THAT(text, HasSubstr("[[nodiscard]] [[autoshard::shard_method]] API int f()"));
  EXPECT_THAT(text, HasSubstr("  [[autoshard::shard_method]] EMPTY void g()"));
  EXPECT_THAT(text, HasSubstr("[[autoshard::id]] int id_;"));
  EXPECT_NE(parse_text(text).explanation, "") << text;
}

TEST(Annotate, EachMethodOnce) {
  const std::string text =
      annotated(counter("  void f() { ++n_; ++m_; }\n", "  int id_;\n  int n_ = 0;\n  int m_ = 0;\n"));
  EXPECT_THAT(text, HasSubstr("  [[autoshard::shard_method]] void f()"));
}

TEST(Unified, ShowsTheLinesThatChangeAsPatchTakesThem) {
  SourceFile source;
  source.path = "x.h";
  source.text = "a\nb\nc\nd\ne";
  const auto insertion = [](std::uint32_t at, const std::string& text) {
    return Change{{{0, at, at}, text}, false};
  };
  EXPECT_EQ(unified(source, {insertion(2, "1\n"), insertion(4, "2"), insertion(8, "3")}),
            "--- x.h\n+++ x.h\n"
            "@@ -2,2 +2,3 @@\n-b\n-c\n+1\n+b\n+2c\n"
            "@@ -5 +6 @@\n-e\n\\ No newline at end of file\n+3e\n\\ No newline at end of file\n");
  EXPECT_EQ(unified(source, {}), "");
}

/// Headers on disk.
class Fix : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  struct Result {
    bool ok;
    std::string output;
    std::string errors;
  };
  Result fix(const std::vector<std::string>& names) const {
    SuggestJob job{.headers = {}, .fix = true};
    for (const std::string& name : names) job.headers.push_back(path(name));
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const bool ok = suggest(job);
    std::string output = testing::internal::GetCapturedStdout();
    return {ok, std::move(output), testing::internal::GetCapturedStderr()};
  }

  const test::TemporaryFolder folder_;
};

const std::string kPlain = counter("  void f() { ++n_; }\n", "  int id_;\n  int n_ = 0;\n");

TEST_F(Fix, LineEndsAndByteOrderMarkSurvive) {
  const auto with_returns = [](const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\n' ? "\r\n" : std::string(1, c);
    return result;
  };
  const std::string mark = "\xef\xbb\xbf";
  write("unix.h", kPlain);
  write("dos.h", mark + with_returns(kPlain));
  EXPECT_TRUE(fix({"unix.h"}).ok);
  EXPECT_TRUE(fix({"dos.h"}).ok);
  EXPECT_EQ(read("dos.h"), mark + with_returns(read("unix.h")));
  EXPECT_THAT(read("dos.h"), HasSubstr("fold = std::plus<>{})]]\r\n  int n_ = 0;\r\n"));
  const std::string once = read("dos.h");
  EXPECT_EQ(fix({"dos.h"}).output, "nothing to suggest\n");
  EXPECT_EQ(read("dos.h"), once);
}

TEST_F(Fix, WhatWasWrittenPassesEveryStage) {
  write("x.h", kPlain);
  EXPECT_TRUE(fix({"x.h"}).ok);
  EXPECT_TRUE(run({.headers = {path("x.h")}, .output_folder = folder_.path()}));
}

TEST_F(Fix, SymbolicLinksAndPermissionsStay) {
  write("real.h", kPlain);
  fs::create_symlink(path("real.h"), path("link.h"));
  fs::permissions(path("real.h"), fs::perms{0640});
  EXPECT_TRUE(fix({"link.h"}).ok);
  EXPECT_TRUE(fs::is_symlink(path("link.h")));
  EXPECT_THAT(read("real.h"), HasSubstr("autoshard::entity"));
  EXPECT_EQ(fs::status(path("real.h")).permissions(), fs::perms{0640});
}

TEST_F(Fix, ReadOnlyHeadersAreLeftAlone) {
  write("first.h", kPlain);
  std::string text = kPlain;
  text.replace(text.find("class C"), 7, "class D");
  write("x.h", text);
  fs::permissions(path("x.h"), fs::perms{0444});
  const Result result = fix({"first.h", "x.h"});
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.errors, HasSubstr("x.h': it is read-only"));
  EXPECT_EQ(read("first.h"), kPlain) << "all or none";
}

TEST_F(Fix, ErrorsInTheHeaderAreReportedAndNothingIsWritten) {
  const std::string wrong = "class [[autoshard::entity]] Wrong { int x_ = 0; };\n";
  write("x.h", kPlain + wrong);
  Result result = fix({"x.h"});
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.errors, HasSubstr("autoshard-no-id"));
  EXPECT_EQ(read("x.h"), kPlain + wrong);

  write("y.h", kPlain + "int;;(\n");
  result = fix({"y.h"});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(read("y.h"), kPlain + "int;;(\n");
}

TEST_F(Fix, WhatARuleForbidsIsTakenBackAndSaid) {
  const std::string locked = "#include <mutex>\n" + counter("  void f() { ++n_; }\n",
                                                            "  int id_;\n  int n_ = 0;\n  std::mutex m_;\n");
  write("x.h", locked);
  const Result result = fix({"x.h"});
  EXPECT_TRUE(result.ok) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("not suggested: member 'm_' has type 'std::mutex'"));
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(read("x.h"), locked);
}

TEST_F(Fix, WhatARuleForbidsOneMethodLeavesOtherMembersAlone) {
  write("x.h", counter("  void f() { ++n_; }\n  int* g(int* v) { ++m_; return v; }\n",
                       "  int id_;\n  int n_ = 0;\n  int m_ = 0;\n"));
  const Result result = fix({"x.h"});
  EXPECT_TRUE(result.ok) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("not m_"));
  EXPECT_THAT(read("x.h"), HasSubstr("[[autoshard::shard_method]] void f()"));
  EXPECT_THAT(read("x.h"), HasSubstr("\n  int* g("));
}

TEST_F(Fix, AskingForTheValueIsNoUpdate) {
  write("x.h", counter("  void f() { ++n_; if (full()) throw 1; }\n  bool full() const { return n_ > 9; }\n",
                       "  int id_;\n  int n_ = 0;\n"));
  const Result result = fix({"x.h"});
  EXPECT_TRUE(result.ok) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("not n_ (line 7): shard method 'f' calls the plain method 'full'"));
}

TEST_F(Fix, BodiesInAHeaderThatIsNotGivenAreNotKnown) {
  write("body.h", "inline void C::g() { n_ = 0; }\n");
  write("x.h", counter("  void f() { ++n_; }\n  void g();\n", "  int id_;\n  int n_ = 0;\n") +
                   "#include \"body.h\"\n");
  EXPECT_THAT(fix({"x.h"}).output, HasSubstr("not suggested: what 'g' (line 4) does is not known"));
}

/// Where they stand there is said, for the line numbers are of another file.
TEST_F(Fix, BodiesInASourceThatIsGivenAreKnown) {
  write("x.cpp", "#include \"x.h\"\n\n\nvoid C::f() { ++n_; }\nvoid C::g() { m_ = n_; }\n");
  write("x.h", counter("  void f();\n  void g();\n  void h() { ++m_; }\n",
                       "  int id_;\n  int n_ = 0;\n  int m_ = 0;\n", "#pragma once\nclass C {\n"));
  const Result result = fix({"x.h", "x.cpp"});
  EXPECT_TRUE(result.ok) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("n_ (line 9) is a sum: 'f' (line 4) only adds to it"));
  EXPECT_THAT(result.output, HasSubstr("'g' may change it in a way that does not commute (line 5 of"));
  EXPECT_THAT(read("x.h"), HasSubstr("[[autoshard::shard_method]] void f();"));
}

TEST_F(Fix, SaysWhatItWrote) {
  write("x.h", kPlain);
  EXPECT_THAT(fix({"x.h"}).output, HasSubstr("\nwrote 4 annotations into " + path("x.h") + "\n"));
  EXPECT_THAT(fix({"x.h"}).output, testing::Not(HasSubstr("wrote")));
}

TEST_F(Fix, FriendsAreMentioned) {
  write("x.h", "class Admin;\n" +
                   counter("  void f() { ++n_; }\n  friend class Admin;\n", "  int id_;\n  int n_ = 0;\n"));
  EXPECT_THAT(fix({"x.h"}).output,
              HasSubstr("Its friends, of which nothing is known here, must not change them."));
}

TEST_F(Fix, BoundsAreMentionedWhereAMemberCanHaveThem) {
  const std::string methods = "  void f() { ++n_; }\n";
  write("x.h", counter(methods, "  int id_;\n  int n_ = 0;\n"));
  EXPECT_THAT(fix({"x.h"}).output, HasSubstr("add 'min' or 'max'"));
  write("x.h", counter(methods, "  int id_;\n  unsigned n_ = 0;\n"));
  EXPECT_THAT(fix({"x.h"}).output, testing::Not(HasSubstr("add 'min' or 'max'")));
}

TEST_F(Fix, WaitsForAnIdThatCannotBeTold) {
  const std::string text = counter("  void f() { ++n_; }\n", "  int one_, other_;\n  int n_ = 0;\n");
  write("x.h", text);
  const auto result = fix({"x.h"});
  EXPECT_THAT(result.output, HasSubstr("such as one_ or other_"));
  EXPECT_THAT(result.output, HasSubstr("\nwrote nothing\n"));
  EXPECT_EQ(read("x.h"), text);

  write("x.h",
        counter("  void f() { ++n_; }\n", "  [[autoshard::id]] int one_;\n  int other_;\n  int n_ = 0;\n"));
  EXPECT_TRUE(fix({"x.h"}).ok);
  EXPECT_THAT(read("x.h"), HasSubstr("class [[autoshard::entity]] C"));
}

TEST_F(Fix, SeveralHeadersThatIncludeEachOther) {
  write("base.h", "#pragma once\n" + kPlain);
  std::string text = "#pragma once\n#include \"base.h\"\nnamespace other {\n" + kPlain + "}\n";
  text.replace(text.find("class C"), 7, "class D");
  write("x.h", text);
  EXPECT_TRUE(fix({"x.h", "base.h"}).ok);
  EXPECT_THAT(read("base.h"), HasSubstr("class [[autoshard::entity]] C"));
  EXPECT_THAT(read("x.h"), HasSubstr("class [[autoshard::entity]] D"));
  EXPECT_EQ(fix({"x.h", "base.h"}).output, "nothing to suggest\n");
}

}  // namespace
}  // namespace autoshard::tool
