/// Every rule: source in, diagnostic out. A `^` marks where a diagnostic is expected.

#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

struct Case {
  std::string name;
  std::string rule;
  std::string source;
  std::string message;  ///< a part of it
  std::string
      fixed;  ///< a part of the source after the fix-it of the first diagnostic; empty if there is none
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.source; }

class RuleTest : public testing::TestWithParam<Case> {};

TEST_P(RuleTest, IsReportedWhereItIsBroken) {
  const Case& one = GetParam();
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

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

const Case kEntities[] = {
    {"EntityInClass", "entity-place", "struct Outer { class [[autoshard::entity]] ^Question {}; };",
     "'Question' is inside a class; move it to a namespace", ""},
    {"EntityInFunction", "entity-place", "inline void f() { class [[autoshard::entity]] ^Question {}; }",
     "is inside a function", ""},
    {"EntityInUnnamedNamespace", "entity-place", "namespace { class [[autoshard::entity]] ^Question {}; }",
     "is in an unnamed namespace", ""},
    {"EntityTemplate", "entity-template",
     "template <typename T> class [[autoshard::entity]] ^Question { T x_; };", "is a template", ""},
    {"EntityUnion", "entity-union", "union [[autoshard::entity]] ^Question { int id_; };", "use a class", ""},
    {"EntityOutOfMacro", "entity-macro",
     "#define CLASS(n) class [[autoshard::entity]] n { [[autoshard::id]] int i_; };\nCLASS(^Question)",
     "comes out of a macro", ""},
    {"AbstractEntity", "entity-abstract",
     "class [[autoshard::entity]] ^Question {\n virtual void f() = 0;\n [[autoshard::id]] int id_;\n};",
     "'Question' is abstract", ""},
    {"BaseWithMembers", "base-members",
     "struct Base { int x; };\nclass [[autoshard::entity]] Question : ^public Base { [[autoshard::id]] int "
     "id_; };",
     "'Base' has data members", ""},
    {"PrivateMappedBase", "base-members",
     "class [[autoshard::mapped]] Base { int x = 0; };\nclass [[autoshard::entity]] Question : ^Base { "
     "[[autoshard::id]] int id_; };",
     "and inherited publicly", ""},
    {"MappedWithoutDefault", "part-default", "class [[autoshard::mapped]] ^Base { public: Base(int); };",
     "which may be protected", ""},
    {"EmbeddedWithoutDefault", "part-default", "class [[autoshard::embedded]] ^Money { Money() {} };",
     "which must be public", ""},
    {"ShardedInMapped", "part-members",
     "class [[autoshard::mapped]] Base { [[^autoshard::shardable(neutral = 0, shards = 2)]] int x_ = 0; };",
     "does not work in a class that is mapped; move it to the entity", ""},
    {"IdInEmbedded", "part-members",
     "class [[autoshard::embedded]] Money { [[^autoshard::id]] int x_ = 0; };",
     "does not work in a class that is embedded", ""},
    {"MappedPointer", "property-type", "class [[autoshard::mapped]] Base { int* ^x_ = nullptr; };",
     "a pointer means nothing", ""},
    {"MappedInClass", "entity-place", "struct Outer { class [[autoshard::mapped]] ^Base {}; };",
     "'Base' is inside a class; move it to a namespace", ""},
    {"EmbeddedTemplate", "entity-template",
     "template <class T> class [[autoshard::embedded]] ^Range { T x_; };", "'Range' is a template", ""},
    {"MappedEntity", "misplaced",
     "class [[autoshard::entity, ^autoshard::mapped]] Q { [[autoshard::id]] int id_; };",
     "it belongs on the definition of a base class of entities", ""},
    {"EmbeddedId", "id-type",
     "class [[autoshard::embedded]] Number { int x_ = 0; };\nclass [[autoshard::entity]] Q { "
     "[[autoshard::id]] "
     "Number ^id_; };",
     "an id is an integer", ""},
    {"NameOfMappedProperty", "stored-name",
     "class [[autoshard::mapped]] Base { int x_ = 0; };\nclass [[autoshard::entity]] Q : public Base { "
     "[[autoshard::id]] int id_; int ^x = 0; };",
     "are both called 'x'", ""},
    {"NoId", "no-id", "class [[autoshard::entity]] ^Question { int id_; };",
     "has no id; mark one of its members", ""},
    {"IdOfFloatingType", "id-type",
     "class [[autoshard::entity]] Question { [[autoshard::id]] double ^id_; };",
     "an id is an integer, a bool, an enum, a std::string", ""},
    {"IdOfTwoMembers", "id-type",
     "struct Both { int a; int b; };\nclass [[autoshard::entity]] Question { [[autoshard::id]] Both ^id_; };",
     "a struct with one of these as its only member", ""},
    {"IdOfNumbers", "id-type",
     "#include <array>\nclass [[autoshard::entity]] Question { [[autoshard::id]] int a_; [[autoshard::id]] "
     "std::array<int, 2> ^b_; };",
     "a std::array of bytes", ""},
    {"IdOfPointerType", "id-type",
     "class [[autoshard::entity]] Question { [[autoshard::id]] const char* ^id_; };",
     "has type 'const char *'", ""},
    {"TransientId", "contradiction",
     "class [[autoshard::entity]] Question { [[autoshard::id, ^autoshard::transient]] int id_; };",
     "cannot be both '[[autoshard::id]]' and '[[autoshard::transient]]'", ""},
    {"ShardedTransient", "contradiction",
     question("", "[[autoshard::shardable(neutral = 0, shards = 1)]] [[^autoshard::transient]] int x_ = 0;"),
     "cannot be both '[[autoshard::shardable]]' and '[[autoshard::transient]]'", ""},
    {"SameKind", "same-kind",
     "namespace a { class [[autoshard::entity]] Question { [[autoshard::id]] int id_; }; }\n"
     "namespace b { class [[autoshard::entity]] ^Question { [[autoshard::id]] int id_; }; }",
     "'b::Question' and 'a::Question' are both kind 'Question'", ""},
    {"KindIsNoString", "kind", "class [[autoshard::entity(^42)]] Question { [[autoshard::id]] int id_; };",
     "a string literal, as in 'entity(\"Question\")'", ""},
    {"KindIsUtf8", "kind",
     "class [[autoshard::entity(^u8\"Frage\")]] Question { [[autoshard::id]] int id_; };",
     "a string literal, as in", ""},
    {"UserWrittenCopy", "copy-operation",
     question("Question() = default; ^Question(const Question& o) : votes_(o.votes_) {}"), "default it", ""},
    {"UserWrittenAssignment", "copy-operation",
     question("Question& ^operator=(const Question& o) { votes_ = o.votes_; return *this; }"), "default it",
     ""},
    {"WithVariable", "declarator",
     "class [[autoshard::entity]] Question { [[autoshard::id]] int id_ = 0; } ^*first;", "apart from it", ""},
    {"KindIsEmpty", "kind", "class [[autoshard::entity(^\"\")]] Question { [[autoshard::id]] int id_; };",
     "cannot be empty", ""},
    {"StateCollides", "collision", question("", "int ^autoshard_ = 0;"),
     "'autoshard_' is the name of something", ""},
    {"ShardCollides", "collision", question("struct ^Shard {};"), "rename this", ""},
    {"FoldCollides", "collision", question("[[autoshard::shard_method]] void ^fold_votes_() { ++votes_; }"),
     "is the name of the generated fold of 'votes_'", ""},
    {"NamespaceCollides", "collision", "struct ^sharded {};\n" + question(""),
     "'sharded' is the name of the namespace", ""},
};
INSTANTIATE_TEST_SUITE_P(Entities, RuleTest, testing::ValuesIn(kEntities), name_of);

const Case kProperties[] = {
    {"Reference", "property-type", question("Question();", "int& ^x_;"), "a reference cannot be loaded", ""},
    {"TransientReference", "property-type", question("Question();", "[[autoshard::transient]] int& ^x_;"),
     "a reference cannot be loaded", ""},
    {"Pointer", "property-type", question("", "int* ^x_;"), "mark it [[autoshard::transient]]", ""},
    {"CharacterPointer", "property-type", question("", "const char* ^x_;"), "use std::string", ""},
    {"FunctionPointer", "property-type", question("", "void (*^x_)();"), "cannot hold a function", ""},
    {"BuiltInArray", "property-type", question("", "int ^x_[3];"), "use std::array", ""},
    {"BitField", "property-type", question("", "int ^x_ : 3;"), "a bit-field has no address", ""},
    {"Volatile", "property-type", question("", "volatile int ^x_;"), "drop 'volatile'", ""},
    {"LongDouble", "property-type", question("", "long double ^x_;"), "use double", ""},
    {"Integer128", "property-type", question("", "__int128 ^x_;"), "at most 64 bits", ""},
    {"Union", "property-type", "union U { int a; float b; };\n" + question("", "U ^x_;"),
     "does not say which of its members is alive", ""},
    {"Incomplete", "property-type", "#include <vector>\nstruct S;\n" + question("", "std::vector<S> ^x_;"),
     "its element type is 'S': it is not defined here", ""},
    {"ClassWithConstructor", "property-type",
     "class C { public: C(int); };\n" + question("Question();", "C ^x_;"),
     "it has private members or constructors of its own", ""},
    {"StructWithBase", "property-type",
     "struct B { int b; }; struct C : B { int c; };\n" + question("", "C ^x_;"), "it has a base class", ""},
    {"StructWithPointer", "property-type",
     "struct In { int* pointer; }; struct Out { In in; };\n" + question("", "Out ^x_;"),
     "its member 'in' is 'In': its member 'pointer' is 'int *': a pointer means nothing in another process",
     ""},
    {"StructWithoutDefault", "property-type",
     "struct N { explicit N(int); }; struct S { N n; };\n" + question("Question();", "S ^x_;"),
     "it cannot be constructed without arguments", ""},
    {"EntityAsProperty", "property-type",
     "class [[autoshard::entity]] Other { [[autoshard::id]] int id_; };\n" + question("", "Other ^x_;"),
     "an entity cannot be part of another; hold its id", ""},
    {"WideString", "property-type", "#include <string>\n" + question("", "std::wstring ^x_;"),
     "use std::string", ""},
    {"OtherContainer", "property-type",
     "#include <forward_list>\n" + question("", "std::forward_list<int> ^x_;"),
     "mark it [[autoshard::transient]] or use one of arithmetic types", ""},
    {"ConstantElement", "property-type",
     "#include <optional>\n" + question("", "std::optional<const int> ^x_;"), "drop 'const'", ""},
    {"Deleter", "property-type",
     "#include <memory>\nstruct D { void operator()(int*) const; };\n" +
         question("", "std::unique_ptr<int, D> ^x_;"),
     "drop its deleter", ""},
    {"PointerToArray", "property-type", "#include <memory>\n" + question("", "std::unique_ptr<int[]> ^x_;"),
     "its element type is 'int[]'", ""},
    {"PointersAsKeys", "property-type",
     "#include <memory>\n#include <optional>\n#include <set>\n" +
         question("", "std::set<std::optional<std::unique_ptr<int>>> ^x_;"),
     "told apart by their addresses", ""},
    {"VariantOfPointers", "property-type",
     "#include <string>\n#include <variant>\n" + question("", "std::variant<std::string, int*> ^x_;"),
     "its element type is 'int *': a pointer means nothing", ""},
    {"TupleOfReferences", "property-type",
     "#include <tuple>\n" + question("Question();", "std::tuple<int, int&> ^x_;"),
     "a reference cannot be loaded", ""},
    {"CodedWithoutDefault", "property-type",
     "struct C { explicit C(int); };\nnamespace autoshard { template <class T> struct Codec; }\n"
     "template <> struct autoshard::Codec<C>;\n" +
         question("Question();", "C ^x_;"),
     "it cannot be constructed without arguments", ""},
    {"FormerNameOfToday", "also-load", question("", "[[autoshard::also_load(^\"plain\")]] int x_ = 0;"),
     "records hold 'plain_' under the name 'plain'", ""},
    {"FormerNameOfItsOwn", "also-load", question("", "[[autoshard::also_load(^\"x_\")]] int x_ = 0;"),
     "records hold 'x_' under the name 'x'", ""},
    {"FormerNameOfShardedMember", "also-load",
     question("", "[[autoshard::also_load(^\"votes\")]] int x_ = 0;"), "records hold 'votes_'", ""},
    {"FormerNameTwice", "also-load",
     question(
         "",
         "[[autoshard::also_load(\"a\")]] int x_ = 0;\n[[autoshard::also_load(\"b\", ^\"a\")]] int y_ = 0;"),
     "so 'y_' cannot be loaded from it", ""},
    {"FormerNameOfId", "also-load",
     "class [[autoshard::entity]] Question { [[autoshard::id, ^autoshard::also_load(\"a\")]] int id_; };",
     "an id, whose name no record holds", ""},
    {"FormerNameOfTransient", "also-load",
     question("", "[[autoshard::transient]] [[^autoshard::also_load(\"a\")]] int x_ = 0;"),
     "transient, so no record holds it", ""},
    {"FormerNameMissing", "also-load", question("", "[[^autoshard::also_load]] int x_ = 0;"),
     "needs the former name, as in 'also_load(\"old_x\")'", ""},
    {"FormerNameNoLiteral", "also-load", question("", "[[autoshard::also_load(^old)]] int x_ = 0;"),
     "is a string literal", ""},
    {"FormerNameReserved", "also-load", question("", "[[autoshard::also_load(^\"@version\")]] int x_ = 0;"),
     "'@version' cannot have been the name", ""},
    {"ShardedPointer", "not-copyable",
     "#include <memory>\n#include <vector>\n" +
         question("",
                  "[[autoshard::shardable(neutral = {}, shards = 2, fold = merge)]] "
                  "std::vector<std::unique_ptr<int>> ^x_;"),
     "which cannot be copied", ""},
    {"Const", "const-property", question("", "const int ^x_ = 1;"), "is const, so it cannot be loaded", ""},
    {"StoredName", "stored-name", question("", "int ^votes = 0;"), "are both called 'votes'", ""},
    {"NotPrivate", "not-private",
     question("[[autoshard::shardable(neutral = 0, shards = 10)]] int ^open_ = 0;"),
     "is not private; move it below 'private:'", ""},
};
INSTANTIATE_TEST_SUITE_P(Properties, RuleTest, testing::ValuesIn(kProperties), name_of);

/// A question with one more sharded member, annotated with these arguments.
std::string sharded(const std::string& arguments) {
  return question("", "[[autoshard::shardable(" + arguments + ")]] int x_ = 0;");
}

const Case kArguments[] = {
    {"NoNeutral", "missing-argument", question("", "[[^autoshard::shardable(shards = 2)]] int x_ = 0;"),
     "needs 'neutral = …'", ""},
    {"NoShards", "missing-argument", question("", "[[^autoshard::shardable(neutral = 0)]] int x_ = 0;"),
     "needs 'shards = …'", ""},
    {"NearlyAnArgument", "unknown-argument", sharded("neutral = 0, shards = 2, ^flod = f"),
     "'[[autoshard::shardable]]' has no argument 'flod'; did you mean 'fold'?", "shards = 2, fold = f"},
    {"NoArgumentAtAll", "unknown-argument", sharded("neutral = 0, shards = 2, ^speed = 9"),
     "has no argument 'speed'; use 'neutral', 'shards' or 'fold'", ""},
    {"ArgumentWithoutName", "unknown-argument", sharded("neutral = 0, shards = 2, ^10"),
     "takes named arguments", ""},
    {"ArgumentsOfNone", "unknown-argument",
     question("[[autoshard::shard_method(^now)]] void up() { ++votes_; }"),
     "'[[autoshard::shard_method]]' takes no arguments", ""},
    {"TwoKinds", "unknown-argument",
     "class [[autoshard::entity(\"A\", ^\"B\")]] Q { [[autoshard::id]] int id_; };",
     "takes one argument only", ""},
    {"ArgumentTwice", "duplicate", sharded("neutral = 0, shards = 2, ^shards = 3"), "'shards' is given twice",
     ""},
    {"AttributeTwice", "duplicate",
     "class [[autoshard::entity]] Q { [[autoshard::id]] [[^autoshard::id]] int id_; };",
     "'[[autoshard::id]]' is given twice", ""},
    {"ShardsExpression", "shards-not-constant", sharded("neutral = 0, shards = ^2 * 5"),
     "not a constant that is known here", ""},
    {"ShardsUnknownName", "shards-not-constant", sharded("neutral = 0, shards = ^kMany"), "write an integer",
     ""},
    {"ShardsVariable", "shards-not-constant",
     "inline int many = 3;\n" + sharded("neutral = 0, shards = ^many"), "write an integer", ""},
    {"ShardsFraction", "shards-not-constant", sharded("neutral = 0, shards = ^1.5"), "write an integer", ""},
    {"ShardsZero", "shards-range", sharded("neutral = 0, shards = ^0"), "is 0; it must be from 1 to 4096",
     ""},
    {"ShardsNegative", "shards-range", sharded("neutral = 0, shards = ^-1"), "is -1", ""},
    {"ShardsTooMany", "shards-range", sharded("neutral = 0, shards = ^4'097"), "is 4097", ""},
    {"ShardsTooManyByName", "shards-range",
     "enum class Size : unsigned { kHuge = 5000 };\n" + sharded("neutral = 0, shards = ^Size::kHuge"),
     "is 5000", ""},
    {"ShardsHuge", "shards-range", sharded("neutral = 0, shards = ^99999999999999999999"),
     "it must be from 1", ""},
};
INSTANTIATE_TEST_SUITE_P(Arguments, RuleTest, testing::ValuesIn(kArguments), name_of);

const Case kAttributes[] = {
    {"NearlyAnAttribute", "unknown-attribute", question("[[autoshard::^shard_methud]] void f() {}"),
     "there is no attribute 'autoshard::shard_methud'; did you mean 'shard_method'?",
     "[[autoshard::shard_method]] void f()"},
    {"NoAttributeAtAll", "unknown-attribute", question("[[autoshard::^turbo]] void f() {}"),
     "use 'entity', 'id', 'shardable', 'shard_method', 'shard_fold', 'transient', 'also_load', "
     "'mapped' or 'embedded'",
     ""},
    {"UnknownInUsingForm", "unknown-attribute", question("", "[[using autoshard: ^transiant]] int x_ = 0;"),
     "did you mean 'transient'?", "[[using autoshard: transient]]"},
    {"UnknownOutOfMacro", "unknown-attribute",
     "#define HOT [[autoshard::shardible]]\n" + question("^HOT void f() {}"), "did you mean 'shardable'?",
     ""},
    {"IdOnMethod", "misplaced", question("[[^autoshard::id]] int f() const { return 1; }"),
     "means nothing on a method; it belongs on a data member of an entity", ""},
    {"MethodOnProperty", "misplaced", question("", "[[^autoshard::shard_method]] int x_ = 0;"),
     "means nothing on a data member", ""},
    {"IdOnEntity", "misplaced",
     "class [[autoshard::entity, ^autoshard::id]] Q { [[autoshard::id]] int id_; };",
     "means nothing on a class", ""},
    {"EntityOnEnum", "misplaced", "enum class [[^autoshard::entity]] E { kA };", "on an enumeration", ""},
    {"EntityOnForwardDeclaration", "misplaced", "class [[^autoshard::entity]] Q;", "on a forward declaration",
     ""},
    {"EntityOnAlias", "misplaced", "using A [[^autoshard::entity]] = int;", "on an alias", ""},
    {"EntityOnNamespace", "misplaced", "namespace [[^autoshard::entity]] n {}", "on a namespace", ""},
    {"ShardableInPlainClass", "misplaced",
     "class P { [[^autoshard::shardable(neutral = 0, shards = 1)]] int x_; };",
     "on a member of a class that is no entity", ""},
    {"ShardMethodInPlainClass", "misplaced", "class P { [[^autoshard::shard_method]] void f(); };",
     "on a method of a class that is no entity", ""},
    {"FoldOnFunction", "misplaced", "[[^autoshard::shard_fold]] int f(int, int);", "on a function", ""},
    {"MisspelledScope", "unknown-attribute", question("", "[[^autoshrad::transient]] int x_;"),
     "did you mean the scope 'autoshard'?", "[[autoshard::transient]] int x_;"},
    {"IdOnStaticMember", "misplaced", question("", "[[^autoshard::id]] static int x_;"), "on a static member",
     ""},
    {"IdOnParameter", "misplaced", question("void f([[^autoshard::id]] int x) const {}"), "on a parameter",
     ""},
    {"IdOnStatement", "misplaced", "inline void f() { [[^autoshard::id]] return; }", "means nothing here",
     ""},
};
INSTANTIATE_TEST_SUITE_P(Attributes, RuleTest, testing::ValuesIn(kAttributes), name_of);

/// An entity with one sharded member and these folds.
std::string folding(const std::string& folds, const std::string& member = "int votes_ = 0;") {
  return "class [[autoshard::entity]] Q {\n public:\n  " + folds +
         "\n private:\n  [[autoshard::id]] int id_;\n"
         "  [[autoshard::shardable(neutral = 0, shards = 2)]] " +
         member + "\n};\n";
}

const Case kFolds[] = {
    {"NoFold", "no-fold", folding("", "int ^votes_ = 0;"), "'votes_' has no fold; mark a method such as", ""},
    {"TwoFolds", "ambiguous-fold",
     folding("[[autoshard::shard_fold]] static int f(int, int);\n  [[autoshard::shard_fold]] static int "
             "g(int, int);",
             "int ^votes_ = 0;"),
     "has more than one fold", ""},
    {"FoldAndExpression", "ambiguous-fold",
     question("[[autoshard::shard_fold(x_)]] static int f(int, int);",
              "[[autoshard::shardable(neutral = 0, shards = 2, fold = add)]] int ^x_ = 0;"),
     "has more than one fold", ""},
    {"FoldNotStatic", "fold-not-static",
     folding("[[autoshard::shard_fold]] int ^f(int x, int y) const { return x + y; }"),
     "is not static; make it static", "static int f(int x, int y)"},
    {"FoldOfOne", "fold-signature", folding("[[autoshard::shard_fold]] static int ^f(int);"),
     "as in 'static int fold(int, int)'", ""},
    {"FoldOfTwoTypes", "fold-signature", folding("[[autoshard::shard_fold]] static int ^f(int, long);"),
     "must take two values", ""},
    {"FoldReturnsNothing", "fold-signature", folding("[[autoshard::shard_fold]] static void ^f(int, int);"),
     "and return one", ""},
    {"FoldReturnsReference", "fold-signature",
     folding("[[autoshard::shard_fold]] static const int& ^f(const int&, const int&);"), "and return one",
     ""},
    {"FoldChangesItsArgument", "fold-signature",
     folding("[[autoshard::shard_fold]] static int ^f(int&, int);"),
     "by value, const reference or rvalue reference", ""},
    {"NamedFoldOfOtherType", "fold-signature",
     folding("[[autoshard::shard_fold(votes_)]] static long ^f(long, long);"),
     "folds 'long', but 'votes_' has type 'int'", ""},
    {"FoldOfUnknownMember", "fold-member",
     question("[[autoshard::shard_fold(^votse_)]] static int f(int, int);"),
     "there is no member 'votse_'; did you mean 'votes_'?", "shard_fold(votes_)"},
    {"FoldOfPlainMember", "fold-member",
     question("[[autoshard::shard_fold(^plain_)]] static int f(int, int);"),
     "'plain_' is not sharded; use 'votes_'", ""},
    {"MethodAndFold", "misplaced",
     folding("[[autoshard::shard_method]] [[^autoshard::shard_fold]] static int f(int x, int y) { return x + "
             "y; }"),
     "cannot be both a shard method and a shard fold", ""},
    {"FoldOfNothing", "fold-member", question("[[^autoshard::shard_fold]] static long f(long, long);"),
     "no sharded member has type 'long'", ""},
};
INSTANTIATE_TEST_SUITE_P(Folds, RuleTest, testing::ValuesIn(kFolds), name_of);

/// A question with one more shard method.
std::string updating(const std::string& method) { return question("[[autoshard::shard_method]] " + method); }

const Case kMethods[] = {
    {"StaticMethod", "shard-method-static", updating("static void ^f() {}"), "is static", ""},
    {"ConstMethod", "shard-method-const", updating("void ^f() const {}"), "is const", ""},
    {"Constructor", "shard-method-constructor", updating("^Question() {}"), "cannot be a shard method", ""},
    {"TemplateMethod", "shard-method-template",
     question("template <typename T> [[autoshard::shard_method]] void ^f(T n) { votes_ += n; }"),
     "is a template; write an overload", ""},
    {"DefinedElsewhere", "shard-method-body", updating("void ^f();"), "is not defined in the class", ""},
    {"MethodOutOfMacro", "shard-method-macro",
     "#define UP(name) [[autoshard::shard_method]] void name() { ++votes_; }\n" + question("UP(^f)"),
     "comes out of a macro", ""},
    {"UsesPlainMember", "shard-method-members", updating("void f() { votes_ += ^plain_; }"),
     "uses 'plain_', which is not sharded", ""},
    {"UsesPlainMemberInLambda", "shard-method-members",
     updating("void f() { [this] { votes_ += this->^plain_; }(); }"), "uses 'plain_'", ""},
    {"CallsPlainMethod", "shard-method-escape",
     question("int two() const { return 2; }\n[[autoshard::shard_method]] void f() { votes_ += ^two(); }"),
     "calls the plain method 'two'", ""},
    {"PassesThis", "shard-method-escape",
     "class Question; void log(const Question*);\n" + updating("void f() { ++votes_; log(^this); }"),
     "passes 'this' on", ""},
    {"KeepsThis", "shard-method-escape", updating("void f() { ++votes_; auto& self = *^this; (void)self; }"),
     "passes 'this' on", ""},
    {"ChangesAnother", "shard-method-escape",
     updating("void f(Question& other) { ++votes_; other.^votes_ = 0; }"), "changes another 'Question'", ""},
    {"KeepsStatic", "shard-method-escape", updating("void f() { static int ^runs = 0; votes_ += ++runs; }"),
     "keeps the static variable 'runs'", ""},
    {"NamesTheClass", "shard-method-escape", updating("void f() { Question::^votes_ += 1; }"),
     "names 'votes_' with its class", ""},
    {"PointerParameter", "shard-method-parameter", updating("void ^f(int* n) { votes_ += (*n)++; }"),
     "points to what the method can change", ""},
    {"ArrayReferenceParameter", "shard-method-parameter",
     updating("void ^f(int (&n)[2]) { votes_ += n[0]; }"), "cannot be copied", ""},
    {"ReturnsReference", "shard-method-result", updating("int& ^f() { return ++votes_; }"),
     "return a value, or '*this'", ""},
    {"MoveOnlyParameter", "shard-method-parameter",
     "#include <memory>\n" + updating("void ^f(std::unique_ptr<int> n) { votes_ += *n; }"),
     "cannot be copied", ""},
    {"ContainerOfMoveOnly", "shard-method-parameter",
     "#include <memory>\n#include <vector>\n" +
         updating("void ^f(std::vector<std::unique_ptr<int>> n) { votes_ += *n[0]; }"),
     "cannot be copied", ""},
    {"UpdatesNothing", "shard-method-no-update", updating("int ^f() { return votes_; }"),
     "changes no sharded member", ""},
    {"PlainWrite", "plain-write", question("void reset() { ^votes_ = 0; }"),
     "'reset' may change the sharded member 'votes_'", "[[autoshard::shard_method]] void reset()"},
    {"PlainWriteOutsideTheClass", "plain-write",
     question("void reset();") + "inline void Question::reset() { ^votes_ = 0; }", "mark it",
     "[[autoshard::shard_method]] void reset();"},
    {"PlainIncrement", "plain-write", question("void f() { ++^votes_; }"), "mark it",
     "[[autoshard::shard_method]] void f()"},
    {"PlainCompound", "plain-write", question("void f() { (^votes_) += 2; }"), "mark it",
     "[[autoshard::shard_method]] void f()"},
    {"PlainReferenceArgument", "plain-write", "void zero(int&);\n" + question("void f() { zero(^votes_); }"),
     "mark it", "[[autoshard::shard_method]] void f()"},
    {"PlainReferenceVariable", "plain-write", question("void f() { int& v = ^votes_; v = 1; }"), "mark it",
     "[[autoshard::shard_method]] void f()"},
    {"PlainAddress", "plain-write", question("int* f() { return &^votes_; }"), "mark it",
     "[[autoshard::shard_method]] int* f()"},
    {"PlainReferenceResult", "plain-write", question("int& f() { return ^votes_; }"), "mark it",
     "[[autoshard::shard_method]] int& f()"},
    {"PlainInLambda", "plain-write", question("void f() { [this] { ++^votes_; }(); }"), "mark it",
     "[[autoshard::shard_method]] void f()"},
    {"StaticWrite", "plain-write", question("static void reset(Question& q) { q.^votes_ = 0; }"),
     "'reset' may change the sharded member 'votes_'", ""},
    {"FriendWrites", "plain-write", question("friend void hack(Question& q) { q.^votes_ += 1000; }"),
     "friend 'hack' may change the sharded member 'votes_'", ""},
    {"NestedClassWrites", "plain-write",
     question("struct Builder { static void poke(Question& q) { q.^votes_ = 9; } };"),
     "nested class's 'poke' may change", ""},
    {"PointerToMember", "plain-write",
     question("void f() { int Question::*p = &^Question::votes_; (void)p; }"), "mark it",
     "[[autoshard::shard_method]] void f()"},
    {"PlainOnAnother", "plain-write", question("void f(Question& other) { other.^votes_ = 1; }"), "mark it",
     "[[autoshard::shard_method]] void f("},
};
INSTANTIATE_TEST_SUITE_P(Methods, RuleTest, testing::ValuesIn(kMethods), name_of);

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
