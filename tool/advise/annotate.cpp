#include "tool/advise/annotate.h"

#include <algorithm>
#include <map>

#include "tool/rewrite/format.h"
#include "tool/text/word.h"

namespace autoshard::tool {
namespace {

/// An attribute whose text is not yet divided into lines.
struct Attribute {
  std::string name;
  std::vector<std::string> arguments{};

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

/// Splits `[](…) { …; …; }`: the first part is the text before the statements, each other part is one
/// statement.
std::vector<std::string> lambda_parts(const std::string& lambda) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < lambda.size(); ++at) {
    if (lambda[at] == '(') ++depth;
    if (lambda[at] == ')') --depth;
    if (depth > 0 || (lambda[at] != '{' && lambda[at] != ';')) continue;
    parts.push_back(lambda.substr(begin, at + 1 - begin));
    begin = std::min(lambda.find_first_not_of(' ', at + 1), lambda.size());
  }
  return parts;
}

/// Divides attributes into lines of at most `limit` columns, if possible.
class Layout {
 public:
  Layout(std::string_view indent, std::size_t limit, std::string_view newline)
      : indent_(indent), limit_(limit), newline_(newline) {}

  std::string run(const Attribute& attribute) && {
    add("[[autoshard::" + attribute.name + (attribute.arguments.empty() ? "" : "("));
    const std::size_t column = width_;
    for (std::size_t at = 0; at < attribute.arguments.size(); ++at) {
      const bool is_last = at + 1 == attribute.arguments.size();
      const std::string argument = attribute.arguments[at] + (is_last ? ")]]" : ",");
      if (at > 0 && width_ + 1 + argument.size() > limit_) {
        start_line(column);
      } else if (at > 0) {
        add(" ");
      }
      if (width_ + argument.size() > limit_ && argument.find("[](") != std::string::npos) {
        add_lambda(argument, column);
      } else {
        add(argument);
      }
    }
    if (attribute.arguments.empty()) add("]]");
    return std::move(text_);
  }

 private:
  void add(const std::string& text) {
    text_ += text;
    width_ += text.size();
  }

  void start_line(std::size_t column) {
    text_ += newline_ + indent_ + std::string(column - indent_.size(), ' ');
    width_ = column;
  }

  /// Writes each statement on a line of its own, and the closing brace, too.
  void add_lambda(const std::string& argument, std::size_t column) {
    const std::size_t end = argument.rfind('}');
    const std::vector<std::string> parts = lambda_parts(argument.substr(0, end));
    add(parts.front());
    for (std::size_t at = 1; at < parts.size(); ++at) {
      start_line(column + 2);
      add(parts[at]);
    }
    start_line(column);
    add(argument.substr(end));
  }

  std::string indent_;
  std::size_t limit_;
  std::string newline_;
  std::string text_{};
  std::size_t width_ = indent_.size();
};

std::string in_brackets(const Attribute& attribute) {
  return Layout("", std::string::npos, "").run(attribute);
}

Attribute attribute_of(const Suggestion& suggestion) {
  return {suggestion.pattern.attribute, suggestion.pattern.arguments};
}

class Annotator {
 public:
  explicit Annotator(const SourceFile& source)
      : text_(source.text),
        limit_(column_limit(source.path, source.text)),
        newline_(newline_of(source.text)) {}

  void annotate(const ClassAdvice& advice) {
    const Entity& entity = *advice.entity;
    if (!entity.is_annotated) insert(entity.key.file, entity.key.end, " " + in_brackets({"entity"}));
    std::map<const Property*, Attribute> members;
    if (advice.id.property) members[advice.id.property] = {"id"};
    for (const Suggestion& suggestion : advice.suggestions)
      members[suggestion.property] = attribute_of(suggestion);
    for (const Property& property : entity.properties) annotate(entity, property, members);
    for (const Suggestion& suggestion : advice.suggestions) {
      for (const Method* method : suggestion.methods) annotate(*method, {"shard_method"});
      for (const Method* method : suggestion.writes) annotate(*method, {"shard_write"});
    }
  }

  std::vector<Change> take() && { return std::move(changes_); }

