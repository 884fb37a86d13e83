#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

/// `question.cpp` for `model/question.h`: where a definition usually is.
std::string source_of(std::string_view header) {
  const std::size_t slash = header.find_last_of('/');
  const std::string_view name = slash == std::string_view::npos ? header : header.substr(slash + 1);
  return std::string(name.substr(0, name.find_last_of('.'))) + ".cpp";
}

bool may_write(const Method& method) {
  return !method.is_shard_method() && !method.is_shard_fold() && !method.is_const && !method.is_static &&
         !method.is_constructor;
}

void missing_bodies(const Entity& entity, const std::vector<SourceFile>& files, Findings& findings) {
  for (const Method& method : entity.methods) {
    if (!may_write(method) || method.is_known || method.defined_elsewhere) continue;
    findings.warn(method.span,
                  "nobody checks whether " + quoted(method.name) +
                      " changes a sharded member, which would be lost: its definition is in no file that was "
                      "given; name the source that has it, perhaps " +
                      quoted(source_of(files[method.span.file].path)) +
                      " (--source, or SOURCES of autoshard_generate), or make it const if it only reads");
  }
}

}  // namespace

/// What rules::plain_write would have to look into.
void plain_method_body(const Model& model, Findings& findings) {
  for (const Entity& entity : model.entities) {
    if (entity.is_sharded() && !entity.suspicions.is_abstract) missing_bodies(entity, model.files, findings);
  }
}

}  // namespace autoshard::tool::rules
