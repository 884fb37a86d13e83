#include "tool/frontend/methods.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"
#include "tool/frontend/body.h"
#include "tool/frontend/effects.h"
#include "tool/frontend/types.h"
#include "tool/frontend/updates.h"
#include "tool/frontend/versions.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;
using Tokens = llvm::ArrayRef<clang::Token>;

/// Nobody can mistake `std` for a namespace of their own, so it needs no `::` before it.
std::string without_global(std::string text, llvm::StringRef name) {
  const std::string global = ("::" + name + "::").str();
  for (std::size_t at = text.find(global); at != std::string::npos; at = text.find(global, at)) {
    const bool begins = at == 0 || !(clang::isAsciiIdentifierContinue(text[at - 1]) || text[at - 1] == '>');
    if (begins) text.erase(at, 2);
    ++at;
  }
  return text;
}

/// `&Entity::name`'s type, put together by hand because Clang qualifies neither a function's parts nor the
/// class.
std::string type_of(const clang::CXXMethodDecl& method, const Context& context) {
  const auto* prototype = method.getType()->castAs<clang::FunctionProtoType>();
  auto fully = [&](clang::QualType type) {
    return clang::TypeName::getFullyQualifiedType(type, context.ast, /*WithGlobalNsPrefix=*/true);
  };
  llvm::SmallVector<clang::QualType, 4> parameters;
  for (clang::QualType parameter : prototype->param_types()) parameters.push_back(fully(parameter));
  clang::FunctionProtoType::ExtProtoInfo info = prototype->getExtProtoInfo();
  info.ExceptionSpec = {};  // may name parameters; a pointer to a method need not tell
  clang::QualType type = context.ast.getFunctionType(fully(prototype->getReturnType()), parameters, info);
  std::string text = "*";
  if (!method.isStatic()) text = "::" + qualified(declared_type(*method.getParent()), context.ast) + "::*";
  type.getAsStringInternal(text, spelling_policy(context.ast));
  return without_global(text, "std");
}

/// Behind the token at `at`, or behind the bracket that closes it.
std::size_t after_group(Tokens all, std::size_t at) {
  std::size_t depth = 0;
  for (; at < all.size(); ++at) {
    if (all[at].isOneOf(tok::l_paren, tok::l_square)) ++depth;
    if (all[at].isOneOf(tok::r_paren, tok::r_square) && depth > 0) --depth;
    if (depth == 0) return at + 1;
  }
  return at;
}

/// Splits the tokens of one method's declaration. The parser's own ranges leave out qualifiers of types.
class Signature {
 public:
  Signature(const clang::CXXMethodDecl& method, const clang::FunctionTypeLoc& type, const Context& context)
      : log_(context.log),
        trailing_(method.getType()->castAs<clang::FunctionProtoType>()->hasTrailingReturn()) {
    auto begin = log_.find(method.getBeginLoc());
    auto name = log_.find(method.getLocation());
    auto close = log_.find(type.getRParenLoc());
    if (!begin || !name || !close) return;
    Tokens all = log_.tokens();
    before_name_ = all.slice(*begin, *name - *begin);
    if (const auto scope = log_.find(method.getQualifierLoc().getBeginLoc())) {
      before_name_ = all.slice(*begin, *scope - *begin);
      scope_ = all.slice(*scope, *name - *scope)
                   .drop_while([](const clang::Token& token) { return token.is(tok::coloncolon); })
                   .drop_back();  // less the last `::`
    }
    std::size_t end = *close + 1;
    while (end < all.size() && !ends_signature(all, end)) end = after_group(all, end);
    after_parameters_ = all.slice(*close + 1, end - *close - 1);
  }

  std::string return_type() const {
    return trailing_ ? text_without(trailing_return()) : text_without(before_name_);
  }

  /// Whether the return type is spelled with keywords alone, which mean the same everywhere.
  bool has_builtin_return_type() const {
    return llvm::none_of(without_dropped(trailing_ ? trailing_return() : before_name_),
                         [](const clang::Token& token) { return token.is(tok::identifier); });
  }

  /// `moderator::Question`, where the method is defined outside its class.
  std::string scope() const { return log_.text(scope_); }

  /// The word `constexpr`, where it is there.
  std::optional<clang::SourceLocation> constexpr_specifier() const {
    const auto* found =
        llvm::find_if(before_name_, [](const clang::Token& t) { return t.is(tok::kw_constexpr); });
    if (found == before_name_.end()) return std::nullopt;
    return found->getLocation();
  }

  std::string qualifiers() const {
    Tokens arrow = trailing_ ? trailing_return() : Tokens();
    if (arrow.empty()) return text_without(after_parameters_);
    std::string before = text_without({after_parameters_.begin(), arrow.begin() - 1});
    std::string after = text_without({arrow.end(), after_parameters_.end()});
    return before.empty() || after.empty() ? before + after : before + " " + after;
  }

