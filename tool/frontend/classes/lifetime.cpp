#include "tool/frontend/classes/lifetime.h"

#include <clang/AST/DeclCXX.h>
#include <clang/Sema/Sema.h>

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/members/read_types.h"

namespace autoshard::tool {
namespace {

/// Whether code outside the class may call `method`. If the class has friends, the compiler decides.
bool is_callable(const clang::CXXMethodDecl* method) {
  return method && !method->isDeleted() &&
         (method->getAccess() == clang::AS_public || method->getParent()->hasFriends());
}

clang::CXXRecordDecl* class_defined_by(clang::QualType type) {
  auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record ? record->getDefinition() : nullptr;
}

class Lifetime {
 public:
  Lifetime(const clang::CXXRecordDecl& record, const Context& context)
      : record_(const_cast<clang::CXXRecordDecl&>(record)), context_(context) {}

  std::vector<Obstacle> obstacles() && {
    if (record_.isDependentContext() || record_.isInvalidDecl()) return {};
    check_destructor();
    const clang::CXXConstructorDecl* constructor = moving_constructor(record_, false);
    if (constructor && !constructor->isDeleted() && constructor->getAccess() == clang::AS_public)
      return obstacles_;
    if (constructor && !constructor->isImplicit()) {
      const bool is_hidden = !constructor->isDeleted();
      if (constructor->isDeleted() && constructor->isExplicitlyDefaulted()) {
        blame_parts();
      } else {
        add(std::string(constructor->isMoveConstructor() ? "its move constructor is "
                                                         : "its copy constructor is ") +
                (is_hidden ? "not public" : "deleted, and it has no other"),
            constructor->getLocation());
      }
    } else {
      blame_parts();
    }
    if (obstacles_.empty()) add("it has no constructor for that", record_.getLocation());
    return obstacles_;
  }

 private:
  void add(std::string what, clang::SourceLocation at) {
    obstacles_.push_back({std::move(what), context_.files.span({at, at})});
  }

  const clang::CXXConstructorDecl* moving_constructor(clang::CXXRecordDecl& record, bool is_const) const {
    return context_.sema.LookupMovingConstructor(&record, is_const ? unsigned{clang::Qualifiers::Const} : 0U);
  }

  bool is_movable(clang::QualType type) const {
    clang::CXXRecordDecl* record = class_defined_by(type);
    return !record || is_callable(moving_constructor(*record, type.isConstQualified()));
  }

  bool is_destructible(clang::QualType type) const {
    clang::CXXRecordDecl* record = class_defined_by(type);
    return !record || is_callable(context_.sema.LookupDestructor(record));
  }

  void check_destructor() {
    const clang::CXXDestructorDecl* destructor = context_.sema.LookupDestructor(&record_);
    if (!destructor || (!destructor->isDeleted() && destructor->getAccess() == clang::AS_public)) return;
    if (!destructor->isImplicit())
      return add(destructor->isDeleted() ? "its destructor is deleted" : "its destructor is not public",
                 destructor->getLocation());
    for (const clang::FieldDecl* field : record_.fields()) {
      if (!is_destructible(field->getType()))
        add("its member '" + field->getNameAsString() + "' cannot be destroyed", field->getLocation());
    }
  }

  void blame_parts() {
    for (const clang::CXXBaseSpecifier& base : record_.bases()) {
      const clang::CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
      const clang::CXXConstructorDecl* constructor =
          parent ? moving_constructor(*class_defined_by(base.getType()), false) : nullptr;
      if (!parent ||
          (constructor && !constructor->isDeleted() && constructor->getAccess() != clang::AS_private))
        continue;
      obstacles_.push_back(
          {"its base class '" + qualified(base.getType(), context_.ast) + "' cannot be moved",
           context_.files.span(base.getSourceRange())});
    }
    for (const clang::FieldDecl* field : record_.fields()) {
      if (is_movable(field->getType())) continue;
      add("its member '" + field->getNameAsString() + "' cannot be moved; hold it in a std::unique_ptr",
          field->getLocation());
    }
  }

  clang::CXXRecordDecl& record_;
  const Context& context_;
  std::vector<Obstacle> obstacles_;
};

}  // namespace

std::vector<Obstacle> obstacles_to_moving(const clang::CXXRecordDecl& record, const Context& context) {
  return Lifetime(record, context).obstacles();
}

std::vector<Name> bases_without_default(const clang::CXXRecordDecl& record, const Context& context) {
  std::vector<Name> bases;
  const auto check = [&](const clang::CXXBaseSpecifier& base, const Span& span) {
    const clang::CXXRecordDecl* parent = class_defined_by(base.getType());
    if (!parent || has_attribute(*parent, "mapped", context)) return;  // which has a rule of its own
    const auto* constructor = default_constructor(*parent, context.sema);
    if (constructor && (constructor->getAccess() != clang::AS_private || parent->hasFriends())) return;
    bases.push_back({qualified(base.getType(), context.ast), span});
  };
  for (const clang::CXXBaseSpecifier& base : record.bases())
    check(base, context.files.span(base.getSourceRange()));
  for (const clang::CXXBaseSpecifier& base : record.vbases()) {
    const bool is_direct = llvm::any_of(record.bases(), [&](const clang::CXXBaseSpecifier& one) {
      return context.ast.hasSameType(one.getType(), base.getType());
    });
    if (!is_direct) check(base, context.files.span({record.getLocation(), record.getLocation()}));
  }
  return bases;
}

bool default_constructible(const clang::FieldDecl& field, const Context& context) {
  const clang::CXXRecordDecl* record = class_defined_by(field.getType());
  return !record || is_callable(default_constructor(*record, context.sema));
}

}  // namespace autoshard::tool
