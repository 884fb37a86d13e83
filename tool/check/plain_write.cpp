#include <algorithm>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

void foreign_writes(const Entity& entity, Findings& findings) {
  for (const ForeignWrite& write : entity.foreign_writes) {
    const Property* property = entity.property(write.use.member);
    if (!property || !property->is_sharded()) continue;
    findings.add(write.use.span, write.by + " may change the sharded member " + quoted(write.use.member) +
                                     ", which would be lost; call a shard method instead");
  }
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
    Diagnostic& found = findings.add(
        use->span, quoted(method.name) + " may change the sharded member " + quoted(use->member) +
                       (method.is_static ? ", which would be lost; call a shard method instead"
                                         : "; mark it [[autoshard::shard_method]], or make it const if it "
                                           "only reads"));
    found.notes.push_back({method.span, quoted(method.name) + " is here"});
    if (!method.from_macro && !method.is_static) {
      const Span& at = method.declaration;
      found.fixes.push_back({{at.file, at.begin, at.begin}, "[[autoshard::shard_method]] "});
    }
  }
}

}  // namespace autoshard::tool::rules
