#include "tool/check/rule_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tool/check/examples.h"
#include "tool/check/rule.h"
#include "tool/model/attributes.h"
#include "tool/text/wording.h"
#include "tool/text/wrap.h"

namespace autoshard::tool {
namespace {

constexpr std::size_t kTerminal = 100;
constexpr std::size_t kMarkdown = 120;

constexpr std::string_view kBegin = R"(# Rules

<!-- `autoshard --list-rules --markdown` writes this file; a test compares the two. -->

The generator checks annotated classes before it writes anything. Each diagnostic ends with the tag of the rule that was
broken, such as `[autoshard-no-id]`. This page has a section for each tag: what must hold, why, a wrong example with its
message, and the same example mended. `autoshard --explain-rule=no-id` prints one section.

Diagnostics come in the order in which one would mend them: by file, by class, and within a class in the order of the
groups below. Where an attribute does not exist, the later groups report nothing in the class: the id may be missing
because its attribute is misspelt.

)";

std::string_view severity_of(const Rule& rule) {
  return rule.severity == Diagnostic::Severity::kWarning ? "warning" : "error";
}

std::string how_to_silence(const Rule& rule) {
  if (!rule.optional) return "It cannot be disabled, because generated code relies on it.";
  return fmt::format(
      "To disable it: `--disable={0}` or `-Wno-autoshard-{0}`, with the plugin "
      "`-fplugin-arg-autoshard-disable={0}`.",
      short_tag(rule.tag));
}

std::string without_backticks(std::string text) {
  std::erase(text, '`');
  return text;
}

/// Puts `indent` in front of each line of `text`. Blank lines stay empty.
std::string indented(std::string_view text, std::string_view indent) {
  std::string result;
  for (const std::string_view line : lines_of(text)) {
    if (line != "\n") result += indent;
    result += line;
  }
  return result;
}

std::size_t longest_tag() {
  std::size_t longest = 0;
  for (const Rule* rule : all_rules()) longest = std::max(longest, rule->tag.size());
  return longest;
}

/// The anchor that GitHub gives to a heading: `where-annotated-classes-stand`.
std::string anchor(std::string_view heading) {
  std::string result;
  for (const char c : heading) {
    if (c == ' ') result += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-')
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

/// Puts code in backticks, as Markdown has it, instead of in single quotes.
std::string with_code(std::string_view text) {
  std::string result(text);
  std::ranges::replace(result, '\'', '`');
  return result;
}

std::string section_of(const Rule& rule) {
  const Example example = example_of(rule.tag);
  std::string text = fmt::format("### {}\n\n", rule.tag);
  text +=
      wrapped(fmt::format("**{}** {}", with_code(rule.summary), with_code(rule.reason)), "", "", kMarkdown);
  text += '\n';
  text += fmt::format("```cpp\n{}```\n\n", example.wrong);
  const std::string message = fmt::format("{}: {}", severity_of(rule), example.message);
  text += fmt::format("```text\n{}```\n\n", wrapped(message, "", "    ", kMarkdown));
  text += fmt::format("Right:\n\n```cpp\n{}```\n\n", example.right);
  return text + wrapped(how_to_silence(rule), "", "", kMarkdown);
}

std::string summary_of(const RuleGroup& group) {
  std::string text = "| rule | | must hold |\n|---|---|---|\n";
  for (const Rule& rule : group.rules) {
    text += fmt::format("| [{0}](#{0}) | {1}{2} | {3} |\n", rule.tag, severity_of(rule),
                        rule.optional ? ", can be disabled" : "", with_code(rule.summary));
  }
  return text;
}

std::string place_of(const AttributeSpec& attribute) {
  switch (attribute.home) {
    case Home::kClass:
      return "class";
    case Home::kMember:
      return "data member";
    case Home::kMethod:
      return "method";
    case Home::kStaticMethod:
      return "static method";
  }
  return {};
}

std::string classes_of(const AttributeSpec& attribute) {
  std::vector<std::string> classes;
  if ((attribute.roles & kInEntity) != 0) classes.emplace_back("entity");
  if ((attribute.roles & kInMapped) != 0) classes.emplace_back("mapped");
  if ((attribute.roles & kInEmbedded) != 0) classes.emplace_back("embedded");
  return list(classes);
}

std::string_view kind_of(const ArgumentSpec& argument) {
  switch (argument.kind) {
    case ArgumentSpec::Kind::kExpression:
      return "expression";
    case ArgumentSpec::Kind::kInteger:
      return "integer";
    case ArgumentSpec::Kind::kShards:
      return "integer or `adaptive`";
    case ArgumentSpec::Kind::kDuration:
      return "duration";
    case ArgumentSpec::Kind::kString:
      return "string literal";
    case ArgumentSpec::Kind::kName:
      return "name";
    case ArgumentSpec::Kind::kMember:
      return "data member";
    case ArgumentSpec::Kind::kWord:
      break;
  }
  return "word";
}

std::string arguments_of(const AttributeSpec& attribute) {
  std::vector<std::string> arguments;
  for (const ArgumentSpec& one : attribute.arguments) {
    std::string text = one.name.empty() ? "" : fmt::format("`{}`: ", one.name);
    std::vector<std::string> words;
    for (const std::string_view word : one.words) words.push_back(fmt::format("`{}`", word));
    text += words.empty() ? std::string(kind_of(one)) : enumeration(words, "or");
    if (one.repeatable) text += ", any number";
    if (one.required && !one.required_with.empty()) text += fmt::format(", with `{}`", one.required_with);
    if (one.required && one.required_with.empty()) text += ", required";
    arguments.push_back(text);
  }
  std::string text;
  for (const std::string& one : arguments) text += (text.empty() ? "" : "; ") + one;
  return text;
}

std::string table_of_attributes() {
  std::string text = "| attribute | on | of classes marked | arguments | meaning |\n|---|---|---|---|---|\n";
  for (const AttributeSpec& one : attributes()) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", one.name, place_of(one), classes_of(one),
                        arguments_of(one), one.summary);
  }
  return text;
}

}  // namespace

