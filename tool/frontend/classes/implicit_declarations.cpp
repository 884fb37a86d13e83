#include "tool/frontend/classes/implicit_declarations.h"

#include <clang/AST/DeclFriend.h>

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/classes/friends.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/members/read_types.h"

namespace autoshard::tool {
namespace {

class IntroductionFinder : public SyntaxVisitor<IntroductionFinder> {
 public:
  explicit IntroductionFinder(const Context& context) : context_(context) {}

  /// `class Question* next;`, without an earlier declaration of the class.
  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) AUTOSHARD_OVERRIDE {
    if (record->isThisDeclarationADefinition() || record->isFreeStanding() || record->isImplicit() ||
        record->getPreviousDecl() || record->getFriendObjectKind() != clang::Decl::FOK_None)
      return true;
    if (is_annotated(*record, context_) != is_in_annotated(*record)) introduce(*record, *record);
    return true;
  }

  /// `friend class Question;` in a plain class. In GCC, this declaration finds no class of an inline
  /// namespace.
  bool VisitFriendDecl(clang::FriendDecl* decl) AUTOSHARD_OVERRIDE {
    const clang::TypeSourceInfo* type = decl->getFriendType();
    const clang::CXXRecordDecl* record = type ? class_befriended_by_name(type->getTypeLoc()) : nullptr;
    if (!record || !is_annotated(*record, context_) || is_in_annotated(*decl)) return true;
    const clang::SourceLocation name = tag_spelling(type->getTypeLoc())->name;
    if (name.isMacroID() || !context_.files.is_input(name)) return true;
    const Span span = context_.files.span({name, name});
    add({span, "::" + qualified(declared_type(*record), context_.ast)});
    if (!is_declared_before(*record, *decl)) introduce(*record, *decl);
    return true;
  }

 private:
  /// Whether `decl` stands in an annotated class, which moves, too.
  bool is_in_annotated(const clang::Decl& decl) const {
    for (const clang::DeclContext* at = decl.getLexicalDeclContext(); at; at = at->getLexicalParent()) {
      const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(at);
      if (record && is_annotated(*record, context_)) return true;
    }
    return false;
  }

  bool is_declared_before(const clang::CXXRecordDecl& record, const clang::FriendDecl& decl) const {
    return context_.files.sources().isBeforeInTranslationUnit(record.getFirstDecl()->getLocation(),
                                                              decl.getLocation());
  }

  /// Declares `record` in its namespace, before the outermost declaration around `at`.
  void introduce(const clang::CXXRecordDecl& record, const clang::Decl& at) {
    if (!context_.files.is_input(at.getLocation())) return;
    const std::string declaration =
        std::string(record.getKindName()) + " " + record.getNameAsString() + ";\n";
    Span before = context_.files.span(outermost(at));
    before.begin = before.end = line_begin(before);
    add({before, is_annotated(record, context_) ? "inline namespace sharded {\n" + declaration + "}\n"
                                                : declaration});
  }

  /// The begin of the line of `at` if only blanks precede `at` there; the begin of `at` otherwise.
  std::uint32_t line_begin(const Span& at) const {
    const llvm::StringRef before = llvm::StringRef(context_.files.files()[at.file].text).take_front(at.begin);
    const llvm::StringRef kept = before.rtrim(" \t");
    return kept.empty() || kept.ends_with("\n") ? static_cast<std::uint32_t>(kept.size()) : at.begin;
  }

  /// The outermost declaration around `at`, including the comment above it. It is a member of a namespace.
  clang::SourceRange outermost(const clang::Decl& at) const {
    const clang::Decl* found = &at;
    for (const clang::DeclContext* scope = at.getLexicalDeclContext(); !scope->isFileContext();
         scope = scope->getLexicalParent())
      found = clang::Decl::castFromDeclContext(scope);
    // A class that a function's parameter declares stands beside the function.
    for (const clang::Decl* decl : found->getLexicalDeclContext()->decls()) {
      if (decl != found && contains(*decl, at.getLocation())) found = decl;
    }
    clang::SourceLocation begin = found->getBeginLoc();
    if (const auto* described = llvm::dyn_cast<clang::CXXRecordDecl>(found);
        described && described->getDescribedClassTemplate())
      begin = described->getDescribedClassTemplate()->getBeginLoc();
    if (const clang::RawComment* comment = context_.ast.getRawCommentForDeclNoCache(found))
      begin = comment->getBeginLoc();
    return {begin, begin};
  }

  bool contains(const clang::Decl& decl, clang::SourceLocation location) const {
    const clang::SourceManager& sources = context_.files.sources();
    return !decl.isImplicit() && !sources.isBeforeInTranslationUnit(location, decl.getBeginLoc()) &&
           !sources.isBeforeInTranslationUnit(decl.getEndLoc(), location);
  }

  void add(Edit edit) {
    std::vector<Edit>& edits = context_.files.files()[edit.span.file].attribute_edits;
    const auto is_same = [&](const Edit& one) { return one.span == edit.span && one.text == edit.text; };
    if (llvm::none_of(edits, is_same)) edits.push_back(std::move(edit));
  }

  const Context& context_;
};

}  // namespace

void add_implicit_declarations(const Context& context) {
  IntroductionFinder finder(context);
  for (clang::Decl* decl : context.ast.getTranslationUnitDecl()->decls()) {
    const clang::SourceLocation location = decl->getLocation();
    if (location.isValid() && !context.files.sources().isInSystemHeader(location)) finder.TraverseDecl(decl);
  }
}

}  // namespace autoshard::tool