 private:
  static bool ends_signature(Tokens all, std::size_t at) {
    return all[at].isOneOf(tok::l_brace, tok::semi, tok::equal, tok::kw_try, tok::colon);
  }

  /// Words of a declaration that belong neither to the type nor to the companion's wrapper.
  static bool is_dropped(const clang::Token& token) {
    if (token.isOneOf(tok::kw_virtual, tok::kw_static, tok::kw_inline, tok::kw_constexpr, tok::kw_explicit))
      return true;
    const clang::IdentifierInfo* word = token.is(tok::identifier) ? token.getIdentifierInfo() : nullptr;
    return word && (word->isStr("override") || word->isStr("final"));
  }

  static llvm::SmallVector<clang::Token, 8> without_dropped(Tokens tokens) {
    llvm::SmallVector<clang::Token, 8> kept;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      if (tokens[at].isOneOf(tok::kw___attribute, tok::kw___declspec)) {
        at = after_group(tokens, at + 1) - 1;
      } else if (tokens[at].is(tok::l_square) && at + 1 < tokens.size() && tokens[at + 1].is(tok::l_square)) {
        at = after_group(tokens, at) - 1;
      } else if (!is_dropped(tokens[at])) {
        kept.push_back(tokens[at]);
      }
    }
    return kept;
  }

  std::string text_without(Tokens tokens) const { return log_.text(without_dropped(tokens)); }

  Tokens trailing_return() const {
    std::size_t at = 0;
    while (at < after_parameters_.size() && !after_parameters_[at].is(tok::arrow))
      at = after_group(after_parameters_, at);
    if (at == after_parameters_.size()) return {};
    std::size_t end = at + 1;
    while (end < after_parameters_.size() && !is_dropped(after_parameters_[end]) &&
           !after_parameters_[end].is(tok::kw_requires)) {
      end = after_group(after_parameters_, end);
    }
    return after_parameters_.slice(at + 1, end - at - 1);
  }

  const TokenLog& log_;
  bool trailing_;
  Tokens before_name_;
  Tokens scope_;
  Tokens after_parameters_;
};

Passing passing_of(clang::QualType type) {
  if (type->isRValueReferenceType()) return Passing::kRvalueReference;
  if (!type->isLValueReferenceType()) return Passing::kValue;
  return type->getPointeeType().isConstQualified() ? Passing::kConstReference : Passing::kReference;
}

/// Which a local variable that is initialised with it is not.
bool refers_to_array(clang::QualType type) {
  return type->isReferenceType() && type->getPointeeType()->isArrayType();
}

/// The attributes before the token at `begin`, which Clang does not count among a parameter's tokens.
std::string attributes_before(clang::SourceLocation begin, const Context& context) {
  const Tokens all = context.log.tokens();
  const auto end = context.log.find(begin);
  if (!end) return {};
  std::size_t first = *end;
  while (first >= 2 && all[first - 1].is(tok::r_square) && all[first - 2].is(tok::r_square)) {
    std::size_t depth = 0;
    do {
      --first;
      if (all[first].is(tok::r_square)) ++depth;
      if (all[first].is(tok::l_square)) --depth;
    } while (depth > 0 && first > 0);
  }
  const std::string text = context.log.text(all.slice(first, *end - first));
  return text.empty() ? text : text + " ";
}

/// Whether a value of `type` leads to an object that is not its own, and that can be changed by it.
bool shares_an_object(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType())
    return !type->isFunctionPointerType() && !type->getPointeeType().isConstQualified();
  const auto* special =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!special || !special->isInStdNamespace()) return false;
  static constexpr llvm::StringLiteral kPointers[] = {"shared_ptr", "weak_ptr",          "unique_ptr",
                                                      "span",       "reference_wrapper", "__normal_iterator"};
  static constexpr llvm::StringLiteral kStreams[] = {"istream_iterator", "istreambuf_iterator",
                                                     "ostream_iterator", "ostreambuf_iterator",
                                                     "back_insert_iterator"};
  const llvm::StringRef name = special->getName();
  if (llvm::is_contained(kStreams, name)) return true;
  const llvm::ArrayRef<clang::TemplateArgument> arguments = special->getTemplateArgs().asArray();
  if (llvm::is_contained(kPointers, name) && arguments[0].getKind() == clang::TemplateArgument::Type &&
      !arguments[0].getAsType()->isPointerType() && !arguments[0].getAsType().isConstQualified())
    return true;
  return llvm::any_of(arguments, [](const clang::TemplateArgument& argument) {
    return argument.getKind() == clang::TemplateArgument::Type && shares_an_object(argument.getAsType());
  });
}

