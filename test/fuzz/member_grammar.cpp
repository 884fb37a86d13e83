#include "member_grammar.h"

#include <algorithm>

#include "text.h"

namespace autoshard::test {
namespace {

class MemberGrammar {
 public:
  MemberGrammar(Choices& choices, Spelling& spelling, ClassFacts& facts)
      : choices_(choices), spelling_(spelling), facts_(facts) {}

  std::string run() {
    std::string text = id_members();
    text += plain_members();
    if (!facts_.is_aggregate) text += sharded_members();
    return text + folds_;
  }

 private:
  std::string member_with(const std::vector<std::string>& attributes, const std::string& type,
                          const std::string& member, const std::string& initialiser) {
    ++facts_.members;
    const std::string attribute = attributes.empty() ? "" : spelling_.list(attributes);
    if (choices_.sometimes(12))
      return "  " + spelling_.macro(type) + " " + member + " " + attribute + initialiser + ";\n";
    const std::string whole = (attribute.empty() ? "" : attribute + " ") + spelling_.macro(type) + " " +
                              spelling_.macro(member) + initialiser + ";";
    return "  " + spelling_.macro(whole) + "\n";
  }

  std::string initialiser(const std::string& value) {
    if (value.starts_with("{")) return choices_.sometimes(30) ? value : " = " + value;
    return choices_.one_of({" = " + value, "{" + value + "}"});
  }

  std::string id_members() {
    std::string text;
    const std::size_t count = choices_.sometimes(20) ? 2 + choices_.below(2) : 1;
    for (std::size_t at = 0; at < count; ++at) {
      std::string type = id_type(choices_);
      if (type == "const int" && !spelling_.wrong(50)) type = "int";
      const std::string member = choices_.one_of({"id_", "key_", "id", "autoshard", "result", "number"}) +
                                 (at == 0 ? "" : std::to_string(at));
      const bool plain = facts_.is_aggregate || choices_.sometimes(40);
      std::vector<std::string> attributes{"id"};
      if (spelling_.wrong(5)) attributes.clear();
      text += member_with(attributes, type, member, plain ? choices_.one_of({"{}", " = {}"}) : "");
      if (at == 0) facts_.id = {type, member};
      facts_.keys.push_back(member);
    }
    return text;
  }

  std::string plain_members() {
    std::string text;
    static const std::vector<std::string> kNames{"text_",   "x",      "y",    "state",    "_under",
                                                 "Entity",  "Id",     "kId",  "pending_", "m_items",
                                                 "members", "größe_", "left_"};
    const std::size_t first = choices_.below(kNames.size());
    const std::size_t count = choices_.below(5);
    for (std::size_t at = 0; at < count; ++at) {
      bool movable = false;
      std::string type = property_type(choices_, 2, choices_.sometimes(6) ? &movable : nullptr);
      facts_.copyable &= !movable;
      std::string member = kNames[(first + at) % kNames.size()];
      if (member == facts_.name) member += "_";
      std::vector<std::string> attributes;
      if (choices_.sometimes(8)) attributes.push_back("also_load(\"old" + std::to_string(at) + "\")");
      if (choices_.sometimes(8)) attributes = {"transient"};
      const bool is_transient = attributes == std::vector<std::string>{"transient"};
      const bool is_key = is_indexable(type) && !is_transient;
      if (is_key) facts_.keys.push_back(member);
      if (is_key && choices_.sometimes(30)) {
        attributes.push_back(choices_.one_of({"index", "index(unique)", "index( unique )"}));
      } else if (has_indexable_elements(type) && !is_transient && choices_.sometimes(30)) {
        attributes.push_back(choices_.one_of({"index(elements)", "index( elements )", "index(elements )"}));
      } else if (spelling_.wrong(3)) {
        attributes.push_back(choices_.one_of({"index", "index(unique)", "index(elements)"}));
      }
      if (spelling_.wrong(8))
        type = choices_.one_of({"int*", "int&", "const int", "std::vector<int*>", "std::thread::id",
                                "void (*)()", "long double", "std::map<int*, int>", "std::wstring"});
      facts_.plain_member = member;
      text += member_with(attributes, type, member, choices_.one_of({"", "", "{}", " = {}"}));
    }
    if (choices_.sometimes(6) || spelling_.wrong(4))
      text += member_with({"expires"},
                          choices_.one_of({"std::chrono::system_clock::time_point",
                                           "std::chrono::sys_seconds", "std::optional<std::chrono::sys_days>",
                                           spelling_.wrong(30) ? "long" : "std::chrono::sys_days"}),
                          "until_", choices_.one_of({"", "{}"}));
    if (!facts_.is_aggregate && choices_.sometimes(10)) {
      facts_.members += 4;
      text +=
          "  Inner inner_[[autoshard::transient]];\n  std::vector<Inner> all_;\n  Reason reason_ = "
          "Reason::kNone;\n  Count count_{};\n";
    }
    if (choices_.sometimes(4)) {
      text += "  int first_ = 0, second_{1};\n";
      facts_.members += 2;
    }
    if (choices_.sometimes(4))
      text += member_with({"transient"},
                          choices_.one_of({"Pinned", "Handle", "Handle", "std::unique_ptr<Pinned>", "Pinned*",
                                           "std::vector<Handle>", "const int", "Secret"}),
                          "odd_", choices_.one_of({"", "{}", "{3}"}));
    return text;
  }