std::string list_of_rules() {
  std::string text;
  for (const RuleGroup* group : rule_groups()) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", group->title);
    for (const Rule& rule : group->rules) {
      const std::string kind = fmt::format("{}{}", severity_of(rule), rule.optional ? ", optional" : "");
      text += fmt::format("  {:{}}  {:17}  {}\n", rule.tag, longest_tag(), kind, rule.summary);
    }
  }
  return text +
         "\n'autoshard --explain-rule=TAG' prints the reason and an example. Optional: can be disabled.\n";
}

std::string page_of_rule(std::string_view tag) {
  const Rule* const rule = find_rule(tag);
  if (!rule) return {};
  const Example example = example_of(rule->tag);
  std::string text = fmt::format("{} ({})\n\n", rule->tag, severity_of(*rule));
  text += wrapped(rule->summary, "", "", kTerminal) + '\n';
  text += wrapped(rule->reason, "", "", kTerminal) + '\n';
  text += "Wrong:\n\n" + indented(example.wrong, "    ") + '\n';
  text += wrapped(fmt::format("{}: {}", severity_of(*rule), example.message), "  ", "    ", kTerminal) + '\n';
  text += "Right:\n\n" + indented(example.right, "    ") + '\n';
  return text + wrapped(without_backticks(how_to_silence(*rule)), "", "", kTerminal);
}

std::string rules_in_markdown() {
  std::string text(kBegin);
  text += "- [The attributes](#the-attributes)\n";
  for (const RuleGroup* group : rule_groups())
    text += fmt::format("- [{}](#{})\n", group->title, anchor(group->title));
  text += "\n## The attributes\n\n" + table_of_attributes();
  for (const RuleGroup* group : rule_groups()) {
    text += fmt::format("\n## {}\n\n{}", group->title, summary_of(*group));
    for (const Rule& rule : group->rules) text += '\n' + section_of(rule);
  }
  return text;
}

}  // namespace autoshard::tool
