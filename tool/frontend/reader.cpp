#include "tool/frontend/reader.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <array>
#include <string>

#include "tool/frontend/classes/entities.h"
#include "tool/frontend/classes/implicit_declarations.h"
#include "tool/frontend/classes/surroundings.h"
#include "tool/frontend/tokens/annotations.h"
#include "tool/frontend/tokens/attribute_edits.h"
#include "tool/text/word.h"

namespace autoshard::tool {
namespace {

/// A stand-in for the traits. The declarations of the mapper accept it for any class; bodies are not read.
constexpr llvm::StringLiteral kAnyTraits = R"(
namespace autoshard {
template <class E>
struct Traits {
  using Entity = E;
  using Shard = E;
  struct Id {
    template <class... Parts>
    Id(const Parts&...);
  };
  static constexpr int kKind = 0;
};
}
)";

/// The length of the list of template arguments at the begin of `text`.
std::size_t after_arguments(llvm::StringRef text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>' && --depth == 0) return at + 1;
  }
  return text.size();
}

/// The definition of the class or class template with the qualified name `name`; null if there is none.
const clang::CXXRecordDecl* find_class(llvm::StringRef name, const clang::ASTContext& ast) {
  const clang::DeclContext* scope = ast.getTranslationUnitDecl();
  const clang::CXXRecordDecl* found = nullptr;
  while (scope && !name.empty()) {
    const llvm::StringRef word = word_at(name, 0);
    name = name.drop_front(word.size());
    if (name.starts_with("<")) name = name.drop_front(after_arguments(name));
    if (word.empty() || (!name.empty() && !name.consume_front("::"))) return nullptr;
    const clang::DeclContext* inner = nullptr;
    for (const clang::NamedDecl* decl : scope->lookup(&ast.Idents.get(word))) {
      if (const auto* of_template = llvm::dyn_cast<clang::ClassTemplateDecl>(decl))
        decl = of_template->getTemplatedDecl();
      if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl); record && record->getDefinition())
        inner = found = record->getDefinition();
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl)) inner = space;
    }
    scope = inner;
  }
  return scope ? found : nullptr;
}

/// The definitions of structs that entities hold, if they are in the given files.
std::vector<Span> held_structs(const Model& model, const Context& context) {
  std::vector<Span> spans;
  for (const std::vector<Entity>* classes : {&model.entities, &model.parts}) {
    for (const Entity& entity : *classes) {
      for (const Type* type : structs_of(entity)) {
        const clang::CXXRecordDecl* record = find_class(type->qualified, context.ast);
        if (record && context.files.is_input(record->getLocation()))
          spans.push_back(context.files.span(record->getSourceRange()));
      }
    }
  }
  return spans;
}

/// Whether `span` lies in a class that is rewritten, in the body of a shard method, or in one of `structs`.
bool is_inside(const Span& span, const Model& model, const std::vector<Span>& structs) {
  const auto is_in = [&](const Span& outer) {
    return outer.file == span.file && outer.begin <= span.begin && span.end <= outer.end;
  };
  const auto holds = [&](const Entity& entity) {
    return is_in(entity.definition) || std::ranges::any_of(entity.methods, [&](const Method& method) {
             return method.is_shard_method() && is_in(method.body);
           });
  };
  return std::ranges::any_of(model.entities, holds) || std::ranges::any_of(model.parts, holds) ||
         std::ranges::any_of(structs, is_in);
}

/// Whether the preprocessor skipped `span` once and read it another time, as it does with a header that
/// includes itself.
bool was_read(const Span& span, const Model& model) {
  const auto contains = [&](const Span& inner) {
    return span.file == inner.file && span.begin <= inner.begin && inner.end <= span.end;
  };
  const auto holds = [&](const Entity& entity) {
    return contains(entity.definition) || std::ranges::any_of(entity.methods, [&](const Method& method) {
             return method.has_body && contains(method.body);
           });
  };
  return std::ranges::any_of(model.entities, holds) || std::ranges::any_of(model.parts, holds);
}

