#include "property_grammar.h"

#include <algorithm>

namespace autoshard::test {

std::string declared_types() {
  return R"(enum class Colour { kRed, kGreen };
enum Level : short { kLow = 1, kHigh };
struct Number { int value; };
struct Uuid { std::array<unsigned char, 16> bytes; };
struct Part { std::string text; Colour colour = Colour::kRed; bool operator==(const Part&) const = default; };
struct Tree { int value = 0; std::vector<Tree> children; };
template <class T, int kCount = 1> struct Range { T from{}; T to{}; };
template <class T> using Bag = std::vector<T>;
using Text = std::string;
typedef std::map<int, Part> Parts;
struct Sum { int value = 0; bool operator==(const Sum&) const = default; };
template <class T, int kCount = 0> struct Adder { constexpr T operator()(T a, T b) const { return a + b; } };
inline int larger(int a, int b) { return a > b ? a : b; }
constexpr int kMany = 12;
struct Pinned { Pinned() = default; Pinned(int) {} Pinned(Pinned&&) = delete; };
struct Handle { explicit Handle(int) {} };
class Secret { Secret() = default; public: Secret(int) {} };
)";
}

std::string property_type(Choices& choices, int depth, bool* movable) {
  const auto inner = [&] { return property_type(choices, depth - 1); };
  const std::vector<std::string> keys{"int", "std::string", "long", "bool", "unsigned short"};
  const std::size_t leaves = 26;
  const std::size_t nested = depth > 0 ? 14 : 0;
  const std::size_t pointers = movable ? 1 : 0;
  const std::size_t chosen = choices.below(leaves + nested + pointers);
  if (chosen < leaves) {
    static const std::vector<std::string> kLeaves{"int",
                                                  "std::string",
                                                  "bool",
                                                  "double",
                                                  "long long",
                                                  "char",
                                                  "unsigned char",
                                                  "float",
                                                  "std::int64_t",
                                                  "std::uint8_t",
                                                  "Colour",
                                                  "Level",
                                                  "Part",
                                                  "Tree",
                                                  "Range<int>",
                                                  "Range<std::string, 3>",
                                                  "Bag<int>",
                                                  "Text",
                                                  "Parts",
                                                  "std::chrono::milliseconds",
                                                  "std::chrono::system_clock::time_point",
                                                  "::std::string",
                                                  "enum Colour",
                                                  "struct Part",
                                                  "std::bitset<5>",
                                                  "std::bitset<130>"};
    return kLeaves[chosen];
  }
  switch (chosen - leaves) {
    case 0:
      return "std::vector<" + inner() + ">";
    case 1:
      return "std::optional<" + inner() + ">";
    case 2:
      return "std::deque<" + inner() + ">";
    case 3:
      return "std::list<" + inner() + ">";
    case 4:
      return "std::array<" + inner() + ", 2>";
    case 5:
      return "std::map<" + choices.one_of(keys) + ", " + inner() + ">";
    case 6:
      return "std::unordered_map<" + choices.one_of(keys) + ", " + inner() + ">";
    case 7:
      return "std::set<" + choices.one_of(keys) + ">";
    case 8:
      return "std::unordered_set<" + choices.one_of(keys) + ">";
    case 9:
      return "std::pair<" + inner() + ", " + inner() + ">";
    case 10:
      return "std::tuple<" + inner() + ", " + inner() + ">";
    case 11:
      return "std::variant<std::monostate, int, " + choices.one_of({"Part", "std::string", "Range<int>"}) +
             ">";
    case 12:
      return "Bag<" + inner() + ">";
    case 13:
      return "Range<" + inner() + ", (1 > 0)>";
    default:
      *movable = true;
      return "std::unique_ptr<" + inner() + ">";
  }
}

std::string id_type(Choices& choices) {
  return choices.one_of({"int", "std::string", "long", "std::uint64_t", "Number", "Uuid", "Colour", "Level",
                         "std::array<unsigned char, 4>", "bool", "Text", "::std::string", "const int"});
}

bool is_indexable(const std::string& type) {
  const std::vector<std::string> types{"int",
                                       "long",
                                       "unsigned",
                                       "short",
                                       "bool",
                                       "std::uint32_t",
                                       "unsigned long",
                                       "std::string",
                                       "Text",
                                       "::std::string",
                                       "Colour",
                                       "Level",
                                       "std::int64_t",
                                       "std::uint8_t",
                                       "Number",
                                       "Uuid",
                                       "std::uint64_t",
                                       "std::array<unsigned char, 4>",
                                       "std::chrono::seconds",
                                       "std::chrono::milliseconds",
                                       "std::chrono::system_clock::time_point"};
  return std::ranges::find(types, type) != types.end();
}

