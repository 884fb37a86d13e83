#include "tool/frontend/reader.h"

#include "clang/Sema/Sema.h"
#include "tool/frontend/annotations.h"
#include "tool/frontend/edits.h"
#include "tool/frontend/entities.h"

namespace autoshard::tool {
namespace {

/// Whether `span` lies inside of a class that is rewritten.
bool is_inside(const Span& span, const Model& model) {
  const auto holds = [&](const Entity& entity) {
    const Span& outer = entity.definition;
    return outer.file == span.file && outer.begin <= span.begin && span.end <= outer.end;
  };
  return std::ranges::any_of(model.entities, holds) || std::ranges::any_of(model.parts, holds);
}

}  // namespace

Reader::Reader(clang::CompilerInstance& compiler, const std::vector<std::string>& inputs,
               const std::string& directory)
    : compiler_(compiler),
      log_(compiler.getPreprocessor()),
      files_(compiler.getSourceManager(), compiler.getLangOpts(), inputs, directory) {}

Model Reader::read() {
  FoundAttributes found = find_attributes(log_, files_);
  Context context{compiler_.getSema(), compiler_.getASTContext(), log_, files_, found};
  Model model;
  read_entities(context, model);
  add_attribute_edits(log_, found, files_);
  add_directives(log_, files_with_entities(found, compiler_.getSourceManager()), files_);
  model.files = files_.files();
  for (SourceFile& file : model.files) {
    std::erase_if(file.skipped, [&](const Span& span) { return !is_inside(span, model); });
  }
  return model;
}

}  // namespace autoshard::tool
