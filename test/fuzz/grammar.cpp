#include "grammar.h"

#include <algorithm>

#include "disguise.h"
#include "expression_grammar.h"
#include "member_grammar.h"
#include "method_grammar.h"
#include "text.h"

namespace autoshard::test {
namespace {

constexpr char kIncludes[] = R"(#include <algorithm>
#include <array>
#include <bitset>
#include <cassert>
#include <chrono>
#include <compare>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <ratio>
#include <set>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
)";

class ClassGrammar {
 public:
  ClassGrammar(Choices& choices, std::size_t number, Mistakes mistakes)
      : choices_(choices),
        number_(std::to_string(number)),
        mistakes_(mistakes),
        spelling_(choices, number_, mistakes) {}

  Case run() {
    choose_place();
    choose_class();
    choose_other_header();
    const std::string definition = class_definition();
    const std::string before = before_class();
    const std::string behind = behind_class();
    const bool guarded = choices_.sometimes(30);
    std::string header =
        guarded ? "#ifndef CASE_" + number_ + "_H\n#define CASE_" + number_ + "_H\n" : "#pragma once\n";
    if (choices_.sometimes(15))
      header = choices_.one_of({"// A comment first.\n", "/* One. */\n", "\n\n"}) + header;
    header += kIncludes;
    if (choices_.sometimes(10)) header += "#include <autoshard/ref.h>\n";
    if (has_other_) header += "#include \"other_case" + number_ + ".h\"\n";
    if (has_other_) header += "namespace o" + number_ + " { class Other; }\n";
    header += "\n" + spelling_.defines() + "\n" + opened_ + "\n" + declared_types() + types_of_expressions() +
              before + definition + behind + closed_ + "\n" + spelling_.undefines();
    if (guarded) header += "#endif\n";

    Case result;
    if (mistakes_ == Mistakes::kOfTokens) header = with_wrong_tokens(header, choices_);
    result.name = "case" + number_ + ".h";
    result.stands_alone = mistakes_ == Mistakes::kOfTokens;
    if (choices_.sometimes(40)) header = with_odd_blanks(header, choices_);
    result.header = with_odd_lines(header, choices_);
    if (mistakes_ != Mistakes::kOfTokens) result.use = use();
    if (has_other_) result.other = other_header();
    result.other_first = other_first_;
    std::string definitions;
    for (const ShardMethod& one : methods_) definitions += one.elsewhere;
    if (!definitions.empty())
      result.source = "#include \"" + result.name + "\"\n" + opened_ + "\n" + definitions + closed_ + "\n";
    return result;
  }

 private:
  std::string name(const std::string& text) { return text + number_; }

  void choose_place() {
    const std::string space = "c" + number_;
    const auto place = [&](std::string opened, std::string scope, std::string closed) {
      opened_ = std::move(opened);
      scope_ = std::move(scope);
      closed_ = std::move(closed);
    };
    switch (choices_.below(10)) {
      case 0:
      case 1:
        return place("namespace " + space + " {\n", space + "::", "}  // namespace " + space + "\n");
      case 2:
        return place("namespace " + space + "::inner::detail {\n", space + "::inner::detail::", "}\n");
      case 3:
        return place("namespace " + space + " { namespace inner {\n", space + "::inner::", "} }\n");
      case 4:
        return place("namespace " + space + " {\ninline namespace v1 {\n", space + "::", "}\n}\n");
      case 5:
        return place("namespace " + space + "::inline v2 {", space + "::v2::", "}");
      case 6:
        return place("namespace " + space + " { namespace autoshard {\n", space + "::autoshard::", "} }\n");
      case 7:
        return place("namespace " + space + "::shard::pending {\n", space + "::shard::pending::", "}\n");
      case 8:
        return place("extern \"C++\" { namespace " + space + " {\n", space + "::", "} }\n");
      default:
        return place("namespace " + space + " {\nnamespace inner {}\n", space + "::", "}  // end\n");
    }
  }

