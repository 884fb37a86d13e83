#include "tool/frontend/tokens/annotations.h"

#include "tool/frontend/tokens/clang_attributes.h"
#include "tool/model/attributes.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

/// Whether one pair of parentheses encloses the whole expression.
bool is_list(Tokens expression) {
  return !expression.empty() && expression[0].is(tok::l_paren) &&
         closing(expression, 0) == expression.size() - 1;
}

/// An item of an attribute list, as positions in the log.
struct Item {
  std::size_t first = 0;
  std::size_t last = 0;
  std::optional<std::size_t> comma_before;
  bool ours = false;
};

class Scanner {
 public:
  Scanner(const TokenLog& log, Files& files) : log_(log), tokens_(log.tokens()), files_(files) {
    found_.removed.resize(tokens_.size());
  }

  FoundAttributes run() && {
    for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
      if (!tokens_[at].is(tok::l_square) || !tokens_[at + 1].is(tok::l_square)) continue;
      if (auto close = closing(tokens_, at)) {
        read_list(at, *close);
        at = *close;
      }
    }
    return std::move(found_);
  }

 private:
  bool is_scope(const clang::Token& token) const {
    return token.getIdentifierInfo() && token.getIdentifierInfo()->isStr(kScope);
  }

  /// Reads `[[ … ]]`, whose outer brackets stand at `open` and `close`.
  void read_list(std::size_t open, std::size_t close) {
    std::size_t at = open + 2;
    std::size_t end = close - 1;  // the inner closing bracket
    bool scoped = false;
    if (at + 2 < end && tokens_[at].is(tok::kw_using)) {
      scoped = is_scope(tokens_[at + 1]);
      at += 3;
    }
    std::vector<Item> items;
    std::optional<std::size_t> comma;
    while (at < end) {
      std::size_t next = item_end(at, end);
      if (next > at) items.push_back(read_item(at, next, comma, scoped));
      comma = next;
      at = next + 1;
    }
    mark_removed(open, close, items);
  }

  /// The next comma that stands outside of all brackets, or `end`.
  std::size_t item_end(std::size_t at, std::size_t end) const {
    while (at < end && !tokens_[at].is(tok::comma)) at = after_group(tokens_, at);
    return std::min(at, end);
  }

  Item read_item(std::size_t first, std::size_t end, std::optional<std::size_t> comma, bool scoped) {
    Item item{first, end - 1, comma, scoped};
    std::size_t name = first;
    if (!scoped) {
      item.ours = end - first >= 3 && is_scope(tokens_[first]) && tokens_[first + 1].is(tok::coloncolon);
      name = first + 2;
    }
    if (item.ours && tokens_[name].getIdentifierInfo()) read_attribute(first, name, end);
    if (!item.ours && !scoped) read_misspelled(first, end);
    return item;
  }

  /// Reads a misspelled attribute, such as `autoshrad::id` or `shardable`. Compilers only say that they
  /// ignore it. Its name includes the scope: `autoshrad::id`, `::shardable`.
  void read_misspelled(std::size_t first, std::size_t end) {
    if (const clang::IdentifierInfo* name = tokens_[first].getIdentifierInfo();
        name && find_attribute(name->getName().str()) &&
        (end - first == 1 || tokens_[first + 1].is(tok::l_paren))) {
      read_attribute(first, first, end);
      found_.attributes.back().annotation.name.insert(0, "::");
      return;
    }
    if (end - first < 3 || !tokens_[first].getIdentifierInfo() || !tokens_[first + 1].is(tok::coloncolon) ||
        !tokens_[first + 2].getIdentifierInfo()) {
      return;
    }
    const llvm::StringRef scope = tokens_[first].getIdentifierInfo()->getName();
    if (scope.edit_distance(kScope) > 2) return;
    read_attribute(first, first + 2, end);
    Annotation& found = found_.attributes.back().annotation;
    found.name = scope.str() + "::" + found.name;
    found.name_span = span(first, first + 1);
  }

  void read_attribute(std::size_t first, std::size_t name, std::size_t end) {
    FoundAttribute attribute;
    attribute.name = tokens_[name].getLocation();
    attribute.annotation.name = tokens_[name].getIdentifierInfo()->getName().str();
    attribute.annotation.name_span = span(name, name + 1);
    attribute.annotation.span = span(first, end);
    for (std::size_t at = first; at < end; ++at) {
      attribute.annotation.from_macro |= tokens_[at].getLocation().isMacroID();
    }
    if (name + 1 < end && tokens_[name + 1].is(tok::l_paren)) {
      std::size_t close = closing(tokens_, name + 1).value_or(end);
      read_arguments(name + 2, close, attribute);
    }
    found_.attributes.push_back(std::move(attribute));
  }

  void read_arguments(std::size_t at, std::size_t end, FoundAttribute& attribute) {
    while (at < end) {
      std::size_t next = argument_end(at, end);
      std::size_t value = begins_named(at, next) ? at + 2 : at;
      attribute.annotation.arguments.push_back(read_argument(at, value, next));
      attribute.values.push_back(tokens_.slice(value, next - value));
      at = next + 1;
    }
  }

  bool begins_named(std::size_t at, std::size_t end) const {
    return at + 1 < end && tokens_[at].getIdentifierInfo() && tokens_[at + 1].is(tok::equal);
  }

  /// The end of the argument that begins at `first`. A comma between angle brackets may belong to template
  /// arguments, or may stand behind a comparison. It ends the argument if a named argument follows.
  std::size_t argument_end(std::size_t first, std::size_t end) const {
    std::size_t angles = 0;
    std::size_t at = first;
    for (; at < end; at = after_group(tokens_, at)) {
      const clang::Token& token = tokens_[at];
      if (token.is(tok::less) && at > first &&
          (tokens_[at - 1].is(tok::identifier) || tokens_[at - 1].is(tok::r_square))) {
        ++angles;
      } else if (token.isOneOf(tok::greater, tok::greatergreater)) {
        std::size_t closed = token.is(tok::greater) ? 1 : 2;
        angles -= std::min(angles, closed);
      } else if (token.is(tok::comma) && (angles == 0 || begins_named(at + 1, end))) {
        break;
      }
    }
    return std::min(at, end);
  }

  /// Reads an argument. Its name and `=`, if any, begin at `first`, and its value at `value`.
  Argument read_argument(std::size_t first, std::size_t value, std::size_t end) {
    Argument argument;
    argument.span = span(first, end);
    if (value > first) {
      argument.name = tokens_[first].getIdentifierInfo()->getName().str();
      argument.name_span = span(first, first + 1);
    }
    argument.value = log_.text(tokens_.slice(value, end - value));
    argument.value_span =
        value < end ? span(value, end) : Span{argument.span.file, argument.span.end, argument.span.end};
    return argument;
  }

  Span span(std::size_t first, std::size_t end) {
    if (first >= end) return files_.span({tokens_[first].getLocation(), tokens_[first].getLocation()});
    return files_.span({tokens_[first].getLocation(), tokens_[end - 1].getLocation()});
  }

  void mark(std::size_t first, std::size_t last) {
    std::fill(found_.removed.begin() + static_cast<std::ptrdiff_t>(first),
              found_.removed.begin() + static_cast<std::ptrdiff_t>(last) + 1, true);
  }

  void mark_removed(std::size_t open, std::size_t close, const std::vector<Item>& items) {
    bool any_ours = llvm::any_of(items, [](const Item& item) { return item.ours; });
    if (any_ours && llvm::all_of(items, [](const Item& item) { return item.ours; })) return mark(open, close);
    bool any_kept = false;
    for (const Item& item : items) {
      if (item.ours) mark(item.first, item.last);
      // A comma is removed unless an item remains on both of its sides.
      if (item.comma_before && (item.ours || !any_kept)) mark(*item.comma_before, *item.comma_before);
      any_kept |= !item.ours;
    }
  }

  const TokenLog& log_;
  llvm::ArrayRef<clang::Token> tokens_;
  Files& files_;
  FoundAttributes found_;
};

}  // namespace

