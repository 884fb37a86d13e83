#include "method_grammar.h"

#include <algorithm>

#include "expression_grammar.h"
#include "text.h"

namespace autoshard::test {
namespace {

struct Parameter {
  std::string declaration;  ///< without the default argument
  std::string made;         ///< the type that make<> is asked for
  std::string initialiser{};
};

class MethodGrammar {
 public:
  MethodGrammar(Choices& choices, ClassFacts& facts)
      : choices_(choices), facts_(facts), member_(facts.sharded[choices.below(facts.sharded.size())]) {}

  ShardMethod run() {
    replaces_ = choices_.sometimes(15) && !member_.kind->is_group;
    choose_name();
    choose_parameters();
    choose_result();
    choose_qualifiers();
    const std::string body = this->body();
    const std::string specifiers = this->specifiers();
    const std::string parameters = list(true);
    ShardMethod method;
    const bool is_overriding = qualifiers_.find("override") != std::string::npos;
    const bool behind = !deduced_ && choices_.sometimes(20);
    const std::string head =
        specifiers + (trailing_ ? "auto" : result_) + " " + name_ + "(" + parameters + ")";
    const std::string tail =
        space(qualifiers_) + (trailing_ ? " -> " + result_ : "") + space(virtual_specifier_);
    const std::string between =
        choices_.one_of({" ", " ", " ", "  // So it does.\n  ", " /* So\n it does. */ "});
    method.declaration = head + tail + (behind ? ";" : between + body);
    const bool can_be_elsewhere = specifiers.find("constexpr") == std::string::npos &&
                                  specifiers.find("inline") == std::string::npos &&
                                  body.find('#') == std::string::npos;
    if (behind && can_be_elsewhere && choices_.sometimes(40))
      method.elsewhere = definition(body).substr(std::string("inline ").size());
    else if (behind)
      method.behind = definition(body);
    method.name = name_;
    method.arguments = arguments();
    method.calls = calls(method.arguments);
    method.replaces = replaces_;
    if (!replaces_ && parameters_.empty() && qualifiers_.empty() && !is_overriding)
      facts_.called.push_back(name_ + "()");
    facts_.taken.push_back(name_);
    return method;
  }

 private:
  static std::string space(const std::string& text) { return text.empty() ? text : " " + text; }

  void choose_name() {
    if (facts_.has_base && choices_.sometimes(30)) {
      name_ = "touch";
      overrides_ = std::ranges::find(facts_.taken, name_) == facts_.taken.end();
      if (overrides_) return;
    }
    name_ = choices_.one_of({"up",         "add",      "put",        "voteUp",     "pending",    "total",
                             "result",     "shard",    "run",        "state",      "make",       "save",
                             "load",       "apply",    "update",     "properties", "kKind",      "Entity",
                             "Id",         "Property", "Traits_",    "loading",    "_voteUp",    "shard_",
                             "fold",       "members",  "operator()", "operator+=", "operator<<", "operator=",
                             "operator[]", "std_",     "autoshard",  "sharded",    "first_n",    "move",
                             "Loading",    "swap",     "override",   "final",      "importe",    "größer"});
    const auto taken = std::ranges::count(facts_.taken, name_);
    is_overload_ = taken == 1 && !name_.starts_with("operator") && choices_.sometimes(30);
    if (taken > 0 && !is_overload_) name_ = "other_" + std::to_string(facts_.taken.size());
  }

