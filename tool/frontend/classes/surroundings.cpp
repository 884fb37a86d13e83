#include "tool/frontend/classes/surroundings.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/tokens/clang_attributes.h"

namespace autoshard::tool {
namespace {

class SurroundingsReader {
 public:
  SurroundingsReader(const Context& context, Model& model) : context_(context), model_(model) {}

  void run() {
    read(*context_.ast.getTranslationUnitDecl());
    // A file that is included behind an entity may use the entity.
    for (const Inclusion& inclusion : context_.log.inclusions()) {
      if (context_.files.is_input(inclusion.name.getBegin()))
        possible_uses_.push_back(context_.files.span(inclusion.name));
    }
    if (!knows_traits()) return;
    for (Entity& entity : model_.entities) {
      for (const Span& use : possible_uses_) {
        if (use.file != entity.definition.file || use.begin < entity.definition.end) continue;
        std::optional<std::uint32_t>& next = entity.surroundings.next_use;
        next = std::min(next.value_or(use.begin), use.begin);
      }
    }
  }

 private:
  void read(const clang::DeclContext& scope) {
    for (const clang::Decl* decl : scope.decls()) {
      if (decl->isImplicit() || !context_.files.is_input(decl->getLocation())) continue;
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl)) {
        spaces_.push_back(space);
        read(*space);
        spaces_.pop_back();
      } else if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(decl)) {
        read(*linkage);
      } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl)) {
        read_class(*record);
      } else if (!llvm::isa<clang::EmptyDecl>(decl)) {
        add_possible_use(*decl);
      }
    }
  }

  void read_class(const clang::CXXRecordDecl& record) {
    if (!record.isThisDeclarationADefinition()) return;
    if (has_attribute(record, "entity", context_)) return note(record);
    if (!has_attribute(record, "mapped", context_) && !has_attribute(record, "embedded", context_))
      add_possible_use(record);
  }

  void add_possible_use(const clang::Decl& decl) {
    possible_uses_.push_back(context_.files.span(decl.getSourceRange()));
  }

  void note(const clang::CXXRecordDecl& record) {
    const Span name = context_.files.span({record.getLocation(), record.getLocation()});
    const auto entity = llvm::find_if(model_.entities, [&](const Entity& one) { return one.span == name; });
    if (entity == model_.entities.end() || spaces_.empty()) return;
    const clang::SourceLocation brace = spaces_.front()->getRBraceLoc();
    entity->surroundings.namespaces = openings();
    entity->surroundings.namespaces_end =
        context_.files.end_with_comment(context_.files.span({brace, brace}));
  }

  /// Whether a declaration of the traits other than the stand-in exists. Without one, no code before the
  /// traits can need them.
  bool knows_traits() const {
    for (const auto* space :
         context_.ast.getTranslationUnitDecl()->lookup(&context_.ast.Idents.get(kScope))) {
      const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(space);
      if (!scope) continue;
      for (const auto* traits : scope->lookup(&context_.ast.Idents.get("Traits"))) {
        if (llvm::any_of(traits->redecls(), [&](const clang::Decl* one) { return is_in_file(*one); }))
          return true;
      }
    }
    return false;
  }

  bool is_in_file(const clang::Decl& decl) const {
    const clang::SourceManager& sources = context_.files.sources();
    return sources.getFileEntryRefForID(sources.getFileID(decl.getLocation())).has_value();
  }

  std::vector<std::string> openings() const {
    std::vector<std::string> result;
    for (std::size_t at = 0; at < spaces_.size(); ++at) {
      const std::string kind = spaces_[at]->isInline() ? "inline " : "";
      const std::string name = spaces_[at]->getNameAsString();
      // The namespaces of `namespace a::b { … }` end in one brace.
      if (at > 0 && spaces_[at]->getRBraceLoc() == spaces_[at - 1]->getRBraceLoc()) {
        result.back() += "::" + kind + name;
      } else {
        result.push_back(kind + "namespace " + name);
      }
    }
    return result;
  }

  const Context& context_;
  Model& model_;
  llvm::SmallVector<const clang::NamespaceDecl*, 4> spaces_;  ///< open namespaces, outermost first
  std::vector<Span> possible_uses_;
};

}  // namespace

void read_surroundings(const Context& context, Model& model) { SurroundingsReader(context, model).run(); }

}  // namespace autoshard::tool
