#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

/// Of these roles, a member has one at most.
template <typename Member>
void check(const Member& member, std::initializer_list<std::string_view> exclusive, Findings& findings) {
  std::vector<const Annotation*> roles;
  for (std::string_view role : exclusive) {
    if (const Annotation* annotation = member.annotation(role)) roles.push_back(annotation);
  }
  if (roles.size() < 2) return;
  Diagnostic& found = findings.add(
      roles[1]->span, quoted(member.name) + " cannot be both " + quoted_attribute(roles[0]->name) + " and " +
                          quoted_attribute(roles[1]->name) + "; keep one of them");
  found.notes.push_back({roles[0]->span, "the other one is here"});
}

}  // namespace

/// A member is one of: id, sharded, not persisted. A method updates a value or replaces it. What an end of
/// life looks at is one value in the main record, and an index one value, which may be folded; an id has its
/// order already.
void contradiction(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    check(property, {"id", "shardable", "shard_group", "transient"}, findings);
    for (const std::string_view role : {"id", "shardable", "shard_group", "transient"}) {
      if (role != "shardable") check(property, {role, "index"}, findings);
      check(property, {role, "expires"}, findings);
    }
  }
  for (const Method& method : entity.methods) check(method, {"shard_method", "shard_write"}, findings);
}

}  // namespace autoshard::tool::rules
