#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/TextDiagnostic.h>

#include <functional>

#include "tool/frontend/compiler/files.h"
#include "tool/model/diagnostic.h"

namespace autoshard::tool {

/// Shows diagnostics as Clang does, but names headers as they were given and hides the file that includes
/// them all.
class HeaderDiagnostics : public clang::DiagnosticConsumer {
 public:
  explicit HeaderDiagnostics(llvm::raw_ostream& out);

  /// From here on, until the null pointer is given, files are known.
  void set_files(const Files* files) { files_ = files; }

  /// Only counts, where `silent`.
  void set_silent(bool silent) { silent_ = silent; }

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

 private:
  class Renderer;

  llvm::raw_ostream& out_;
  clang::DiagnosticOptions options_;
  const Files* files_ = nullptr;
  bool silent_ = false;
  std::shared_ptr<clang::TextDiagnostic> renderer_;
};

/// Gives the place of an offset in a file of the model's.
using Locate = std::function<clang::SourceLocation(std::uint32_t file, std::uint32_t offset)>;

/// Passes `diagnostics` to Clang's engine.
void report(const Diagnostics& diagnostics, const Locate& locate, clang::DiagnosticsEngine& engine);

}  // namespace autoshard::tool
