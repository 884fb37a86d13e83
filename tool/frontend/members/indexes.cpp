#include "tool/frontend/members/indexes.h"

#include "tool/frontend/members/sharding.h"
#include "tool/frontend/tokens/clang_attributes.h"

namespace autoshard::tool {
namespace {

Span span(Tokens tokens, const Context& context) {
  return context.files.span({tokens.front().getLocation(), tokens.back().getLocation()});
}

/// The members in `company_` or `(company_, region_)`.
std::vector<Name> members(Tokens value, const Context& context) {
  std::vector<Name> names;
  for (const Tokens tokens : items_of_list(value)) {
    if (!tokens.empty()) names.push_back({context.log.text(tokens), span(tokens, context)});
  }
  return names;
}

ShardedIndex read_index(const FoundAttribute& found, const Annotation& annotation, const Context& context) {
  ShardedIndex index;
  index.span = annotation.span;
  index.is_named = annotation.argument("name") != nullptr;
  index.from_macro = annotation.from_macro;
  for (std::size_t at = 0; at < found.values.size(); ++at) {
    const Tokens value = found.values[at];
    const Argument& argument = annotation.arguments[at];
    if (value.empty()) continue;
    if (argument.name == "name") {
      index.span = span(value, context);
      if (value.size() == 1 && value.front().is(clang::tok::identifier)) index.name = argument.value;
    } else if (argument.name == "key") {
      index.key = members(value, context);
    } else if (argument.name == "order") {
      index.order = members(value, context);
    } else if (argument.name == "shards") {
      index.shards = number_of_shards(argument);
    }
  }
  return index;
}

}  // namespace

std::vector<ShardedIndex> read_indexes(const clang::CXXRecordDecl& record,
                                       const std::vector<Annotation>& annotations, const Context& context) {
  std::vector<ShardedIndex> indexes;
  std::size_t at = 0;
  for (const clang::SourceLocation name : attributes_of(record)) {
    const FoundAttribute* found = context.attributes.at(name);
    if (!found) continue;
    const Annotation& annotation = annotations[at++];
    if (annotation.name == "sharded_index") indexes.push_back(read_index(*found, annotation, context));
  }
  return indexes;
}

}  // namespace autoshard::tool
