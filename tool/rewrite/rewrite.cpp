#include "tool/rewrite/rewrite.h"

#include <algorithm>
#include <filesystem>
#include <ranges>

#include "tool/emit/emit.h"
#include "tool/emit/origin.h"
#include "tool/rewrite/format.h"
#include "tool/text/changes.h"
#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kOpenNamespace = "inline namespace sharded {\n\n";
constexpr std::string_view kCloseNamespace = "}  // namespace sharded";

/// Returns `text` with the line endings of `example`. The first line of `example` decides.
std::string with_line_endings_of(std::string_view example, std::string text) {
  const std::size_t first = example.find('\n');
  if (first == std::string_view::npos || first == 0 || example[first - 1] != '\r') return text;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) result += '\r';
    result += text[i];
  }
  return result;
}

/// Collects the edits of one file, in their order in the generated form.
class FileRewriter {
 public:
  FileRewriter(const Model& model, std::uint32_t file, Includes includes)
      : model_(model),
        source_(model.files[file]),
        file_(file),
        includes_(includes),
        name_(path_of(source_).filename().string()) {}

  /// Whether the file has any changes.
  bool has_changes() && {
    add_changes();
    return !changes_.empty() || !source_.include_edits.empty() || !source_.skipped.empty();
  }

  std::string run() && {
    add_banner();
    if (includes_ == Includes::kOfGenerated) add_all(source_.include_edits);
    for (const Span& region : source_.skipped) guard_skipped_region(region);
    add_changes();
    return with_line_endings_of(
        source_.text, format(apply_changes(source_.text, std::move(changes_)), source_.path, source_.text));
  }

  std::optional<InPlaceText> run_in_place() && {
    if (holds_classes()) insert(text_begin(), in_place_banner(source_));
    add_changes();
    if (changes_.empty()) return std::nullopt;
    return apply_in_place(source_.text, std::move(changes_));
  }

 private:
  static std::filesystem::path path_of(const SourceFile& source) { return source.path; }

  void replace(Span span, std::string text) { changes_.push_back({{span, std::move(text)}}); }
  void insert(std::uint32_t offset, std::string text) { replace({file_, offset, offset}, std::move(text)); }
  void insert_unformatted(std::uint32_t offset, std::string text, std::uint32_t depth = 0) {
    changes_.push_back({{{file_, offset, offset}, std::move(text)}, true, depth});
  }
  void add_all(const std::vector<Edit>& edits) {
    for (const Edit& edit : edits) changes_.push_back({edit});
  }

  bool only_blanks(std::uint32_t begin, std::uint32_t end) const {
    return begin <= end && source_.text.find_first_not_of(kSpace, begin) >= end;
  }

  /// The begin of the inline namespace of `entity`. It is before forward declarations that directly precede
  /// the entity.
  std::uint32_t namespace_begin(const Entity& entity) const {
    std::uint32_t begin = line_begin(entity.definition.begin);
    if (!entity.friends.empty()) return begin;
    for (bool moved = true; moved;) {
      moved = false;
      for (const Span& declaration : source_.forward_declarations) {
        if (declaration.end > begin || !only_blanks(declaration.end, begin)) continue;
        begin = declaration.begin;
        moved = true;
      }
    }
    return begin;
  }

  /// Whether the inline namespace of an entity includes this forward declaration, which directly precedes the
  /// entity.
  bool is_with_entity(const Span& declaration) const {
    return std::ranges::any_of(model_.entities, [&](const Entity& entity) {
      return entity.span.file == file_ && namespace_begin(entity) <= declaration.begin &&
             declaration.begin < entity.definition.begin;
    });
  }

  void add_changes() {
    for (const Edit& edit : source_.attribute_edits) changes_.push_back({edit, edit.shifts_lines});
    // Insertions at one place keep their order. So closing braces are added before opening ones.
    for (const Span& declaration : source_.forward_declarations) {
      if (!is_with_entity(declaration)) insert(declaration.end, " }");
    }
    for (const Entity& entity : model_.entities) {
      if (entity.span.file == file_) rewrite_entity(entity);
      rewrite_definitions(entity);
    }
    for (const Entity& part : model_.parts) {
      if (part.span.file == file_) rewrite_part(part);
    }
    // A declaration outside the inline namespace would declare another class.
    for (const Span& declaration : source_.forward_declarations) {
      if (!is_with_entity(declaration)) insert(declaration.begin, "inline namespace sharded { ");
    }
    add_traits();
  }

