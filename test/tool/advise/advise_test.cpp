/// Which members are suggested, which are not and why, and which one is the id.

#include "tool/advise/advise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"
#include "tool/advise/annotate.h"

namespace autoshard::tool {
namespace {

/// `votes_ is a sum; not total_: …`, class by class.
std::string said(const Model& model, const std::vector<Objection>& objections = {}) {
  std::string text;
  for (const ClassAdvice& advice : advise(model, objections)) {
    text += advice.entity->name + ":";
    for (const Suggestion& one : advice.suggestions)
      text += " " + one.property->name + " is " + one.pattern.noun + ";";
    for (const Refusal& one : advice.refusals) text += " not " + one.member + ": " + one.reason + ";";
    text += "\n";
  }
  return text;
}

std::string said(const std::string& text) { return said(parse_candidates(text)); }

/// A class with these methods and members, and an id.
std::string counter(const std::string& methods, const std::string& members = "int n_ = 0, m_ = 0;") {
  return "class Counter {\n public:\n" + methods + "\n private:\n  int id_ = 0;\n  " + members + "\n};\n";
}

TEST(Advise, MembersThatOneMethodUpdatesTogether) {
  EXPECT_EQ(said(counter("void f(int v) { n_ += v; ++m_; }")), "Counter: n_ is a sum; m_ is a sum;\n");
}

TEST(Advise, OneMemberKeepsBackThoseThatAreUpdatedWithIt) {
  EXPECT_EQ(said(counter("void f() { ++n_; ++m_; }\n bool g() { return --m_ > 0; }")),
            "Counter: not n_: 'f' (line 3) also changes 'm_', which is not sharded; split it in two methods; "
            "not m_: 'g' may change it in a way that does not commute (line 4: return --m_ > 0);\n");
}

TEST(Advise, AMethodThatReadsWithoutUpdatingIsFine) {
  EXPECT_EQ(said(counter("void f() { ++n_; }\n bool full() { return n_ > 9; }")), "Counter: n_ is a sum;\n");
}

TEST(Advise, AMethodThatCallsUpdatesIsFine) {
  EXPECT_EQ(said(counter("void f() { ++n_; }\n void twice() { f(); f(); }")), "Counter: n_ is a sum;\n");
}

TEST(Advise, ConstructorsMaySetAnything) {
  EXPECT_EQ(said(counter("Counter() { n_ = 7; }\n void f() { ++n_; }")), "Counter: n_ is a sum;\n");
}

TEST(Advise, BodiesOutsideTheClassAreRead) {
  EXPECT_EQ(said(counter("void f();\n void g();") + "inline void Counter::f() { ++n_; }\n"
                                                    "inline void Counter::g() { n_ = 0; }\n"),
            "Counter: n_ is a sum;\n");
  EXPECT_EQ(said(counter("void f();\n void g();") + "inline void Counter::f() { ++n_; }\n"
                                                    "inline void Counter::g() { n_ = m_; }\n"),
            "Counter: not n_: 'g' may change it in a way that does not commute (line 10: n_ = m_);\n");
}

TEST(Advise, ParametersMayBeConsumed) {
  EXPECT_EQ(said("#include <string>\n#include <vector>\n" +
                 counter("void f(std::string&& s) { list_.push_back(std::move(s)); }",
                         "std::vector<std::string> list_;")),
            "Counter: list_ is a collection that only grows;\n");
}

/// The annotation of the only member for which there is a suggestion.
std::string annotation(const std::string& text, const std::vector<Objection>& objections = {}) {
  const Model model = parse_candidates(text);
  for (const ClassAdvice& advice : advise(model, objections)) {
    for (const Suggestion& one : advice.suggestions) return attribute(one);
    for (const Refusal& one : advice.refusals) return one.reason;
  }
  return {};
}

TEST(Advise, FieldsOfAStructAreFoldedOneByOne) {
  const std::string types =
      "#include <map>\nstruct P { int low = 0, high = 0; };\n"
      "struct Q { P p; std::map<int, long> by; };\n";
  const auto of = [&](const std::string& methods, const std::string& type = "P") {
    return annotation(types + counter(methods, type + " x_;"));
  };
  EXPECT_EQ(of("void f(int v) { x_.low += v; --x_.high; }"),
            "[[autoshard::shardable(neutral = P{.low = 0, .high = 0}, shards = 10, fold = [](auto x, const "
            "auto& y) { x.low += y.low; "
            "x.high += y.high; return x; })]]");
  EXPECT_EQ(
      of("void f(int v) { x_.p.low |= v; ++x_.by[v]; if (v > x_.p.high) x_.p.high = v; }", "Q"),
      "[[autoshard::shardable(neutral = Q{.p = {.low = 0, .high = std::numeric_limits<int>::min()}, .by = "
      "{}}, shards = 10, fold = [](auto x, const auto& y) { x.p.low |= y.p.low; if (x.p.high < y.p.high) "
      "x.p.high = y.p.high; for (const auto& [key, value] : y.by) x.by[key] += value; return x; })]]");
  EXPECT_EQ(of("void f(int v) { x_.low += v; }"),
            "'f' (line 6) adds to its field 'low', but no update of its field 'high' is known");
  EXPECT_EQ(of("void f(int v) { x_.low += v; x_.high *= v; }"),
            "'f' (line 6) adds to its field 'low', but of its field 'high': a product of integers may "
            "overflow in one "
            "shard though the whole does not");
  EXPECT_EQ(of("void f(int v) { x_.low += v; x_.low |= v; }"),
            "one update adds to its field 'low' (line 6: x_.low += v), another one sets bits of its field "
            "'low' (line "
            "6: x_.low |= v)");
  EXPECT_EQ(of("void f(int v) { x_.low += v; x_.high = v; }"),
            "'f' may change it in a way that does not commute (line 6: x_.high = v)");
  EXPECT_EQ(
      of("void f(int v) { x_.low += x_.high; ++x_.high; }"),
      "'f' (line 6) also reads it (line 6: x_.low += x_.high), and a shard has only a part of its value");
}

TEST(Advise, TheNextPatternIsTriedWhereTheFirstIsRefused) {
  const std::string list =
      "#include <vector>\n" + counter("void f(int v) { list_.push_back(v); }", "std::vector<int> list_;");
  EXPECT_EQ(annotation(list), "[[autoshard::shard_group(shards = 8)]]");
  const Pattern group{
      .noun = {}, .reason = {}, .attribute = "shard_group", .arguments = {"shards = 8"}, .gives_up = {}};
  EXPECT_EQ(
      annotation(list, {{"Counter", "list_", group, "no group"}}),
      "[[autoshard::shardable(neutral = {}, shards = 10, order = any, fold = [](auto x, const auto& y) { "
      "x.insert(x.end(), y.begin(), y.end()); return x; })]]");
}

TEST(Advise, AGroupKeepsNoOrderButThatOfInsertion) {
  EXPECT_THAT(annotation("#include <deque>\n" +
                         counter("void f(int v) { list_.push_front(v); }", "std::deque<int> list_;")),
              testing::HasSubstr("order = any"));
}

TEST(Advise, PartsOfAPairAreNotFolded) {
  EXPECT_EQ(annotation("#include <utility>\n" +
                       counter("void f(int v) { p_.first += v; }", "std::pair<int, int> p_;")),
            "'f' (line 4) adds to its field 'first', but a fold cannot be written for the parts of "
            "'std::pair<int, int>'");
}

TEST(Advise, AWriteOfACollectionLeavesTheOthersAlone) {
  EXPECT_EQ(said("#include <set>\n" + counter("void f(int v) { s_.insert(v); }\n void g() { ++n_; }\n"
                                              " void h() { s_ = {}; n_ = 0; }",
                                              "std::set<int> s_; int n_ = 0;")),
            "Counter: s_ is a set that only grows; n_ is a sum;\n");
}

TEST(Advise, FieldsAndTheWholeAreNotUpdatedTogether) {
  EXPECT_THAT(
      said("#include <algorithm>\nstruct D { int a = 0; auto operator<=>(const D&) const = default; };\n" +
           counter("void f(int v) { d_.a += v; }\n void g(D o) { d_ = std::max(d_, o); }", "D d_;")),
      testing::HasSubstr("one update adds to its field 'a' (line 5: d_.a += v), another one raises it"));
}

TEST(Advise, AMethodThatReplacesValuesBecomesAShardWrite) {
  EXPECT_EQ(said(counter("void f() { ++n_; ++m_; }\n void g() { n_ = 0; m_ = 1; }")),
            "Counter: n_ is a sum; m_ is a sum;\n");
  EXPECT_EQ(said(counter("void f() { ++n_; }\n void g() { n_ = 0; m_ = 1; }")),
            "Counter: not n_: 'g' (line 4) also changes 'm_', which is not sharded; split it in two methods; "
            "not m_: 'g' may change it in a way that does not commute (line 4: m_ = 1);\n");
  EXPECT_EQ(
      said(counter("void g() { n_ = 0; }\n void f() { ++m_; }")),
      "Counter: m_ is a sum; not n_: 'g' may change it in a way that does not commute (line 3: n_ = 0);\n");
}

TEST(Advise, LeavesOutWhatCannotBeAnEntityOrHasItsAnnotations) {
  const std::string body = " {\n public:\n  void f() { ++n_; }\n private:\n  int id_ = 0, n_ = 0;\n};\n";
  EXPECT_EQ(said("struct Outer { class Counter" + body + "};\n"), "");
  EXPECT_EQ(said("namespace { class Counter" + body + "}\n"), "");
  EXPECT_EQ(said("template <class T> class Counter" + body), "");
  EXPECT_EQ(said("inline void g() { class Counter" + body + "}\n"), "");
  EXPECT_EQ(said("class [[autoshard::mapped]] Counter" + body), "");
  EXPECT_EQ(said("class [[autoshard::embedded]] Counter" + body), "");
  EXPECT_EQ(said("struct Counter {\n  void f() { ++n; }\n  int n = 0;\n};\n"), "");
  EXPECT_EQ(said("class Keyless {\n public:\n  void f() { ++n_; }\n private:\n  double n_ = 0;\n};\n"), "");
  EXPECT_EQ(
      said("class Settings {\n public:\n  void f() { n_ = 7; }\n private:\n  int id_ = 0, n_ = 0;\n};\n"),
      "");
  EXPECT_EQ(said(question("void f() { ++plain_; }")), "");
  EXPECT_EQ(said("class [[autoshard::entity]] Counter" + body), "Counter: n_ is a sum;\n");
}

TEST(Advise, LeavesOutTransientMembersAndIds) {
  EXPECT_EQ(said("class [[autoshard::entity]] C {\n public:\n  void f() { ++cache_; ++id_; }\n private:\n"
                 "  [[autoshard::id]] int id_ = 0;\n  [[autoshard::transient]] int cache_ = 0;\n};\n"),
            "");
}

TEST(Advise, MacrosAreNoText) {
  EXPECT_EQ(said("#define UPDATE(f, n) void f() { ++n; }\n#define MEMBER int m_ = 0\n" +
                 counter("UPDATE(f, n_)\n void g() { ++m_; }", "int n_ = 0; MEMBER;")),
            "Counter: not n_: 'f' may change it in a way that does not commute (line 5: UPDATE(f, n_)); "
            "not m_: it comes out of a macro;\n");
}

TEST(Advise, TemplatesAndPointersToMembersMayChangeAnything) {
  EXPECT_EQ(
      said(counter("void f() { ++n_; ++m_; ++o_; }\n template <class A> void serialize(A& a) { a & n_; }\n"
                   " void reset() { auto zero = [](auto& c) { c.m_ = 0; }; zero(*this); }",
                   "int n_ = 0, m_ = 0, o_ = 0; static constexpr int Counter::*kField = &Counter::o_;")),
      "Counter: not n_: 'serialize' may change it in a way that does not commute (line 4: a & n_); "
      "not m_: 'reset' may change it in a way that does not commute (line 5: c.m_ = 0); "
      "not o_: the initialiser of 'kField' may change it (line 8: static constexpr int Counter::*kField = "
      "…);\n");
}

TEST(Advise, ObjectionsAreTheLastWord) {
  const Model model = parse_candidates(counter("void f() { ++n_; ++m_; }\n void g() { ++n_; }"));
  const Pattern sum = std::get<std::vector<Pattern>>(
      patterns_of(model.candidates.front().properties[1], {{"", Operation::kAdd}}))[0];
  EXPECT_EQ(said(model, {{"Counter", "m_", sum, "the law"}}),
            "Counter: not n_: 'f' (line 3) also changes 'm_', which is not sharded; split it in two methods; "
            "not m_: the law;\n");
  EXPECT_EQ(said(model, {{"Counter", "", {}, "no"}, {"Counter", "", {}, "and no"}}),
            "Counter: not : no; not : and no;\n");
}

/// The id that is chosen, why, and among which it is not.
std::string id_of(const std::string& members, const std::string& methods = "") {
  const Model model =
      parse_candidates("#include <string>\nclass UserAccount {\n public:\n  void f() { ++n_; }\n" + methods +
                       " private:\n  int n_ = 0;\n" + members + "};\n");
  const std::vector<ClassAdvice> advice = advise(model);
  const IdChoice& id = advice.at(0).id;
  std::string text = id.property ? id.property->name + ", " + id.reason : "one of";
  for (const Property* candidate : id.candidates) text += " " + candidate->name;
  return text;
}

TEST(Id, IsToldByItsName) {
  EXPECT_EQ(id_of("int number_; int id_;"), "id_, its name says so");
  EXPECT_EQ(id_of("int m_id; std::string name_;"), "m_id, its name says so");
  EXPECT_EQ(id_of("long user_account_id_; int group_id_;"), "user_account_id_, its name says so");
  EXPECT_EQ(id_of("long userAccountId; int group_id_;"), "userAccountId, its name says so");
  EXPECT_EQ(id_of("std::string uuid_; std::string name_;"), "uuid_, its name says so");
}

TEST(Id, IsTheOnlyMemberThatCanBeOne) {
  const std::string reason = "no other member can be a key and stays as it is";
  EXPECT_EQ(id_of("std::string name_; double size_ = 0; bool open_ = true;"), "name_, " + reason);
  EXPECT_EQ(id_of("std::string name_; int age_ = 0;", "  void age() { age_ = 7; }\n"), "name_, " + reason);
}

TEST(Id, MayBeReadByATemplate) {
  EXPECT_EQ(id_of("int id_ = 0;", "  template <class A> void serialize(A& archive) { archive & id_; }\n"),
            "id_, its name says so");
}

TEST(Id, IsAskedForWhereItCannotBeTold) {
  EXPECT_EQ(id_of("std::string first_name_, last_name_;"), "one of first_name_ last_name_");
  EXPECT_EQ(id_of("int user_id_ = 0, group_id_ = 0;"), "one of user_id_ group_id_");
}

TEST(Id, IsLeftToTheUserWhoHasOne) {
  const Model model = parse_candidates(
      "class C {\n public:\n  void f() { ++n_; }\n private:\n  int id_ = 0;\n  [[autoshard::id]] int key_ = "
      "0;\n"
      "  int n_ = 0;\n};\n");
  const std::vector<ClassAdvice> advice = advise(model);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_TRUE(advice[0].has_id);
  EXPECT_EQ(advice[0].id.property, nullptr);
  EXPECT_TRUE(advice[0].is_complete());
}

TEST(Id, MayBeProvisional) {
  const Model model = parse_candidates(
      "class C {\n public:\n  void f() { ++n_; }\n private:\n  int a_ = 0, b_ = 0;\n  int n_ = 0;\n};\n");
  const std::vector<ClassAdvice> advice = advise(model);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_FALSE(advice[0].is_complete());
  EXPECT_TRUE(with_provisional_ids(advice)[0].is_complete());
}

}  // namespace
}  // namespace autoshard::tool
