#include "tool/frontend/members/methods.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/bodies/literals.h"
#include "tool/frontend/bodies/updates.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/effects/disclosures.h"
#include "tool/frontend/effects/effects.h"
#include "tool/frontend/effects/throws.h"
#include "tool/frontend/keys/mixed_keys.h"
#include "tool/frontend/members/folds.h"
#include "tool/frontend/members/method_tokens.h"
#include "tool/frontend/members/parameters.h"
#include "tool/frontend/members/read_types.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

/// Removes the global `::` before the namespace `name`. Namespace `std` needs none: no user has another
/// namespace of this name.
std::string without_global(std::string text, llvm::StringRef name) {
  const std::string global = ("::" + name + "::").str();
  for (std::size_t at = text.find(global); at != std::string::npos; at = text.find(global, at)) {
    const bool begins =
        at == 0 ||
        !(clang::isAsciiIdentifierContinue(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '>');
    if (begins) text.erase(at, 2);
    ++at;
  }
  return text;
}

/// The return type, spelled so that it means the same in any place. A trailing type may mention parameters;
/// then it is the canonical type.
clang::QualType returned(const clang::FunctionProtoType& prototype, const Context& context) {
  const clang::QualType type = prototype.getReturnType();
  if (!prototype.hasTrailingReturn() || type->getContainedAutoType()) return type;
  const std::string text = type.getAsString(spelling_policy(context.ast));
  return llvm::StringRef(text).contains("decltype(") ? type.getCanonicalType() : type;
}

/// The type of `&Entity::name`. It is composed here, because Clang qualifies neither the parts of a function
/// type nor the class.
std::string type_of(const clang::CXXMethodDecl& method, const Context& context) {
  const auto* prototype = method.getType()->castAs<clang::FunctionProtoType>();
  auto fully = [&](clang::QualType type) {
    return clang::TypeName::getFullyQualifiedType(type, context.ast, /*WithGlobalNsPrefix=*/true);
  };
  llvm::SmallVector<clang::QualType, 4> parameters;
  for (clang::QualType parameter : prototype->param_types()) parameters.push_back(fully(parameter));
  clang::FunctionProtoType::ExtProtoInfo info = prototype->getExtProtoInfo();
  info.ExceptionSpec = {};  // it may name parameters, and the type is valid without it
  clang::QualType type = context.ast.getFunctionType(fully(returned(*prototype, context)), parameters, info);
  std::string text = "*";
  if (!method.isStatic()) text = "::" + qualified(declared_type(*method.getParent()), context.ast) + "::*";
  type.getAsStringInternal(text, spelling_policy(context.ast));
  return without_global(text, "std");
}

/// The kind of the method's result. Without a body, a shard method that returns its class is assumed to
/// return the object. The translation unit with the body corrects this.
Result result_of(const clang::CXXMethodDecl& method, bool has_body, const BodyFacts& facts) {
  clang::QualType type = method.getReturnType();
  if (type->isVoidType()) return Result::kNothing;
  const clang::CXXRecordDecl* entity = method.getParent();
  bool self = !has_body || (facts.returns_this && !facts.returns_something_else);
  clang::QualType pointee = type->getPointeeType();
  if (self && !pointee.isNull() && pointee->getAsCXXRecordDecl() == entity) {
    return type->isReferenceType() ? Result::kSelfReference : Result::kSelfPointer;
  }
  if (self && type->getAsCXXRecordDecl() == entity) return Result::kSelfValue;
  return refers_elsewhere(type) || !pointee.isNull() ? Result::kReference : Result::kValue;
}

bool from_macro(const clang::CXXMethodDecl& method, const clang::FunctionTypeLoc& type) {
  return method.getLocation().isMacroID() || type.getRParenLoc().isMacroID();
}

/// The definition of `method`, if it is in one of the given files; null otherwise.
const clang::CXXMethodDecl* definition_of(const clang::CXXMethodDecl& method, const Context& context) {
  const clang::FunctionDecl* definition = nullptr;
  if (!method.hasBody(definition) || definition->isDefaulted() || definition->isDeleted() ||
      !context.files.is_input(definition->getLocation()))
    return nullptr;
  return llvm::cast<clang::CXXMethodDecl>(definition);
}

/// The location behind leading attributes, which Clang counts as a part of the declaration.
clang::SourceLocation after_attributes(clang::SourceLocation begin, const Context& context) {
  auto at = context.log.find(begin);
  Tokens all = context.log.tokens();
  if (!at) return begin;
  while (*at + 1 < all.size() && all[*at].is(tok::l_square) && all[*at + 1].is(tok::l_square)) {
    *at = after_group(all, *at);
  }
  return *at < all.size() ? all[*at].getLocation() : begin;
}

/// The offset behind the opening brace of the body, or of its `try` block.
std::uint32_t statements_begin(const clang::Stmt& body, const Context& context) {
  const auto* of_try = llvm::dyn_cast<clang::CXXTryStmt>(&body);
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(of_try ? of_try->getTryBlock() : &body);
  const clang::SourceLocation brace = block ? block->getLBracLoc() : body.getBeginLoc();
  return context.files.span({brace, brace}).end;
}

/// Sets `head_end` and `notes_end`: looks at what stands between the name and the body. A macro that expands
/// to nothing is a token, too. Returns whether a directive stands there, which might leave some of it out.
bool set_ends(Method& method, const Context& context) {
  const Span& name = method.span;
  const Span& body = method.body;
  method.head_end = method.notes_end = body.begin;
  if (name.file != body.file || body.begin <= name.begin) return false;
  const std::string text = context.files.files()[name.file].text.substr(name.begin, body.begin - name.begin);
  clang::Lexer lexer(clang::SourceLocation(), context.language, text.data(), text.data(),
                     text.data() + text.size());
  lexer.SetCommentRetentionState(true);
  method.head_end = method.notes_end = name.begin;
  bool has_directive = false;
  clang::Token token;
  for (bool at_end = false; !at_end;) {
    at_end = lexer.LexFromRawLexer(token);
    if (token.is(tok::eof)) continue;
    has_directive |= token.isAtStartOfLine() && token.is(tok::hash);
    method.notes_end = name.begin + static_cast<std::uint32_t>(lexer.getBufferLocation() - text.data());
    if (!token.is(tok::comment)) method.head_end = method.notes_end;
  }
  return has_directive;
}

/// Reads one declaration of a method, without its definition elsewhere.
Method read_declaration(const clang::CXXMethodDecl& method, const Context& context) {
  Method result;
  const clang::FunctionTemplateDecl* of_template = method.getDescribedFunctionTemplate();
  const clang::Decl& declaration = of_template ? static_cast<const clang::Decl&>(*of_template) : method;
  result.name = method.getNameAsString();
  result.type = type_of(method, context);
  result.span = context.files.span({method.getLocation(), method.getLocation()});
  result.access = access_of(declaration);
  result.is_static = method.isStatic();
  result.is_for_rvalues = method.getRefQualifier() == clang::RQ_RValue;
  result.is_const = method.isConst();
  result.is_constructor = llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method) ||
                          method.isCopyAssignmentOperator() || method.isMoveAssignmentOperator();
  result.is_template = of_template != nullptr;
  result.is_inline = method.isInlined();
  result.is_overridable = method.isVirtual() && !method.hasAttr<clang::FinalAttr>() &&
                          !method.getParent()->hasAttr<clang::FinalAttr>();
  result.is_noinline = method.hasAttr<clang::NoInlineAttr>();
  result.says_inline = method.isInlineSpecified();
  result.declaration = declaration_span(declaration, context);
  clang::FunctionTypeLoc type = method.getFunctionTypeLoc();
  if (!type) return result;
  result.from_macro = from_macro(method, type);
  Signature signature(method, type, context);
  if (const auto* conversion = llvm::dyn_cast<clang::CXXConversionDecl>(&method))
    result.name = "operator " + qualified(conversion->getConversionType(), context.ast);
  result.scope = signature.scope();
  result.return_type = signature.return_type();
  result.trailing_return_type = signature.has_trailing_return_type();
  result.deduced_result = method.getReturnType()->isUndeducedType();
  result.result_type = read_type(method.getReturnType(), context);
  result.builtin_return_type = signature.has_builtin_return_type();
  result.return_type_names_parameters = signature.return_type_names_parameters();
  if (auto word = signature.constexpr_specifier())
    result.constexpr_specifier = context.files.span({*word, *word});
  result.qualifiers = signature.qualifiers();
  for (const clang::ParmVarDecl* parameter : method.parameters()) {
    result.parameters.push_back(read_parameter(*parameter, parameter->getFunctionScopeIndex(), context));
  }
  return result;
}

}  // namespace

