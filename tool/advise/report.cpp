#include "tool/advise/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/advise/annotate.h"
#include "tool/text/terminal.h"
#include "tool/text/wording.h"
#include "tool/text/wrap.h"

namespace autoshard::tool {
namespace {

class Reporter {
 public:
  Reporter(const Model& model, const ClassAdvice& advice) : model_(model), advice_(advice) {}

  std::string run() const {
    const Entity& entity = *advice_.entity;
    std::string text = wrapped(0, fmt::format("{} ({}, {})", entity.qualified_name,
                                              model_.files[entity.span.file].path, line(entity.span)));
    for (const Suggestion& suggestion : advice_.suggestions) text += suggested(suggestion);
    if (!advice_.suggestions.empty()) text += annotations() + given_up();
    for (const Refusal& refusal : advice_.refusals) text += refused(refusal);
    return text;
  }

 private:
  std::string line(const Span& span) const { return place_of(model_, span, advice_.entity->span.file); }

  std::string named(const std::vector<const Method*>& methods) const {
    std::vector<std::string> names;
    for (const Method* method : methods)
      names.push_back(fmt::format("'{}' ({})", method->name, line(method->span)));
    return enumeration(names, "and");
  }

  /// `does`, a verb in the singular and what follows, with a subject of `methods`.
  static std::string in_number(std::string does, const std::vector<const Method*>& methods) {
    if (methods.size() > 1) does.erase(does.find("s "), 1);
    return does;
  }

  std::string suggested(const Suggestion& suggestion) const {
    const Property& property = *suggestion.property;
    std::string text = fmt::format("{} ({}) is {}: {} only {}, and {}", property.name, line(property.span),
                                   suggestion.pattern.noun, named(suggestion.methods),
                                   in_number(suggestion.does, suggestion.methods), suggestion.pattern.reason);
    if (!suggestion.writes.empty())
      text += fmt::format("; {} {}", named(suggestion.writes), in_number("replaces it", suggestion.writes));
    return wrapped(2, text);
  }

  std::string annotations() const {
    std::string text = "  annotations\n";
    if (!advice_.entity->is_annotated) text += wrapped(4, "[[autoshard::entity]] on the class");
    if (advice_.id.property) {
      text += wrapped(
          4, fmt::format("[[autoshard::id]] on {}: {}", advice_.id.property->name, advice_.id.reason));
    } else if (!advice_.has_id) {
      text += wrapped(4, fmt::format("[[autoshard::id]] on {}", missing_id()));
    }
    std::vector<std::string> methods, writes;
    std::vector<std::pair<std::string, std::vector<std::string>>> members;  // by attribute, in their order
    const auto add_names = [](const std::vector<const Method*>& of, std::vector<std::string>& names) {
      for (const Method* method : of) {
        if (!method->is_shard_method() && std::ranges::find(names, method->name) == names.end())
          names.push_back(method->name);
      }
    };
    for (const Suggestion& suggestion : advice_.suggestions) {
      const std::string text_of_member = attribute(suggestion);
      auto same = std::ranges::find(members, text_of_member, [](const auto& one) { return one.first; });
      if (same == members.end()) same = members.insert(same, {text_of_member, {}});
      same->second.push_back(suggestion.property->name);
      add_names(suggestion.methods, methods);
      add_names(suggestion.writes, writes);
    }
    for (const auto& [of_members, names] : members)
      text += wrapped_attribute(fmt::format("{} on {}", of_members, enumeration(names, "and")));
    if (!methods.empty())
      text += wrapped(4, fmt::format("[[autoshard::shard_method]] on {}", enumeration(methods, "and")));
    if (!writes.empty())
      text += wrapped(4, fmt::format("[[autoshard::shard_write]] on {}", enumeration(writes, "and")));
    return text;
  }

  /// Breaks the line in front of an argument, and not between its name and its value.
  static std::string wrapped_attribute(std::string text) {
    constexpr std::string_view kEquals = " = ";
    constexpr std::string_view kHeld = "\x1f=\x1f";
    replace_all(text, kEquals, kHeld, text.find(','));
    text = wrapped(4, text);
    replace_all(text, kHeld, kEquals, 0);
    return text;
  }