  void choose_parameters() {
    const std::string type = member_.kind->parameter;
    amount_ = choices_.one_of({"n", "by", "pending", "total", "result", "x", "shard", "value", "first_n",
                               "entity", "the_pending", "Entity", "autoshard_", "Shard", "Shard_", "args",
                               member_.name, "autoshard", "kMethod"});
    if (overrides_) return;
    // No call can mean the other one.
    if (is_overload_) parameters_.push_back({"Number tag", "Number"});
    const bool is_operator = name_.starts_with("operator");
    const bool is_class = type.find("std::string") != std::string::npos;
    if (is_operator || choices_.sometimes(60)) {
      Parameter one;
      switch (choices_.below(7)) {
        case 0:
          one = {type + " " + amount_, type};
          break;
        case 1:
          one = {"const " + type + "& " + amount_, "const " + type + "&"};
          break;
        case 2:
          one = {type + "&& " + amount_, type + "&&"};
          break;
        case 3:
          one = {"const " + type + " " + amount_, type};
          break;
        case 4:
          one = {type + " const& " + amount_, type};
          break;
        case 5:
          one = {is_class ? "std::string " + amount_ : type + "& " + amount_, is_class ? type : type + "&"};
          break;
        default:
          one = {"[[maybe_unused]] " + type + " (" + amount_ + ")", type};
      }
      if (!is_operator && one.made == type && choices_.sometimes(30))
        one.initialiser = choices_.one_of({"{}", "(" + plain_value() + ")", plain_value()});
      parameters_.push_back(one);
      has_amount_ = true;
    }
    while (!is_operator && choices_.sometimes(30)) parameters_.push_back(other_parameter());
    has_ellipsis_ = !is_operator && choices_.sometimes(2);
  }

  /// One that the body does not need.
  Parameter other_parameter() {
    const bool must_have_default = !parameters_.empty() && !parameters_.back().initialiser.empty();
    static const std::vector<Parameter> kAll{
        {"int $p$", "int", "kStep"},
        {"bool", "bool", "false"},
        {"Reason $p$", "typename $E$::Reason", "Reason::kNone"},
        {"const Count $p$", "int", "1"},
        {"const char* $p$", "const char*", "\"a)]], b}\""},
        {"std::string_view $p$", "std::string_view", "R\"x(\")]])x\""},
        {"const int (&$p$)[2]", "const int (&)[2]", "kPair"},
        {"Level $p$", "Level", "kHigh"},
        {"std::pair<int, int> $p$", "std::pair<int, int>", "std::pair<int, int>(1, 2)"},
        {"std::map<std::string, Part> $p$", "std::map<std::string, Part>", "{}"},
        {"const std::vector<Reason>& $p$", "std::vector<typename $E$::Reason>",
         "{Reason::kNone, Reason::kSome}"},
        {"int $p$", "int", "step()"},
        {"int $p$", "int", "[](int a, int b) { return a < b ? a : b; }(1, 2)"},
        {"volatile int $p$", "int", "kStep > 1 ? 2 : 1"},
        {"enum Colour $p$", "Colour", "Colour::kRed"},
        {"std::size_t $p$", "std::size_t", "sizeof(int[2])"},
        {"const Inner& $p$", "typename $E$::Inner", "Inner{}"},
        {"const void*", "const void*", "nullptr"},
        {"std::array<int, (2 > 1)> $p$", "std::array<int, 1>", "{}"},
        {"const $C$& $p$", "const $E$&", ""},
        {"char $p$", "char", "','"},
        {"int const* const $p$", "const int*", "{}"},
    };
    Parameter one = kAll[choices_.below(kAll.size())];
    if (choices_.sometimes(2))
      one = {choices_.one_of({"int (*$p$)(int, int)", "int (&$p$)(int, int)", "int $p$(int, int)"}),
             "int (&)(int, int)", "larger"};
    const std::string name =
        choices_.one_of({"other", "pending", "total", "result", "first_", "p", "Id", "copy", "x", "y"}) +
        std::to_string(parameters_.size());
    one.declaration = filled(filled(one.declaration, "$p$", name), "$C$", facts_.name);
    if (!must_have_default && !choices_.sometimes(40)) one.initialiser.clear();
    if (must_have_default && one.initialiser.empty()) return {"int " + name, "int", "3"};
    return one;
  }

