/// Which texts the plugin looks at.

#include "tool/frontend/tokens/mentions.h"

#include <gtest/gtest.h>

namespace autoshard::tool {
namespace {

clang::LangOptions cpp() {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = language.CPlusPlus17 =
      language.CPlusPlus20 = true;
  return language;
}

bool mentions(const std::string& text) { return mentions_attributes(text, cpp()); }

TEST(MentionsTest, Attributes) {
  EXPECT_TRUE(mentions("class [[autoshard::entity]] Q;"));
  EXPECT_TRUE(mentions("class [[nodiscard, autoshard::entity]] Q;"));
  EXPECT_TRUE(mentions("class [[using autoshard: entity]] Q;"));
  EXPECT_TRUE(mentions("class [ [\n  autoshard :: entity ]] Q;"));
  EXPECT_TRUE(mentions("int x [[maybe_unused]]; class [[autoshard::entity]] Q;"));
}

TEST(MentionsTest, MacrosThatMayBeAttributes) {
  EXPECT_TRUE(mentions("#define ENTITY [[autoshard::entity]]\n"));
  EXPECT_TRUE(mentions("#  define HOT(n) \\\n  autoshard::shardable(neutral = 0, shards = n)\n"));
}

TEST(MentionsTest, NothingElse) {
  EXPECT_FALSE(mentions(""));
  EXPECT_FALSE(mentions("#include <autoshard/autoshard.h>\nautoshard::Mapper& mapper();\n"));
  EXPECT_FALSE(mentions("// [[autoshard::entity]]\n/* [[autoshard::id]] */\n"));
  EXPECT_FALSE(mentions("const char* text = \"[[autoshard::entity]]\";"));
  EXPECT_FALSE(mentions("const char* text = R\"([[autoshard::entity]])\";"));
  EXPECT_FALSE(mentions("int x = a[b[0]]; autoshard::Ref<Q> q;"));
  EXPECT_FALSE(mentions("#define N 4\nautoshard::Ref<Q> q;\n"));
}

TEST(MentionsTest, UnitsOfModules) {
  EXPECT_TRUE(is_module_unit("// a comment\nmodule;\n#include <string>\n", cpp()));
  EXPECT_TRUE(is_module_unit("export module shop;\n", cpp()));
  EXPECT_FALSE(is_module_unit("#include <string>\nimport shop;\n", cpp()));
  EXPECT_FALSE(is_module_unit("export template <class T> class C;\n", cpp()));
}

}  // namespace
}  // namespace autoshard::tool
