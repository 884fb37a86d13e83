/// Sliding windows: how durations are read, what is understood, and what is refused.

#include <utility>

#include "test/tool/diagnostics/rule_case.h"
#include "tool/model/window.h"
#include "tool/output/model_dump.h"

namespace autoshard::tool {
namespace {

using Problem = Duration::Problem;

TEST(Durations, AreAWholeNumberAndAUnit) {
  for (const auto& [text, seconds] :
       {std::pair{"90s", 90}, {"5min", 300}, {"24h", 86'400}, {"7d", 604'800}, {"1'440min", 86'400}}) {
    const Duration duration = read_duration(text);
    EXPECT_EQ(duration.problem, Problem::kNone) << text;
    EXPECT_EQ(duration.seconds, seconds) << text;
  }
}

TEST(Durations, AreNothingElse) {
  for (const auto& [text, problem] : {std::pair{"", Problem::kNoDuration}, {"h", Problem::kNoDuration},
                                      {"kDay", Problem::kNoDuration},      {"24 h", Problem::kNoDuration},
                                      {"(24h)", Problem::kNoDuration},     {"24h + 1h", Problem::kNoDuration},
                                      {"1.5h", Problem::kNoDuration},      {"1e3s", Problem::kNoDuration},
                                      {"0x10s", Problem::kNoDuration},     {"010min", Problem::kNoDuration},
                                      {"24_h", Problem::kNoDuration},      {"--24h", Problem::kNoDuration},
                                      {"-", Problem::kNoDuration},         {"0", Problem::kNoUnit},
                                      {"86'400", Problem::kNoUnit},        {"2w", Problem::kUnknownUnit},
                                      {"24H", Problem::kUnknownUnit},      {"5m", Problem::kUnknownUnit},
                                      {"10ms", Problem::kUnknownUnit},     {"0s", Problem::kNotPositive},
                                      {"-24h", Problem::kNotPositive},     {"- 24h", Problem::kNotPositive}})
    EXPECT_EQ(read_duration(text).problem, problem) << text;
}

TEST(Durations, LastAHundredYearsAtMost) {
  EXPECT_EQ(read_duration("36500d").seconds, 3'153'600'000);
  EXPECT_EQ(read_duration("3153600000s").problem, Problem::kNone);
  for (const char* text : {"36501d", "3153600001s", "99999999999999999999999999d"})
    EXPECT_EQ(read_duration(text).problem, Problem::kTooLong) << text;
}

/// A question with one more sharded member, `x_`, annotated with these arguments and attributes.
std::string sharded(const std::string& arguments, const std::string& attributes = "") {
  return "#include <functional>\n" +
         question("", "[[autoshard::shardable(neutral = 0, fold = std::plus<>{}, " + arguments + ")" +
                          attributes + "]] int x_ = 0;");
}

/// The same with 4 shards and a window.
std::string windowed(const std::string& window, const std::string& attributes = "") {
  return sharded("shards = 4, " + window, attributes);
}

struct Window {
  std::uint32_t last;
  std::uint32_t bucket;
  friend bool operator==(const Window&, const Window&) = default;
};

Window window_in(const std::string& source) {
  const Outcome outcome = parse_text(source);
  EXPECT_TRUE(outcome.ok) << outcome.output;
  const Property* x = outcome.model.entities.empty() ? nullptr : outcome.model.entities[0].property("x_");
  if (!x || !x->sharding) return {};
  return {x->sharding->last, x->sharding->bucket};
}

TEST(Windows, AreUnderstood) {
  EXPECT_EQ(window_in(windowed("last = 24h, bucket = 1h")), (Window{86'400, 3'600}));
  EXPECT_EQ(window_in(windowed("bucket = 1s, last = 60s")), (Window{60, 1}));
  EXPECT_EQ(window_in(windowed("last=7d,bucket=5min")), (Window{604'800, 300}));
  EXPECT_EQ(window_in(windowed("last = 1d, bucket = 1d")), (Window{86'400, 86'400})) << "one bucket";
  EXPECT_EQ(window_in(windowed("last = 4'096min, bucket = 60s")), (Window{245'760, 60})) << "4096 of them";
  EXPECT_EQ(window_in(windowed("last = 36500d, bucket = 36500d")), (Window{3'153'600'000, 3'153'600'000}));
  EXPECT_EQ(window_in(sharded("shards = adaptive(1, 8), last = 1h, bucket = 1min")), (Window{3'600, 60}));
  EXPECT_EQ(window_in(sharded("shards = 4")), (Window{0, 0}));
}

TEST(Windows, MayComeOutOfMacros) {
  EXPECT_EQ(
      window_in("#define A_DAY 24h\n#define IN_HOURS bucket = 1h\n" + windowed("last = A_DAY, IN_HOURS")),
      (Window{86'400, 3'600}));
  EXPECT_EQ(window_in("#define HOURS(n) n##h\n" + windowed("last = HOURS(12), bucket = HOURS(3)")),
            (Window{43'200, 10'800}));
}

TEST(Windows, TakeAnyFoldAndUpdate) {
  const Outcome outcome = parse_text(
      "#include <set>\n" +
      question("[[autoshard::shard_method]] void see(int who) { x_.insert(who); }\n"
               "[[autoshard::shard_write]] void forget() { x_.clear(); }",
               "[[autoshard::shardable(neutral = {}, shards = 2, last = 2h, bucket = 30min, fold = unite)]] "
               "std::set<int> x_;\n"
               "static std::set<int> unite(std::set<int> a, const std::set<int>& b) { a.insert(b.begin(), "
               "b.end()); return a; }"));
  ASSERT_TRUE(outcome.ok) << outcome.output;
  const Entity& entity = outcome.model.entities.at(0);
  EXPECT_TRUE(entity.property("x_")->sharding->is_window());
  EXPECT_TRUE(is_replaceable(entity, *entity.property("x_")));
  EXPECT_FALSE(entity.property("votes_")->sharding->is_window());
}

TEST(Windows, ShowInTheDumpedModel) {
  const std::string dumped = dump(parse_text(windowed("last = 24h, bucket = 1h")).model);
  for (const char* part : {"\"value\": \"24h\"", "\"number\": 86400", "\"last\": 86400", "\"bucket\": 3600"})
    EXPECT_NE(dumped.find(part), std::string::npos) << part << dumped;
  EXPECT_EQ(dump(parse_text(sharded("shards = 4")).model).find("\"bucket\""), std::string::npos);
}

/// The explanation on one line.
std::string explained(const std::string& source) {
  std::string text;
  for (const char c : parse_text(source).explanation) {
    const bool is_blank = c == ' ' || c == '\n';
    if (!is_blank || !text.ends_with(' ')) text += is_blank ? ' ' : c;
  }
  return text;
}

TEST(Windows, AreExplained) {
  const std::string day = explained(windowed("last = 24h, bucket = 1h"));
  for (const char* part :
       {"up to 4 shard records of x for each bucket of time, each with its part of the int",
        "x_: static sharding over 4 records, in each bucket of 1h; neutral 0",
        "; a window of the last 24h: the value is the fold of the updates of the current "
        "bucket and of the 23 buckets before it; older buckets fall out of every load at "
        "once, by MapperOptions::clock, and maintenance removes their records; no shard"})
    EXPECT_NE(day.find(part), std::string::npos) << part << '\n' << day;
  EXPECT_NE(explained(windowed("last = 2s, bucket = 1s")).find("and of the 1 bucket before it; older"),
            std::string::npos);
  EXPECT_NE(explained(windowed("last = 7d, bucket = 7d")).find("updates of the current bucket; older"),
            std::string::npos);
  EXPECT_EQ(explained(sharded("shards = 4")).find("window"), std::string::npos);
}

const RuleCase kWindows[] = {
    {"WindowWithoutUnit", "window-duration", windowed("last = ^86'400, bucket = 1h"),
     "'last' has no unit; write 's', 'min', 'h' or 'd' after the number, as in '86'400s'", ""},
    {"BucketWithoutUnit", "window-duration", windowed("last = 60s, bucket = ^1"), "'bucket' has no unit", ""},
    {"WindowOfWeeks", "window-duration", windowed("last = ^2w, bucket = 1h"),
     "'w' is no unit of time here; use 's', 'min', 'h' or 'd'", ""},
    {"BucketOfMilliseconds", "window-duration", windowed("last = 1s, bucket = ^100ms"), "'ms' is no unit",
     ""},
    {"WindowOfNothing", "window-duration", windowed("last = ^0h, bucket = 1h"),
     "'last' must be at least '1s'", ""},
    {"NegativeBucket", "window-duration", windowed("last = 1h, bucket = ^-1min"),
     "'bucket' must be at least '1s'", ""},
    {"WindowOfAConstant", "window-duration",
     "inline constexpr int kDay = 86'400;\n" + windowed("last = ^kDay, bucket = 1h"),
     "'last' is no duration; write a whole number with its unit, such as '90s', '5min', '24h' or '7d'", ""},
    {"WindowOfAFraction", "window-duration", windowed("last = ^1.5h, bucket = 1min"), "'last' is no duration",
     ""},
    {"WindowOfAnExpression", "window-duration", windowed("last = ^2 * 12h, bucket = 1h"),
     "'last' is no duration", ""},
    {"WindowApartFromItsUnit", "window-duration", windowed("last = ^24 h, bucket = 1h"),
     "'last' is no duration", ""},
    {"WindowOfAWordOfShards", "window-duration", windowed("last = ^adaptive, bucket = 1h"),
     "'last' is no duration", ""},
    {"WindowWithoutValue", "window-duration", windowed("last =^ , bucket = 1h"), "'last' is no duration", ""},
    {"WindowOfChrono", "window-duration",
     "#include <chrono>\n" + windowed("last = ^std::chrono::hours{24}, bucket = 1h"), "'last' is no duration",
     ""},
    {"WindowOfCenturies", "window-duration", windowed("last = ^40'000d, bucket = 10d"),
     "'last' must be at most '36500d'", ""},
    {"BothWithoutUnit", "window-duration", windowed("last = ^60, bucket = ^1"), "has no unit", ""},
    {"PartOfABucket", "window-buckets", windowed("last = ^90min, bucket = 1h"),
     "'last' is '90min', which is no multiple of 'bucket', '1h'; change one of them", ""},
    {"BucketLongerThanWindow", "window-buckets", windowed("last = ^1h, bucket = 1d"),
     "no multiple of 'bucket'", ""},
    {"TooManyBuckets", "window-buckets", windowed("last = 1d, bucket = ^1s"),
     "the window has 86400 buckets; it may have at most 4096, so make 'bucket' longer", ""},
    {"OneBucketTooMany", "window-buckets", windowed("last = 4'097s, bucket = ^1s"), "has 4097 buckets", ""},
    {"WindowWithoutBucket", "missing-argument",
     question("", "[[^autoshard::shardable(neutral = 0, shards = 4, last = 24h)]] int x_ = 0;"),
     "'[[autoshard::shardable]]' with 'last' needs 'bucket = …', the steps in which the window moves on", ""},
    {"BucketWithoutWindow", "missing-argument",
     question("", "[[^autoshard::shardable(neutral = 0, shards = 4, bucket = 1h)]] int x_ = 0;"),
     "with 'bucket' needs 'last = …', the time that the window covers", ""},
    {"NearlyABucket", "unknown-argument", windowed("last = 24h, ^bukcet = 1h"), "did you mean 'bucket'?",
     "last = 24h, bucket = 1h"},
    {"NearlyAWindow", "unknown-argument", windowed("^lats = 24h, bucket = 1h"), "did you mean 'last'?",
     "last = 24h, bucket = 1h"},
    {"DynamicWindow", "window-dynamic",
     question("", "[[^autoshard::shardable(neutral = 0, last = 24h, bucket = 1h)]] int x_ = 0;"),
     "'x_' has a window, which needs a number of shards; add 'shards = …'", ""},
    {"WindowWithMinimum", "window-bounded", windowed("^min = 0, last = 24h, bucket = 1h"),
     "'x_' has a window, so its value changes as time passes, and no bound can be kept", ""},
    {"WindowWithMaximum", "window-bounded", windowed("last = 24h, bucket = 1h, ^max = 10"),
     "remove 'min' and 'max', or 'last' and 'bucket'", ""},
    {"WindowWithBounds", "window-bounded", windowed("last = 24h, bucket = 1h, max = 10, ^min = 0"),
     "no bound can be kept", ""},
    {"RankedWindow", "window-index", windowed("last = 24h, bucket = 1h", ", ^autoshard::index"),
     "'x_' has a window, so its value changes as time passes, and no index follows that", ""},
    {"RankedWindowWithStaleness", "window-index",
     windowed("last = 24h, bucket = 1h", ", ^autoshard::index(staleness = 5)"), "remove the index", ""},
    {"UniqueWindow", "window-index", windowed("last = 24h, bucket = 1h", ", ^autoshard::index(unique)"),
     "no index follows that", ""},
    {"WindowAsKeyOfAnIndex", "index-member",
     "#include <functional>\n"
     "class [[autoshard::entity]] [[autoshard::sharded_index(name = A, key = ^hits_, order = id_, shards = "
     "2)]] "
     "Page {\n  [[autoshard::id]] int id_ = 0;\n"
     "  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{}, last = 24h, bucket = 1h)]] "
     "int hits_ = 0;\n};\n",
     "'hits_' is sharded", ""},
    {"WindowOfAGroup", "unknown-argument",
     "#include <vector>\n" +
         question("",
                  "[[autoshard::shard_group(shards = 4, ^last = 24h, ^bucket = 1h)]] std::vector<int> x_;"),
     ", which is one of '[[autoshard::shardable]]'; remove it", ""},
    {"WindowTwice", "duplicate", windowed("last = 24h, bucket = 1h, ^last = 24h"), "'last' is given twice",
     ""},
};
INSTANTIATE_TEST_SUITE_P(Windows, RuleTest, testing::ValuesIn(kWindows), name_of);

TEST(Windows, OfElementsHaveNoIndexEither) {
  const Outcome outcome = parse_text(
      "#include <set>\n" +
      question("",
               "[[autoshard::shardable(neutral = {}, shards = 2, last = 2h, bucket = 1h, fold = unite), "
               "autoshard::index(elements)]] std::set<int> x_;\n"
               "static std::set<int> unite(std::set<int> a, const std::set<int>& b) { a.insert(b.begin(), "
               "b.end()); return a; }"));
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics[0].rule, "autoshard-window-index");
}

}  // namespace
}  // namespace autoshard::tool
