// The parts of the generator that work on text alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "support/temporary_folder.h"
#include "tool/emit/emit.h"
#include "tool/output/write.h"
#include "tool/rewrite/format.h"
#include "tool/rewrite/rewrite.h"
#include "tool/text/changes.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"
#include "tool/text/wrap.h"

namespace autoshard::tool {
namespace {

TEST(Wrap, BreaksAtBlanks) {
  EXPECT_EQ(wrapped("one two three", "- ", "  ", 9), "- one two\n  three\n");
  EXPECT_EQ(wrapped("äöü é", "", "", 5), "äöü é\n") << "a character is one column";
  EXPECT_EQ(wrapped("overlong x", "", "", 4), "overlong\nx\n");
  EXPECT_EQ(wrapped("", "- ", "  ", 9), "- \n");
}

TEST(Template, FillsHoles) {
  EXPECT_EQ(fill("$type$ $name$;\n", {{"type", "int"}, {"name", "votes_"}}), "int votes_;\n");
}

TEST(Template, DropsTheFirstNewlineOnly) { EXPECT_EQ(fill("\n\na\n", {}), "\na\n"); }

TEST(Template, DropsALineWhoseHolesAreAllEmpty) {
  EXPECT_EQ(fill("a\n  $none$$nothing$\nb\n", {{"none", ""}, {"nothing", ""}}), "a\nb\n");
  EXPECT_EQ(fill("a\n  x$none$\nb\n", {{"none", ""}}), "a\n  x\nb\n");
}

TEST(Template, DoesNotDoubleTheNewlineOfABlock) {
  EXPECT_EQ(fill("{\n$block$\n}\n", {{"block", "one\ntwo\n"}}), "{\none\ntwo\n}\n");
}

TEST(Template, RepeatsLinesInALoop) {
  const Rounds members = {{{"type", "int"}, {"name", "x"}}, {{"type", "long"}, {"name", "y"}}};
  EXPECT_EQ(fill("struct $struct$ {\n  $for member$\n  $type$ $name$;  // of $struct$\n  $end$\n};\n",
                 {{"struct", "S"}}, {{"member", members}}),
            "struct S {\n  int x;  // of S\n  long y;  // of S\n};\n");
  EXPECT_EQ(fill("a\n$for member$\n$type$\n$end$\nb\n", {}, {{"member", {}}}), "a\nb\n");
}

TEST(Template, LeavesLinesOutWhereNothingIsGiven) {
  const char* const text =
      "$if members$\nmembers:\n$for members$\n$if name$\n$name$\n$end$\n$end$\n$end$\nend";
  EXPECT_EQ(fill(text, {}, {{"members", {}}}), "end");
  EXPECT_EQ(fill(text, {}, {{"members", {{{"name", ""}}, {{"name", "x"}}}}}), "members:\nx\nend");
  EXPECT_EQ(fill("$if a$\na\n$end$\n", {{"a", "1"}}), "a\n");
}

TEST(Template, RefusesALoopWithoutRoundsOrEnd) {
  EXPECT_THROW(fill("$for x$\n$end$\n", {}), std::logic_error);
  EXPECT_THROW(fill("$for x$\nx\n", {}, {{"x", {}}}), std::logic_error);
  EXPECT_THROW(fill("$if x$\n$end$\n", {}), std::logic_error);
}

TEST(Template, Joins) {
  const std::vector<int> numbers = {1, 2, 3};
  const auto text_of = [](int number) { return std::to_string(number); };
  EXPECT_EQ(joined(numbers, ", ", text_of), "1, 2, 3");
  EXPECT_EQ(joined(std::vector<int>(), ", ", text_of), "");
}

TEST(Template, RefusesUnknownAndOpenHoles) {
  EXPECT_THROW(fill("$who$", {}), std::logic_error);
  EXPECT_THROW(fill("$who", {{"who", ""}}), std::logic_error);
}

TEST(StringLiteral, EscapesWhatALiteralCannotHold) {
  EXPECT_EQ(string_literal("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(string_literal(std::string("\0"
                                       "1\n",
                                       3)),
            R"("\0001\012")");
  EXPECT_EQ(string_literal("ä"), "\"ä\"");
}

Change change(std::uint32_t begin, std::uint32_t end, std::string text, bool format = false) {
  return {{{0, begin, end}, std::move(text)}, format};
}

TEST(Edits, KeepTheOrderAtOnePlace) {
  EXPECT_EQ(apply_changes("ab", {change(1, 1, "1"), change(0, 0, "0"), change(1, 1, "2")}).text, "0a12b");
}

TEST(Edits, SayWhatHasYetToBeFormatted) {
  const EditedText edited = apply_changes("abc", {change(1, 2, "XYZ"), change(3, 3, "!!", true)});
  EXPECT_EQ(edited.text, "aXYZc!!");
  ASSERT_EQ(edited.unformatted.size(), 1U);
  EXPECT_EQ(edited.unformatted[0].begin, 5U);
  EXPECT_EQ(edited.unformatted[0].end, 7U);
}

TEST(Edits, DropWhatLiesInsideAReplacement) {
  EXPECT_EQ(apply_changes("abcd", {change(1, 3, "-"), change(2, 2, "no"), change(3, 3, "yes")}).text,
            "a-yesd");
}

TEST(Edits, RefuseToOverlap) {
  EXPECT_THROW(apply_changes("abcd", {change(0, 2, ""), change(1, 3, "")}), std::logic_error);
}

TEST(Format, LeavesTheUsersOwnLinesAlone) {
  const std::string text = "int   a ;\nint   b ;\n";
  EXPECT_EQ(format({text, {{10, 20}}}, "/nowhere/x.h", text), "int   a ;\nint b;\n");
}

TEST(Depfile, EscapesForMake) {
  EXPECT_EQ(depfile({"out dir/a.h", "b.h"}, {"x#1.h", "$y.h"}),
            "out\\ dir/a.h b.h: \\\n  x\\#1.h \\\n  $$y.h\n");
}

class WriteIfChanged : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const test::TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
};

