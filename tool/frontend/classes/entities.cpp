#include "tool/frontend/classes/entities.h"

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/classes/entity.h"
#include "tool/frontend/classes/place.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/members/methods.h"
#include "tool/frontend/tokens/clang_attributes.h"
#include "tool/model/attributes.h"

namespace autoshard::tool {
namespace {

/// Describes a declaration for messages about a misplaced attribute.
std::string description(const clang::Decl& decl) {
  if (llvm::isa<clang::NamespaceDecl>(decl)) return "a namespace";
  if (llvm::isa<clang::ParmVarDecl>(decl)) return "a parameter";
  if (llvm::isa<clang::EnumDecl, clang::EnumConstantDecl>(decl)) return "an enumeration";
  if (llvm::isa<clang::TypedefNameDecl>(decl)) return "an alias";
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&decl)) {
    return record->isThisDeclarationADefinition() ? "a class" : "a forward declaration";
  }
  if (llvm::isa<clang::FieldDecl>(decl)) return "a member of a class that is no entity";
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&decl)) {
    return method->isOutOfLine() ? "a definition outside its class" : "a method of a class that is no entity";
  }
  if (llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(decl)) return "a function";
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl)) {
    return variable->isStaticDataMember() ? "a static member" : "a variable";
  }
  return "this declaration";
}

class EntityFinder : public SyntaxVisitor<EntityFinder> {
 public:
  EntityFinder(const Context& context, Model& model) : context_(context), model_(model) {}

  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) AUTOSHARD_OVERRIDE {
    if (record->isImplicit()) return true;
    const clang::CXXRecordDecl* definition = record->getDefinition();
    const std::optional<Role> role = definition ? role_of(*definition) : std::nullopt;
    const bool is_input = context_.files.is_input(record->getLocation());
    if (definition != record) {
      const bool is_plain =
          record->getFriendObjectKind() == clang::Decl::FOK_None && record->isFreeStanding();
      if (role && is_plain) add_forward_declaration(*record, *definition);
    } else if (role && is_input) {
      Entity entity = read_entity(*record, *role, context_);
      if (role == Role::kEntity) entities_[record] = model_.entities.size();
      (role == Role::kEntity ? model_.entities : model_.parts).push_back(std::move(entity));
    } else if (is_input && context_.candidates && is_candidate(*record)) {
      model_.candidates.push_back(read_entity(*record, Role::kEntity, context_));
    }
    return true;
  }

  bool VisitDecompositionDecl(clang::DecompositionDecl* decl) AUTOSHARD_OVERRIDE {
    const auto* record = decl->getType().getNonReferenceType()->getAsCXXRecordDecl();
    const auto found = record ? entities_.find(record->getDefinition()) : entities_.end();
    if (found == entities_.end()) return true;
    const clang::SourceLocation at = decl->getLocation();
    model_.entities[found->second].suspicions.decompositions.push_back(context_.files.span({at, at}));
    return true;
  }

  bool VisitDecl(clang::Decl* decl) AUTOSHARD_OVERRIDE {
    for (clang::SourceLocation name : attributes_of(*decl)) places_.try_emplace(name, decl);
    return true;
  }

  llvm::DenseSet<const clang::FileEntry*> take_declaring() { return std::move(declaring_); }

  /// Adds the attributes that no entity has claimed to the strays of the model.
  void collect_strays() {
    for (const FoundAttribute& found : context_.attributes.attributes) {
      if (found.claimed || !context_.files.is_input(found.name)) continue;
      const clang::Decl* decl = places_.lookup(found.name);
      model_.strays.push_back({found.annotation, decl ? description(*decl) : "", owner(decl),
                               find_attribute(found.annotation.name) != nullptr});
    }
  }

 private:
  std::optional<Role> role_of(const clang::CXXRecordDecl& definition) const {
    if (has_attribute(definition, "entity", context_)) return Role::kEntity;
    if (has_attribute(definition, "mapped", context_)) return Role::kMapped;
    if (has_attribute(definition, "embedded", context_)) return Role::kEmbedded;
    return std::nullopt;
  }

  /// Notes a forward declaration of an annotated class. Ignores it if neither the declaration nor the
  /// definition is in the given files. Then the run that generates the definition handles the declaration.
  void add_forward_declaration(const clang::CXXRecordDecl& record, const clang::CXXRecordDecl& definition) {
    const clang::SourceManager& sources = context_.files.sources();
    const clang::FileID file = sources.getFileID(sources.getExpansionLoc(record.getLocation()));
    if (const auto entry = sources.getFileEntryRefForID(file)) declaring_.insert(&entry->getFileEntry());
    if (!context_.files.is_input(record.getLocation()) && !context_.files.is_input(definition.getLocation()))
      return;
    const Span span = declaration_span(record, context_);
    context_.files.files()[span.file].forward_declarations.push_back(span);
  }

  /// The class around `decl`, if `decl` is a data member or a method; nothing otherwise.
  std::optional<Name> owner(const clang::Decl* decl) const {
    if (!llvm::isa_and_present<clang::FieldDecl, clang::CXXMethodDecl>(decl)) return std::nullopt;
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl->getLexicalDeclContext());
    if (!record || record->getLocation().isMacroID()) return std::nullopt;
    return Name{record->getNameAsString(),
                context_.files.span({record->getLocation(), record->getLocation()})};
  }

  /// Whether the class may become an entity: it is a plain class with private members.
  static bool is_candidate(const clang::CXXRecordDecl& record) {
    const auto is_private = [](const clang::FieldDecl* field) {
      return field->getAccess() == clang::AS_private;
    };
    return place_of(record) == Place::kNamespace && !record.isUnion() &&
           llvm::any_of(record.fields(), is_private);
  }

  const Context& context_;
  Model& model_;
  llvm::DenseMap<const clang::CXXRecordDecl*, std::size_t> entities_;  // positions in Model::entities
  llvm::DenseMap<clang::SourceLocation, const clang::Decl*> places_;
  llvm::DenseSet<const clang::FileEntry*> declaring_;
};

}  // namespace

llvm::DenseSet<const clang::FileEntry*> read_entities(const Context& context, Model& model) {
  EntityFinder finder(context, model);
  for (clang::Decl* decl : context.ast.getTranslationUnitDecl()->decls()) {
    clang::SourceLocation location = decl->getLocation();
    if (location.isValid() && !context.files.sources().isInSystemHeader(location)) finder.TraverseDecl(decl);
  }
  finder.collect_strays();
  return finder.take_declaring();
}

}  // namespace autoshard::tool