  void choose_result() {
    if (overrides_) return void(result_ = "void");
    // Which must not depend on the member: what does, is refused.
    const std::string member = choices_.sometimes(10) ? "return $m$;" : "return decltype($m$)();";
    const auto set = [&](std::string type, std::string statement, bool deduced = false) {
      result_ = std::move(type);
      returned_ = std::move(statement);
      deduced_ = deduced;
    };
    set("void", "");
    const std::string& own = facts_.name;
    switch (choices_.below(23)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
        return;
      case 6:
        return set(own + "&", "return *this;");
      case 7:
        return set(own + "*", "return this;");
      case 8:
        return facts_.copyable ? set(own, "return *this;") : void();
      case 9:
        return set("int", "return 1;");
      case 10:
        return member_.kind->is_group ? void() : set(member_.kind->type, member);
      case 11:
        return set("Reason", "return Reason::kSome;");
      case 12:
        return set("Count", "return Count{2};");
      case 13:
        return member_.kind->is_group ? void() : set("auto", member, true);
      case 14:
        return set("auto&", "return *this;", true);
      case 15:
        return set("decltype(auto)", "return (1);", true);
      case 16:
        return set("const std::string", "return \"}\";");
      case 17:
        return set("auto", "", true);
      case 18:
        return set("std::pair<int, Reason>", "return {1, Reason::kNone};");
      case 19:
        return set("bool", "return static_cast<bool>(kStep);");
      case 20:
        return set("std::optional<Inner>", "return std::nullopt;");
      case 21:
        must_trail_ = has_amount_ && !overrides_;
        return must_trail_ ? set("std::remove_cvref_t<decltype(" + amount_ + ")>", "return " + amount_ + ";")
                           : void();
      default:
        return set("typename std::vector<int>::size_type", "return 1u;");
    }
  }

  void choose_qualifiers() {
    if (overrides_) {
      virtual_specifier_ = choices_.one_of({"override", "final", "override final", ""});
      return;
    }
    trailing_ = must_trail_ || (!deduced_ && choices_.sometimes(15));
    qualifiers_ = choices_.one_of({"", "", "", "", "", "noexcept", "&", "&&", "noexcept(true)", "& noexcept",
                                   "noexcept(sizeof(int) == 4)", "noexcept(noexcept(larger(1, 2)))",
                                   "noexcept(kStep == 3)"});
    if (choices_.sometimes(2)) qualifiers_ = "volatile";
  }

  std::string specifiers() {
    if (overrides_) return choices_.one_of({"", "virtual ", "inline "});
    // GCC 12 takes no pointer to a virtual method whose noexcept is computed, once a template has named it.
    const bool can_be_virtual = !deduced_ && qualifiers_.find("==") == std::string::npos;
    const bool is_literal = member_.kind->type.find("std::set") == std::string::npos &&
                            member_.kind->type.find("std::map") == std::string::npos && !facts_.has_base;
    return choices_.one_of({"", "", "", "", "inline ", is_literal ? "constexpr " : "",
                            can_be_virtual ? "virtual " : "", is_literal ? "inline constexpr " : "",
                            "[[nodiscard]] ", "__attribute__((unused)) ", "__attribute__((noinline)) ",
                            "[[gnu::noinline]] ", "[[deprecated]] ", "[[gnu::cold, gnu::noinline]] inline ",
                            choices_.one_of({"", "", "consteval ", "[[noreturn]] "})});
  }

  std::string list(bool with_defaults) const {
    std::string text;
    for (const Parameter& parameter : parameters_) {
      text += (text.empty() ? "" : ", ") + parameter.declaration;
      if (with_defaults && !parameter.initialiser.empty()) text += " = " + parameter.initialiser;
    }
    if (has_ellipsis_) text += text.empty() ? "..." : ", ...";
    return text;
  }

  std::string definition(const std::string& body) const {
    const bool needs_scope = result_ != "void";
    const std::string tail = space(qualifiers_);
    return "inline " + (needs_scope ? "auto" : result_) + " " + facts_.name + "::" + name_ + "(" +
           list(false) + ")" + tail + (needs_scope ? " -> " + result_ : "") + " " + body + "\n";
  }

  std::string statement(const ShardedMember& member) {
    std::string text = member.kind->updates[choices_.below(member.kind->updates.size())];
    const bool hidden = has_amount_ && amount_ == member.name;
    const std::string own = choices_.one_of(
        {hidden ? "this->" + member.name : member.name, "this->" + member.name, "(*this)." + member.name});
    const std::string& type = member.kind->parameter;
    const std::string plain = type.find("string") != std::string::npos
                                  ? "std::string(\"k\")"
                                  : "static_cast<" + type + ">(" + expression(choices_, 3) + ")";
    const bool fits = has_amount_ && &member == &member_;
    return filled(filled(std::move(text), "$m$", own), "$n$", fits ? amount_ : plain);
  }

