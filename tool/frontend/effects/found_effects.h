#pragma once

#include <map>
#include <set>

#include "tool/frontend/effects/effects.h"

namespace autoshard::tool {

/// What is known of a function or an initialiser.
struct Summary : Effects {
  const clang::VarDecl* handed_out = nullptr;      ///< which it returns, by reference or pointer
  const clang::FieldDecl* changed_part = nullptr;  ///< of its object or an argument, though that is const
};

/// Empty of what is being read, so that recursion ends. References stay valid.
using Summaries = std::map<const clang::Decl*, Summary>;

/// Collects the summary of one body. Has the places of the function that is asked for; of what that calls,
/// one effect is enough, and no place is told.
class FoundEffects {
 public:
  explicit FoundEffects(Files& files) : files_(files) {}

  void begin_root() { is_root_ = true; }
  bool is_root() const { return is_root_; }

  void add(std::string what, clang::SourceRange at);
  /// A call of `function`, which was not read. Each place counts once.
  void add_unseen(const clang::FunctionDecl& function, Unseen why, clang::SourceRange at);
  /// A call of what `pointer` holds.
  void add_unknown(const clang::ValueDecl& pointer, clang::SourceRange at);
  void add_seen(const std::string& key);
  /// What a call at `at` adds of the unseen and seen functions of what is called.
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
  std::set<std::string> seen_;                              ///< found_.seen_functions
  std::set<std::pair<std::string, std::uint32_t>> unseen_;  ///< found_.unseen_calls, by names and places
};

}  // namespace autoshard::tool
