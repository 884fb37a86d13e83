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

const RuleCase kVolatile[] = {
    {"VolatileParameter", "shard-method-parameter",
     question("[[autoshard::shard_method]] constexpr void ^f(volatile int n) { ++votes_; }"),
     "is volatile, which the copies are not", ""},
};
INSTANTIATE_TEST_SUITE_P(Volatile, RuleTest, testing::ValuesIn(kVolatile), name_of);

const RuleCase kFolds[] = {
    {"NoFold", "no-fold", folding("", "int ^votes_ = 0;"), "'votes_' has no fold; mark a method such as", ""},
    {"NoFoldOfAContainer", "no-fold", "#include <vector>\n" + folding("", "std::vector<int> ^votes_;"),
     "or replace shardable(…) by shard_group(shards = …), which needs none", ""},
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
    {"MethodAndFold", "contradiction",
     folding("[[autoshard::shard_method]] [[^autoshard::shard_fold]] static int f(int x, int y) { return x + "
             "y; }"),
     "cannot be both '[[autoshard::shard_method]]' and '[[autoshard::shard_fold]]'", ""},
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
    {"ChangesPlainMember", "shard-method-members", updating("void f() { ++votes_; ^plain_ = 1; }"),
     "changes 'plain_', which is not sharded; a shard holds nothing but the sharded members, so change it in "
     "a "
     "method that calls this one",
     ""},
    {"CallsPlainMethod", "shard-method-escape",
     question("int two() const { return 2; }\n[[autoshard::shard_method]] void f() { votes_ += ^two(); }"),
     "calls the plain method 'two'", ""},
    {"NamesStaticThroughThis", "shard-method-escape",
     question("static int two() { return 2; }\n"
              "[[autoshard::shard_method]] void f() { votes_ += this->^two(); }"),
     "names the static member 'two' through 'this'", ""},
    {"IsDeclaredByAnAlias", "shard-method-escape",
     question("using Update = void(int);\n[[autoshard::shard_method]] Update ^f;") +
         "inline void Question::f(int x) { votes_ += x; }\n",
     "shard method 'f' is declared by an alias of a function type; write its return type and its parameters "
     "out",
     ""},
    {"IsVolatile", "shard-method-escape", updating("void ^f() volatile { votes_ = votes_ + 1; }"),
     "shard method 'f' is volatile; what it runs on is not", ""},
    {"IsConsteval", "shard-method-escape", updating("consteval void ^f() { ++votes_; }"),
     "is consteval; what is stored is not known to the compiler", ""},
    {"NeverReturns", "shard-method-escape", updating("[[noreturn]] void ^f() { ++votes_; throw 1; }"),
     "never returns; what it changes is kept only when it does", ""},
    {"TakesEllipsis", "shard-method-escape", updating("void ^f(int n, ...) { votes_ += n; }"),
     "takes an ellipsis; it runs twice, and such arguments can be passed on only once", ""},
    {"HasADirectiveInFrontOfItsBody", "shard-method-escape",
     updating("void ^f(int n)\n#if 1\n{ votes_ += n; }\n#endif\n"),
     "has a directive in front of its body; the body moves away from there", ""},
    {"HasItsQualifierUnderACondition", "shard-method-escape",
     updating("void ^f(int n)  // Adds.\n#ifdef FAST\nnoexcept\n#endif\n{ votes_ += n; }\n"),
     "move the directive into the body, or in front of the method", ""},
    {"PassesThis", "shard-method-escape",
     "class Question; int log(const Question*);\n" + updating("void f() { ++votes_; log(^this); }"),
     "passes 'this' on", ""},
    {"KeepsThis", "shard-method-escape", updating("void f() { ++votes_; auto& self = *^this; (void)self; }"),
     "passes 'this' on", ""},
    {"ChangesAnother", "shard-method-escape",
     updating("void f(Question& other) { ++votes_; other.^votes_ = 0; }"), "changes another 'Question'", ""},
    {"KeepsStatic", "shard-method-escape", updating("void f() { static int ^runs = 0; votes_ += ++runs; }"),
     "keeps the static variable 'runs'", ""},
    {"NamesTheClassOfAMethod", "shard-method-escape",
     question("[[autoshard::shard_method]] void up() { ++votes_; }\n[[autoshard::shard_method]] void f() { "
              "Question::^up(); }"),
     "names 'up' with its class", ""},
    {"NamesTheClass", "shard-method-escape", updating("void f() { Question::^votes_ += 1; }"),
     "names 'votes_' with its class", ""},
    {"PointerParameter", "shard-method-parameter", updating("void ^f(int* n) { votes_ += (*n)++; }"),
     "points to what the method can change", ""},
    {"SharedPointerParameter", "shard-method-parameter",
     "#include <memory>\n" + updating("void ^f(std::shared_ptr<int> n) { votes_ += (*n)++; }"),
     "points to what the method can change", ""},
    {"SpanParameter", "shard-method-parameter",
     "#include <span>\n" + updating("void ^f(std::span<int> n) { votes_ += n[0]++; }"),
     "points to what the method can change", ""},
    {"ReferenceWrapperParameter", "shard-method-parameter",
     "#include <functional>\n" + updating("void ^f(std::reference_wrapper<int> n) { votes_ += n.get()++; }"),
     "points to what the method can change", ""},
    {"PointersParameter", "shard-method-parameter",
     "#include <vector>\n" + updating("void ^f(const std::vector<int*>& n) { votes_ += (*n[0])++; }"),
     "points to what the method can change", ""},
    {"StreamParameter", "shard-method-parameter",
     "#include <iterator>\n" + updating("void ^f(std::istream_iterator<int> n) { votes_ += *n; }"),
     "points to what the method can change", ""},
    {"StdFunctionParameter", "shard-method-parameter",
     "#include <functional>\n" + updating("void ^f(std::function<int()> n) { votes_ += n(); }"),
     "is a function", ""},
    {"FunctionParameter", "shard-method-parameter", updating("void ^f(int (*n)(int)) { if (n) ++votes_; }"),
     "parameter 'n' of shard method 'f' is a function, and may have an effect that would happen twice", ""},
    {"FunctionReferenceParameter", "shard-method-parameter", updating("void ^f(int (&n)(int)) { ++votes_; }"),
     "call it before, and pass its result", ""},
    {"ArrayReferenceParameter", "shard-method-parameter",
     updating("void ^f(int (&n)[2]) { votes_ += n[0]; }"), "cannot be copied", ""},
    {"ReturnsView", "shard-method-result",
     "#include <string_view>\n" + updating("std::string_view ^f() { ++votes_; return {}; }"),
     "a reference, pointer, view or iterator", ""},
    {"ReturnsIterator", "shard-method-result",
     "#include <vector>\n" + updating("auto ^f(const std::vector<int>& v) { ++votes_; return v.begin(); }"),
     "a reference, pointer, view or iterator", ""},
    {"ReturnsPairWithPointer", "shard-method-result",
     "#include <utility>\n" + updating("std::pair<int, int*> ^f() { return {++votes_, &votes_}; }"),
     "a reference, pointer, view or iterator", ""},
    {"ReturnsLambdaWithThis", "shard-method-result",
     updating("auto ^f() { ++votes_; return [this] { return votes_; }; }"),
     "a reference, pointer, view or iterator", ""},
    {"ReturnsLambdaWithReference", "shard-method-result",
     updating("auto ^f() { ++votes_; return [&n = votes_] { return n; }; }"),
     "a reference, pointer, view or iterator", ""},
    {"DeclaredTogether", "shard-method-escape",
     question("[[autoshard::shard_method]] void up(), ^down();") +
         "inline void Question::up() { ++votes_; } inline void Question::down() { --votes_; }",
     "'down' is declared together with another one", ""},
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
    {"PlainWriteOfBothKinds", "plain-write", question("void f(int n) { plain_ = n; ^votes_ += n; }"),
     "'f' may change the sharded member 'votes_' and uses 'plain_', which is not sharded; move what changes "
     "'votes_' into a shard method, and call that",
     ""},
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
    {"PlainThatReturns", "plain-write", question("int next() { return ++^votes_; }"),
     "'next' may change the sharded member 'votes_'; if it only reads, make it const; if its result does not "
     "depend on 'votes_', mark it [[autoshard::shard_method]]; if each call needs a value of its own, as "
     "numbers of a sequence do, do not shard 'votes_', and change it in transact()",
     ""},
    {"PlainReaderThatReturns", "plain-write",
     question("static int twice(int& votes) { return 2 * votes; }\nint total() { return twice(^votes_); }"),
     "if it only reads, make it const", ""},
    {"ReplacesItself", "plain-write", question("void reset() { ^*this = Question(); }"),
     "'reset' may change the sharded member 'votes_' and uses 'id_', which is not sharded", ""},
    {"SwapsItself", "plain-write",
     "#include <utility>\n" + question("void take(Question& other) { std::swap(*^this, other); }"),
     "'take' may change the sharded member 'votes_'", ""},
    {"ClearsItself", "plain-write",
     "#include <cstring>\n" + question("void clear() { std::memset(^this, 0, sizeof *this); }"),
     "'clear' may change the sharded member 'votes_'", ""},
    {"ConstructorThatChangesAnother", "plain-write",
     question("Question() = default;\nQuestion(int id, Question& from) : id_(id), votes_(from.votes_) { "
              "from.^votes_ = 0; }"),
     "'Question' may change the sharded member 'votes_' of another object, which would be lost; call a shard "
     "method instead",
     ""},
    {"InitialiserThatChangesAnother", "plain-write",
     "#include <utility>\n" + question("Question() = default;\nQuestion(int id, Question& from) : id_(id), "
                                       "votes_(std::exchange(from.^votes_, 0)) {}"),
     "'Question' may change the sharded member 'votes_' of another object", ""},
    {"StaticWrite", "plain-write", question("static void reset(Question& q) { q.^votes_ = 0; }"),
     "'reset' may change the sharded member 'votes_'", ""},
    {"FriendWrites", "plain-write", question("friend void hack(Question& q) { q.^votes_ += 1000; }"),
     "friend 'hack' may change the sharded member 'votes_'", ""},
    {"NestedClassWrites", "plain-write",
     question("struct Builder { static void poke(Question& q) { q.^votes_ = 9; } };"),
     "nested class's 'poke' may change", ""},
    {"FriendDefinedBelowWrites", "plain-write",
     question("friend void hack(Question& q);") + "inline void hack(Question& q) { q.^votes_ = 0; }",
     "friend 'hack' may change the sharded member 'votes_'", ""},
    {"FriendTemplateWrites", "plain-write",
     question("template <class T> friend void hack(Question& q, T) { q.^votes_ = 3; }"),
     "friend 'hack' may change", ""},
    {"FriendClassWrites", "plain-write",
     question("friend struct Admin;") + "struct Admin { static void reset(Question& q) { q.^votes_ = 0; } };",
     "friend class's 'reset' may change", ""},
    {"DeeplyNestedClassWrites", "plain-write",
     question("struct In { struct Deep { static void f(Question& q) { q.^votes_ = 3; } }; };"),
     "nested class's 'f' may change", ""},
    {"TemplateOfNestedClassWrites", "plain-write",
     question("struct In { template <class T> static void f(Question& q, T) { q.^votes_ = 3; } };"),
     "nested class's 'f' may change", ""},
    {"PointerToMember", "plain-write",
     question("void f() { int Question::*p = &^Question::votes_; (void)p; }"), "mark it",
     "[[autoshard::shard_method]] void f()"},
    {"GenericLambdaWrites", "plain-write",
     question("void f() { auto g = [](auto& q) { ^q.votes_ = 0; }; g(*this); }"), "mark it",
     "[[autoshard::shard_method]] void f()"},
    {"TemplateFills", "plain-write", question("template <class A> void f(A& a) { a & plain_ & ^votes_; }"),
     "'f' may change", ""},
    {"FriendTemplateReads", "plain-write",
     question("template <class S> friend S& operator>>(S& s, Question& q) { s >> q.plain_ >> q.^votes_; "
              "return s; }"),
     "friend 'operator>>' may change", ""},
    {"StaticTemplateWrites", "plain-write",
     question("template <class T> static void f(T& t) { ^t.votes_ = 0; }"),
     "which would be lost; call a shard method instead", ""},
    {"TemplateCallsAMethodOfIt", "plain-write",
     question("template <class T> static void f(T& t) { ^t.votes_.clear(); }"), "'f' may change", ""},
    {"TableOfPointersToMembers", "plain-write",
     question("void f(int v) { this->*kField = v; }",
              "static constexpr int Question::*kField = &^Question::votes_;"),
     "the initialiser of 'kField' may change the sharded member 'votes_'", ""},
    {"PointerInTheObject", "plain-write",
     question("void f() { *x_ = 3; }", "[[autoshard::transient]] int* x_ = &^votes_;"),
     "the initialiser of 'x_' may change", ""},
    {"NestedTemplateWrites", "plain-write",
     question("template <class T> struct Patch { static void f(Question& q, T x) { q.^votes_ = x; } };"),
     "nested class's 'f' may change", ""},
    {"FriendSpecialisationWrites", "plain-write",
     "template <class T> struct Editor { static void f(T& q) { ^q.votes_ = 1; } };\nclass Question;\n" +
         question("friend struct Editor<Question>;"),
     "friend class's 'f' may change", ""},
    {"BefriendedBaseWrites", "plain-write",
     "template <class D> struct Base { void f() { ^static_cast<D*>(this)->votes_ = 1; } };\n"
     "class [[autoshard::entity]] Q : public Base<Q> { friend struct Base<Q>; [[autoshard::id]] int id_ = "
     "0;\n"
     "[[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int votes_ = 0; };",
     "friend class's 'f' may change", ""},
    {"FriendClassTemplateWrites", "plain-write",
     "template <class T> struct Loader;\n" + question("template <class T> friend struct Loader;") +
         "template <class T> struct Loader { static void f(Question& q, T x) { q.^votes_ = x; } };",
     "friend class's 'f' may change", ""},
    {"PlainOnAnother", "plain-write", question("void f(Question& other) { other.^votes_ = 1; }"), "mark it",
     "[[autoshard::shard_method]] void f("},
};
INSTANTIATE_TEST_SUITE_P(Methods, RuleTest, testing::ValuesIn(kMethods), name_of);

