#include "tool/frontend/effects/found_effects.h"

#include "tool/frontend/bodies/callees.h"

namespace autoshard::tool {

void FoundEffects::add(std::string what, clang::SourceRange at) {
  if (is_root_ || found_.effects.empty()) found_.effects.push_back({std::move(what), span(at)});
}

void FoundEffects::add_unseen(const clang::FunctionDecl& function, Unseen why, clang::SourceRange at) {
  add_unseen({function.getNameAsString(), key_of(function), span(at), name_of(function), why});
}

void FoundEffects::add_unknown(const clang::ValueDecl& pointer, clang::SourceRange at) {
  add_unseen({.function = pointer.getNameAsString(),
              .span = span(at),
              .declared = name_of(pointer),
              .why = Unseen::kPointer});
}

void FoundEffects::add_unseen(UnseenCall call) {
  if (unseen_.insert({call.key + call.function, call.span.begin}).second)
    found_.unseen_calls.push_back(std::move(call));
}

void FoundEffects::add_seen(const std::string& key) {
  if (seen_.insert(key).second) found_.seen_functions.push_back(key);
}

void FoundEffects::add_calls_of(const Summary& called, clang::SourceRange at) {
  for (UnseenCall call : called.unseen_calls) {
    call.span = span(at);
    add_unseen(std::move(call));
  }
  for (const std::string& key : called.seen_functions) add_seen(key);
}

Span FoundEffects::name_of(const clang::NamedDecl& decl) const {
  return files_.span({decl.getLocation(), decl.getLocation()});
}

}  // namespace autoshard::tool
