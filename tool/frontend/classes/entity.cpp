#include "tool/frontend/classes/entity.h"

#include <clang/AST/Attr.h>
#include <llvm/ADT/StringSet.h>

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/classes/friends.h"
#include "tool/frontend/classes/lifetime.h"
#include "tool/frontend/classes/place.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/members/indexes.h"
#include "tool/frontend/members/initial_values.h"
#include "tool/frontend/members/methods.h"
#include "tool/frontend/members/read_marks.h"
#include "tool/frontend/members/read_types.h"
#include "tool/frontend/members/sharding.h"
#include "tool/frontend/members/taken_annotations.h"
#include "tool/frontend/tokens/clang_attributes.h"
#include "tool/model/shard_names.h"

namespace autoshard::tool {
namespace {

bool is_copying_constructor(const clang::CXXMethodDecl& method) {
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&method);
  return constructor && constructor->isCopyOrMoveConstructor();
}

bool has_members(const clang::CXXRecordDecl& record) {
  if (!record.hasDefinition()) return true;  // a dependent base, which may have members
  if (!record.field_empty()) return true;
  return llvm::any_of(record.bases(), [](const clang::CXXBaseSpecifier& base) {
    const auto* parent = base.getType()->getAsCXXRecordDecl();
    return !parent || has_members(*parent);
  });
}

/// The begin of a comment of any style on the line before the class, or on its first line; nothing if there
/// is none. The comment belongs to the class.
std::optional<clang::SourceLocation> comment_above(const clang::CXXRecordDecl& record,
                                                   const Context& context) {
  const clang::RawComment* comment = context.ast.getRawCommentForDeclNoCache(&record);
  if (!comment) return std::nullopt;
  const clang::SourceManager& sources = context.files.sources();
  const clang::SourceLocation first = sources.getExpansionLoc(record.getBeginLoc());
  if (!sources.isBeforeInTranslationUnit(comment->getEndLoc(), first))
    return std::nullopt;  // the comment stands among the attributes
  unsigned end = sources.getSpellingLineNumber(comment->getEndLoc());
  unsigned begin = sources.getSpellingLineNumber(first);
  if (begin < end || begin - end > 1) return std::nullopt;
  return comment->getBeginLoc();
}

/// A definition outside of the class, of a member or of what a nested class has.
struct Outside {
  clang::SourceRange range;
  llvm::StringSet<> declared{};  ///< names of its own
};

void add_declared(const clang::DeclContext& context, llvm::StringSet<>& names) {
  for (const clang::Decl* decl : context.decls()) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
    if (named && named->getDeclName().isIdentifier()) names.insert(named->getName());
    const auto* inner = llvm::dyn_cast<clang::DeclContext>(decl);
    if (inner && !decl->isImplicit()) add_declared(*inner, names);
  }
}

class EntityReader {
 public:
  EntityReader(const clang::CXXRecordDecl& record, Role role, const Context& context)
      : record_(record), context_(context) {
    entity_.role = role;
  }

