#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <vector>

#include "tool/frontend/bodies/calls.h"

namespace autoshard::tool {

/// A loop over the elements of a set or map.
struct ElementLoop {
  const clang::CXXRecordDecl* container = nullptr;
  const clang::VarDecl* variable = nullptr;  ///< an element, or an iterator to it
  bool is_iterator = false;
  const clang::Stmt* body = nullptr;
};

/// The loops over elements around a place in a body.
class ElementLoops {
 public:
  /// `sources` must outlive the object.
  explicit ElementLoops(const clang::SourceManager& sources) : sources_(sources) {}

  bool empty() const { return loops_.empty(); }
  void enter(const ElementLoop& loop) { loops_.push_back(loop); }
  void leave() { loops_.pop_back(); }

  /// Returns whether the code may change `target`: each round of a loop may change only data of its own
  /// element, and data that begins inside the loop.
  bool may_change(const clang::Expr& target) const;

 private:
  std::optional<std::size_t> loops_outside(const clang::Expr& target, std::vector<Call>& choices) const;
  std::optional<std::size_t> loops_outside(const clang::ValueDecl& declared,
                                           std::vector<Call>& choices) const;
  bool is_in_body(const clang::VarDecl& variable, const ElementLoop& loop) const;

  const clang::SourceManager& sources_;
  std::vector<ElementLoop> loops_;  // the innermost last
};

}  // namespace autoshard::tool
