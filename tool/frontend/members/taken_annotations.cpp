#include "tool/frontend/members/taken_annotations.h"

#include "tool/frontend/members/constants.h"
#include "tool/frontend/tokens/clang_attributes.h"
#include "tool/model/attributes.h"
#include "tool/model/window.h"

namespace autoshard::tool {
namespace {

void evaluate(Argument& argument, Tokens tokens, const clang::CXXRecordDecl& scope, const Context& context) {
  Constant constant = evaluated(tokens, const_cast<clang::CXXRecordDecl&>(scope), context);
  argument.number = constant.value;
  argument.problem = std::move(constant.problem);
}

/// The arguments of `adaptive(1, 64)`.
std::vector<Argument> limits(Tokens adaptive, const clang::CXXRecordDecl& scope, const Context& context) {
  std::vector<Argument> limits;
  for (const Tokens tokens : arguments_of_call(adaptive)) {
    Argument& limit = limits.emplace_back();
    limit.value = context.log.text(tokens);
    if (tokens.empty()) continue;
    evaluate(limit, tokens, scope, context);
    limit.value_span = context.files.span({tokens.front().getLocation(), tokens.back().getLocation()});
  }
  return limits;
}

}  // namespace

std::vector<Annotation> take_annotations(const clang::Decl& decl, const clang::CXXRecordDecl& scope,
                                         const Context& context) {
  std::vector<Annotation> annotations;
  for (clang::SourceLocation name : attributes_of(decl)) {
    FoundAttribute* found = context.attributes.at(name);
    if (!found) continue;
    found->claimed = true;
    annotations.push_back(found->annotation);
    for (std::size_t at = 0; at < found->values.size(); ++at) {
      Argument& argument = annotations.back().arguments[at];
      argument.text = string_value(found->values[at], context);
      const ArgumentSpec* const spec = spec_of(annotations.back(), argument);
      const auto kind = spec ? spec->kind : ArgumentSpec::Kind::kExpression;
      if (kind == ArgumentSpec::Kind::kDuration) {
        argument.duration = read_duration(argument.value);
        if (argument.duration->problem == Duration::Problem::kNone)
          argument.number = argument.duration->seconds;
      } else if (is_adaptive(argument)) {
        argument.arguments = limits(found->values[at], scope, context);
      } else if (kind == ArgumentSpec::Kind::kInteger || kind == ArgumentSpec::Kind::kShards) {
        evaluate(argument, found->values[at], scope, context);
      } else {
        argument.number = literal_value(found->values[at], context);
      }
    }
  }
  return annotations;
}

}  // namespace autoshard::tool
