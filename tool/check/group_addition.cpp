#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

bool is_map(const Type& type) { return type.kind == TypeKind::kMap || type.kind == TypeKind::kUnorderedMap; }

/// What adds to a group of this type, and nothing else.
std::string additions_to(const Type& type) {
  if (is_map(type)) return "with 'insert_or_assign' or 'group[key] = value;'";
  return is_sequence(type) ? "with 'push_back', 'emplace_back' or 'insert' at its end"
                           : "with 'insert' or 'emplace'";
}

bool is_addition(const Update& update, const Type& type) {
  if (update.by_key) return false;
  if (is_map(type)) return update.operation == Operation::kPut;
  return update.operation == (is_sequence(type) ? Operation::kAppend : Operation::kInsert);
}

/// The update that `use` is a part of, or null where it is anything else.
const Update* update_of(const Method& method, const MemberUse& use) {
  const auto is_its = [&](const Update& update) {
    return update.member == use.member && std::ranges::find(update.uses, use.span) != update.uses.end();
  };
  const auto found = std::ranges::find_if(method.updates, is_its);
  return found == method.updates.end() ? nullptr : &*found;
}

/// Whether it would keep what a map has already, of which a shard knows nothing.
bool keeps_the_old(const Update* update, const Type& type) {
  return update && is_map(type) && update->operation == Operation::kInsert;
}

}  // namespace

/// What one statement adds to a group comes to the same in any order and in any shard, where nothing else of
/// the group is looked at: a shard has only those elements that were added to it.
void group_addition(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const MemberUse& use : method.uses) {
      const Property* group = entity.property(use.member);
      if (!group || !group->is_group() || !is_group_type(group->type)) continue;
      const Update* update = update_of(method, use);
      if (!method.is_shard_write() && update && is_addition(*update, group->type)) continue;
      const std::string kind = method.is_shard_write() ? "shard write " : "shard method ";
      const std::string does = method.is_shard_write() ? " uses the group "
                               : keeps_the_old(update, group->type)
                                   ? " would keep the value that a key has already in the group "
                                   : " does more than add to the group ";
      Diagnostic& found = findings.add(
          use.span, kind + quoted(method.name) + does + quoted(use.member) +
                        ", of which a shard holds only what is added; add in a statement of its own, " +
                        additions_to(group->type));
      found.notes.push_back({group->span, quoted(group->name) + " is here"});
    }
  });
}

}  // namespace autoshard::tool::rules
