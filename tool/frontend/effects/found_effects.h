#pragma once

#include <map>
#include <set>

#include "tool/frontend/effects/effects.h"

namespace autoshard::tool {

/// The known effects of a function or an initialiser.
struct Summary : Effects {
  const clang::VarDecl* handed_out = nullptr;      ///< a variable that it returns by reference or pointer
  const clang::FieldDecl* changed_part = nullptr;  ///< a changed field of a const object or argument
};

/// Summaries of read functions and initialisers. The summary of a function that is being read is still empty,
/// so recursion ends. References to summaries stay valid.
using Summaries = std::map<const clang::Decl*, Summary>;

/// Collects the summary of one body. For the root function, it keeps each effect with its place. For a called
/// function, it keeps one effect without a place.
class FoundEffects {
 public:
  explicit FoundEffects(Files& files) : files_(files) {}

  void begin_root() { is_root_ = true; }
  bool is_root() const { return is_root_; }

  void add(std::string what, clang::SourceRange at);
  /// Adds a call of `function`, whose body was not read. Each place counts once.
  void add_unseen(const clang::FunctionDecl& function, Unseen why, clang::SourceRange at);
  /// Adds a call of the function that `pointer` holds.
  void add_unknown(const clang::ValueDecl& pointer, clang::SourceRange at);
  void add_seen(const std::string& key);
  /// Adds the unseen calls and the seen functions of `called`, which is called at `at`.
  void add_calls_of(const Summary& called, clang::SourceRange at);
  void hand_out(const clang::VarDecl& variable) { found_.handed_out = &variable; }
  void change(const clang::FieldDecl& part) { found_.changed_part = &part; }

  Summary take() && { return std::move(found_); }

 private:
  void add_unseen(UnseenCall call);
  Span span(clang::SourceRange at) const { return is_root_ ? files_.span(at) : Span{}; }
  Span name_of(const clang::NamedDecl& decl) const;

  Files& files_;
  bool is_root_ = false;
  Summary found_;
  std::set<std::string> seen_;                              ///< the functions in found_.seen_functions
  std::set<std::pair<std::string, std::uint32_t>> unseen_;  ///< found_.unseen_calls, by names and places
};

}  // namespace autoshard::tool
