#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

/// What has this name already in the class, or among its indexes in the store.
const Span* taken_by(const Entity& entity, const ShardedIndex& index) {
  const auto has_name = [&](const auto& one) { return one.name == index.name; };
  const auto find = [&](const auto& named) -> const Span* {
    const auto found = std::ranges::find_if(named, has_name);
    return found == named.end() ? nullptr : &found->span;
  };
  if (entity.name == index.name) return &entity.span;
  if (const Span* member = find(entity.properties)) return member;
  if (const Span* method = find(entity.methods)) return method;
  if (const Span* other = find(entity.other_names)) return other;
  for (const Property* property : entity.all_properties()) {
    if (property->is_indexed() && property->stored_name == index.name) return &property->span;
  }
  for (const ShardedIndex& other : entity.sharded_indexes) {
    if (&other == &index) break;
    if (other.name == index.name) return &other.span;
  }
  return nullptr;
}

}  // namespace

/// The companion has a type of the index's name.
void index_name(const Entity& entity, Findings& findings) {
  std::size_t at = 0;
  for (const Annotation& annotation : entity.annotations) {
    if (annotation.name != "sharded_index") continue;
    const ShardedIndex& index = entity.sharded_indexes[at++];
    if (index.name.empty()) {
      if (annotation.argument("name"))
        findings.add(index.span,
                     "the name of an index becomes that of a type; write it as 'name = ByCompany'");
    } else if (index.name == "Shard") {
      findings.add(index.span, "'Shard' is the name of something that the companion class adds; rename this");
    } else if (const Span* other = taken_by(entity, index)) {
      Diagnostic& found = findings.add(index.span, quoted(index.name) + " is the name of something else in " +
                                                       quoted(entity.name) + "; give the index another one");
      found.notes.push_back({*other, quoted(index.name) + " is here"});
    }
  }
}

}  // namespace autoshard::tool::rules