  std::string sharded_members() {
    static const std::vector<std::string> kNames{"votes_",  "likes_", "pending", "_sum",    "total",
                                                 "m_count", "x_",     "value",   "größte_", "up_",
                                                 "result",  "left_y", "shard",   "Sharded"};
    const std::size_t first = choices_.below(kNames.size());
    const std::size_t count = 1 + choices_.below(4);
    std::string text;
    for (std::size_t at = 0; at < count; ++at) {
      const ShardedKind& kind = sharded_kinds()[choices_.below(sharded_kinds().size())];
      std::string member = kNames[(first + at) % kNames.size()];
      if (member == facts_.name || member == facts_.id.second) member += "_";
      facts_.sharded.push_back({member, &kind});
      const std::string neutral = choices_.one_of(kind.neutrals);
      std::vector<std::string> arguments;
      bool has_window = false;
      if (kind.is_group) {
        arguments = {"shards = " + choices_.one_of({"8", "1", "4096", "kShards", "1 << 4", "kPair[1]"})};
      } else {
        arguments = {"neutral = " + neutral};
        has_window = add_strategy(kind, arguments);
        if (!kind.more.empty()) arguments.push_back(kind.more);
        if (!kind.folds.empty() && choices_.sometimes(60)) {
          arguments.push_back("fold = " + choices_.one_of(kind.folds));
        } else {
          folds_ += fold_method(kind, member);
        }
      }
      if (spelling_.wrong(10)) arguments.erase(arguments.begin());
      if (spelling_.wrong(10))
        arguments.push_back(choices_.one_of(
            {"shrads = 3", "shards = 0", "neutral = 0", "42", "fold = std::minus<>{}", "order = any",
             "fold = nonsense", "=", "shards = -1", "min = 0", "min = 9, max = 3", "shards = dynamic",
             "shards = adaptive(3)", "shards = adpative", "last = 1h", "last = 60, bucket = 1",
             "last = 1h, bucket = 7min", "last = 1w, bucket = 1d", "bucket = kStep, last = -24 h"}));
      if (choices_.sometimes(30)) std::ranges::reverse(arguments);
      std::string all;
      for (const std::string& one : arguments)
        all += (all.empty() ? "" : choices_.one_of({", ", ",", ",\n      "})) + one;
      const std::string attribute = kind.is_group ? "shard_group" : "shardable";
      std::vector<std::string> attributes{attribute + choices_.one_of({"(" + all + ")", "( " + all + " )"})};
      if (!kind.is_group && !has_window && is_indexable(kind.type) && choices_.sometimes(30))
        attributes.push_back(
            choices_.one_of({"index", "index(staleness = 5)", "index( staleness=kShards*60 )"}));
      if (spelling_.wrong(8))
        attributes.push_back(choices_.one_of({"index(unique)", "index(elements)", "index(staleness = 0)"}));
      if (choices_.sometimes(8)) attributes.push_back("also_load(\"former_" + member + "\")");
      text += member_with(
          attributes, kind.type, member,
          initialiser(neutral.starts_with("{")
                          ? neutral
                          : "{" + filled(filled(neutral, "sizeof(\"]])\") > 100", "false"), "\n", "") + "}"));
    }
    return text;
  }