  Entity run() && {
    entity_.name = record_.getNameAsString();
    entity_.qualified_name = qualified(declared_type(record_), context_.ast);
    entity_.annotations = take_annotations(record_, record_, context_);
    entity_.is_annotated = has_attribute(record_, "entity", context_) || entity_.role != Role::kEntity;
    entity_.sharded_indexes = read_indexes(record_, entity_.annotations, context_);
    const Annotation* const mark = entity_.annotation("entity");
    const bool has_kind = mark && !mark->arguments.empty();
    entity_.kind = has_kind ? mark->arguments.front().text.value_or(entity_.name) : entity_.name;
    entity_.place = place_of(record_);
    entity_.span = span(record_.getLocation());
    entity_.key = span(record_.getInnerLocStart());
    entity_.suspicions.is_union = record_.isUnion();
    entity_.suspicions.is_abstract = record_.isAbstract();
    entity_.from_macro = record_.getLocation().isMacroID() || record_.getBraceRange().getEnd().isMacroID();
    entity_.is_aggregate = record_.isAggregate();
    entity_.has_implicit_default_constructor =
        !record_.hasUserDeclaredConstructor() && default_constructor(record_, context_.sema);
    entity_.is_deprecated = record_.hasAttr<clang::DeprecatedAttr>();
    if (entity_.role == Role::kEntity) {
      entity_.suspicions.immovable = obstacles_to_moving(record_, context_);
      entity_.suspicions.bases_without_default = bases_without_default(record_, context_);
    }
    entity_.default_constructible = entity_.role == Role::kEntity || has_default_constructor();
    read_definition();
    read_bases();
    for (const clang::Decl* decl : record_.decls()) read_member(*decl);
    entity_.friends = read_friends(record_, context_);
    entity_.suspicions.foreign_writes = read_foreign_writes(record_, context_);
    find_sharded_in_namespace();
    read_tokens_of_members();
    for (std::size_t at = 0; at < fields_.size(); ++at) {
      Property& property = entity_.properties[at];
      property.sharding = read_sharding(entity_, property, *fields_[at], context_);
    }
    for (std::size_t at = 0; at < entity_.methods.size(); ++at) collect_uses(at);
    read_tokens_of_shard();
    return std::move(entity_);
  }

 private:
  Span span(clang::SourceLocation token) const { return context_.files.span({token, token}); }

  void read_definition() {
    clang::SourceLocation begin = comment_above(record_, context_).value_or(record_.getBeginLoc());
    clang::SourceLocation brace = record_.getBraceRange().getEnd();
    entity_.body_end = span(brace).begin;
    clang::SourceLocation end = brace;
    if (auto at = context_.log.find(brace); at && *at + 1 < context_.log.tokens().size()) {
      const clang::Token& next = context_.log.tokens()[*at + 1];
      if (next.is(clang::tok::semi)) {
        end = next.getLocation();
      } else {
        entity_.suspicions.declarator = span(next.getLocation());
      }
    }
    Span last = span(end);
    entity_.definition = {last.file, span(begin).begin, context_.files.end_with_comment(last)};
  }

  void read_bases() {
    for (const clang::CXXBaseSpecifier& base : record_.bases()) {
      const auto* parent = base.getType()->getAsCXXRecordDecl();
      if (parent && !has_members(*parent)) continue;
      if (is_mapped(base)) {
        inherit(*parent->getDefinition(), base);
        continue;
      }
      entity_.suspicions.bases_with_members.push_back(
          {qualified(base.getType(), context_.ast), context_.files.span(base.getSourceRange())});
    }
  }

  /// Whether the base is mapped. A pointer to a member reaches only bases that are public and not virtual.
  bool is_mapped(const clang::CXXBaseSpecifier& base) const {
    const auto* parent = base.getType()->getAsCXXRecordDecl();
    return parent && parent->hasDefinition() && !base.isVirtual() &&
           base.getAccessSpecifier() == clang::AS_public &&
           has_attribute(*parent->getDefinition(), "mapped", context_);
  }

  void inherit(const clang::CXXRecordDecl& parent, const clang::CXXBaseSpecifier& base) {
    Entity part = EntityReader(parent, Role::kMapped, context_).run();
    for (Property& property : part.properties)
      property.owner = with_global_names(part.qualified_name, /*is_users=*/true);
    llvm::append_range(entity_.inherited, std::move(part.inherited));
    llvm::append_range(entity_.inherited, std::move(part.properties));
    entity_.mapped_bases.push_back(context_.text(base.getTypeSourceInfo()->getTypeLoc().getSourceRange()));
  }

  /// Notes the uses of `Shard` and of names of indexes. Inside the companion, these names mean its own
  /// members.
  void read_tokens_of_members() {
    std::vector<std::string> names = {"Shard"};
    for (const ShardedIndex& index : entity_.sharded_indexes) names.push_back(index.name);
    const auto any = [](const Span&) { return true; };
    add_mentions(names, record_.getBraceRange(), any);
    add_mentions_outside(names, any);
  }

