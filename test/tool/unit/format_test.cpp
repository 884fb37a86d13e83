// Generated text takes its indentation from the text around it, where no .clang-format says another.
#include "tool/rewrite/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace autoshard::tool {
namespace {

using testing::HasSubstr;

/// `header`, which ends in `};`, with generated members before that.
std::string extended(const std::string& header) {
  const auto end = static_cast<std::uint32_t>(header.rfind('}'));
  const std::string members = "\n\n public:\n  struct Shard {\n    int votes_ = 0;\n  };\n";
  return format(apply_changes(header, {{{{0, end, end}, members}, true, 1}}), "/no/such/folder/entity.h",
                header);
}

TEST(Format, TwoBlanks) {
  EXPECT_THAT(extended("class Q {\n public:\n  int f();\n\n private:\n  int id_;\n};\n"),
              HasSubstr("\n public:\n  struct Shard {\n    int votes_ = 0;\n  };\n"));
}

TEST(Format, FourBlanks) {
  EXPECT_THAT(
      extended("class Q {\npublic:\n    int f() {\n        return 1;\n    }\n\nprivate:\n    int id_;\n};\n"),
      HasSubstr("\npublic:\n    struct Shard {\n        int votes_ = 0;\n    };\n"));
}

TEST(Format, Tabs) {
  EXPECT_THAT(extended("namespace a\n{\n\tclass Q\n\t{\n\tpublic:\n\t\tint f();\n\n\t\tint id_;\n\t};\n"),
              HasSubstr("\n\tpublic:\n\t\tstruct Shard {\n\t\t\tint votes_ = 0;\n\t\t};\n"));
}

TEST(Format, CommentsDoNotCount) {
  EXPECT_THAT(extended("/*\n * a\n */\nclass Q {\n   /*\n    * b\n    */\n   int f();\n   int id_;\n};\n"),
              HasSubstr("\npublic:\n   struct Shard {\n      int votes_ = 0;\n   };\n"));
}

}  // namespace
}  // namespace autoshard::tool
