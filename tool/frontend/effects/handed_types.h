#pragma once

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

namespace autoshard::tool {

using Names = llvm::DenseSet<clang::DeclarationName>;
using Records = llvm::SmallSetVector<const clang::CXXRecordDecl*, 8>;

/// The functions of user classes that the library may run on objects of these classes.
struct Operations {
  /// Operators, conversions, constructors and destructors, such as the comparison of `std::set<int, Less>`.
  std::vector<const clang::FunctionDecl*> functions{};
  std::vector<const clang::FieldDecl*> initialised{};  ///< members with an initialiser
};

/// Returns the operations of `type`, and of the types among its template arguments. Skips classes in `seen`,
/// and adds the visited ones. Returns no operations if the type holds no class of the user.
Operations operations_of(clang::QualType type, Records& seen);

/// Adds the names of members that `statement` uses on objects of unknown classes, as the body of a generic
/// lambda does.
void add_named_members(const clang::Stmt& statement, Names& names);

/// Returns the types among the template arguments of a function, and of its class.
std::vector<clang::QualType> template_types_of(const clang::FunctionDecl& function);

/// Returns the members whose initialisers `method` runs. Returns none unless `method` is a default
/// constructor that the compiler makes and whose initialisers Clang has not listed yet.
std::vector<const clang::FieldDecl*> initialised_by(const clang::CXXMethodDecl& method);

/// Returns the special methods of members and bases that `method` calls. `method` is a special method that
/// the compiler makes, or a destructor. Leaves out the members of initialised_by().
std::vector<const clang::CXXMethodDecl*> counterparts_of(const clang::CXXMethodDecl& method);

}  // namespace autoshard::tool
