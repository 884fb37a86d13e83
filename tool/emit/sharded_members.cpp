#include "tool/emit/sharded_members.h"

#include "tool/emit/signature.h"
#include "tool/model/shard_names.h"
#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

/// The name of the struct. No member of the class has this name.
std::string struct_name(const Entity& entity) {
  std::string name = "Sharded";
  while (name == entity.name || has_member(entity, name)) name.insert(0, "The");
  return name;
}

std::string pair_of(const Entity& entity, const Property& property) {
  const bool is_replaced = is_replaceable(entity, property);
  return fill("static constexpr ::autoshard::$pair$ $name${&$entity$::$name$, &Shard::$name$$replaced$};\n",
              {{"pair", property.is_group() ? "GroupMember"
                        : is_replaced       ? "ReplaceableMember"
                                            : "ShardedMember"},
               {"entity", entity.name},
               {"name", property.name},
               {"replaced", is_replaced ? ", &Shard::" + replaced_name(property) : ""}});
}

}  // namespace

std::string sharded_members(const Entity& entity) {
  std::string members;
  for (const Property& property : entity.properties) {
    if (property.is_sharded()) members += pair_of(entity, property);
  }
  return fill(R"(
/// For shard methods: each sharded member, and the member of Shard that holds its updates.
struct $name$ {
$members$
};
)",
              {{"name", struct_name(entity)}, {"members", members}});
}

std::string members_used(const Entity& entity, const Method& method) {
  std::string list;
  for (const std::string& member : method.touches)
    list += (list.empty() ? "<" : ", ") + struct_name(entity) + "::" + member;
  return list.empty() ? list : list + ">";
}

}  // namespace autoshard::tool