  /// Half of them include this one again, before or behind their own class.
  void choose_other_header() {
    has_other_ = mistakes_ != Mistakes::kOfTokens && choices_.sometimes(15);
    if (has_other_) other_first_ = choices_.sometimes(40);
  }

  std::string other_header() {
    const std::string again = "#include \"case" + number_ + ".h\"\n";
    const bool before = choices_.sometimes(40);
    const bool behind = !before && choices_.sometimes(40);
    return "#pragma once\n#include <functional>\n#include <string>\n" + (before ? again : "") +
           "namespace o" + number_ + " {\n" +
           choices_.one_of(
               {"", "class Other;\n", "/// The other one.\n", "struct Detail { int x = 0; };\n"}) +
           "class [[autoshard::entity(\"Other" + number_ +
           "\")]] Other {\n public:\n  [[autoshard::shard_method]] void up(int by = 1) { count_ += by; }\n\n"
           " private:\n  [[autoshard::id]] std::string name_;\n  [[autoshard::shardable(neutral = 0, shards "
           "= "
           "2, fold = std::plus<>{})]] int count_ = 0;\n};\n" +
           choices_.one_of(
               {"", "inline void look(const Other&) {}\n", "struct Pair { Other first, second; };\n"}) +
           "}\n" + (behind ? again : "");
  }

  void choose_class() {
    facts_.name =
        choices_.one_of({"Question",        "Stock",           "Id",      "Entity",   "Traits", "State",
                         "Property",        "Loading",         "Mapper",  "Sharded",  "Kind",   "E",
                         "pending",         "total",           "Pending", "sharded_", "Shard_", "Straße",
                         "Autoshard",       "result",          "Args",    "Ref",      "Codec",  "NoShard",
                         "ShardedProperty", "autoshard_entity"});
    if (choices_.sometimes(10)) facts_.name = name(facts_.name);
    if (spelling_.wrong(5)) facts_.name = "Shard";
    is_struct_ = choices_.sometimes(30);
    facts_.is_aggregate = is_struct_ && choices_.sometimes(40);
    facts_.has_base = !facts_.is_aggregate && choices_.sometimes(25);
    has_mapped_base_ = !facts_.is_aggregate && choices_.sometimes(12);
  }

  /// What other declarations of the class use.
  std::string class_scope() {
    return "  static constexpr int kNone = 0;\n  static constexpr int kStep = 3;\n  static constexpr "
           "unsigned kShards = 8;\n"
           "  static constexpr int kPair[2] = {1, 2};\n"
           "  enum class Reason { kNone, kSome };\n  using Count = int;\n  struct Inner { int a; "
           "std::string b; };\n"
           "  static int step() { return 2; }\n";
  }

  std::string class_definition() {
    const std::string data = data_members(choices_, spelling_, facts_);
    std::string methods;
    if (!facts_.is_aggregate) {
      for (std::size_t count = 1 + choices_.below(4); count > 0; --count) methods += method();
    }
    const std::string scope = class_scope();
    const std::string special = special_members(choices_, facts_);
    std::string others = facts_.is_aggregate ? "" : other_members(choices_, facts_, is_struct_);
    if (has_other_ && !facts_.is_aggregate)
      others += choices_.one_of({"", "  void meet(const ::o$N$::Other&) const {}\n",
                                 "  friend class ::o$N$::Other;\n",
                                 "  ::o$N$::Other* known_ [[autoshard::transient]] = nullptr;\n"});
    others = filled(others, "$N$", number_);
    std::string text = choices_.one_of(
        {"", "/// What it is.\n", "/* What it is. */ ", "// Not so.\n\n", "/** What\n * it is.\n */\n"});
    text += is_struct_ ? "struct " : "class ";
    std::string kind = choices_.one_of({"entity", "entity", "entity(\"Kind" + number_ + "\")",
                                        "entity(\"a]](\\\"\" \"b" + number_ + "\")",
                                        "entity(R\"(x)\" \"" + number_ + "\")"});
    kind = kind.starts_with("entity(") ? kind : "entity(\"Case" + number_ + "\")";
    std::vector<std::string> attributes{kind};
    if (facts_.keys.size() > 1 && choices_.sometimes(50)) attributes.push_back(sharded_index());
    text += spelling_.list(attributes) + " " + facts_.name +
            choices_.one_of({"", "", facts_.has_base ? "" : " final"}) + bases() + " {\n";
    if (facts_.is_aggregate) return text + scope + data + special + "};\n";
    const std::string shown = choices_.one_of({" public:\n", "public:\n", "  public :\n"});
    const std::string hidden = choices_.one_of({" private:\n", "private:\n", "\n private :\n"});
    if (choices_.sometimes(30))
      text += hidden + data + shown + scope + special + methods + others;
    else
      text += shown + scope + special + methods + others + hidden + data;
    return text + choices_.one_of({"};\n", "};  // it ends\n", "};", "}\n;\n", "} /* odd */ ;\n"});
  }

