// Sets and maps whose keys the language and the standard library compare are proved; others are not, because
// two keys that count as the same may differ: the fold keeps the left one.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/Config/llvm-config.h>

#include <regex>
#include <string>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

struct KeyType {
  std::string name;
  std::string key;
  std::string declared = "";  ///< in namespace shop
  std::string behind = "";    ///< outside of it
  std::string comparison = "std::less<Key>";
  std::string allocator = "std::allocator";
};

void PrintTo(const KeyType& one, std::ostream* out) { *out << one.key << ' ' << one.declared << one.behind; }

std::string explanation_of(const KeyType& one) {
  constexpr const char* kText = R"(#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
namespace shop {{
enum class Size : unsigned char {{ kSmall, kLarge }};
using Slot = std::pair<Size, int>;
struct Other {{}};
struct Clock : std::chrono::system_clock {{}};
template <class T>
struct Alloc {{
  using value_type = T;
  Alloc() = default;
  template <class U>
  Alloc(const Alloc<U>&) {{}}
  T* allocate(std::size_t n) {{ return std::allocator<T>().allocate(n); }}
  void deallocate(T* p, std::size_t n) {{ std::allocator<T>().deallocate(p, n); }}
  bool operator==(const Alloc&) const = default;
}};
{declared}
}}  // namespace shop
{behind}
using Key = {key};
class [[autoshard::entity]] Ledger {{
 public:
  [[autoshard::shard_method]] void add(const Key& key) {{ keys_.insert(key); }}
  [[autoshard::shard_method]] void count(const Key& key) {{
    unsigned& stored = counts_[key];
    stored = stored | 1U;
  }}

 private:
  using Keys = std::set<Key, {comparison}, {allocator}<Key>>;
  using Counts = std::map<Key, unsigned, {comparison}, {allocator}<std::pair<const Key, unsigned>>>;
  [[autoshard::shard_fold]] static Keys join(Keys a, const Keys& b) {{
    a.insert(b.begin(), b.end());
    return a;
  }}
  [[autoshard::shard_fold]] static Counts add_up(Counts a, const Counts& b) {{
    for (const auto& [key, amount] : b) {{
      unsigned& stored = a[key];
      stored = stored | amount;
    }}
    return a;
  }}
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = {{}}, shards = 2)]] Keys keys_;
  [[autoshard::shardable(neutral = {{}}, shards = 2)]] Counts counts_;
}};
)";
  const std::string text = fmt::format(
      kText, fmt::arg("declared", one.declared), fmt::arg("behind", one.behind), fmt::arg("key", one.key),
      fmt::arg("comparison", one.comparison), fmt::arg("allocator", one.allocator));
  return prove_text(text, {.laws_are_tested = true}).explanation;
}

constexpr const char* kByForm = "follows from how it is written";
constexpr const char* kForEachKey = "by the solver, for each key";

class UsualKeys : public testing::TestWithParam<KeyType> {};

TEST_P(UsualKeys, AreProved) {
  if (LLVM_VERSION_MAJOR < 22 && GetParam().name == "ATuple")
    GTEST_SKIP() << "LLVM 19 leaves calls in tuples that the prover does not follow";
  const std::string text = explanation_of(GetParam());
  EXPECT_NE(text.find(kByForm), std::string::npos) << text;
  EXPECT_NE(text.find(kForEachKey), std::string::npos) << text;
  EXPECT_EQ(text.find("not proved"), std::string::npos) << text;
}

const KeyType kUsual[] = {
    {"AnInteger", "unsigned short"},
    {"AText", "std::string"},
    {"AnEnumeration", "shop::Size"},
    {"AnEnumerationBesideAnotherOrder", "shop::Size", "bool operator<(Other, Other);"},
    {"AnEnumerationBesideATemplate", "shop::Size",
     "template <class T> struct Amount {}; template <class T> bool operator<(Amount<T>, Amount<T>);"
     "template <class T> bool operator==(const Amount<T>&, T);"},
    {"AnEnumerationThatIsComparedWithNumbers", "shop::Size", "bool operator<(Size, int);"},
    {"APair", "std::pair<shop::Size, int>"},
    {"ATuple", "std::tuple<std::string, shop::Size, bool>"},
    {"ADuration", "std::chrono::seconds"},
    {"ATime", "std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds>"},
};

