#pragma once

/// Parses text of our own in a translation unit that has been parsed.

#include <clang/Basic/Diagnostic.h>
#include <llvm/ADT/SmallString.h>

#include <string>
#include <string_view>
#include <vector>

namespace clang {
class CXXRecordDecl;
class Decl;
class Sema;
}  // namespace clang

namespace autoshard::tool {

/// Keeps the first error, and shows none.
class FirstError : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error || !message_.empty()) return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    message_ = text.str().str();
  }

  const std::string& message() const { return message_; }

 private:
  std::string message_;
};

/// Directs the diagnostics of the engine to another consumer while it lives, and forgets errors at its end.
class DiagnosticsDetour {
 public:
  DiagnosticsDetour(clang::DiagnosticsEngine& engine, clang::DiagnosticConsumer& consumer)
      : engine_(engine), usual_(engine.getClient()), owned_(engine.takeClient()) {
    engine_.setClient(&consumer, false);
  }
  DiagnosticsDetour(const DiagnosticsDetour&) = delete;
  DiagnosticsDetour& operator=(const DiagnosticsDetour&) = delete;
  ~DiagnosticsDetour() {
    engine_.Reset(true);
    const bool owns = owned_ != nullptr;
    static_cast<void>(owned_.release());
    engine_.setClient(usual_, owns);
  }

 private:
  clang::DiagnosticsEngine& engine_;
  clang::DiagnosticConsumer* usual_;
  std::unique_ptr<clang::DiagnosticConsumer> owned_;
};

/// Gives a class that is complete one more member, the class `name`, which is yet to be defined.
clang::CXXRecordDecl* declare_nested(clang::CXXRecordDecl& record, std::string_view name);

/// What `text` declares at the top level. The parser that was used before must be gone.
std::vector<clang::Decl*> parse_more(clang::Sema& sema, std::string_view text);

}  // namespace autoshard::tool
