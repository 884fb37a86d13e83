/// Groups: what is understood, and what is refused.

#include "test/tool/diagnostics/members.h"
#include "test/tool/diagnostics/rule_case.h"
#include "tool/output/model_dump.h"

namespace autoshard::tool {
namespace {

/// A question with a group of this type, `x_`, and these public members.
std::string group(const std::string& members, const std::string& type = "std::vector<int>",
                  const std::string& arguments = "shards = 4") {
  return including(question(members, "[[autoshard::shard_group(" + arguments + ")]] " + type + " x_;"));
}

TEST(Groups, AreUnderstood) {
  const Outcome outcome = parse_text(group(
      "static constexpr int kFew = 3;\n[[autoshard::shard_method]] void add(int x) { x_.push_back(x); }",
      "std::vector<int>", "shards = kFew * 2"));
  const Property& x = property_of(outcome, "x_");
  EXPECT_TRUE(x.is_sharded());
  ASSERT_TRUE(x.sharding.has_value());
  EXPECT_EQ(x.sharding->kind, Sharding::Kind::kGroup);
  EXPECT_EQ(x.sharding->shards, 6U);
  EXPECT_TRUE(x.sharding->any_order);
  for (const char* part : {"\"kind\": \"group\"", "\"shards\": 6", "\"any_order\": true"})
    EXPECT_NE(dump(outcome.model).find(part), std::string::npos) << part;
  EXPECT_NE(outcome.explanation.find("x_: group sharding over 6 partitions: a record for each element"),
            std::string::npos)
      << outcome.explanation;
}

TEST(Groups, AreProposedWhereEachUpdateAddsAnElement) {
  const auto message = [](const std::string& update) {
    return apply_rules(
               "#include <map>\nclass [[autoshard::entity]] Q {\n  [[autoshard::id]] int id_ = 0;\n"
               "  [[autoshard::shard_method]] void add(int x) { " +
               update + " }\n  [[autoshard::shardable(neutral = {})]] std::map<int, int> x_;\n};")
        .output;
  };
  EXPECT_NE(message("x_[x] = 1;").find("or replace shardable(…) by shard_group"), std::string::npos);
  for (const char* update :
       {"x_[x] += 1;", "x_.clear();", "x_[x] = 1; x_.erase(x + 1);", "x_.emplace(x, 1);"})
    EXPECT_NE(message(update).find("or give a lambda as the argument 'fold'"), std::string::npos) << update;
}

TEST(Groups, OfSetsAndMapsHaveNoOrderToLose) {
  EXPECT_FALSE(property_of(parse_text(group("", "std::set<int>")), "x_").sharding->any_order);
  EXPECT_FALSE(property_of(parse_text(group("", "std::unordered_map<int, int>")), "x_").sharding->any_order);
}

TEST(Groups, GrowInManyWays) {
  const auto grows = [](const std::string& type, const std::string& body) {
    const Outcome outcome = parse_text(
        group("[[autoshard::shard_method]] void add(int x, std::string s) { " + body + " }", type));
    EXPECT_TRUE(outcome.ok) << outcome.output;
  };
  grows("std::vector<int>", "x_.push_back(x);");
  grows("std::vector<int>", "if (x > 0) { x_.emplace_back(x); }");
  grows("std::vector<int>", "for (int i = 0; i < x; ++i) x_.insert(x_.end(), i);");
  grows("std::list<int>", "(*this).x_.push_back(x); ++votes_;");
  grows("std::set<int>", "x_.insert(x);");
  grows("std::set<std::string>", "x_.emplace(s); x_.insert({s, \"more\"});");
  grows("std::map<int, std::string>", "x_[x] = s;");
  grows("std::map<std::string, int>", "this->x_[s] = x;");
  grows("std::unordered_map<int, std::vector<int>>", "x_.insert_or_assign(x, std::vector<int>{x});");
}

TEST(Groups, GrowThroughOtherShardMethods) {
  const Outcome outcome =
      parse_text(group("[[autoshard::shard_method]] void add(int x) { x_.push_back(x); }\n"
                       "[[autoshard::shard_method]] void both(int x) { add(x); add(-x); }"));
  EXPECT_TRUE(outcome.ok) << outcome.output;
}

std::string marked_group(const std::string& type) {
  return including(question("", "[[autoshard::shard_group(shards = 4)]] " + type + " ^x_{};"));
}

/// A shard method of a group of this type with this body.
std::string adding(const std::string& body, const std::string& type = "std::vector<int>") {
  return group("[[autoshard::shard_method]] void add(int x) { " + body + " }", type);
}

const RuleCase kGroupRules[] = {
    {"GroupOfNumber", "group-type", marked_group("int"), "a group is a vector, deque, list", ""},
    {"GroupOfText", "group-type", marked_group("std::string"), "'std::string'", ""},
    {"GroupOfArray", "group-type", marked_group("std::array<int, 3>"), "or [[autoshard::shardable]]", ""},
    {"PublicGroup", "not-private",
     including(question("[[autoshard::shard_group(shards = 4)]] std::vector<int> ^y_;")),
     "sharded member 'y_' is not private", ""},
    {"GroupWithoutNumber", "missing-argument", with("[[^autoshard::shard_group]] std::vector<int> x_;"),
     "needs 'shards = …', the number of partitions", ""},
    {"GroupOfNone", "shards-range", group("", "std::vector<int>", "shards = ^0"), "from 1 to 4096", ""},
    {"GroupOfTooMany", "shards-range", group("", "std::vector<int>", "shards = ^5000"), "from 1 to 4096", ""},
    {"AdaptiveGroup", "shards-not-constant", group("", "std::vector<int>", "shards = ^adaptive"),
     "write a constant expression", ""},
    {"AdaptiveGroupWithLimits", "shards-not-constant",
     group("", "std::vector<int>", "shards = ^adaptive(1, 4)"), "write a constant expression", ""},
    {"GroupWithNeutral", "unknown-argument", group("", "std::vector<int>", "shards = 4, ^neutral = {}"),
     "has no argument 'neutral'", ""},
    {"GroupWithBounds", "unknown-argument", group("", "std::vector<int>", "shards = 4, ^max = 9"),
     "has no argument 'max'", ""},
    {"GroupWithFold", "unknown-argument", group("", "std::vector<int>", "^fold = std::plus<>{}, shards = 4"),
     "has no argument 'fold', which is one of '[[autoshard::shardable]]'; remove it", ""},
    {"GroupMisspelled", "unknown-argument", group("", "std::vector<int>", "^shrads = 4"),
     "did you mean 'shards'?", "shard_group(shards = 4)"},
    {"GroupOfBareNumber", "unknown-argument", group("", "std::vector<int>", "^4, shards = 4"),
     "takes named arguments; write 'shards = …'", ""},
    {"GroupAndSharded", "contradiction",
     with("[[autoshard::shardable(neutral = {}, shards = 2, fold = std::plus<>{})]] "
          "[[^autoshard::shard_group(shards = 4)]] std::vector<int> x_;"),
     "cannot be both '[[autoshard::shardable]]' and '[[autoshard::shard_group]]'", ""},
    {"TransientGroup", "contradiction",
     with("[[autoshard::shard_group(shards = 4)]] [[^autoshard::transient]] std::vector<int> x_;"),
     "keep one of them", ""},
    {"FoldOfGroup", "fold-member",
     group(
         "[[autoshard::shard_fold(^x_)]] static std::vector<int> join(std::vector<int> a, std::vector<int>) "
         "{ return a; }"),
     "'x_' is a group, which is the union of its elements; use 'votes_'", ""},
    {"PlainWriteOfGroup", "plain-write", group("void clear() { ^x_.clear(); }"),
     "'clear' may change the sharded member 'x_'", "[[autoshard::shard_method]] void clear"},
    {"Clears", "group-addition", adding("^x_.clear(); x_.push_back(x);"),
     "shard method 'add' does more than add to the group 'x_', of which a shard holds only what is added",
     ""},
    {"ReadsSize", "group-addition", adding("if (^x_.size() < 9) x_.push_back(x);"), "'insert' at its end",
     ""},
    {"AddsItsOwn", "group-addition", adding("x_.push_back(^x_.front());"), "a statement of its own", ""},
    {"InsertsInFront", "group-addition", adding("^x_.insert(^x_.begin(), x);"), "does more than add", ""},
    {"PushesInFront", "group-addition", adding("^x_.push_front(x);", "std::list<int>"),
     "add in a statement of its own, with 'push_back'", ""},
    {"Assigns", "group-addition", adding("^x_ = {x};"), "does more than add", ""},
    {"AssignsElement", "group-addition", adding("^x_[0] = x;"), "does more than add", ""},
    {"RemovesFromSet", "group-addition", adding("^x_.erase(x);", "std::set<int>"), "'insert' or 'emplace'",
     ""},
    {"UsesWhetherItWasNew", "group-addition", adding("if (^x_.insert(x).second) ++votes_;", "std::set<int>"),
     "a statement of its own", ""},
    {"InsertsIntoMap", "group-addition", adding("^x_.insert({x, x});", "std::map<int, int>"),
     "would keep the value that a key has already in the group 'x_'", ""},
    {"EmplacesIntoMap", "group-addition", adding("^x_.emplace(x, x);", "std::unordered_map<int, int>"),
     "with 'insert_or_assign' or 'group[key] = value;'", ""},
    {"CountsInMap", "group-addition", adding("++^x_[x];", "std::map<int, int>"), "does more than add", ""},
    {"PassesGroupOn", "group-addition",
     group("static void fill(std::vector<int>& all) { all.push_back(1); }\n"
           "[[autoshard::shard_method]] void add() { fill(^x_); }"),
     "does more than add", ""},
    {"WritesGroup", "group-addition", group("[[autoshard::shard_write]] void set() { ^x_ = {}; }"),
     "shard write 'set' uses the group 'x_'", ""},
    {"GroupOutsideEntity", "misplaced", "class S { [[^autoshard::shard_group(shards = 2)]] int x_; };",
     "it belongs on a data member of an entity, so mark 'S'", "class [[autoshard::entity]] S"},
};

INSTANTIATE_TEST_SUITE_P(Groups, RuleTest, testing::ValuesIn(kGroupRules), name_of);

}  // namespace
}  // namespace autoshard::tool