/// A shard method hides what else has its name. Beside the error stands a warning about the two names.
void expect_hidden(const std::string& source, const std::string& name, const std::string& rule,
                   const std::string& message) {
  const Marked marked = take_marks(source);
  const Outcome outcome = parse_text(marked.text);
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.diagnostics.size(), 2U) << outcome.output;
  ASSERT_EQ(marked.marks.size(), 2U);
  // In the order in which one would mend them: a mistake in a fold before one in a method's name.
  const bool error_first = outcome.diagnostics[0].severity == Diagnostic::Severity::kError;
  EXPECT_EQ(error_first, rule == "collision");
  const Diagnostic& warning = outcome.diagnostics[error_first ? 1 : 0];
  const Diagnostic& error = outcome.diagnostics[error_first ? 0 : 1];
  EXPECT_EQ(warning.severity, Diagnostic::Severity::kWarning);
  EXPECT_EQ(warning.rule, "autoshard-shard-method-name");
  EXPECT_EQ(warning.span.begin, marked.marks[0]) << outcome.output;
  EXPECT_NE(warning.message.find("'" + name + "' is also the name of a method that is not a shard method"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(error.severity, Diagnostic::Severity::kError);
  EXPECT_EQ(error.rule, "autoshard-" + rule);
  EXPECT_EQ(error.span.begin, marked.marks[1]) << outcome.output;
  EXPECT_NE(error.message.find(message), std::string::npos) << outcome.output;
}

// That it changes no sharded member would be no news: the method that it calls changes one.
TEST(MethodThatCallsAPlainOne, IsNotToldThatItChangesNothing) {
  const Outcome outcome = parse_text(question("[[autoshard::shard_method]] void take(int n) { adjust(n); }",
                                              "void adjust(int n) { votes_ += n; }"));
  std::vector<std::string> rules;
  for (const Diagnostic& diagnostic : outcome.diagnostics) rules.push_back(diagnostic.rule);
  EXPECT_EQ(rules, (std::vector<std::string>{"autoshard-shard-method-escape", "autoshard-plain-write"}))
      << outcome.output;
}

TEST(HiddenByAShardMethodTest, AStaticThatIsCalled) {
  expect_hidden(
      question("[[autoshard::shard_method]] long ^scaled(long by) { votes_ += static_cast<int>(by); return "
               "by; }\n"
               "[[autoshard::shard_method]] void f(double k) { votes_ += static_cast<int>(^scaled(k)); }",
               "static double scaled(double x) { return x * 1000; }"),
      "scaled", "shard-method-escape",
      "calls the static 'scaled'; the shard method of the same name hides it there");
}

TEST(HiddenByAShardMethodTest, AFold) {
  expect_hidden(
      "#include <set>\n" +
          question("[[autoshard::shard_method]] void ^unite(int n) { x_.insert(n); }",
                   "static std::set<int> unite(std::set<int> a, std::set<int> b) { a.merge(b); return a; }\n"
                   "[[autoshard::shardable(neutral = {}, shards = 2, fold = ^unite)]] std::set<int> x_;"),
      "unite", "collision", "'unite' is also the name of a shard method");
}

}  // namespace
}  // namespace autoshard::tool
