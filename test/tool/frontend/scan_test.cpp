/// Which headers are left alone without being parsed: those that nobody would miss a syntax error in.

#include <gtest/gtest.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tool/frontend/frontend.h"
#include "tool/output/model_dump.h"

namespace autoshard::tool {
namespace {

constexpr char kFolder[] = "/no/such/folder/";

struct Given {
  std::string text;
  std::map<std::string, std::string> others{};  ///< by their names in the folder
  std::vector<std::string> flags{};
  bool candidates = false;
};

struct Read {
  bool is_left_alone = false;
  std::string model;
  std::vector<std::string> files;
};

/// `end` may be an error.
Read read(const Given& given, const std::string& end) {
  ParseRequest request;
  request.headers = {"plain.h"};
  request.flags = given.flags;
  request.directory = "/no/such/folder";
  request.candidates = given.candidates;
  for (const auto& [name, text] : given.others) request.contents[kFolder + name] = text;
  request.contents[std::string(kFolder) + "plain.h"] = given.text + end;
  Read result;
  std::string said;
  llvm::raw_string_ostream errors(said);
  result.is_left_alone = parse(request, errors, [&](ParsedHeaders& parsed) {
    result.model = dump(parsed.model());
    result.files = parsed.files_read();
  });
  return result;
}

bool is_left_alone(const Given& given) { return read(given, "\nstruct }\n").is_left_alone; }

TEST(ScanTest, HeadersWithoutAnnotationsAreLeftAlone) {
  for (const char* text :
       {"", "struct A { int x; };", "#include <string>\nstruct A { std::string x; };",
        "// [[autoshard::entity]]\nconst char* text = \"[[autoshard::entity]]\";",
        "const char* text = R\"([[autoshard::entity]])\";", "autoshard::Ref<Q> q;", "class [[nodiscard]] A;",
        "#ifndef A_H\n#define A_H\n#define N 4\n#endif\n", "int a[b[0]];"})
    EXPECT_TRUE(is_left_alone({text})) << text;
}

TEST(ScanTest, AnnotationsAreRead) {
  for (const char* text :
       {"class [[autoshard::entity]] Q;", "class [[autoshrad::entity]] Q;", "class [[entity]] Q;",
        "class [[nodiscard, using autoshard: entity]] Q;", "class [ [ auto\\\nshard::entity ]] Q;",
        "class <:<: autoshard::entity :>:> Q;", "class [[auto\\u0073hard::entity]] Q;"})
    EXPECT_FALSE(is_left_alone({text})) << text;
}

TEST(ScanTest, WhatMayBecomeAnAnnotationIsRead) {
  for (const char* text :
       {"#define ENTITY [[autoshard::entity]]\n", "#define SCOPE autoshard\n", "#define SCOPE autoshrad\n",
        "#define OPEN [\n", "#define CAT(a, b) a##b\n", "#define CAT(a, b) a%:%:b\n",
        "#define HARD auto\\\nshard\n", "#define OTHER \"other.h\"\n#include OTHER\n", "import shop;\n",
        "_Pragma(\"once\")\n", "#if 1\n#pragma once\n#endif\n", "#include \"missing.h\"\n"})
    EXPECT_FALSE(is_left_alone({text, {{"other.h", ""}}})) << text;
}

TEST(ScanTest, WhateverMayBeIncludedCounts) {
  const std::string macro = "#define ENTITY [[autoshard::entity]]\n";
  for (const char* text :
       {"#include \"other.h\"\n", "# /**/ include /**/ \"other.h\"\n", "%:include \"other.h\"\n",
        "#if 0\n#include \"other.h\"\n#endif\n", "#import \"other.h\"\n", "#include \"between.h\"\n",
        "#inc\\\nlude \"other.h\"\n"}) {
    const std::map<std::string, std::string> others{{"between.h", "#include \"other.h\"\n"}};
    auto with = others;
    with["other.h"] = macro;
    EXPECT_FALSE(is_left_alone({text, with})) << text;
  }
  EXPECT_TRUE(is_left_alone({"#include \"other.h\"\n", {{"other.h", "struct Other {};\n"}}}));
  for (const char* flag : {"-Isub", "-isystemsub", "-iquotesub"}) {
    const bool is_angled = std::string(flag) != "-iquotesub";
    const std::string text = is_angled ? "#include <other.h>\n" : "#include \"other.h\"\n";
    EXPECT_FALSE(is_left_alone({text, {{"sub/other.h", macro}}, {flag}})) << flag;
    EXPECT_TRUE(is_left_alone({text, {{"sub/other.h", "struct Other {};\n"}}, {flag}})) << flag;
  }
  // The one that comes first is not the one that is meant.
  EXPECT_FALSE(is_left_alone({"#include <other.h>\n",
                              {{"sub/other.h", "#include_next <other.h>\n"}, {"next/other.h", macro}},
                              {"-Isub", "-Inext"}}));
}

TEST(ScanTest, FlagsCount) {
  EXPECT_FALSE(is_left_alone({"", {}, {"-DENTITY=[[autoshard::entity]]"}}));
  EXPECT_FALSE(is_left_alone({"", {}, {"-DSCOPE=autoshrad"}}));
  EXPECT_TRUE(is_left_alone({"", {}, {"-DNUMBER=4", "-DNAME(x)=x"}}));
  for (const char* flag : {"-include", "-imacros"}) {
    EXPECT_FALSE(
        is_left_alone({"", {{"other.h", "#define ENTITY [[autoshard::entity]]\n"}}, {flag, "other.h"}}));
    EXPECT_TRUE(is_left_alone({"", {{"other.h", "struct Other {};\n"}}, {flag, "other.h"}}));
  }
}

TEST(ScanTest, WhereBodiesAreWantedNothingIsLeftAlone) {
  EXPECT_FALSE(is_left_alone({.text = "struct A { int x; };", .candidates = true}));
}

/// `-DFORCE=[` makes it parse.
TEST(ScanTest, TheModelIsTheOneOfTheParser) {
  for (const char* text : {"#pragma once\nstruct A {};\n", "// of it\n  #pragma once // now\nstruct A {};\n",
                           "\xef\xbb\xbf#pragma once\r\nstruct A {};\r\n#if 0\nint x;\n#endif\n",
                           "#pragma pack(4)\n#include \"other.h\"\nstruct A {};\n"}) {
    const std::map<std::string, std::string> others{{"other.h", "#pragma once\nstruct B {};\n"}};
    const Read scanned = read({text, others}, "");
    const Read parsed = read({text, others, {"-DFORCE=["}}, "");
    EXPECT_EQ(scanned.model, parsed.model) << text;
    EXPECT_TRUE(std::ranges::includes(scanned.files, parsed.files)) << text;
  }
}

}  // namespace
}  // namespace autoshard::tool