  /// Whether the value is that of a window, which no index can follow.
  bool add_strategy(const ShardedKind& kind, std::vector<std::string>& arguments) {
    if (choices_.sometimes(20)) return false;  // a record for each update
    arguments.push_back("shards = " +
                        choices_.one_of({"10", "1", "4096", "0x10", "kShards", "kMany", "1'0u", "1 << 4",
                                         "(kShards * 2)", "kStep > 2 ? kStep : 1", "sizeof(\"]])\")",
                                         "static_cast<int>(Level::kHigh)", "kPair[1]", "adaptive",
                                         "adaptive(1, 8)", "adaptive( 2,kMany )", "adaptive\n(1, 4'096)"}));
    if (choices_.sometimes(20)) {
      arguments.push_back(
          choices_.one_of({"last = 24h, bucket = 1h", "bucket=1s,last=60s", "last = 7d, bucket = 7d",
                           "last = 4'096min,\n      bucket = 60s", "bucket = 1'800s, last = 1d"}));
      return true;
    }
    if (!kind.is_sum || !choices_.sometimes(30)) return false;
    const bool has_minimum = choices_.sometimes(60);
    if (has_minimum)
      arguments.push_back("min = " + choices_.one_of({"0", "-kStep", "{}", "-step()", "kNone"}));
    if (!has_minimum || choices_.sometimes(50))
      arguments.push_back("max = " + choices_.one_of({"kStep", "100", "kPair[1]", "step() > 1 ? 9 : 8"}));
    return false;
  }

  std::string fold_method(const ShardedKind& kind, const std::string& member) {
    const std::string method =
        choices_.one_of({"fold_of_", "add_", "x_", "Fold"}) + std::to_string(facts_.sharded.size());
    const std::string type = kind.type;
    const bool is_literal =
        type.find("std::set") == std::string::npos && type.find("std::map") == std::string::npos;
    const std::string parameters =
        choices_.one_of({type + " x, " + type + " y", "const " + type + "& x, const " + type + "& y",
                         type + "&& x, " + type + "&& y", type + " const x, " + type + " const& y"});
    return "  " + spelling_.list({"shard_fold(" + member + ")"}) + " static " +
           choices_.one_of({"", is_literal ? "constexpr " : "", "inline "}) + type + " " + method + "(" +
           parameters + ") { " + kind.fold_body + " }\n";
  }