bool is_function(clang::QualType type) {
  const clang::QualType pointee = type->getPointeeType();
  if (!pointee.isNull() && pointee->isFunctionType()) return true;
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getDeclName().isIdentifier() &&
         (record->getName() == "function" || record->getName() == "move_only_function");
}

Parameter read_parameter(const clang::ParmVarDecl& parameter, unsigned position, const Context& context) {
  Parameter result;
  result.name = parameter.getNameAsString();
  Tokens tokens = context.log.tokens(parameter.getSourceRange());
  if (parameter.hasDefaultArg()) {
    const auto* equal = llvm::find_if(tokens, [](const clang::Token& token) { return token.is(tok::equal); });
    const auto before = static_cast<std::size_t>(equal - tokens.begin());
    result.default_argument = context.log.text(tokens.drop_front(std::min(before + 1, tokens.size())));
    tokens = tokens.take_front(before);
  }
  result.text = context.log.text(tokens);
  result.written = attributes_before(parameter.getSourceRange().getBegin(), context) + result.text;
  if (result.name.empty()) {
    result.name = "argument" + std::to_string(position + 1);
    result.text = result.name;
    parameter.getType().getAsStringInternal(result.text, spelling_policy(context.ast));
  }
  result.passing = passing_of(parameter.getType());
  result.type = read_type(parameter.getType().getNonReferenceType(), context);
  result.copyable = copyable(parameter.getType(), context.sema) && !refers_to_array(parameter.getType());
  result.is_function = is_function(parameter.getType());
  result.shares_an_object = shares_an_object(parameter.getType());
  return result;
}

/// Where the body is not at hand, a shard method that returns its class is taken to return the object.
/// Whoever has the body finds out.
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
  return pointee.isNull() ? Result::kValue : Result::kReference;
}

bool from_macro(const clang::CXXMethodDecl& method, const clang::FunctionTypeLoc& type) {
  return method.getLocation().isMacroID() || type.getRParenLoc().isMacroID();
}

/// The definition of `method`, where it stands in one of the files given.
const clang::CXXMethodDecl* definition_of(const clang::CXXMethodDecl& method, const Context& context) {
  const clang::FunctionDecl* definition = nullptr;
  if (!method.hasBody(definition) || definition->isDefaulted() || definition->isDeleted() ||
      !context.files.is_input(definition->getLocation()))
    return nullptr;
  return llvm::cast<clang::CXXMethodDecl>(definition);
}

/// Clang counts leading attributes among a declaration.
clang::SourceLocation after_attributes(clang::SourceLocation begin, const Context& context) {
  auto at = context.log.find(begin);
  Tokens all = context.log.tokens();
  if (!at) return begin;
  while (*at + 1 < all.size() && all[*at].is(tok::l_square) && all[*at + 1].is(tok::l_square)) {
    *at = after_group(all, *at);
  }
  return *at < all.size() ? all[*at].getLocation() : begin;
}

/// Behind the brace that opens the body, or its `try` block.
std::uint32_t statements_begin(const clang::Stmt& body, const Context& context) {
  const auto* of_try = llvm::dyn_cast<clang::CXXTryStmt>(&body);
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(of_try ? of_try->getTryBlock() : &body);
  const clang::SourceLocation brace = block ? block->getLBracLoc() : body.getBeginLoc();
  return context.files.span({brace, brace}).end;
}

/// What one declaration of a method says by itself.
Method read_declaration(const clang::CXXMethodDecl& method, const Context& context) {
  Method result;
  const clang::FunctionTemplateDecl* of_template = method.getDescribedFunctionTemplate();
  const clang::Decl& declaration = of_template ? static_cast<const clang::Decl&>(*of_template) : method;
  result.name = method.getNameAsString();
  result.type = type_of(method, context);
  result.span = context.files.span({method.getLocation(), method.getLocation()});
  result.access = access_of(declaration);
  result.is_static = method.isStatic();
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
  result.deduced_result = method.getReturnType()->isUndeducedType();
  result.result_type = read_type(method.getReturnType(), context);
  result.builtin_return_type = signature.has_builtin_return_type();
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
    for (std::size_t at = 0; at < outside.parameters.size(); ++at) {
      outside.parameters[at].default_argument = result.parameters[at].default_argument;
    }
    result.from_macro |= outside.from_macro;
    result.is_inline |= outside.is_inline;
    result.definition.push_back(std::move(outside));
  }
  result.uses = std::move(facts.uses);
  llvm::append_range(result.escapes, facts.escapes);
  result.calls_shard_methods = !facts.calls.empty();
  result_facts.calls = std::move(facts.calls);
  if (context.candidates) result.updates = read_updates(method, *method.getParent(), context);
  if (context.candidates || is_shard_method(method, context)) result.effects = read_effects(method, context);
  return result_facts;
}

}  // namespace autoshard::tool
