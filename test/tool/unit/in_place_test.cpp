// Text that is compiled in place of a file: what the user wrote keeps its columns, and every line stands for
// one of the user's.
#include "tool/rewrite/in_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/emit/origin.h"

namespace autoshard::tool {

void PrintTo(const InPlaceText::Note& note, std::ostream* out) { *out << note.offset << ":" << note.line; }

namespace {

using testing::ElementsAre;

Change insertion(std::uint32_t at, std::string text) { return {{{0, at, at}, std::move(text)}}; }
Change replacement(std::uint32_t begin, std::uint32_t end, std::string text) {
  return {{{0, begin, end}, std::move(text)}};
}

/// Each line of the result, behind the number of the user's line that its first byte stands for.
std::string numbered(const InPlaceText& result) {
  std::string text;
  std::uint32_t line = 1;
  std::size_t begin = 0;
  auto note = result.notes.begin();
  while (begin < result.text.size()) {
    const std::size_t end = std::min(result.text.find('\n', begin), result.text.size() - 1) + 1;
    if (note != result.notes.end() && note->offset == begin) line = (note++)->line;
    text += std::to_string(line) + "|" + result.text.substr(begin, end - begin);
    for (; note != result.notes.end() && note->offset < end; ++note) line = note->line;
    ++line;
    begin = end;
  }
  return text;
}

std::string in_place(std::string_view text, std::vector<Change> changes) {
  return numbered(apply_in_place(text, std::move(changes)));
}

SourceFile compiled_in_place() {
  SourceFile source;
  source.form = Form::kIncludedInPlace;
  return source;
}

TEST(InPlace, LeavesTextAloneThatNothingChanges) {
  const InPlaceText result = apply_in_place("a\nb\n", {});
  EXPECT_EQ(result.text, "a\nb\n");
  EXPECT_TRUE(result.notes.empty());
}

TEST(InPlace, KeepsColumnsBehindWhatGoes) {
  EXPECT_EQ(in_place("  [[id]] int id_;\nint x;\n", {replacement(2, 9, "")}),
            "1|         int id_;\n"
            "2|int x;\n");
}

TEST(InPlace, KeepsColumnsAndLinesBehindALineThatGoes) {
  EXPECT_EQ(in_place("a\n[[id,\n  x]]\n  b\nc\n", {replacement(2, 14, "")}),
            "1|a\n"
            "4|  b\n"
            "5|c\n");
}

TEST(InPlace, BreaksTheLineWhereWhatComesIsLonger) {
  EXPECT_EQ(in_place("class B; int f();\n", {insertion(0, "namespace s { "), insertion(8, " }")}),
            "1|namespace s {\n"
            "1|class B; }\n"
            "1|         int f();\n");
}

TEST(InPlace, LeavesNoBlanksBeforeTheEndOfALine) {
  EXPECT_EQ(in_place("  f() { body }\n  g();\n", {replacement(5, 14, ";")}), "1|  f();\n2|  g();\n");
}

TEST(InPlace, LetsWhatComesStandForTheLineWhereItComes) {
  EXPECT_EQ(in_place("a\nb\nc\n", {insertion(2, "x\ny\n")}),
            "1|a\n"
            "2|x\n"
            "2|y\n"
            "2|b\n"
            "3|c\n");
}

TEST(InPlace, LetsGeneratedTextStandForALineThatIsNamed) {
  const SourceFile source = compiled_in_place();
  EXPECT_EQ(in_place("a\nb\nc\n", {insertion(6, "x\n" + stands_for(source, 0) + "y\nz\n")}),
            "1|a\n"
            "2|b\n"
            "3|c\n"
            "4|x\n"
            "1|y\n"
            "1|z\n");
}

TEST(InPlace, MovesTextWithItsColumnsAndLines) {
  const SourceFile source = compiled_in_place();
  const std::string text = "  void f() {\n    ++n;\n  }\nend\n";
  EXPECT_EQ(in_place(text, {replacement(10, 25, ";"),
                            insertion(26, "struct S {\nvoid f() " + moved(source, {0, 11, 25}) + "\n};\n")}),
            "1|  void f();\n"
            "4|struct S {\n"
            "1|void f()   {\n"
            "2|    ++n;\n"
            "3|  }\n"
            "4|};\n"
            "4|end\n");
}

TEST(InPlace, IndentsWhatWouldBeFormatted) {
  Change change = insertion(0, "public:\nstruct S {\n int f() {\nreturn 0;\n}\n};\n\n");
  change.format = true;
  change.depth = 1;
  EXPECT_EQ(apply_in_place("}\n", {change}).text,
            " public:\n"
            "  struct S {\n"
            "    int f() {\n"
            "      return 0;\n"
            "    }\n"
            "  };\n"
            "\n"
            "}\n");
}

TEST(InPlace, HasOneNoteAPlaceInOrder) {
  const std::vector<InPlaceText::Note> notes =
      apply_in_place("a\nb\n", {replacement(0, 2, ""), insertion(2, ""), insertion(2, "x\n")}).notes;
  EXPECT_THAT(notes, ElementsAre(InPlaceText::Note{0, 2}, InPlaceText::Note{2, 2}));
}

TEST(Origin, MarksNothingInAFileOfItsOwn) {
  SourceFile source;
  source.text = "int x;";
  EXPECT_EQ(stands_for(source, 4), "");
  EXPECT_EQ(moved(source, {0, 4, 5}), "x");
}

}  // namespace
}  // namespace autoshard::tool