bool has_indexable_elements(const std::string& type) {
  if (type == "Parts") return true;
  for (const std::string collection :
       {"std::vector<", "std::deque<", "std::list<", "std::array<", "std::set<", "std::unordered_set<",
        "std::map<", "std::unordered_map<", "Bag<"}) {
    if (!type.starts_with(collection)) continue;
    const std::string arguments = type.substr(collection.size(), type.size() - collection.size() - 1);
    return is_indexable(arguments) || is_indexable(arguments.substr(0, arguments.find(',')));
  }
  return false;
}

namespace {

/// A collection, each element of which is a record of its own.
ShardedKind group(const std::string& type, const std::string& parameter,
                  const std::vector<std::string>& updates) {
  ShardedKind kind{type, {"{}"}, {}, "", updates, parameter};
  kind.is_group = true;
  return kind;
}

}  // namespace

const std::vector<ShardedKind>& sharded_kinds() {
  static const std::vector<ShardedKind> kKinds{
      {"int",
       {"0", "{}", "int()", "int{}", "0x0", "(0)", "1 - 1", "static_cast<int>(0)", "std::min<int>(0, 1)",
        "kNone", "!(1 < 2) ? 1 : 0", "sizeof(\"]])\") > 100 ? 1 : 0"},
       {"std::plus<>{}", "std::plus<int>{}", "Adder<int>{}", "Adder<int, 3>{}", "(Adder<int, 2>{})",
        "[](int a, int b) { return a + b; }", "[](auto left, auto right) { return left + right; }",
        "[](const auto& x, const auto& y) -> int { return x + y; }", "std::plus()"},
       "return x + y;",
       {"++$m$;", "$m$ += $n$;", "$m$ -= $n$;", "$m$--;", "$m$ = $m$ + $n$;", "if ($n$ > 0) { $m$ += $n$; }",
        "for (int i = 0; i < 2; ++i) ++$m$;", "[&] { $m$ += $n$; }();", "[this](int by) { $m$ += by; }($n$);",
        "auto& own = $m$; own += $n$;", "switch ($n$) { case 1: ++$m$; break; default: --$m$; }",
        "$m$ += [](int by) { struct { int value; } pending{by}; return pending.value; }($n$);"},
       "int",
       "",
       true},
      {"long",
       {"0", "0L", "{}"},
       {"std::plus<>{}", "std::plus<long>()"},
       "long sum = x; sum += y; return sum;",
       {"$m$ += $n$;", "$m$++;", "$m$ += static_cast<long>($n$);"},
       "long",
       "",
       true},
      {"unsigned",
       {"0", "0u", "{}"},
       {"[](unsigned a, unsigned b) { return a > b ? a : b; }",
        "[](auto a, auto b) { return std::max(a, b); }"},
       "return std::max(x, y);",
       {"$m$ = std::max($m$, $n$);", "if ($n$ > $m$) $m$ = $n$;", "$m$ = $m$ > $n$ ? $m$ : $n$;"},
       "unsigned"},
      {"int",
       {"std::numeric_limits<int>::max()", "2147483647"},
       {"[](int a, int b) { return a < b ? a : b; }"},
       "return x < y ? x : y;",
       {"if ($n$ < $m$) $m$ = $n$;", "$m$ = std::min($m$, $n$);"},
       "int"},
      {"std::set<int>",
       {"{}", "std::set<int>{}", "std::set<int>()"},
       {},
       "std::set<int> all = x; all.insert(y.begin(), y.end()); return all;",
       {"$m$.insert($n$);", "$m$.emplace($n$);"},
       "int"},
      {"std::map<std::string, int>",
       {"{}", "std::map<std::string, int>{}", "std::map<std::string, int>()"},
       {},
       "auto all = x; for (const auto& [key, value] : y) all[key] += value; return all;",
       {"++$m$[$n$];", "$m$[$n$] += 2;", "$m$[std::move($n$)] += 1;"},
       "std::string"},
      {"bool",
       {"false", "{}", "0"},
       {"std::logical_or<>{}", "[](bool a, bool b) { return a || b; }"},
       "return x || y;",
       {"$m$ = true;", "$m$ = $m$ || $n$;", "if ($n$) $m$ = true;"},
       "bool"},
      {"std::uint32_t",
       {"0", "std::uint32_t{}", "0b0"},
       {"std::bit_or<>{}", "std::bit_or<std::uint32_t>{}"},
       "return x | y;",
       {"$m$ |= $n$;", "$m$ |= 1u << ($n$ % 32);"},
       "std::uint32_t"},
      {"unsigned long",
       {"1", "1ul"},
       {"std::multiplies<>{}", "std::multiplies<unsigned long>{}"},
       "return x * y;",
       {"$m$ *= $n$;", "$m$ = $m$ * $n$;"},
       "unsigned long"},
      {"Sum",
       {"{}", "Sum{}", "Sum()", "Sum{0}"},
       {"[](Sum a, Sum b) { return Sum{a.value + b.value}; }"},
       "return Sum{x.value + y.value};",
       {"$m$.value += $n$;", "++$m$.value;"},
       "int"},
      {"std::vector<int>",
       {"{}", "std::vector<int>{}"},
       {},
       "std::vector<int> all = x; all.insert(all.end(), y.begin(), y.end()); return all;",
       {"$m$.push_back($n$);", "$m$.emplace_back($n$);"},
       "int",
       "order = any"},
      {"std::array<int, 3>",
       {"{}", "std::array<int, 3>{}", "{{0, 0, 0}}", "(std::array<int, 3>{})"},
       {},
       "return {x[0] + y[0], x[1] + y[1], x[2] + y[2]};",
       {"$m$[0] += $n$;", "++std::get<1>($m$);"},
       "int"},
      {"std::chrono::seconds",
       {"{}", "std::chrono::seconds{0}", "std::chrono::seconds::zero()"},
       {"std::plus<>{}"},
       "return x + y;",
       {"$m$ += $n$;", "$m$ += std::chrono::seconds{1};"},
       "std::chrono::seconds"},
      {"short",
       {"0", "short{}"},
       {"std::plus<>{}"},
       "return static_cast<short>(x + y);",
       {"++$m$;", "$m$ = static_cast<short>($m$ + $n$);"},
       "short",
       "",
       true},
      {"double",
       {"0", "0.0", ".0", "{}"},
       {"std::plus<>{}"},
       "return x + y;",
       {"$m$ += $n$;", "++$m$;"},
       "double"},
      {"std::string",
       {"\"\"", "{}", "std::string()", "R\"()\""},
       {},
       "return x < y ? y : x;",
       {"if ($n$ > $m$) $m$ = $n$;", "$m$ = std::max($m$, $n$);"},
       "std::string"},
      {"std::bitset<9>",
       {"{}", "0", "std::bitset<9>()", "std::bitset<9>{0}"},
       {"std::bit_or<>{}", "std::bit_or<std::bitset<9>>{}"},
       "return x | y;",
       {"$m$ |= $n$;", "$m$ = $n$ | $m$;", "$m$.set(8);", "$m$.set(); $m$ |= 2;"},
       "std::bitset<9>"},
      {"std::map<int, std::set<std::string>>",
       {"{}"},
       {},
       "auto all = x; for (const auto& [key, set] : y) all[key].insert(set.begin(), set.end()); return all;",
       {"$m$[1].insert($n$);", "for (int i : {1, 2}) $m$[i].insert($n$);"},
       "std::string"},
      group("std::vector<Part>", "std::string",
            {"$m$.push_back({$n$});", "$m$.emplace_back();", "$m$.insert($m$.end(), {Part{$n$}, Part{}});"}),
      group("std::deque<std::string>", "std::string", {"$m$.push_front($n$);", "$m$.emplace_back(2, 'x');"}),
      group("std::list<Range<int>>", "int", {"$m$.push_back({$n$, $n$});"}),
      group("std::set<int>", "int", {"$m$.insert($n$);", "for (int i : {1, 2}) $m$.emplace(i + $n$);"}),
      group("std::unordered_set<std::string>", "std::string", {"$m$.insert(std::move($n$));"}),
      group("std::map<int, Part>", "int", {"$m$[$n$] = {};", "if ($n$ > 0) $m$[$n$] = Part{\"x\"};"}),
      group("std::unordered_map<std::string, std::vector<int>>", "std::string",
            {"$m$[$n$] = {1};", "$m$.insert_or_assign($n$, std::vector<int>{});"}),
  };
  return kKinds;
}

}  // namespace autoshard::test
