/// What the frontend knows of an entity.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "test/tool/diagnostics/source.h"
#include "tool/output/model_dump.h"

namespace autoshard::tool {
namespace {

Entity entity_of(const std::string& text) {
  const Outcome outcome = parse_text(text);
  EXPECT_TRUE(outcome.ok) << outcome.output;
  return outcome.model.entities.empty() ? Entity{} : outcome.model.entities[0];
}

/// The one method named `f` of a question.
Method method_of(const std::string& method, const std::string& before = "") {
  const Entity entity = entity_of(before + question(method));
  for (const Method& one : entity.methods) {
    if (one.name == "f") return one;
  }
  ADD_FAILURE() << "no method f";
  return {};
}

TEST(MethodTest, ReturnTypeAndQualifiers) {
  const Method leading =
      method_of("[[nodiscard]] virtual const char* const f() const& noexcept(true) { return nullptr; }");
  EXPECT_EQ(leading.return_type, "const char* const");
  EXPECT_EQ(leading.qualifiers, "const& noexcept(true)");
  const Method trailing = method_of("static constexpr auto f() noexcept -> const int* { return nullptr; }");
  EXPECT_EQ(trailing.return_type, "const int*");
  EXPECT_EQ(trailing.qualifiers, "noexcept");
  EXPECT_TRUE(trailing.is_static && trailing.constexpr_specifier);
}

TEST(MethodTest, TypeTellsOverloadsApart) {
  const std::string types = "namespace n { struct A {}; }\nusing namespace n;\n";
  EXPECT_EQ(method_of("int f(const A& a, int) const& noexcept { return 1; }", types).type,
            "int (::Question::*)(const ::n::A &, int) const &");
  EXPECT_EQ(method_of("static void f(A) {}", types).type, "void (*)(::n::A)");
}

TEST(MethodTest, Parameters) {
  const Method method =
      method_of("void f(const int& a, int&& b, int& c, unsigned = 3 + 4, int (*d)(int) = nullptr) {}");
  ASSERT_EQ(method.parameters.size(), 5U);
  EXPECT_EQ(method.parameters[0].text, "const int& a");
  EXPECT_EQ(method.parameters[0].passing, Passing::kConstReference);
  EXPECT_EQ(method.parameters[1].passing, Passing::kRvalueReference);
  EXPECT_EQ(method.parameters[2].passing, Passing::kReference);
  EXPECT_EQ(method.parameters[3].name, "argument4");
  EXPECT_EQ(method.parameters[3].text, "unsigned int argument4");
  EXPECT_EQ(method.parameters[3].default_argument, "3 + 4");
  EXPECT_EQ(method.parameters[4].text, "int (*d)(int)");
}

TEST(MethodTest, DeclarationBeginsBehindItsAttributes) {
  const std::string text =
      question("[[nodiscard]] [[autoshard::shard_method]] int f() { ++votes_; return 1; }");
  const Outcome outcome = parse_text(text);
  const Method& method = outcome.model.entities.at(0).methods.at(0);
  EXPECT_EQ(text.substr(method.declaration.begin, method.declaration.end - method.declaration.begin),
            "int f() { ++votes_; return 1; }");
  EXPECT_EQ(text.substr(method.body.begin, method.body.end - method.body.begin), "{ ++votes_; return 1; }");
}

TEST(MethodTest, Results) {
  EXPECT_EQ(method_of("[[autoshard::shard_method]] Question& f() { ++votes_; return *this; }").result,
            Result::kSelfReference);
  EXPECT_EQ(method_of("[[autoshard::shard_method]] auto f() { ++votes_; return this; }").result,
            Result::kSelfPointer);
  EXPECT_EQ(method_of("[[autoshard::shard_method]] Question f() { ++votes_; return *this; }").result,
            Result::kSelfValue);
  EXPECT_EQ(method_of("[[autoshard::shard_method]] int f() { ++votes_; return 1; }").result, Result::kValue);
  EXPECT_EQ(method_of("int& f() { return plain_; }").result, Result::kReference);
}

TEST(MethodTest, WritesThroughCalls) {
  const Method method = method_of(
      "[[autoshard::shard_method]] void f() { up(); }\n[[autoshard::shard_method]] void up() { ++votes_; }");
  EXPECT_EQ(method.writes, std::vector<std::string>{"votes_"});
  EXPECT_EQ(method.touches, std::vector<std::string>{"votes_"});
}

TEST(EntityTest, DefinitionBeginsAtItsComment) {
  const std::string head = "// a file\n\n";
  const std::string text = head +
                           "/// A question.\n/// Of two lines.\nclass [[autoshard::entity]] Q {\n  "
                           "[[autoshard::id]] int id_;\n} ;\nint after();\n";
  const Entity entity = entity_of(text);
  EXPECT_EQ(entity.definition.begin, head.size());
  EXPECT_EQ(entity.definition.end, text.find("\nint after"));
  EXPECT_EQ(text[entity.body_end], '}');
}

/// What stands around the first entity of `text`, in which the traits are known.
Surroundings surroundings_of(const std::string& text) { return entity_of(text).surroundings; }

constexpr char kTraits[] = "namespace autoshard { template <class E> struct Traits; }\n";
constexpr char kClass[] = "struct [[autoshard::entity]] S { [[autoshard::id]] int id; };\n";

TEST(SurroundingsTest, NamespacesCanBeOpenedAgain) {
  const std::string open =
      kTraits + std::string("namespace a::b { inline namespace c { namespace d::inline e {\n");
  const Surroundings found = surroundings_of(open + kClass + "}}} int x;\n");
  EXPECT_EQ(found.namespaces,
            (std::vector<std::string>{"namespace a::b", "inline namespace c", "namespace d::inline e"}));
  EXPECT_EQ(found.namespaces_end, open.size() + std::strlen(kClass) + 3);
  EXPECT_EQ(found.next_use, found.namespaces_end + 1);
}

TEST(SurroundingsTest, NothingOfTheRestCanUseTheEntity) {
  const std::string rest =
      "class [[autoshard::mapped]] M {}; class [[autoshard::embedded]] E {}; class F; namespace n { } ;\n"
      "struct [[autoshard::entity]] T { [[autoshard::id]] int id; };\n#define X int x;\n// int y;\n";
  const Surroundings found = surroundings_of(kTraits + std::string(kClass) + rest);
  EXPECT_TRUE(found.namespaces.empty());
  EXPECT_EQ(found.next_use, std::nullopt);
}

TEST(SurroundingsTest, AnythingElseCouldUseTheEntity) {
  for (const std::string rest :
       {"int f() { return 1; }", "static_assert(true);", "struct R {};", "using I = int;",
        "template <class T> void g(T) {}", "namespace n { extern S s; }"}) {
    EXPECT_TRUE(surroundings_of(kTraits + std::string(kClass) + rest).next_use) << rest;
  }
}

TEST(SurroundingsTest, NothingUsesTraitsThatItDoesNotKnow) {
  EXPECT_EQ(surroundings_of(kClass + std::string("int f() { return 1; }")).next_use, std::nullopt);
}

TEST(EntityTest, TypesAreSpelledForTheGlobalNamespace) {
  const Entity entity = entity_of(
      "#include <chrono>\n#include <string>\n#include <vector>\nnamespace a::b {\nstruct R { std::string t; "
      "};\nusing namespace std;\n" +
      question("enum class E { kA };",
               "vector<R> r_; string s_; E e_ = E::kA; chrono::system_clock::time_point t_;") +
      "}\n");
  EXPECT_EQ(entity.qualified_name, "a::b::Question");
  EXPECT_EQ(entity.property("r_")->type.qualified, "std::vector<a::b::R>");
  EXPECT_EQ(entity.property("r_")->type_text, "vector<R>");
  EXPECT_EQ(entity.property("s_")->type.qualified, "std::string");
  EXPECT_EQ(entity.property("e_")->type.qualified, "a::b::Question::E");
  EXPECT_EQ(entity.property("t_")->type.qualified, "std::chrono::system_clock::time_point");
}

TEST(EntityTest, StructsComeInsideOut) {
  const Entity entity = entity_of(
      "#include <vector>\nstruct In { int x; };\nusing Alias = In;\nstruct Out { In in; std::vector<Out> "
      "more; };\n" +
      question("", "Out o_; Alias i_;"));
  std::vector<std::string> names;
  for (const Type* type : structs_of(entity)) names.push_back(type->qualified);
  EXPECT_EQ(names, (std::vector<std::string>{"In", "Out"}));
}

TEST(MethodTest, ConstantsAreThoseThatTheBodyNames) {
  const Method method = method_of(
      "[[autoshard::shard_method]] void f(int n, const std::string& what) { if (n == 2 * kMagic || what == "
      "\"a\\n\" || "
      "what == kName || std::chrono::milliseconds(n) < std::chrono::minutes(2)) ++votes_; votes_ += n < "
      "0.25; }",
      "#include <chrono>\n#include <string>\n#include <string_view>\nenum { kMagic = 404 };\nconstexpr "
      "std::string_view kName = \"reset\";\n");
  const auto has = [](const std::vector<std::string>& values, const char* value) {
    return std::ranges::find(values, value) != values.end();
  };
  for (const char* number : {"808", "404", "0.25", "2"})
    EXPECT_TRUE(has(method.constants.numbers, number)) << number;
  EXPECT_EQ(method.constants.texts, (std::vector<std::string>{"\"a\\n\"", "\"reset\""}));
}

TEST(ModelTest, StoredNames) {
  EXPECT_EQ(stored_name("votes_"), "votes");
  EXPECT_EQ(stored_name("m_votes"), "votes");
  EXPECT_EQ(stored_name("_votes"), "votes");
  EXPECT_EQ(stored_name("__"), "__");
}

TEST(ModelTest, GeneratedNames) {
  EXPECT_EQ(generated_name("question.h"), "question.autoshard.h");
  EXPECT_EQ(generated_name("a.b/question"), "a.b/question.autoshard");
}

TEST(ModelTest, DumpIsTheSameEverywhere) {
  const Outcome one = parse_text(question(""));
  EXPECT_EQ(dump(one.model), dump(parse_text(question("")).model));
  EXPECT_EQ(dump(one.model).find("/no/such"), std::string::npos);
  EXPECT_NE(dump(one.model).find("\"qualified_name\": \"Question\""), std::string::npos);
}

}  // namespace
}  // namespace autoshard::tool