class UnusualKeys : public testing::TestWithParam<KeyType> {};

TEST_P(UnusualKeys, AreNotProved) {
  const std::string text = explanation_of(GetParam());
  EXPECT_NE(text.find("keys_: join is commutative"), std::string::npos) << text;
  EXPECT_EQ(text.find(kByForm), std::string::npos) << text;
  EXPECT_EQ(text.find(kForEachKey), std::string::npos) << text;
}

TEST(KeyOrder, AnotherComparisonIsTheReason) {
  const std::string text = std::regex_replace(
      explanation_of(
          {"", "shop::Size", "constexpr bool operator<(Size a, Size b) { return int(a) > int(b); }"}),
      std::regex("\\s+"), " ");
  EXPECT_NE(
      text.find(
          "the keys of 'Ledger::Keys' are of a type, or have an operator, a comparison or an allocator, "
          "that the prover does not follow"),
      std::string::npos)
      << text;
}

const KeyType kUnusual[] = {
    {"AReal", "double"},
    {"AnOrder", "shop::Size", "constexpr bool operator<(Size, Size) { return false; }"},
    {"ASpaceship", "shop::Size",
     "constexpr auto operator<=>(Size a, Size b) { return int(a) / 2 <=> int(b) / 2; }"},
    {"ATemplate", "shop::Size", "template <class T> constexpr bool operator<(T, T) { return false; }"},
    {"AnOrderInAnInlineNamespace", "shop::Size",
     "inline namespace v1 { constexpr bool operator<(Size, Size) { return false; } }"},
    {"AnOrderThatIsUsed", "shop::Size",
     "} namespace more { constexpr bool operator<(shop::Size, shop::Size) { return false; } } namespace shop "
     "{"
     " using more::operator<;"},
    {"AFriend", "shop::Box::Kind",
     "struct Box { enum class Kind { kA, kB };"
     " friend constexpr bool operator<(Kind, Kind) { return false; } };"},
    {"APair", "shop::Slot", "constexpr bool operator<(const Slot&, const Slot&) { return false; }"},
    {"APairOfATemplate", "shop::Slot",
     "template <class T> constexpr bool operator<(const std::pair<Size, T>&, const std::pair<Size, T>&) {"
     " return false; }"},
    {"APairInAPair", "std::pair<int, shop::Slot>",
     "constexpr bool operator<(const std::pair<int, Slot>&, const std::pair<int, Slot>&) { return false; }"},
    {"ATuple", "std::tuple<shop::Size>",
     "constexpr bool operator<(const std::tuple<Size>&, const std::tuple<Size>&) { return false; }"},
    {"ATimeOfAClockOfTheUser", "std::chrono::time_point<shop::Clock>"},
    {"ATextOfAnAllocator", "std::basic_string<char, std::char_traits<char>, shop::Alloc<char>>"},
    {"AnAllocator", "int", "", "", "std::less<Key>", "shop::Alloc"},
    {"AComparison", "int", "struct Half { bool operator()(int a, int b) const { return a / 2 < b / 2; } };",
     "", "shop::Half"},
    {"ASpecialisedComparison", "shop::Size", "",
     "template <> struct std::less<shop::Size> { bool operator()(shop::Size, shop::Size) const { return "
     "false; } };"},
    {"AConstrainedComparison", "shop::Size", "",
     "template <class T> requires std::is_same_v<T, shop::Size>"
     " struct std::less<T> { bool operator()(T, T) const { return false; } };"},
};

std::string name_of_key(const testing::TestParamInfo<KeyType>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Types, UsualKeys, testing::ValuesIn(kUsual), name_of_key);
INSTANTIATE_TEST_SUITE_P(Types, UnusualKeys, testing::ValuesIn(kUnusual), name_of_key);

}  // namespace
}  // namespace autoshard::tool