  Choices& choices_;
  Spelling& spelling_;
  ClassFacts& facts_;
  std::string folds_;
};

}  // namespace

std::string data_members(Choices& choices, Spelling& spelling, ClassFacts& facts) {
  return MemberGrammar(choices, spelling, facts).run();
}

std::string special_members(Choices& choices, const ClassFacts& facts) {
  const std::string& own = facts.name;
  if (facts.is_aggregate)
    return choices.sometimes(40) ? "  bool operator==(const " + own + "&) const = default;\n" : "";
  std::string text;
  switch (choices.below(6)) {
    case 0:
      text += "  explicit " + own + "(" + facts.id.first + " first) : " + facts.id.second +
              "(std::move(first)) {}\n";
      break;
    case 1:
      text += "  " + own + "() = default;\n";
      break;
    case 2:
      text += "  " + own + "() : " + facts.id.second + "{} {}\n";
      break;
    case 3:
      text += "  " + own + "() {}\n  " + own + "(const " + own + "&) = default;\n  " + own +
              "& operator=(const " + own + "&) = default;\n";
      break;
    default:
      break;
  }
  if (choices.sometimes(10)) text += "  ~" + own + "() {}\n";
  if (choices.sometimes(2))
    text += "  " +
            choices.one_of({own + "(" + own + "&&) = default;", own + "(const " + own + "&) = delete;",
                            own + "& operator=(const " + own + "&) = delete;",
                            "protected: ~" + own + "() = default; public:"}) +
            "\n";
  switch (choices.below(8)) {
    case 0:
      text += "  friend bool operator==(const " + own + "&, const " + own + "&) = default;\n";
      break;
    case 1:
      text += "  bool operator==(const " + own + "& other) const = default;\n";
      break;
    case 2:
      text += "  auto operator<=>(const " + own + "& other) const = default;\n";
      break;
    case 3:
      text += "  bool operator==(const " + own + "& other) const { return this == &other; }\n";
      break;
    default:
      break;
  }
  return text;
}

std::string other_members(Choices& choices, ClassFacts& facts, bool is_struct) {
  std::size_t others = 0;
  std::string text;
  while (choices.sometimes(35)) {
    text += "  " +
            choices.one_of(
                {"static inline int instances" + std::to_string(others) + " = 0;",
                 "friend class Admin;",
                 "friend struct Later" + std::to_string(others) + ";",
                 "friend int peek" + std::to_string(others) + "(const $C$&) { return 1; }",
                 "friend void audit" + std::to_string(others) + "(const $C$& one, int times);",
                 "template <class T> friend class Any" + std::to_string(others) + ";",
                 "int plain" + std::to_string(others) + "() const { return kStep; }",
                 "template <class T> T as" + std::to_string(others) + "() const { return T{}; }",
                 "struct Nested" + std::to_string(others) + " { int pending = 0; };",
                 "class Shard" + std::to_string(others) + " {};",
                 "using Type" + std::to_string(others) + " = $C$;",
                 "enum { kOne" + std::to_string(others) + " };",
                 "static_assert(kStep == 3);",
                 "explicit operator bool() const { return true; }",
                 "/// A comment alone.",
                 "int operator-(int n) const { return n; }",
                 "void touch_not" + std::to_string(others) + "();",
                 "union { int a" + std::to_string(others) + "; } *none" + std::to_string(others) +
                     " [[autoshard::transient]] = nullptr;",
                 "union { int some" + std::to_string(others) + " = 0; float other" + std::to_string(others) +
                     "; };",
                 "#if 1",
                 "public:",
                 "typedef $C$ Self" + std::to_string(others) + ";",
                 "friend Admin;",
                 "[[autoshard::before_save]] void stamp" + std::to_string(others) + "() {}",
                 "[[autoshard::after_load, gnu::cold]] void wake" + std::to_string(others) +
                     "() const noexcept {}",
                 "using Function" + std::to_string(others) + " = void (*)(int);",
                 "using Act" + std::to_string(others) + " = void(int, long); Act" + std::to_string(others) +
                     " act" + std::to_string(others) + ";",
                 "$C$* next" + std::to_string(others) + " [[autoshard::transient]] = nullptr;",
                 "friend std::string text" + std::to_string(others) + "($C$ one);",
                 "void apart" + std::to_string(others) + "() const { " + facts.binding() + " = *this; }"}) +
            "\n";
    const std::string act = "act" + std::to_string(others);
    if (text.ends_with(" " + act + ";\n")) facts.aliased.push_back(act);
    if (text.ends_with("#if 1\n")) text += "#endif\n";
    if (text.ends_with("public:\n")) text += is_struct ? "" : " private:\n";
    ++others;
  }
  return filled(text, "$C$", facts.name);
}

}  // namespace autoshard::test