FoundAttribute* FoundAttributes::at(clang::SourceLocation name) {
  auto found =
      llvm::find_if(attributes, [&](const FoundAttribute& attribute) { return attribute.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

std::vector<Tokens> arguments_of_call(Tokens expression) {
  if (expression.size() < 4 || !expression[0].is(tok::identifier) || !is_list(expression.drop_front()))
    return {};
  return items_of_list(expression.drop_front());
}

std::vector<Tokens> items_of_list(Tokens expression) {
  if (!is_list(expression)) return {expression};
  std::vector<Tokens> items;
  std::size_t begin = 1;
  for (std::size_t at = begin; at < expression.size(); at = after_group(expression, at)) {
    if (!expression[at].is(tok::comma) && at + 1 < expression.size()) continue;
    items.push_back(expression.slice(begin, at - begin));
    begin = at + 1;
  }
  return items;
}

FoundAttributes find_attributes(const TokenLog& log, Files& files) { return Scanner(log, files).run(); }

llvm::DenseSet<const clang::FileEntry*> files_with_entities(const FoundAttributes& found,
                                                            const clang::SourceManager& sources) {
  llvm::DenseSet<const clang::FileEntry*> files;
  for (const FoundAttribute& attribute : found.attributes) {
    const std::string& name = attribute.annotation.name;
    if (name != "entity" && name != "mapped" && name != "embedded") continue;
    clang::FileID file = sources.getFileID(sources.getExpansionLoc(attribute.name));
    if (auto entry = sources.getFileEntryRefForID(file)) files.insert(&entry->getFileEntry());
  }
  return files;
}

}  // namespace autoshard::tool