  /// Notes the uses of generated names in the shard. There, these names hide names of the namespace. In the
  /// rest of the class, they do not.
  void read_tokens_of_shard() {
    std::vector<std::string> names;
    for (const Property& property : entity_.properties) {
      if (!property.sharding || property.is_group()) continue;
      names.push_back(fold_name(property));
      llvm::append_range(names, notes_in_shard(entity_, property));
    }
    std::erase_if(names, [&](const std::string& name) { return is_declared(name); });
    if (names.empty()) return;
    std::vector<Span> parts;
    for (const Method& method : entity_.methods) {
      if (!method.is_shard_method()) continue;
      parts.push_back(method.declaration);
      parts.push_back(method.body);
    }
    for (const Property& property : entity_.properties) {
      if (!property.marks.shardable) continue;
      const Shardable& one = *property.marks.shardable;
      for (const std::optional<Argument>* argument : {&one.neutral, &one.shards, &one.fold, &one.minimum,
                                                      &one.maximum, &one.order, &one.last, &one.bucket}) {
        if (*argument) parts.push_back((*argument)->value_span);
      }
    }
    const auto is_in_shard = [&](const Span& name) {
      return llvm::any_of(parts, [&](const Span& part) {
        return part.file == name.file && part.begin <= name.begin && name.end <= part.end;
      });
    };
    add_mentions(names, record_.getBraceRange(), is_in_shard);
    add_mentions_outside(names, is_in_shard);
  }

  void add_mentions_outside(const std::vector<std::string>& names,
                            llvm::function_ref<bool(const Span&)> is_wanted) {
    for (const Outside& outside : outside_) {
      std::vector<std::string> others = names;
      std::erase_if(others, [&](const std::string& name) { return outside.declared.contains(name); });
      add_mentions(others, outside.range, is_wanted);
    }
  }

  /// Whether the class or a parameter of a method declares this name. The rule for names reports the
  /// declaration itself.
  bool is_declared(const std::string& name) const {
    const auto has_name = [&](const auto& one) { return one.name == name; };
    return llvm::any_of(entity_.other_names, has_name) || llvm::any_of(entity_.properties, has_name) ||
           llvm::any_of(entity_.methods, [&](const Method& method) {
             return method.name == name || llvm::any_of(method.parameters, has_name);
           });
  }