  bool holds_classes() const {
    const auto is_here = [&](const Entity& one) { return one.span.file == file_; };
    return std::ranges::any_of(model_.entities, is_here) || std::ranges::any_of(model_.parts, is_here);
  }

  /// The begin of the text behind the byte order mark.
  std::uint32_t text_begin() const {
    return static_cast<std::uint32_t>(source_.text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  }

  void add_banner() {
    const std::uint32_t begin = text_begin();
    insert(begin, source_.is_source
                      ? banner_of_source(name_)
                      : banner(name_, includes_ == Includes::kAsWritten ? name_ : generated_name(name_)));
    if (source_.is_source) return;
    // The banner has a `#pragma once` of its own. It also guards the traits, which may stand behind the
    // user's include guard.
    for (const Span& pragma : source_.pragma_once) {
      const std::uint32_t from = std::max(pragma.begin, begin);
      replace({pragma.file, from, is_behind_blank_line(from) ? over_blank_lines(pragma.end) : pragma.end},
              "");
    }
  }

  /// Whether `offset` is at the first line behind the banner, or behind a blank line.
  bool is_behind_blank_line(std::uint32_t offset) const {
    const std::string_view before = std::string_view(source_.text).substr(0, offset);
    return offset == text_begin() || before.ends_with("\n\n") || before.ends_with("\n\r\n");
  }

  std::uint32_t over_blank_lines(std::uint32_t offset) const {
    const std::size_t next = std::min(source_.text.find_first_not_of("\r\n", offset), source_.text.size());
    return static_cast<std::uint32_t>(next);
  }

  /// Adds an `#error` for a part of an entity that the user's `#if` excluded. The companion does not have
  /// this part, so compiling the part must fail.
  void guard_skipped_region(const Span& region) { insert(region.begin, skipped_region_guard()); }

  void rewrite_entity(const Entity& entity) {
    rewrite_friends(entity);
    insert(namespace_begin(entity), std::string(kOpenNamespace));
    for (const Method& method : entity.methods) {
      if (method.is_shard_method()) rewrite_shard_method(entity, method);
    }
    insert_unformatted(line_begin(entity.body_end), companion_members(entity, model_.files), 1);
    const std::uint32_t end = entity.definition.end;
    insert(end, "\n\n");
    insert_unformatted(end, shard_methods(entity, source_));
    insert(end, std::string(kCloseNamespace) + alone(entity));
    if (place_of_traits(entity) == TraitsPlace::kBehindClass) {
      insert(end, closed(entity.surroundings));
      add_traits(entity, end);
      insert(end, opened(entity.surroundings));
    }
    end_line(end);
  }

  /// A using declaration that conflicts with the user's class. Compilers show its line, which explains the
  /// error.
  std::string alone(const Entity& entity) const {
    if (source_.is_in_place()) return {};
    return "\nusing sharded::" + entity.name + ";  // An error here: " + name_ +
           " is included, too. Include this header alone.";
  }

  void rewrite_friends(const Entity& entity) {
    insert(line_begin(entity.definition.begin), friend_declarations(entity));
    for (const Friend& befriended : entity.friends) replace(befriended.name, befriended.qualified_name);
  }

  /// Ends the line, so that the rest of it does not become a part of a comment.
  void end_line(std::uint32_t offset) {
    if (offset < source_.text.size() && source_.text[offset] != '\n' && source_.text[offset] != '\r')
      insert(offset, "\n");
  }

  /// Removes the body, which moves to the shard. Keeps the declaration and comments before the body.
  void rewrite_shard_method(const Entity& entity, const Method& method) {
    if (method.constexpr_specifier && !entity.has_trivial_shard()) {
      replace(with_blanks_behind(*method.constexpr_specifier), "");
    }
    if (!method.is_defined_in_class()) return;
    if (is_declared_inline(method) && !method.says_inline) insert(method.declaration.begin, "inline ");
    const std::uint32_t head_end = method.head_end;
    if (method.notes_end == head_end) return replace({file_, head_end, method.body.end}, ";");
    insert(head_end, ";");
    const bool ends_line = source_.text.find_first_of("\r\n", method.body.end) == method.body.end;
    replace({file_, ends_line ? method.notes_end : method.body.begin, method.body.end}, "");
  }

  /// Rewrites shard methods that this file defines outside of their class. The body stays in place, and
  /// becomes the shard's body.
  void rewrite_definitions(const Entity& entity) {
    for (const Method& method : entity.methods) {
      if (!method.is_shard_method()) continue;
      for (const Method& outside : method.definition) {
        if (outside.declaration.file != file_) continue;
        changes_.push_back({{{file_, outside.declaration.begin, outside.body.begin},
                             head_of_definition(entity, outside, source_)},
                            true});
        const std::string notes = notes_of_write(entity, method);
        if (!notes.empty()) insert_unformatted(method.statements_begin, notes);
        insert_unformatted(outside.body.end, shard_method_outside(entity, outside, source_));
      }
    }
  }

  Span with_blanks_behind(Span span) const {
    while (span.end < source_.text.size() && source_.text[span.end] == ' ') ++span.end;
    return span;
  }

  /// Rewrites a mapped or embedded class. It gets other friends, so it is no longer the user's class.
  void rewrite_part(const Entity& part) {
    rewrite_friends(part);
    insert(line_begin(part.definition.begin), std::string(kOpenNamespace));
    insert_unformatted(line_begin(part.body_end), part_members(), 1);
    insert(part.definition.end, "\n\n" + std::string(kCloseNamespace) + alone(part));
    end_line(part.definition.end);
  }

  /// The begin of the line of `offset` if only blanks precede `offset` there; `offset` otherwise.
  std::uint32_t line_begin(std::uint32_t offset) const {
    std::uint32_t begin = offset;
    while (begin > 0 && (source_.text[begin - 1] == ' ' || source_.text[begin - 1] == '\t')) --begin;
    return begin == 0 || source_.text[begin - 1] == '\n' ? begin : offset;
  }

  /// The place of the traits. They must be outside of all namespaces and before their first use. They come as
  /// late as possible, because they disturb readers least there.
  enum class TraitsPlace { kEndOfFile, kBehindNamespaces, kBehindClass };

  static TraitsPlace place_of_traits(const Entity& entity) {
    const auto& [namespaces, namespaces_end, next_use] = entity.surroundings;
    if (!next_use) return TraitsPlace::kEndOfFile;
    return namespaces.empty() || *next_use < namespaces_end ? TraitsPlace::kBehindClass
                                                            : TraitsPlace::kBehindNamespaces;
  }

  static std::string closed(const Surroundings& surroundings) {
    const auto closing = [](const std::string& opening) {
      return "\n}  // " + opening.substr(opening.find("namespace"));
    };
    const std::string text = joined(std::views::reverse(surroundings.namespaces), "", closing);
    return text.empty() ? text : "\n" + text;
  }

  static std::string opened(const Surroundings& surroundings) {
    const auto opening = [](const std::string& namespaces) { return "\n" + namespaces + " {"; };
    const std::string text = joined(surroundings.namespaces, "", opening);
    return text.empty() ? text : "\n" + text;
  }

  /// Adds the traits on a new line, and leaves their last line open.
  void add_traits(const Entity& entity, std::uint32_t offset) {
    std::string text = "\n" + stands_for(source_, entity.span.begin) + traits(entity);
    text.pop_back();
    insert_unformatted(offset, std::move(text));
  }

  /// Adds the traits that do not stand directly behind their class.
  void add_traits() {
    std::string last;
    for (const Entity& entity : model_.entities) {
      if (entity.span.file != file_) continue;
      if (place_of_traits(entity) == TraitsPlace::kEndOfFile)
        last += stands_for(source_, entity.span.begin) + traits(entity);
      if (place_of_traits(entity) == TraitsPlace::kBehindNamespaces) {
        const std::uint32_t place = entity.surroundings.namespaces_end;
        add_traits(entity, place);
        end_line(place);
      }
    }
    if (last.empty()) return;
    const bool ends_in_newline = source_.text.ends_with('\n');
    insert_unformatted(static_cast<std::uint32_t>(source_.text.size()), (ends_in_newline ? "" : "\n") + last);
  }

  const Model& model_;
  const SourceFile& source_;
  std::uint32_t file_;
  Includes includes_;
  std::string name_;
  std::vector<Change> changes_;
};

}  // namespace

bool is_rewritten(const Model& model, std::uint32_t file) {
  return FileRewriter(model, file, Includes::kOfGenerated).has_changes();
}

std::string rewrite(const Model& model, std::uint32_t file, Includes includes) {
  return FileRewriter(model, file, includes).run();
}

std::optional<InPlaceText> rewrite_in_place(const Model& model, std::uint32_t file) {
  return FileRewriter(model, file, Includes::kAsWritten).run_in_place();
}

}  // namespace autoshard::tool
