/// Indexes, hooks and the end of an entity: what is understood, and what is refused.

#include "test/tool/diagnostics/members.h"
#include "test/tool/diagnostics/rule_case.h"
#include "tool/output/model_dump.h"

namespace autoshard::tool {
namespace {

/// A log entry with this index.
std::string entry(const std::string& arguments) {
  return including(
      "class [[autoshard::entity]] [[autoshard::sharded_index(" + arguments +
      ")]] Entry {\n  [[autoshard::id]] int id_ = 0;\n  std::string company_;\n  long time_ = 0;\n"
      "  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int hits_ = 0;\n"
      "  [[autoshard::transient]] int cached_ = 0;\n  double weight_ = 0;\n  void flush() {}\n};\n");
}

/// A question with a sharded member `x_` that has an index with these arguments.
std::string rolled_up(const std::string& arguments) {
  const std::string index = arguments.empty() ? "index" : "index(" + arguments + ")";
  return with("[[autoshard::" + index +
              ", autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int x_ = 0;");
}

TEST(Indexes, AreUnderstood) {
  const Outcome outcome =
      parse_text(entry("name = ByCompany, key = (company_, id_), order = time_, shards = 1 << 3"));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  const std::vector<ShardedIndex>& indexes = outcome.model.entities.at(0).sharded_indexes;
  ASSERT_EQ(indexes.size(), 1U);
  EXPECT_EQ(indexes[0].name, "ByCompany");
  ASSERT_EQ(indexes[0].key.size(), 2U);
  EXPECT_EQ(indexes[0].key[1].name, "id_");
  ASSERT_EQ(indexes[0].order.size(), 1U);
  EXPECT_EQ(indexes[0].order[0].name, "time_");
  EXPECT_EQ(indexes[0].shards, 8U);
  EXPECT_NE(dump(outcome.model).find("\"sharded_indexes\""), std::string::npos);
}

TEST(Indexes, OfShardedMembers) {
  const Outcome outcome = parse_text(rolled_up("staleness = 2 * 30"));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_TRUE(property_of(outcome, "x_").is_indexed());
  EXPECT_NE(outcome.explanation.find("for about 60 seconds"), std::string::npos) << outcome.explanation;
  EXPECT_NE(parse_text(rolled_up("")).explanation.find("for about 10 seconds"), std::string::npos);
}

TEST(Indexes, OfManyTypes) {
  for (const char* type : {"int", "bool", "std::string", "std::array<unsigned char, 4>", "Colour", "Number",
                           "std::chrono::milliseconds", "std::chrono::sys_days",
                           "std::chrono::steady_clock::time_point", "Moment"}) {
    const Outcome outcome = parse_text(
        "#include <chrono>\nenum class Colour { kRed };\nstruct Number { long value = 0; };\n"
        "struct Moment { std::chrono::system_clock::time_point at; };\n" +
        with(std::string("[[autoshard::index]] ") + type + " x_{};"));
    EXPECT_TRUE(property_of(outcome, "x_").is_indexed()) << type;
    EXPECT_FALSE(property_of(outcome, "x_").is_unique()) << type;
  }
  EXPECT_TRUE(property_of(parse_text(with("[[autoshard::index(unique)]] int x_ = 0;")), "x_").is_unique());
}

TEST(Indexes, OfElements) {
  for (const char* type : {"std::vector<int>", "std::set<std::string>", "std::unordered_map<long, double>",
                           "std::array<short, 3>", "std::vector<std::array<std::byte, 2>>"}) {
    const Outcome outcome = parse_text(
        "#include <array>\n#include <cstddef>\n#include <set>\n#include <string>\n#include "
        "<unordered_map>\n" +
        with(std::string("[[autoshard::index(elements)]] ") + type + " x_{};"));
    EXPECT_TRUE(outcome.ok) << outcome.output;
    EXPECT_TRUE(property_of(outcome, "x_").has_elements_index()) << type;
    EXPECT_NE(outcome.explanation.find("for each element of x"), std::string::npos) << outcome.explanation;
  }
}

TEST(Hooks, MayBePrivateAndSeveral) {
  const Outcome outcome = parse_text(with(
      "[[autoshard::before_save, autoshard::after_load]] void a() noexcept(true && true) { plain_ = 1; }\n"
      "[[autoshard::before_save]] void b() const {}\n[[autoshard::after_load]] auto c() -> void {}"));
  EXPECT_TRUE(outcome.ok) << outcome.output;
}

TEST(Expiry, IsAPointInTime) {
  for (const char* type :
       {"std::chrono::system_clock::time_point", "std::chrono::sys_seconds",
        "std::optional<std::chrono::sys_days>", "Until", "std::chrono::sys_time<Halves>"}) {
    const Outcome outcome = parse_text(with(std::string("[[autoshard::expires]] ") + type + " x_{};",
                                            "using Until = std::chrono::system_clock::time_point;\n"
                                            "using Halves = std::chrono::duration<int, std::ratio<1, 2>>;"));
    EXPECT_TRUE(outcome.ok) << outcome.output;
  }
}

const RuleCase kIndexRules[] = {
    {"IndexOfFloat", "index-type", with("[[autoshard::index]] double ^x_ = 0;"),
     "'x_' has type 'double', which an index cannot sort by", ""},
    {"IndexOfOptional", "index-type", with("[[autoshard::index]] std::optional<int> ^x_;"),
     "use an integer, a bool", ""},
    {"IndexOfContainer", "index-type", with("[[autoshard::index]] std::vector<int> ^x_;"),
     "write 'index(elements)' to find entities by what it contains", ""},
    {"IndexOfFloatTime", "index-type", with("[[autoshard::index]] std::chrono::duration<double> ^x_{};"),
     "counted in integers", ""},
    {"IndexInMapped", "index-type",
     "class [[autoshard::mapped]] Base { [[autoshard::index]] double ^x_ = 0; };", "use an integer, a bool",
     ""},
    {"IndexOfContainerOfFloats", "index-type",
     with("[[autoshard::index(elements)]] std::vector<double> ^x_;"),
     "the elements of 'x_' have type 'double', which an index cannot sort by", ""},
    {"ElementsOfInteger", "index-type", with("[[autoshard::index(elements)]] int ^x_ = 0;"),
     "'x_' has type 'int', which is no collection; remove 'elements'", ""},
    {"ElementsOfSharded", "index-elements",
     with("[[^autoshard::index(elements), autoshard::shardable(neutral = {}, shards = 2, fold = unite)]] "
          "std::set<int> x_;\n"
          "static std::set<int> unite(std::set<int> x, const std::set<int>& y) {\n"
          "  x.insert(y.begin(), y.end());\n"
          "  return x;\n"
          "}"),
     "'x_' is sharded, and an index of elements is for collections that are not", ""},
    {"ElementsOfShardedInteger", "index-elements",
     with("[[^autoshard::index(elements), autoshard::shardable(neutral = 0, shards = 2, fold = "
          "std::plus<>{})]] int x_ = 0;"),
     "'x_' is sharded, and an index of elements is for collections that are not", ""},
    {"ElementsOfGroup", "contradiction",
     with("[[^autoshard::index(elements)]] [[autoshard::shard_group(shards = 2)]] std::vector<double> x_;"),
     "cannot be both '[[autoshard::shard_group]]' and '[[autoshard::index]]'", ""},
    {"ElementsMisspelled", "unknown-argument", with("[[autoshard::index(^element)]] int x_ = 0;"),
     "does not know 'element'; did you mean 'elements'?", "index(elements)"},
    {"UniqueIndexOfSharded", "index-unique",
     with("[[^autoshard::index(unique), autoshard::shardable(neutral = 0, shards = 2, fold = "
          "std::plus<>{})]] int x_ = 0;"),
     "no update knows its whole value", ""},
    {"StalenessOfUnsharded", "index-staleness", with("[[autoshard::index(^staleness = 5)]] int x_ = 0;"),
     "is never stale; remove 'staleness'", ""},
    {"StalenessInMapped", "index-staleness",
     "class [[autoshard::mapped]] Base { [[autoshard::index(^staleness = 5)]] int x_ = 0; };",
     "is never stale", ""},
    {"NoStaleness", "index-staleness", rolled_up("staleness = ^0"), "from 1 to 86400", ""},
    {"StalenessOfYears", "index-staleness", rolled_up("staleness = ^365 * 86400"), "from 1 to 86400", ""},
    {"StalenessUnknown", "index-staleness", rolled_up("staleness = ^soon"), "a constant number of seconds",
     ""},
    {"StalenessMisspelled", "unknown-argument", rolled_up("^stalenes = 5"),
     "has no argument 'stalenes'; did you mean 'staleness'?", "index(staleness = 5)"},
    {"IndexOfShardedFloat", "index-type",
     with("[[autoshard::index, autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] double "
          "^x_ "
          "= 0;"),
     "which an index cannot sort by", ""},
    {"IndexOfGroup", "contradiction",
     with("[[^autoshard::index]] [[autoshard::shard_group(shards = 2)]] std::vector<int> x_;"),
     "cannot be both '[[autoshard::shard_group]]' and '[[autoshard::index]]'", ""},
    {"IndexOfTransient", "contradiction", with("[[autoshard::transient, ^autoshard::index]] int x_ = 0;"),
     "cannot be both", ""},
    {"IndexOfId", "contradiction", with("[[autoshard::id, ^autoshard::index]] int x_ = 0;"), "cannot be both",
     ""},
    {"IndexMisspelled", "unknown-argument", with("[[autoshard::index(^uniqe)]] int x_ = 0;"),
     "'[[autoshard::index]]' does not know 'uniqe'; did you mean 'unique'?", "index(unique)"},
    {"IndexWithOther", "unknown-argument", with("[[autoshard::index(^descending)]] int x_ = 0;"),
     "use 'unique'", ""},
    {"IndexNamedUnique", "unknown-argument", with("[[autoshard::index(^unique = true)]] int x_ = 0;"),
     "has no argument 'unique'; write 'unique'", ""},
    {"IndexTwice", "duplicate", with("[[autoshard::index, ^autoshard::index(unique)]] int x_ = 0;"),
     "is given twice", ""},
    {"IndexOnMethod", "misplaced", question("[[^autoshard::index]] int x() { return 1; }"),
     "it belongs on a data member", ""},
    {"UnknownMember", "index-member", entry("name = A, key = ^compnay_, order = time_, shards = 2"),
     "'Entry' has no data member 'compnay_'; did you mean 'company_'?", "key = company_"},
    {"UnknownMemberOfList", "index-member", entry("name = A, key = (id_, ^flush), order = time_, shards = 2"),
     "has no data member 'flush'", ""},
    {"ExpressionAsMember", "index-member",
     entry("name = A, key = ^company_ + id_, order = time_, shards = 2"),
     "has no data member 'company_ + id_'", ""},
    {"ShardedAsKey", "index-member", entry("name = A, key = company_, order = ^hits_, shards = 2"),
     "'hits_' is sharded", ""},
    {"TransientAsKey", "index-member", entry("name = A, key = ^cached_, order = time_, shards = 2"),
     "'cached_' is transient", ""},
    {"MemberTwice", "index-member", entry("name = A, key = (company_, time_), order = ^time_, shards = 2"),
     "'time_' is given twice", ""},
    {"KeyOfFloat", "index-type", entry("name = A, key = company_, order = ^weight_, shards = 2"),
     "'weight_' has type 'double'", ""},
    {"NameOfMember", "index-name", entry("name = ^flush, key = company_, order = time_, shards = 2"),
     "'flush' is the name of something else in 'Entry'", ""},
    {"NameOfClass", "index-name", entry("name = ^Entry, key = company_, order = time_, shards = 2"),
     "give the index another one", ""},
    {"NameOfShard", "index-name", entry("name = ^Shard, key = company_, order = time_, shards = 2"),
     "that the companion class adds", ""},
    {"NameAsText", "index-name", entry("name = ^\"A\", key = company_, order = time_, shards = 2"),
     "write it as 'name = ByCompany'", ""},
    {"KeywordAsName", "index-name", entry("name = ^class, key = company_, order = time_, shards = 2"),
     "becomes that of a type", ""},
    {"NameTwice", "index-name",
     entry(
         "name = A, key = company_, order = time_, shards = 2)]] [[autoshard::sharded_index(name = ^A, key = "
         "id_, order = time_, shards = 2"),
     "'A' is the name of something else", ""},
    {"NameOfIndexedMember", "index-name",
     "class [[autoshard::entity]] [[autoshard::sharded_index(name = ^size, key = id_, order = b_, shards = "
     "2)]] "
     "E { [[autoshard::id]] int id_; int b_; [[autoshard::index]] int size_; };",
     "'size' is the name of something else", ""},
    {"NameThatTheClassUses", "index-name",
     "struct A {};\nclass [[autoshard::entity]] [[autoshard::sharded_index(name = ^A, key = id_, order = b_, "
     "shards = 2)]] E { [[autoshard::id]] int id_; int b_; A a() const; };",
     "'A' is the name of something else", ""},
};

const RuleCase kLives[] = {
    {"StaticHook", "hook", question("[[autoshard::before_save]] static void ^f() {}"),
     "'f' is static; '[[autoshard::before_save]]' is for a method such as 'void before_save()'", ""},
    {"HookWithParameter", "hook", question("[[autoshard::after_load]] void ^f(int = 1) {}"),
     "takes a parameter", ""},
    {"HookWithResult", "hook", question("[[autoshard::after_load]] bool ^f() { return true; }"),
     "returns something", ""},
    {"HookTemplate", "hook", question("template <int n> [[autoshard::after_load]] void ^f() {}"),
     "is a template", ""},
    {"HookForRvalues", "hook", question("[[autoshard::after_load]] void ^f() && {}"), "is for rvalues only",
     ""},
    {"HookAndUpdate", "hook",
     question("[[autoshard::before_save, autoshard::shard_method]] void ^f() { ++votes_; }"),
     "is an update or a fold", ""},
    {"ConstructorAsHook", "hook", question("[[autoshard::after_load]] ^Question() {}"), "is a constructor",
     ""},
    {"HookThatUpdates", "hook",
     question("[[autoshard::shard_method]] void up() { ++votes_; }\n[[autoshard::before_save]] void ^f() { "
              "up(); }"),
     "each save would count as an update", ""},
    {"LoadThatUpdates", "hook",
     question("[[autoshard::shard_method]] void up() { ++votes_; }\n[[autoshard::after_load]] void ^f() { "
              "up(); }"),
     "each load would count as an update", ""},
    {"HookThatWritesShards", "plain-write", question("[[autoshard::after_load]] void f() { ^votes_ = 0; }"),
     "may change the sharded member 'votes_'", "[[autoshard::shard_method]] void"},
    {"HookWithArgument", "unknown-argument", question("[[autoshard::before_save(^first)]] void f() {}"),
     "takes no arguments", ""},
    {"HookOnMember", "misplaced", with("[[^autoshard::before_save]] int x_ = 0;"),
     "it belongs on a method of an entity", ""},
    {"HookOfMapped", "part-members",
     "class [[autoshard::mapped]] Base { [[^autoshard::after_load]] void f() {} };", "move it to the entity",
     ""},
    {"ExpiresAsNumber", "expires", with("[[autoshard::expires]] long ^x_ = 0;"),
     "the time at which an entity ends is a std::chrono::system_clock::time_point", ""},
    {"ExpiresBySteadyClock", "expires",
     with("[[autoshard::expires]] std::chrono::steady_clock::time_point ^x_;"), "system_clock", ""},
    {"ExpiresAfterAWhile", "expires", with("[[autoshard::expires]] std::chrono::seconds ^x_{};"),
     "system_clock", ""},
    {"ExpiresInFractions", "expires",
     with("[[autoshard::expires]] std::chrono::sys_time<std::chrono::duration<double>> ^x_;"), "of integers",
     ""},
    {"ExpiresTwice", "expires",
     with("[[autoshard::expires]] std::chrono::sys_seconds x_;\n"
          "[[^autoshard::expires]] std::chrono::sys_seconds y_;"),
     "an entity ends once, and 'x_' says when", ""},
    {"ExpiresAndSharded", "contradiction",
     with("[[autoshard::shardable(neutral = {}, shards = 2, fold = std::plus<>{}), ^autoshard::expires]] "
          "std::chrono::sys_seconds x_;"),
     "cannot be both '[[autoshard::shardable]]' and '[[autoshard::expires]]'", ""},
    {"ExpiresAndTransient", "contradiction",
     with("[[autoshard::transient, ^autoshard::expires]] std::chrono::sys_seconds x_;"), "cannot be both",
     ""},
    {"ShardedIndexOnMember", "misplaced",
     with("[[^autoshard::sharded_index(name = A, key = id_, order = x_, shards = 2)]] int x_ = 0;"),
     "it belongs on the definition of an entity", ""},
    {"ShardedIndexOfMapped", "part-members",
     "class [[autoshard::mapped, ^autoshard::sharded_index(name = A, key = x_, order = y_, shards = 2)]] B { "
     "int "
     "x_; int y_; };",
     "move it to the entity", ""},
    {"ShardedIndexWithoutOrder", "missing-argument",
     "class [[autoshard::entity, ^autoshard::sharded_index(name = A, key = id_, shards = 2)]] E { "
     "[[autoshard::id]] int id_; };",
     "needs 'order = …'", ""},
    {"ShardedIndexOfTooMany", "shards-range",
     entry("name = A, key = company_, order = time_, shards = ^4097"), "from 1 to 4096", ""},
    {"ShardedIndexMisspelled", "unknown-argument",
     entry("name = A, key = company_, ^oder = time_, shards = 2"), "did you mean 'order'?", "order = time_"},
};

INSTANTIATE_TEST_SUITE_P(Indexes, RuleTest, testing::ValuesIn(kIndexRules), name_of);
INSTANTIATE_TEST_SUITE_P(Lives, RuleTest, testing::ValuesIn(kLives), name_of);

}  // namespace
}  // namespace autoshard::tool