  static void replace_all(std::string& text, std::string_view from, std::string_view to, std::size_t begin) {
    for (std::size_t at = text.find(from, begin); at != std::string::npos;
         at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }

  /// The generator cannot choose the id, so the report asks the user to do it.
  std::string missing_id() const {
    std::vector<std::string> names;
    for (const Property* property : advice_.id.candidates) names.push_back(property->name);
    return fmt::format("a member of your choice, such as {}; after that, --fix can write the rest",
                       enumeration(names, "or"));
  }

  std::string given_up() const {
    std::vector<std::string> names, replaced;
    for (const Suggestion& suggestion : advice_.suggestions) {
      if (!suggestion.pattern.is_group()) names.push_back(suggestion.property->name);
      if (!suggestion.writes.empty()) replaced.push_back(suggestion.property->name);
    }
    std::string text = "  what is given up\n";
    if (!names.empty())
      text +=
          wrapped(4, fmt::format("A load folds up to 10 records of {}{}. With 'shards = adaptive', it is one "
                                 "record until updates collide.",
                                 names.size() == 1 ? "" : "each of ", enumeration(names, "and")));
    text += wrapped(4,
                    "No update may depend on the value, as a check of a bound does, or return it: "
                    "it runs on a part.");
    const auto may_keep_bounds = [](const Suggestion& one) {
      return one.pattern.may_keep_bounds && one.property->type.is_signed;
    };
    if (std::ranges::any_of(advice_.suggestions, may_keep_bounds))
      text += wrapped(4, "A sum can keep a bound: add 'min' or 'max' to its shardable(…).");
    text += wrapped(4,
                    "Two objects that were loaded at the same time no longer refuse each other's updates; "
                    "all count, and each object shows only its own until the next load.");
    if (!replaced.empty())
      text += wrapped(4, fmt::format("A shard write discards what others have added to {}.",
                                     enumeration(replaced, "and")));
    if (!advice_.entity->friends.empty())
      text += wrapped(4, "Its friends, of which nothing is known here, must not change them.");
    for (const Suggestion& suggestion : advice_.suggestions) {
      if (!suggestion.pattern.gives_up.empty())
        text += wrapped(4, fmt::format("Of {}: {}.", suggestion.property->name, suggestion.pattern.gives_up));
    }
    return text;
  }

  std::string refused(const Refusal& refusal) const {
    if (refusal.member.empty()) return wrapped(2, fmt::format("not suggested: {}", refusal.reason));
    return wrapped(2, fmt::format("not {} ({}): {}", refusal.member, line(refusal.span), refusal.reason));
  }

  const Model& model_;
  const ClassAdvice& advice_;
};

std::string marked(char mark, const std::vector<std::string_view>& lines) {
  std::string text;
  for (const std::string_view line : lines) {
    text += mark + std::string(line);
    if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
  }
  return text;
}

std::string range(std::size_t first, std::size_t count) {
  return std::to_string(first) + (count == 1 ? "" : "," + std::to_string(count));
}

}  // namespace

std::string report(const Model& model, const std::vector<ClassAdvice>& advice) {
  std::string text;
  for (const ClassAdvice& one : advice) text += (text.empty() ? "" : "\n") + Reporter(model, one).run();
  return text;
}

std::string unified(const SourceFile& source, const std::vector<Change>& changes) {
  if (changes.empty()) return {};
  const std::vector<std::string_view> lines = lines_of(source.text);
  std::string text = "--- " + source.path + "\n+++ " + source.path + "\n";
  std::size_t begin = 0;  // offset of the line in the text
  std::size_t added = 0;  // lines that were added so far
  for (std::size_t at = 0; at < lines.size();) {
    // Changed lines that follow each other make one hunk.
    const std::size_t first = at;
    const std::size_t first_begin = begin;
    std::vector<Change> inside;
    for (; at < lines.size(); ++at) {
      const auto is_here = [&](const Change& change) {
        return begin <= change.edit.span.begin && change.edit.span.begin < begin + lines[at].size();
      };
      const std::size_t before = inside.size();
      std::ranges::copy_if(changes, std::back_inserter(inside), is_here);
      if (inside.size() == before) break;
      begin += lines[at].size();
    }
    if (first == at) {
      begin += lines[at++].size();
      continue;
    }
    for (Change& change : inside) {
      change.edit.span.begin -= static_cast<std::uint32_t>(first_begin);
      change.edit.span.end -= static_cast<std::uint32_t>(first_begin);
    }
    const std::string_view old_text = std::string_view(source.text).substr(first_begin, begin - first_begin);
    const std::string new_text = apply_changes(old_text, inside).text;
    const std::vector<std::string_view> new_lines = lines_of(new_text);
    text += "@@ -" + range(first + 1, at - first) + " +" + range(first + 1 + added, new_lines.size()) +
            " @@\n" + marked('-', lines_of(old_text)) + marked('+', new_lines);
    added += new_lines.size() - (at - first);
  }
  return text;
}

}  // namespace autoshard::tool