  /// Its members may be any of those that can be keys, once each.
  std::string sharded_index() {
    std::vector<std::string> members = facts_.keys;
    const std::size_t turn = choices_.below(members.size());
    std::ranges::rotate(members, members.begin() + static_cast<std::ptrdiff_t>(turn));
    const std::size_t in_key = members.size() / 2;
    const auto listed = [&](std::size_t begin, std::size_t end) {
      std::string all;
      for (std::size_t at = begin; at < end; ++at) all += (at == begin ? "" : ", ") + members[at];
      return end - begin == 1 ? choices_.one_of({all, "(" + all + ")"}) : "(" + all + ")";
    };
    std::string arguments = choices_.one_of({"name = ByKey", "name=Ordered", "name = Index", "name = index"});
    arguments += ", key = " + listed(0, in_key) + ", order = " + listed(in_key, members.size());
    if (spelling_.wrong(10)) arguments += choices_.one_of({", keys = 1", ", unique", ", order = kStep"});
    return "sharded_index(" + arguments + ", shards = " + choices_.one_of({"10", "kShards", "4'096"}) + ")";
  }

  std::string bases() {
    std::string text;
    if (facts_.has_base)
      text += choices_.one_of({"public Base", "virtual public Base", "Base", "public ::" + scope_ + "Base"});
    if (text == "Base" && !is_struct_) text = "public Base";
    if (has_mapped_base_) text += (text.empty() ? "" : ", ") + std::string("public Common");
    return text.empty() ? text : " : " + text;
  }

  std::string method() {
    const ShardMethod one = shard_method(choices_, facts_);
    methods_.push_back(one);
    std::string declaration = one.declaration;
    if (spelling_.wrong(8) && !facts_.plain_member.empty())
      declaration =
          "void touching_" + std::to_string(methods_.size()) + "() { " + facts_.plain_member + " = {}; }";
    if (spelling_.wrong(4))
      declaration = "template <class T> void generic_" + std::to_string(methods_.size()) + "(T) { }";
    if (spelling_.wrong(4)) declaration = "static " + declaration;
    if (spelling_.wrong(4)) declaration = "void const_" + std::to_string(methods_.size()) + "() const {}";
    const std::size_t body = declaration.find('{');
    if (body != std::string::npos && choices_.sometimes(6))
      declaration = declaration.substr(0, body) + spelling_.macro(declaration.substr(body));
    // Without the attribute, another method in its place may be right.
    const bool is_another = declaration.find(one.name) == std::string::npos;
    const std::string attribute = !is_another && spelling_.wrong(4)
                                      ? ""
                                      : spelling_.list({one.replaces ? "shard_write" : "shard_method"});
    return choices_.one_of({"", "", "", "\n", "  /// Counts.\n"}) + "  " + attribute +
           choices_.one_of({" ", "\n  ", " "}) + declaration +
           choices_.one_of({"\n", "\n", ";\n", "  // So it does.\n"});
  }