 private:
  void annotate(const Method& method, const Attribute& attribute) {
    if (method.is_shard_method() || std::ranges::find(annotated_, &method) != annotated_.end()) return;
    annotated_.push_back(&method);
    insert_before(method.declaration, attribute);
  }

  static std::string newline_of(std::string_view text) {
    const std::size_t first = text.find('\n');
    return first != std::string_view::npos && first > 0 && text[first - 1] == '\r' ? "\r\n" : "\n";
  }

  /// Whether both members are declared by one declaration, as in `int a, b;`. Only the begin is compared: the
  /// declaration of each member ends with its own initialiser.
  static bool begin_together(const Span& one, const Span& other) {
    return one.file == other.file && one.begin == other.begin;
  }

  /// An attribute in front of a declaration applies to all members that are declared there. The attribute
  /// goes behind the name if it is not for all of them.
  void annotate(const Entity& entity, const Property& property,
                const std::map<const Property*, Attribute>& members) {
    const auto found = members.find(&property);
    if (found == members.end()) return;
    bool is_first = true;
    bool is_for_all = true;
    for (const Property& other : entity.properties) {
      if (!begin_together(other.declaration, property.declaration)) continue;
      const auto also = members.find(&other);
      is_for_all &= also != members.end() && also->second == found->second;
      is_first &= &other >= &property;
    }
    if (!is_for_all) return insert_behind(property.span, found->second);
    if (is_first) insert_before(property.declaration, found->second);
  }

  void insert(std::uint32_t file, std::uint32_t offset, std::string text) {
    changes_.push_back({{{file, offset, offset}, std::move(text)}, false});
  }

  /// The line of the byte at `offset`.
  struct Line {
    std::string indent;
    std::size_t begin;
    std::size_t end;
  };

  Line line_at(std::uint32_t offset) const {
    const std::size_t before = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(text_.find_first_of("\r\n", begin), text_.size());
    const std::size_t first = std::min(text_.find_first_not_of(" \t", begin), end);
    return {std::string(text_.substr(begin, first - begin)), begin, end};
  }

  /// Returns `offset`, or the begin of its line if only words stand before the declaration there. They may be
  /// macros that expand to nothing here, and to attributes elsewhere.
  std::uint32_t before_macros(std::uint32_t offset) const {
    for (std::uint32_t at = offset;;) {
      while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
      const std::uint32_t end = at;
      while (at > 0 && is_of_word(text_[at - 1])) --at;
      if (at == end) return offset;
      offset = at;
    }
  }

  void insert_before(const Span& declaration, const Attribute& attribute) {
    const std::uint32_t offset = before_macros(declaration.begin);
    const auto [indent, begin, end] = line_at(offset);
    std::string text = in_brackets(attribute) + " ";
    const bool is_first = begin + indent.size() == offset;
    if (is_first && end - begin + text.size() > limit_)
      text = Layout(indent, limit_, newline_).run(attribute) + newline_ + indent;
    insert(declaration.file, offset, std::move(text));
  }

  void insert_behind(const Span& name, const Attribute& attribute) {
    const auto [indent, begin, end] = line_at(name.begin);
    std::string text = " " + in_brackets(attribute);
    if (end - begin + text.size() > limit_) {
      const std::string further = indent + "    ";
      text = newline_ + further + Layout(further, limit_, newline_).run(attribute);
    }
    insert(name.file, name.end, std::move(text));
  }

  std::string_view text_;
  std::size_t limit_;
  std::string newline_;
  std::vector<const Method*> annotated_;
  std::vector<Change> changes_;
};

}  // namespace

std::string attribute(const Suggestion& suggestion) { return in_brackets(attribute_of(suggestion)); }

std::vector<Change> annotations(const Model& model, const std::vector<ClassAdvice>& advice,
                                std::uint32_t file) {
  Annotator annotator(model.files[file]);
  for (const ClassAdvice& one : advice) {
    if (one.entity->span.file == file && one.is_complete()) annotator.annotate(one);
  }
  return std::move(annotator).take();
}

}  // namespace autoshard::tool