  /// Adds each unqualified use of one of `names` in `range` to the names of the class.
  void add_mentions(const std::vector<std::string>& names, clang::SourceRange range,
                    llvm::function_ref<bool(const Span&)> is_wanted) {
    const llvm::ArrayRef<clang::Token> tokens = context_.log.tokens(range);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      const clang::IdentifierInfo* name = tokens[at].getIdentifierInfo();
      if (!name || !llvm::is_contained(names, name->getName()) ||
          (at > 0 && tokens[at - 1].isOneOf(clang::tok::coloncolon, clang::tok::period, clang::tok::arrow)))
        continue;
      const Span place = span(tokens[at].getLocation());
      const auto is_known = [&](const auto& one) { return one.span == place; };
      if (is_wanted(place) && llvm::none_of(entity_.other_names, is_known) &&
          llvm::none_of(entity_.properties, is_known) && llvm::none_of(entity_.methods, is_known))
        entity_.other_names.push_back({name->getName().str(), place});
    }
  }

  bool has_default_constructor() const {
    const auto* constructor = default_constructor(record_, context_.sema);
    return constructor &&
           (constructor->getAccess() == clang::AS_public ||
            (entity_.role == Role::kMapped && constructor->getAccess() == clang::AS_protected));
  }

  void read_member(const clang::Decl& decl) {
    // Clang marks its own member for an anonymous struct or union as implicit.
    if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(&decl)) {
      entity_.is_deprecated |= decl.hasAttr<clang::DeprecatedAttr>();
      return read_property(*field);
    }
    if (decl.isImplicit()) return;
    entity_.is_deprecated |= decl.hasAttr<clang::DeprecatedAttr>();
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&decl)) return add_method(*method, decl);
    if (const auto* of_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(&decl)) {
      if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(of_template->getTemplatedDecl())) {
        return add_method(*method, decl);
      }
    }
    add_parts_outside(decl);
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(&decl);
    if (named && named->getDeclName().isIdentifier() && !named->getName().empty()) {
      entity_.other_names.push_back({named->getNameAsString(), span(named->getLocation())});
    }
    const auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(&decl);
    if (!enumeration || enumeration->isScoped()) return;
    for (const clang::EnumConstantDecl* constant : enumeration->enumerators()) {
      entity_.other_names.push_back({constant->getNameAsString(), span(constant->getLocation())});
    }
  }

  void add_outside(const clang::Decl& definition, clang::SourceLocation begin) {
    Outside& outside = outside_.emplace_back(clang::SourceRange(begin, definition.getEndLoc()));
    const auto* context = llvm::dyn_cast<clang::DeclContext>(&definition);
    if (context && llvm::isa<clang::FunctionDecl>(definition)) add_declared(*context, outside.declared);
  }

  /// Adds what a nested class or a static member has outside of the class.
  void add_parts_outside(const clang::Decl& member) {
    if (member.isImplicit()) return;
    const auto* function = member.getAsFunction();
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&member);
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&member);
    const clang::NamedDecl* definition = nullptr;
    if (function) definition = function->getDefinition();
    if (variable) definition = variable->getDefinition();
    if (record) definition = record->getDefinition();
    if (!definition) return;
    if (definition->isOutOfLine()) add_outside(*definition, definition->getLocation());
    if (!record) return;
    for (const clang::Decl* part : record->getDefinition()->decls()) add_parts_outside(*part);
  }

  void add_method(const clang::CXXMethodDecl& method, const clang::Decl& declared) {
    if (const bool copies = (method.isCopyAssignmentOperator() || method.isMoveAssignmentOperator() ||
                             is_copying_constructor(method)) &&
                            method.isUserProvided();
        copies) {
      entity_.suspicions.copy_operations.push_back({method.getNameAsString(), span(method.getLocation())});
    }
    MethodFacts facts = read_method(method, context_);
    facts.method.annotations = take_annotations(method, record_, context_);
    if (&declared != &method)
      llvm::append_range(facts.method.annotations, take_annotations(declared, record_, context_));
    facts.method.marks = method_marks(facts.method.annotations);
    if (!facts.method.definition.empty()) {
      // The return type of a shard method moves behind its name. Of other methods, it is not in the class.
      const clang::FunctionDecl& outside = *method.getDefinition();
      add_outside(outside, facts.method.is_shard_method() ? outside.getBeginLoc() : outside.getLocation());
    }
    if (!entity_.methods.empty() &&
        entity_.methods.back().declaration.file == facts.method.declaration.file &&
        entity_.methods.back().declaration.begin == facts.method.declaration.begin) {
      facts.method.escapes.push_back({"is declared together with another one", facts.method.span,
                                      "each gets a body of its own; give it a declaration of its own"});
    }
    positions_[method.getCanonicalDecl()] = entity_.methods.size();
    entity_.methods.push_back(std::move(facts.method));
    calls_.push_back(std::move(facts.calls));
  }

  /// Fills `touches` and `writes` of a method, through the shard methods that it calls.
  void collect_uses(std::size_t method) {
    llvm::SmallVector<std::size_t, 4> reached{method};
    for (std::size_t next = 0; next < reached.size(); ++next) {
      for (const clang::CXXMethodDecl* callee : calls_[reached[next]]) {
        auto found = positions_.find(callee);
        if (found != positions_.end() && !llvm::is_contained(reached, found->second))
          reached.push_back(found->second);
      }
    }
    Method& result = entity_.methods[method];
    for (const Property& property : entity_.properties) {
      if (!property.is_sharded()) continue;
      // A method without a body here may do anything to the members.
      bool touched = llvm::any_of(reached, [&](std::size_t at) { return !entity_.methods[at].has_body; });
      bool written = touched;
      for (std::size_t at : reached) {
        for (const MemberUse& use : entity_.methods[at].uses) {
          if (use.member != property.name) continue;
          touched = true;
          written |= use.write;
        }
      }
      if (touched) result.touches.push_back(property.name);
      if (written) result.writes.push_back(property.name);
    }
    for (Method& outside : result.definition) {
      outside.touches = result.touches;
      outside.writes = result.writes;
    }
  }

  void read_property(const clang::FieldDecl& field) {
    if (field.isBitField() && field.getDeclName().isEmpty()) return;  // an unnamed bit-field is only padding
    Property property;
    property.name = field.getNameAsString();
    property.stored_name = stored_name(property.name);
    property.span = span(field.getLocation());
    property.declaration = declaration_span(field, context_);
    property.access = access_of(field);
    property.type = read_type(field.getType(), context_);
    property.type_text = type_text(field);
    property.has_initialiser = field.hasInClassInitializer();
    property.initial_values = initial_values(field, record_, context_);
    property.begins_with_any = begins_with_any(field, record_, context_);
    property.default_constructible = default_constructible(field, context_);
    property.is_const = field.getType().isConstQualified();
    property.is_reference = field.getType()->isReferenceType();
    property.annotations = take_annotations(field, record_, context_);
    property.marks = property_marks(property.annotations);
    property.former_names = former_names(property.annotations);
    if (field.isBitField()) make_unsupported(property, "a bit-field has no address; use a plain integer");
    if (property.name.empty())
      make_unsupported(property, "it is anonymous; give it a name and a type of its own");
    entity_.properties.push_back(std::move(property));
    fields_.push_back(&field);
  }

  /// The former names that are string literals. The rule autoshard-also-load reports other arguments.
  static std::vector<Name> former_names(const std::vector<Annotation>& annotations) {
    std::vector<Name> names;
    for (const Annotation& annotation : annotations) {
      if (annotation.name != "also_load") continue;
      for (const Argument& one : annotation.arguments) {
        if (one.text) names.push_back({stored_name(*one.text), one.value_span});
      }
    }
    return names;
  }

  static void make_unsupported(Property& property, std::string reason) {
    property.type.kind = TypeKind::kUnsupported;
    property.type.unsupported_reason = std::move(reason);
  }

  std::string type_text(const clang::FieldDecl& field) const {
    std::string text = context_.text(field.getTypeSourceInfo()->getTypeLoc().getSourceRange());
    return text.empty() ? qualified(field.getType().getUnqualifiedType(), context_.ast) : text;
  }

  void find_sharded_in_namespace() {
    const clang::DeclContext* scope = record_.getDeclContext()->getRedeclContext();
    auto found = scope->lookup(&context_.ast.Idents.get("sharded"));
    for (const clang::NamedDecl* decl : found) {
      const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl);
      if (space && space->isInline()) continue;
      entity_.suspicions.sharded_in_namespace = span(decl->getLocation());
    }
  }

  const clang::CXXRecordDecl& record_;
  const Context& context_;
  Entity entity_;
  std::vector<const clang::FieldDecl*> fields_;                         // the declarations of the properties
  llvm::DenseMap<const clang::CXXMethodDecl*, std::size_t> positions_;  // positions in entity_.methods
  std::vector<std::vector<const clang::CXXMethodDecl*>> calls_;         // by position in entity_.methods
  std::vector<Outside> outside_;
};

}  // namespace

Entity read_entity(const clang::CXXRecordDecl& record, Role role, const Context& context) {
  return EntityReader(record, role, context).run();
}

}  // namespace autoshard::tool
