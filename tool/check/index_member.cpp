#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

std::vector<std::string_view> names_of(const std::vector<const Property*>& properties) {
  std::vector<std::string_view> names;
  for (const Property* property : properties) {
    if (!property->is_sharded() && !property->is_transient()) names.emplace_back(property->name);
  }
  return names;
}

void check(const Entity& entity, const Name& member, bool fixable, Findings& findings) {
  const Property* property = entity.any_property(member.name);
  if (!property) {
    Diagnostic& found =
        findings.add(member.span, quoted(entity.name) + " has no data member " + quoted(member.name));
    suggest(found, member.name, member.span, fixable, names_of(entity.all_properties()));
  } else if (property->is_sharded() || property->is_transient()) {
    Diagnostic& found = findings.add(
        member.span, quoted(member.name) +
                         (property->is_sharded() ? " is sharded, so no record that an index is kept with has "
                                                   "its value"
                                                 : " is transient, so no record has its value") +
                         "; use another member");
    found.notes.push_back({property->span, quoted(member.name) + " is here"});
  }
}

}  // namespace

/// What the records of an index consist of is known from the main record and the id.
void index_member(const Entity& entity, Findings& findings) {
  std::size_t at = 0;
  for (const Annotation& annotation : entity.annotations) {
    if (annotation.name != "sharded_index") continue;
    const ShardedIndex& index = entity.sharded_indexes[at++];
    std::vector<Name> members = index.key;
    members.insert(members.end(), index.order.begin(), index.order.end());
    for (auto member = members.begin(); member != members.end(); ++member) {
      check(entity, *member, !annotation.from_macro, findings);
      const auto first = std::find_if(members.begin(), member,
                                      [&](const Name& other) { return other.name == member->name; });
      if (first == member) continue;
      Diagnostic& found = findings.add(
          member->span, quoted(member->name) + " is given twice; remove it from 'key' or from 'order'");
      found.notes.push_back({first->span, "the first is here"});
    }
  }
}

}  // namespace autoshard::tool::rules
