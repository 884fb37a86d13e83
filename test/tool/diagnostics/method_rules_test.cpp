/// Rules of folds, shard methods, and all others that may touch a sharded member.

#include "test/tool/diagnostics/rule_case.h"

namespace autoshard::tool {
namespace {

/// An entity with one sharded member and these folds.
std::string folding(const std::string& folds, const std::string& member = "int votes_ = 0;") {
  return "class [[autoshard::entity]] Q {\n public:\n  " + folds +
         "\n private:\n  [[autoshard::id]] int id_;\n"
         "  [[autoshard::shardable(neutral = 0, shards = 2)]] " +
         member + "\n};\n";
}

const RuleCase kFolds[] = {
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

const RuleCase kMethods[] = {
    {"StaticMethod", "shard-method-static", updating("static void ^f() {}"), "is static", ""},
    {"ConstMethod", "shard-method-const", updating("void ^f() const {}"), "is const", ""},
    {"Constructor", "shard-method-constructor", updating("^Question() {}"), "cannot be a shard method", ""},
    {"TemplateMethod", "shard-method-template",
     question("template <typename T> [[autoshard::shard_method]] void ^f(T n) { votes_ += n; }"),
     "is a template; write an overload", ""},
    {"DefinedElsewhere", "shard-method-body", updating("void ^f();"),
     "the definition of shard method 'f' is missing", ""},
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
    {"NamesStaticThroughThis", "shard-method-escape",
     question("static int two() { return 2; }\n"
              "[[autoshard::shard_method]] void f() { votes_ += this->^two(); }"),
     "names the static member 'two' through 'this'", ""},
    {"IsVolatile", "shard-method-escape", updating("void ^f() volatile { votes_ = votes_ + 1; }"),
     "is volatile", ""},
    {"IsConsteval", "shard-method-escape", updating("consteval void ^f() { ++votes_; }"), "is consteval", ""},
    {"TakesEllipsis", "shard-method-escape", updating("void ^f(int n, ...) { votes_ += n; }"),
     "takes an ellipsis, whose arguments cannot be passed twice", ""},
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

}  // namespace
}  // namespace autoshard::tool
