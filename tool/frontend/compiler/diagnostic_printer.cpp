#include "tool/frontend/compiler/diagnostic_printer.h"

#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

#include "tool/frontend/compiler/versions.h"

namespace autoshard::tool {
namespace {

/// A better message for an error whose message by Clang would not help; empty for other errors.
std::string better_message(const clang::Diagnostic& info) {
  if (info.getID() != clang::diag::err_pp_file_not_found ||
      info.getArgKind(0) != clang::DiagnosticsEngine::ak_std_string)
    return {};
  const std::string& name = info.getArgStdStr(0);
  const std::string original = original_name(name);
  if (original.empty()) return {};
  return "'" + name + "' is not there when the generator reads this; include '" + original +
         "', which the generated form replaces by '" + name + "'";
}

}  // namespace

class HeaderDiagnostics::Renderer : public clang::TextDiagnostic {
 public:
  Renderer(HeaderDiagnostics& owner, const clang::LangOptions& language,
           const clang::Preprocessor* preprocessor)
      : TextDiagnostic(owner.out_, language, for_renderer(owner.options_), preprocessor), owner_(owner) {}

 protected:
  void emitDiagnosticLoc(clang::FullSourceLoc location, clang::PresumedLoc place,
                         clang::DiagnosticsEngine::Level level,
                         llvm::ArrayRef<clang::CharSourceRange> ranges) override {
    std::optional<llvm::StringRef> name;
    if (owner_.files_ && location.isValid()) name = owner_.files_->given_name(location.getFileID());
    if (!name) return TextDiagnostic::emitDiagnosticLoc(location, place, level, ranges);
    const std::string kept = name->str();
    clang::PresumedLoc given(kept.c_str(), place.getFileID(), place.getLine(), place.getColumn(),
                             place.getIncludeLoc());
    TextDiagnostic::emitDiagnosticLoc(location, given, level, ranges);
  }

  void emitIncludeLocation(clang::FullSourceLoc location, clang::PresumedLoc place) override {
    if (location.isValid() && location.getManager().isInMainFile(location)) return;
    TextDiagnostic::emitIncludeLocation(location, place);
  }

 private:
  HeaderDiagnostics& owner_;
};

HeaderDiagnostics::HeaderDiagnostics(llvm::raw_ostream& out) : out_(out) {
  options_.ShowColors = out.has_colors();
  if (out.is_displayed()) options_.MessageLength = llvm::sys::Process::StandardErrColumns();
}

void HeaderDiagnostics::BeginSourceFile(const clang::LangOptions& language,
                                        const clang::Preprocessor* preprocessor) {
  renderer_ = std::make_shared<Renderer>(*this, language, preprocessor);
}

void HeaderDiagnostics::EndSourceFile() { renderer_.reset(); }

void HeaderDiagnostics::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                         const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);  // counts the errors
  if (silent_) return;
  llvm::SmallString<128> message;
  info.FormatDiagnostic(message);
  if (const std::string better = better_message(info); !better.empty()) message = better;
  if (!info.getLocation().isValid() || !renderer_) {
    clang::TextDiagnostic::printDiagnosticLevel(out_, level, options_.ShowColors);
    out_ << message << '\n';
    return;
  }
  renderer_->emitDiagnostic(clang::FullSourceLoc(info.getLocation(), info.getSourceManager()), level, message,
                            info.getRanges(), info.getFixItHints(), &info);
  out_.flush();
}

void report(const Diagnostics& diagnostics, const Locate& locate, clang::DiagnosticsEngine& engine) {
  const unsigned error = engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0 [%1]");
  const unsigned warning = engine.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0 [%1]");
  const unsigned note = engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0");
  const auto begin = [&](const Span& span) { return locate(span.file, span.begin); };
  const auto range = [&](const Span& span) {
    return clang::CharSourceRange::getCharRange(begin(span), locate(span.file, span.end));
  };
  for (const Diagnostic& diagnostic : diagnostics) {
    {
      const bool is_error = diagnostic.severity == Diagnostic::Severity::kError;
      auto builder = engine.Report(begin(diagnostic.span), is_error ? error : warning);
      builder << diagnostic.message << diagnostic.rule << range(diagnostic.span);
      for (const Edit& fix : diagnostic.fixes) {
        builder << clang::FixItHint::CreateReplacement(range(fix.span), fix.text);
      }
    }
    for (const Diagnostic::Note& one : diagnostic.notes) {
      engine.Report(begin(one.span), note) << one.message << range(one.span);
    }
  }
}

}  // namespace autoshard::tool