TEST_F(WriteIfChanged, MakesFoldersAndReplaces) {
  EXPECT_EQ(write_if_changed({{path("a/b/c.h"), "1"}}), "");
  EXPECT_EQ(read("a/b/c.h"), "1");
  EXPECT_EQ(write_if_changed({{path("a/b/c.h"), "22"}}), "");
  EXPECT_EQ(read("a/b/c.h"), "22");
  EXPECT_THAT(std::vector(std::filesystem::directory_iterator(folder_ / "a/b"), {}), testing::SizeIs(1));
}

TEST_F(WriteIfChanged, LeavesEqualFilesAlone) {
  ASSERT_EQ(write_if_changed({{path("c.h"), "1"}}), "");
  const auto long_ago = std::filesystem::file_time_type{} + std::chrono::hours(1);
  std::filesystem::last_write_time(path("c.h"), long_ago);
  EXPECT_EQ(write_if_changed({{path("c.h"), "1"}}), "");
  EXPECT_EQ(std::filesystem::last_write_time(path("c.h")), long_ago);
}

TEST_F(WriteIfChanged, WritesAllOrNone) {
  ASSERT_EQ(write_if_changed({{path("file"), ""}}), "");
  EXPECT_NE(write_if_changed({{path("first.h"), "1"}, {path("file/x.h"), ""}}), "");
  EXPECT_FALSE(std::filesystem::exists(path("first.h")));
  EXPECT_THAT(std::vector(std::filesystem::directory_iterator(folder_), {}), testing::SizeIs(1));
}

TEST_F(WriteIfChanged, SaysWhatFailed) {
  ASSERT_EQ(write_if_changed({{path("file"), ""}}), "");
  EXPECT_THAT(write_if_changed({{path("file/x.h"), ""}}), testing::HasSubstr(path("file/x.h")));
}

}  // namespace
}  // namespace autoshard::tool
