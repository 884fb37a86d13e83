#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

const std::string kOfShard =
    "it runs on a shard too, which has nothing but sharded members and shard methods";

}  // namespace

/// A shard method runs twice, once on an object that is no entity.
void shard_method_escape(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const Escape& escape : method.escapes) {
      findings.add(escape.span, "shard method " + quoted(method.name) + " " + escape.what + "; " +
                                    (escape.why.empty() ? kOfShard : escape.why));
    }
  });
}

}  // namespace autoshard::tool::rules