  /// What gives the member another value, whatever it had.
  std::string replacement() {
    const bool hidden = has_amount_ && amount_ == member_.name;
    const std::string own = hidden ? "this->" + member_.name : member_.name;
    std::vector<std::string> values{"{}", "decltype(" + own + ")()"};
    if (has_amount_ && member_.kind->type == member_.kind->parameter) values.push_back(amount_);
    return own + " = " + choices_.one_of(values) + ";";
  }

  /// A value of the type of the first parameter.
  std::string plain_value() const {
    const std::string& type = member_.kind->parameter;
    return type == "std::string" ? "std::string(\"k\")" : "static_cast<" + type + ">(1)";
  }

  std::string body() {
    std::string text;
    const auto line = [&](const std::string& one) { text += "    " + one + "\n"; };
    if (choices_.sometimes(25)) {
      line(choices_.one_of(
          {"// A brace }, and a quote \".", "/* } */", "constexpr int kTwo = 2; static_cast<void>(kTwo);",
           "const char* brace = \"}\"; static_cast<void>(brace);", "static_assert(kStep == 3, \"}\");",
           "struct Local { int value = 0; }; static_cast<void>(Local{});",
           "const auto raw = R\"(}))\"; static_cast<void>(raw);",
           "using Local = Count; static_cast<void>(Local{});",
           "if (kStep < 0) throw std::invalid_argument(\"negative\");", "assert(kStep > 0);",
           "{ const int pending = step(); static_cast<void>(pending); }", ";;",
           "#if 1\n    static_cast<void>(0);\n#else\n    nonsense(;\n#endif",
           "#ifdef NO_SUCH_MACRO\n    other();\n#endif",
           "try { static_cast<void>(step()); } catch (const std::exception&) { throw; } catch (...) {}",
           "[[maybe_unused]] const auto [first, second] = std::pair(1, 2);",
           "static_assert(sizeof(*this) > 0 && noexcept(*this));",
           "[[maybe_unused]] const auto& [one, two] = *this;"}));
    }
    while (choices_.sometimes(30)) line(idle_statement(choices_));
    line(filled(replaces_ ? replacement() : statement(member_), "\n", " "));
    if (!replaces_ && facts_.sharded.size() > 1 && choices_.sometimes(30))
      line(statement(facts_.sharded[choices_.below(facts_.sharded.size())]));
    if (!replaces_ && !facts_.called.empty() && choices_.sometimes(25))
      line(choices_.one_of({"", "this->", "(*this)."}) + choices_.one_of(facts_.called) + ";");
    if (!returned_.empty()) line(filled(returned_, "$m$", "this->" + member_.name));
    const bool function_try = choices_.sometimes(4);
    return (function_try ? "try {\n" : "{\n") + text + "  }" +
           (function_try ? " catch (...) { throw; }" : "");
  }

  std::string arguments(bool with_defaults = true) const {
    std::string text;
    for (const Parameter& parameter : parameters_) {
      if (!with_defaults && !parameter.initialiser.empty()) break;
      text += (text.empty() ? "" : ", ") + ("make<" + parameter.made + ">()");
    }
    return text;
  }

  std::string calls(const std::string& all) const {
    const std::string object = qualifiers_.starts_with("&&") ? "std::move(*entity)." : "entity->";
    std::string text;
    for (const std::string& list : {all, arguments(false)}) {
      text += "  static_cast<void>(" + object + name_ + "(" + list + "));\n";
      text += "  mapper.update<$E$>(id, [](auto& part) { static_cast<void>(part." + name_ + "(" + list +
              ")); });\n";
    }
    return text;
  }

  Choices& choices_;
  ClassFacts& facts_;
  const ShardedMember& member_;
  std::string name_;
  std::string amount_;
  bool has_amount_ = false;
  bool replaces_ = false;
  bool has_ellipsis_ = false;
  bool overrides_ = false;
  bool is_overload_ = false;
  std::vector<Parameter> parameters_;
  std::string result_ = "void";
  std::string returned_;
  bool deduced_ = false;
  bool trailing_ = false;
  bool must_trail_ = false;  // the result speaks of a parameter
  std::string qualifiers_;
  std::string virtual_specifier_;
};

}  // namespace

ShardMethod shard_method(Choices& choices, ClassFacts& facts) { return MethodGrammar(choices, facts).run(); }

}  // namespace autoshard::test
