#include "tool/frontend/reader.h"

#include "clang/Sema/Sema.h"
#include "tool/frontend/annotations.h"
#include "tool/frontend/edits.h"
#include "tool/frontend/entities.h"
#include "tool/frontend/surroundings.h"

namespace autoshard::tool {
namespace {

/// Satisfies the declarations of the mapper, for any class; their bodies are not read.
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

/// Whether `span` lies inside of a class, or of a method of one, that is rewritten.
bool is_inside(const Span& span, const Model& model) {
  const auto is_in = [&](const Span& outer) {
    return outer.file == span.file && outer.begin <= span.begin && span.end <= outer.end;
  };
  const auto holds = [&](const Entity& entity) {
    return is_in(entity.definition) || std::ranges::any_of(entity.methods, [&](const Method& method) {
             return method.is_shard_method() && is_in(method.body);
           });
  };
  return std::ranges::any_of(model.entities, holds) || std::ranges::any_of(model.parts, holds);
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
  Context context{compiler_.getSema(), compiler_.getASTContext(), log_, files_, found, candidates};
  Model model;
  read_entities(context, model);
  read_surroundings(context, model);
  add_attribute_edits(log_, found, files_);
  add_directives(log_, files_with_entities(found, compiler_.getSourceManager()), files_);
  model.files = files_.files();
  for (SourceFile& file : model.files) {
    std::erase_if(file.skipped, [&](const Span& span) { return !is_inside(span, model); });
  }
  return model;
}

}  // namespace autoshard::tool
