// Each rule for pages finds the mistake that it is there for.
#include <gmock/gmock.h>

#include <filesystem>
#include <optional>
#include <string>

#include "examples.h"
#include "rules.h"

namespace autoshard::guides {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::filesystem::path kRoot = SOURCE_FOLDER;

/// A page beside the guides to the runtime.
Page page(const std::string& text) { return parse("runtime/guide/page.md", text); }

const std::string kCounter = R"(```cpp counter.h
#pragma once
#include <functional>
class [[autoshard::entity]] Counter {
 public:
  explicit Counter(int id) : id_(id) {}
  [[autoshard::shard_method]] void add(int by) { sum_ += by; }
  int sum() const { return sum_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int sum_ = 0;
};
```
)";

std::string program(const std::string& body) {
  return "```cpp count.cpp\n#include <autoshard/autoshard.h>\n#include <iostream>\n"
         "#include \"counter.autoshard.h\"\nint main() {\n" +
         body + "\n}\n```\n";
}

TEST(WideLines, AreFoundInProse) {
  const std::string wide(121, 'a'), full(120, 'a');
  EXPECT_THAT(wide_lines(page(full + "\n" + wide + "\n")),
              ElementsAre(HasSubstr("page.md:2: the line has 121")));
}

TEST(WideLines, MayBeTablesCodeAndLinks) {
  const std::string wide(121, 'a');
  EXPECT_THAT(wide_lines(page("| " + wide + " |\n```text\n" + wide + "\n```\n![" + wide + "](a.svg)\n")),
              IsEmpty());
}

TEST(WideLines, AreMeasuredInCharacters) {
  std::string line;
  for (int i = 0; i < 120; ++i) line += "…";
  EXPECT_THAT(wide_lines(page(line)), IsEmpty());
}

TEST(Contents, HaveEachSectionInOrder) {
  EXPECT_THAT(missing_contents(page("- [One](#one)\n- [Two](#two)\n\n## One\n\n### Part\n\n## Two\n")),
              IsEmpty());
  EXPECT_THAT(missing_contents(page("- [One](#one)\n\n## One\n\n## Two\n")),
              ElementsAre(HasSubstr("lacks #two")));
  EXPECT_THAT(missing_contents(page("- [Two](#two)\n- [One](#one)\n\n## One\n\n## Two\n")),
              ElementsAre(HasSubstr("lacks #two")));
  EXPECT_THAT(missing_contents(page("## One\n\nSee [two](#two).\n\n## Two\n")),
              ElementsAre(HasSubstr("lacks #one"), HasSubstr("lacks #two")));
}

TEST(Links, LeadToFilesAndHeadings) {
  EXPECT_THAT(broken_links(page("[a](../README.md) [b](#b) [c](https://example.org)\n\n## B\n"), kRoot),
              IsEmpty());
  EXPECT_THAT(broken_links(page("text\n[a](gone.md)\n"), kRoot),
              ElementsAre("runtime/guide/page.md:2: there is no runtime/guide/gone.md"));
  EXPECT_THAT(broken_links(page("[a](../README.md#gone)\n"), kRoot),
              ElementsAre(HasSubstr("no heading #gone")));
  EXPECT_THAT(broken_links(page("[a](#gone)\n\n## Here\n"), kRoot),
              ElementsAre(HasSubstr("no heading #gone")));
  EXPECT_THAT(broken_links(page("[a](../../../elsewhere)\n"), kRoot),
              ElementsAre(HasSubstr("there is no ../")));
}

TEST(Links, AreNoCode) {
  EXPECT_THAT(broken_links(page("`[[nodiscard]](gone.md)`\n```text\n[a](gone.md)\n```\n"), kRoot), IsEmpty());
}

TEST(Links, MayHaveCodeInTheirTextsAndHeadings) {
  EXPECT_THAT(broken_links(page("[`a.b`: c, d](#ab-c-d)\n\n## `a.b`: c, d\n"), kRoot), IsEmpty());
}

TEST(FilesInProse, Exist) {
  const std::vector<std::string> paths = {"tool/a.cpp", "tool/deep/b_test.h", "CMakeLists.txt"};
  EXPECT_THAT(unknown_files(page("`tool/a.cpp`, `b_test.h`, `tool/deep/`, `tool/deep`, `tool/NAME.cpp`,\n"
                                 "`tool/deep/*_test.h`, `CMakeLists.txt`, `cmake --build`, `a.b`, `TAG`\n"),
                            paths),
              IsEmpty());
  EXPECT_THAT(
      unknown_files(page("text\n`tool/b.cpp` and `c.h`, `tool/none/`, `tool/de`, `tool/deep/NAME.cpp`\n"
                         "```text\n`tool/c.h`\n```\n"),
                    paths),
      ElementsAre("runtime/guide/page.md:2: there is no tool/b.cpp", HasSubstr("no c.h"),
                  HasSubstr("no tool/none/"), HasSubstr("no tool/de"), HasSubstr("no tool/deep/NAME.cpp")));
}

TEST(FilesInProse, OfTheRepositoryAreFound) {
  const std::vector<std::string> paths = paths_below(kRoot);
  EXPECT_THAT(paths, testing::Contains("test/guides/mistakes_test.cpp"));
  EXPECT_THAT(paths, testing::Not(testing::Contains(testing::StartsWith("build/"))));
}

TEST(Blocks, OfCppAreHeldByATest) {
  EXPECT_THAT(unknown_blocks(page("```cpp\nint i;\n```\n")),
              ElementsAre(HasSubstr("page.md:1: no test holds")));
  EXPECT_THAT(unknown_blocks(page("```cpp some.txt\nint i;\n```\n")),
              ElementsAre(HasSubstr("no test holds")));
  EXPECT_THAT(unknown_blocks(page("```\nls\n```\n")), ElementsAre(HasSubstr("does not name its language")));
  EXPECT_THAT(
      unknown_blocks(page("```cpp a.h\n```\n```cpp in b.h\n```\n```cpp wrong tag\n```\n```sh\n```\n")),
      IsEmpty());
}

TEST(Blocks, End) { EXPECT_THROW(page("```sh\nls\n"), std::runtime_error); }

std::optional<std::string> file(const std::string& path) {
  if (path != "a.h") return std::nullopt;
  return "one;\n  two;\nthree;\nfour;\n";
}

TEST(Excerpts, AreInTheirFilesApartFromIndentation) {
  EXPECT_THAT(changed_excerpts(page("```cpp in a.h\n  one;\ntwo;\n…\n// …\nfour;\n```\n"), file), IsEmpty());
  EXPECT_THAT(changed_excerpts(page("```cpp in a.h\none;\nthree;\n```\n"), file),
              ElementsAre(HasSubstr("does not have, or not there: three;")));
  EXPECT_THAT(changed_excerpts(page("```cpp in a.h\nthree;\n…\none;\n```\n"), file),
              ElementsAre(HasSubstr("not there: one;")));
  EXPECT_THAT(changed_excerpts(page("```cpp in b.h\none;\n```\n"), file),
              ElementsAre(HasSubstr("there is no b.h")));
}

TEST(Excerpts, MayBeOfTheSamePage) {
  EXPECT_THAT(changed_excerpts(page("```cpp c.h\nfive;\n```\n```cpp in c.h\nfive;\n```\n"), file), IsEmpty());
}

TEST(HeldBy, NamesTestsThatExist) {
  const std::string table = "| limit | held by |\n|---|---|\n";
  const auto missing = [&](const std::string& row) {
    return missing_tests(page(table + row), {"A.B"}, file);
  };
  EXPECT_THAT(missing("| **part** | |\n| 1 | `A.B`, `a.h` |\n"), IsEmpty());
  EXPECT_THAT(missing("| 1 | `A.C` |\n"), ElementsAre(HasSubstr("page.md:3: there is no test A.C")));
  EXPECT_THAT(missing("| 1 | |\n"), ElementsAre(HasSubstr("no test holds this")));
}

TEST(HeldBy, KnowsTheTestsOfASource) {
  EXPECT_THAT(tests_below(kRoot / "test" / "guides"), testing::Contains("HeldBy.KnowsTheTestsOfASource"));
}

TEST(Examples, ThatPrintSomethingElse) {
  const std::string right = program(
      "autoshard::MemoryStore store;\n"
      "autoshard::Mapper mapper{store};\n"
      "mapper.save(Counter(1));\n"
      "mapper.apply<&Counter::add>(1, 3);\n"
      "std::cout << mapper.load<Counter>(1)->sum() << '\\n';");
  const std::string outputs = "```text output of count.cpp\n3\n```\n```text output of count.cpp\n4\n```\n";
  EXPECT_THAT(wrong_examples(page(kCounter + right + outputs)),
              ElementsAre(HasSubstr("output of count.cpp: the program prints\n3\n")));
}

TEST(Examples, ThatFail) {
  EXPECT_THAT(wrong_examples(page(kCounter + program("return 3;") + "```text output of other.cpp\n```\n")),
              ElementsAre(HasSubstr("count.cpp: it ends with status 3"),
                          HasSubstr("output of other.cpp: there is no such program")));
}

TEST(Examples, ThatDoNotCompile) {
  EXPECT_THAT(wrong_examples(page(kCounter + program("int unused = 0;"))),
              ElementsAre(HasSubstr("count.cpp: it does not compile")));
}

TEST(Examples, ThatTheGeneratorDoesNotTake) {
  const std::string wrong = "class [[autoshard::entity]] Nameless {};\n```\n";
  EXPECT_THAT(wrong_examples(page("```cpp a.h\n" + wrong)),
              testing::Contains(HasSubstr("the generator does not take the headers")));
  EXPECT_THAT(wrong_examples(page("```cpp wrong autoshard-no-id\n" + wrong)), IsEmpty());
  EXPECT_THAT(wrong_examples(page("```cpp wrong autoshard-other\n" + wrong)),
              ElementsAre(HasSubstr("the generator says something else")));
  EXPECT_THAT(wrong_examples(page("```cpp wrong autoshard-no-id\nclass Plain {};\n```\n")),
              ElementsAre(HasSubstr("the generator takes it")));
}

TEST(Examples, OfGeneratedCodeAreCompared) {
  const std::string right = "```cpp in counter.autoshard.h\nstruct Shard {\n```\n";
  const std::string wrong = "```cpp in counter.autoshard.h\nstruct Shards {\n```\n";
  EXPECT_THAT(wrong_examples(page(kCounter + right + wrong)),
              ElementsAre(HasSubstr("does not have, or not there: struct Shards {")));
}

}  // namespace
}  // namespace autoshard::guides