  std::string before_class() {
    std::string text = "class Admin;\n";
    if (facts_.has_base)
      text +=
          "struct Base { virtual void touch() {} virtual void touch(int) {} virtual ~Base() = default;\n  "
          "Base() = default; Base(const Base&) = default; Base& operator=(const Base&) = default; bool "
          "operator==(const Base&) const = default; auto operator<=>(const Base&) const = default; };\n";
    if (has_mapped_base_)
      text +=
          "class [[autoshard::mapped]] Common {\n protected:\n  std::string note_;\n  int weight_ = 0;\n "
          "bool operator==(const Common&) const = default; auto operator<=>(const Common&) const = default; "
          "};\n";
    if (choices_.sometimes(20)) text += (is_struct_ ? "struct " : "class ") + facts_.name + ";\n";
    if (choices_.sometimes(10))
      text += (is_struct_ ? "struct " : "class ") + facts_.name + ";\n" + "void audit(const " + facts_.name +
              "&);\n";
    return text;
  }

  std::string behind_class() {
    std::string text;
    for (const ShardMethod& one : methods_) text += one.behind;
    for (const std::string& method : facts_.aliased) {
      if (choices_.sometimes(80))
        text += "inline void $C$::" + method + "(int times, long) { static_cast<void>(times); }\n";
    }
    while (choices_.sometimes(25)) {
      const std::string n = std::to_string(others_++);
      text += choices_.one_of(
          {"inline int read" + n + "(const $C$&) { return $C$::kStep; }\n", "using Alias" + n + " = $C$;\n",
           "struct Holder" + n + " { std::vector<$C$> all; };\n", "static_assert(sizeof($C$) > 0);\n",
           "class $C$;\n",
           "template <class T> struct About" + n + ";\ntemplate <> struct About" + n + "<$C$> {};\n",
           "inline void copy" + n +
               "(const $C$& from, $C$*& to) { static_cast<void>(from); to = nullptr; }\n",
           "extern $C$ *global" + n + "_" + number_ + ";\n"});
    }
    if (facts_.is_aggregate && choices_.sometimes(8))
      text += "inline void take_apart(const $C$& one) { " + facts_.binding() + " = one; }\n";
    return filled(text, "$C$", facts_.name);
  }

  std::string use() {
    const std::string own = scope_ + facts_.name;
    std::string text =
        "template <class E>\nvoid use_" + number_ +
        "(autoshard::Mapper& mapper, const typename autoshard::Traits<E>::Id& id) {\n"
        "  using namespace " +
        scope_.substr(0, scope_.size() - 2) +
        ";\n"
        "  auto entity = mapper.load<E>(id);\n  mapper.save(*entity);\n  mapper.erase<E>(id);\n";
    for (const ShardMethod& one : methods_) {
      text += one.calls;
      const auto same = std::ranges::count(methods_, one.name, &ShardMethod::name);
      if (same == 1 && one.name != "operator=")
        text += "  mapper.apply<&E::" + one.name + ">(id" + (one.arguments.empty() ? "" : ", ") +
                one.arguments + ");\n";
    }
    return filled(text, "$E$", "E") + "}\ntemplate void use_" + number_ + "<::" + own +
           ">(autoshard::Mapper&, const autoshard::Traits<::" + own + ">::Id&);\n";
  }

  Choices& choices_;
  std::string number_;
  Mistakes mistakes_;
  Spelling spelling_;
  std::string opened_;
  std::string scope_;
  std::string closed_;
  std::size_t others_ = 0;
  bool has_other_ = false;
  bool other_first_ = false;
  bool is_struct_ = false;
  bool has_mapped_base_ = false;
  ClassFacts facts_;
  std::vector<ShardMethod> methods_;
};

}  // namespace

std::string text_of(const Case& one) {
  std::string text = one.header;
  if (!one.other.empty()) text += "\n---- other_" + one.name + "\n" + one.other;
  if (!one.source.empty()) text += "\n---- its source\n" + one.source;
  return text;
}

Case make_case(Choices& choices, std::size_t number, Mistakes mistakes) {
  return ClassGrammar(choices, number, mistakes).run();
}

}  // namespace autoshard::test
