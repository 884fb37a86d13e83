#pragma once

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

namespace autoshard::tool {

using Names = llvm::DenseSet<clang::DeclarationName>;
using Records = llvm::SmallSetVector<const clang::CXXRecordDecl*, 8>;

/// What the library may run of the user's classes that it is given objects of.
struct Operations {
  /// Operators, conversions, constructors and destructors, such as the comparison of `std::set<int, Less>`.
  std::vector<const clang::FunctionDecl*> functions{};
  std::vector<const clang::FieldDecl*> initialised{};  ///< members with an initialiser
};

/// Those of `type`, and of the types in it. Leaves out the classes in `seen`, and adds to them.
Operations operations_of(clang::QualType type, Records& seen);

/// Adds the members that `statement` names without saying of which class, as the body of a generic lambda
/// does.
void add_named_members(const clang::Stmt& statement, Names& names);

/// The types among the template arguments of a function, and of the class it belongs to.
std::vector<clang::QualType> template_types_of(const clang::FunctionDecl& function);

/// The members whose initialisers `method` runs, if it is a default constructor that the compiler makes and
/// of which it has no list yet.
std::vector<const clang::FieldDecl*> initialised_by(const clang::CXXMethodDecl& method);

/// The special methods of members and bases that `method` calls, which is a special method of their class:
/// one that the compiler makes, or any destructor. Those of initialised_by() are left out.
std::vector<const clang::CXXMethodDecl*> counterparts_of(const clang::CXXMethodDecl& method);

}  // namespace autoshard::tool
