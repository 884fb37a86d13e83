#include <algorithm>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

void foreign_writes(const Entity& entity, Findings& findings) {
  for (const ForeignWrite& write : entity.suspicions.foreign_writes) {
    const Property* property = entity.property(write.use.member);
    if (!property || !property->is_sharded()) continue;
    findings.add(write.use.span, write.by + " may change the sharded member " + quoted(write.use.member) +
                                     ", which would be lost; call a shard method instead");
  }
}

/// The use of a member that no shard has, so that the method cannot be a shard method; null where it has
/// none.
const MemberUse* plain_use(const Entity& entity, const Method& method) {
  const auto found = std::ranges::find_if(method.uses, [&](const MemberUse& use) {
    const Property* property = entity.property(use.member);
    return property && !property->is_sharded();
  });
  return found == method.uses.end() ? nullptr : &*found;
}

}  // namespace

/// A change that no shard method makes would be lost at the next save.
void plain_write(const Entity& entity, Findings& findings) {
  foreign_writes(entity, findings);
  for (const Method& method : entity.methods) {
    if (method.is_shard_method() || method.is_shard_fold() || method.is_constructor) continue;
    auto writes_sharded = [&](const MemberUse& use) {
      const Property* property = entity.property(use.member);
      return use.write && property && property->is_sharded();
    };
    auto use = std::ranges::find_if(method.uses, writes_sharded);
    if (use == method.uses.end()) continue;
    const MemberUse* plain = plain_use(entity, method);
    std::string what_to_do = "; mark it [[autoshard::shard_method]], or make it const if it only reads";
    if (method.is_static)
      what_to_do = ", which would be lost; call a shard method instead";
    else if (plain)
      what_to_do = " and uses " + quoted(plain->member) + ", which is not sharded; move what changes " +
                   quoted(use->member) + " into a shard method, and call that";
    Diagnostic& found = findings.add(use->span, quoted(method.name) + " may change the sharded member " +
                                                    quoted(use->member) + what_to_do);
    found.notes.push_back({method.span, quoted(method.name) + " is here"});
    if (!method.from_macro && !method.is_static && !plain) {
      const Span& at = method.declaration;
      found.fixes.push_back({{at.file, at.begin, at.begin}, "[[autoshard::shard_method]] "});
    }
  }
}

}  // namespace autoshard::tool::rules