Span declaration_span(const clang::Decl& decl, const Context& context) {
  clang::SourceRange range = decl.getSourceRange();
  range.setBegin(after_attributes(range.getBegin(), context));
  auto last = context.log.find(range.getEnd());
  auto tokens = context.log.tokens();
  if (last && !tokens[*last].is(tok::r_brace)) {
    while (*last + 1 < tokens.size() && !tokens[*last].is(tok::semi)) ++*last;
    range.setEnd(tokens[*last].getLocation());
  }
  return context.files.span(range);
}

Access access_of(const clang::Decl& decl) {
  switch (decl.getAccess()) {
    case clang::AS_private:
      return Access::kPrivate;
    case clang::AS_protected:
      return Access::kProtected;
    default:
      return Access::kPublic;
  }
}

MethodFacts read_method(const clang::CXXMethodDecl& method, const Context& context) {
  MethodFacts result_facts;
  Method& result = result_facts.method;
  result = read_declaration(method, context);
  if (method.isExplicitObjectMemberFunction()) {
    result.escapes.push_back({"takes its object as a parameter", result.span});
  }
  const auto refuse_form = [&](bool has_it, const char* what, const char* why) {
    if (has_it) result.escapes.push_back({what, result.span, why});
  };
  refuse_form(!method.getFunctionTypeLoc(), "is declared by an alias of a function type",
              "write its return type and its parameters out");
  refuse_form(method.isVolatile(), "is volatile", "what it runs on is not; drop 'volatile'");
  refuse_form(method.isConsteval(), "is consteval",
              "what is stored is not known to the compiler; make it constexpr, or drop 'consteval'");
  refuse_form(
      method.isVariadic(), "takes an ellipsis",
      "it runs twice, and such arguments can be passed on only once; take a std::initializer_list or a "
      "container");
  refuse_form(method.isNoReturn(), "never returns",
              "what it changes is kept only when it does; drop the attribute");
  const clang::FunctionDecl* known = method.getDefinition();
  result.is_known = (known && !known->hasSkippedBody()) || method.isDefaulted() || method.isDeleted();
  const clang::CXXMethodDecl* definition = definition_of(method, context);
  BodyFacts facts;
  if (definition) {
    const clang::Stmt& body = *definition->getBody();
    result.has_body = true;
    result.body = context.files.span(body.getSourceRange());
    refuse_form(
        definition == &method && set_ends(result, context), "has a directive in front of its body",
        "the body moves away from there; move the directive into the body, or in front of the method");
    result.statements_begin = statements_begin(body, context);
    result.from_macro |= body.getBeginLoc().isMacroID() || body.getEndLoc().isMacroID();
    facts = read_body(*definition, *method.getParent(), context);
  }
  result.result = result_of(method, result.has_body, facts);
  if (definition && definition != &method) {
    Method outside = read_declaration(*definition, context);
    outside.result = result.result;
    outside.body = result.body;
    outside.statements_begin = result.statements_begin;
    // If an alias of a function type declares the method in the class, that declaration has no parameters.
    const std::size_t both = std::min(outside.parameters.size(), result.parameters.size());
    for (std::size_t at = 0; at < both; ++at)
      outside.parameters[at].default_argument = result.parameters[at].default_argument;
    result.from_macro |= outside.from_macro;
    result.is_inline |= outside.is_inline;
    result.definition.push_back(std::move(outside));
  }
  result.uses = std::move(facts.uses);
  llvm::append_range(result.escapes, facts.escapes);
  result.calls_shard_methods = !facts.calls.empty();
  result_facts.calls = std::move(facts.calls);
  const bool is_fold = has_attribute(method, "shard_fold", context);
  if (context.candidates || is_shard_method(method, context)) {
    Updates updates = read_updates(method, *method.getParent(), context);
    result.updates = std::move(updates.updates);
    if (context.candidates) result.field_updates = std::move(updates.of_fields);
    const bool is_plain = definition && !result.from_macro && !result.is_template;
    result.only_updates = is_plain && updates.are_all;
    result.only_assigns = is_plain && updates.only_assigns && !result.calls_shard_methods &&
                          updates.assignments == result.uses.size() &&
                          llvm::all_of(result.uses, [](const MemberUse& use) { return use.write; });
  }
  if (context.candidates || is_fold || is_shard_method(method, context)) {
    Effects found = read_effects(method, context);
    result.effects = std::move(found.effects);
    result.unseen_calls = std::move(found.unseen_calls);
    result.seen_functions = std::move(found.seen_functions);
  }
  if (definition && is_shard_method(method, context)) {
    Dependences found = read_dependences(*definition, *method.getParent(), context);
    result.disclosures = std::move(found.disclosures);
    result.throws = std::move(found.throws);
  }
  if (definition && is_fold) {
    if (auto found = find_throw(*definition, context)) result.fold_throws.push_back(std::move(*found));
  }
  if (definition && is_fold && !result.from_macro) result.fold_operation = read_fold(*definition, context);
  if (definition && (is_fold || is_shard_method(method, context)))
    result.mixed_keys = find_mixed_keys(*definition, context);
  if (definition && (is_fold || is_shard_method(method, context)))
    result.constants = read_constants(*definition, context);
  return result_facts;
}

}  // namespace autoshard::tool