/// Whether `text`, which the preprocessor has skipped, defines a shard method outside its class. Only its
/// tokens are compared: `Question::voteUp(`, `Question::operator`.
bool defines_shard_method(const std::string& text, const Model& model, const clang::LangOptions& language) {
  const auto is_shard_method = [&](llvm::StringRef entity_name, llvm::StringRef start, bool is_whole) {
    return std::ranges::any_of(model.entities, [&](const Entity& entity) {
      return entity.name == entity_name && std::ranges::any_of(entity.methods, [&](const Method& method) {
               return method.is_shard_method() &&
                      (is_whole ? start == method.name : llvm::StringRef(method.name).starts_with(start));
             });
    });
  };
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(), text.data() + text.size());
  std::array<clang::Token, 4> last;
  for (clang::Token& token : last) token.startToken();
  const auto word = [&](std::size_t at) {
    return last[at].is(clang::tok::raw_identifier) ? last[at].getRawIdentifier() : llvm::StringRef();
  };
  for (bool at_end = false; !at_end;) {
    std::ranges::rotate(last, last.begin() + 1);
    at_end = lexer.LexFromRawLexer(last[3]);
    if (last[1].isNot(clang::tok::coloncolon)) continue;
    const bool is_operator = word(2) == "operator";
    if ((is_operator || last[3].is(clang::tok::l_paren)) && is_shard_method(word(0), word(2), !is_operator))
      return true;
  }
  return false;
}

}  // namespace

Reader::Reader(clang::CompilerInstance& compiler, const std::vector<std::string>& inputs,
               const std::string& directory)
    : compiler_(compiler),
      log_(compiler.getPreprocessor()),
      files_(compiler.getSourceManager(), compiler.getLangOpts(), inputs, directory) {}

void Reader::add_stand_ins() {
  clang::Preprocessor& preprocessor = compiler_.getPreprocessor();
  preprocessor.setPredefines(preprocessor.getPredefines() + kAnyTraits.str());
}

Model Reader::read(bool candidates) {
  FoundAttributes found = find_attributes(log_, files_);
  Context context{compiler_.getSema(),
                  compiler_.getASTContext(),
                  compiler_.getLangOpts(),
                  log_,
                  files_,
                  found,
                  unread_bodies_,
                  candidates};
  Model model;
  const auto declaring = read_entities(context, model);
  read_surroundings(context, model);
  add_implicit_declarations(context);
  add_attribute_edits(log_, found, files_);
  auto rewritten = files_with_entities(found, compiler_.getSourceManager());
  rewritten.insert(declaring.begin(), declaring.end());
  add_directives(log_, std::move(rewritten), files_);
  const std::vector<Span> structs = held_structs(model, context);
  model.files = files_.files();
  for (SourceFile& file : model.files) {
    std::erase_if(file.skipped, [&](const Span& span) {
      const std::string text = file.text.substr(span.begin, span.end - span.begin);
      if (is_inside(span, model, structs)) return false;
      return was_read(span, model) || !defines_shard_method(text, model, compiler_.getLangOpts());
    });
  }
  return model;
}

bool is_wanted(const clang::Decl& decl, const BodyNames& wanted) {
  const clang::FunctionDecl* function = wanted.empty() ? nullptr : decl.getAsFunction();
  return function && wanted.contains(function->getQualifiedNameAsString());
}

bool Reading::misses_bodies(const Reader& reader) {
  if (is_last || std::ranges::includes(wanted, reader.unread_bodies())) return false;
  missed = reader.unread_bodies();
  return true;
}

bool read_again(Reading& reading) {
  constexpr int kMostReadings = 5;
  if (reading.has_failed) {  // read again, without the bodies of other headers
    reading = {.is_last = true};
    return true;
  }
  if (reading.missed.empty()) return false;
  reading.wanted.merge(reading.missed);
  reading.missed.clear();
  reading.is_last = ++reading.number == kMostReadings;
  return true;
}

Model Reader::read_unannotated(const Scan& scan) {
  for (const Span& pragma : scan.pragmas) add_pragma(pragma, files_);
  Model model;
  model.files = files_.files();
  return model;
}

}  // namespace autoshard::tool
