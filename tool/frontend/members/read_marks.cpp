#include "tool/frontend/members/read_marks.h"

#include <llvm/ADT/STLExtras.h>

namespace autoshard::tool {
namespace {

/// The first annotation of this name.
class Marking {
 public:
  Marking(const std::vector<Annotation>& annotations, std::string_view name) {
    const auto found = llvm::find_if(annotations, [&](const Annotation& one) { return one.name == name; });
    if (found != annotations.end()) annotation_ = &*found;
  }

  explicit operator bool() const { return annotation_ != nullptr; }
  Span span() const { return annotation_->span; }
  bool from_macro() const { return annotation_->from_macro; }
  const std::vector<Argument>& arguments() const { return annotation_->arguments; }

  std::optional<Span> place() const { return annotation_ ? std::optional(annotation_->span) : std::nullopt; }

  std::optional<Argument> argument(std::string_view name) const {
    const auto has_name = [&](const Argument& one) { return one.name == name; };
    const auto found = llvm::find_if(arguments(), has_name);
    return found == arguments().end() ? std::nullopt : std::optional(*found);
  }

  /// Whether the annotation has the argument `word`, as in `index(unique)`.
  bool has_word(std::string_view word) const {
    return llvm::any_of(arguments(),
                        [&](const Argument& one) { return one.name.empty() && one.value == word; });
  }

 private:
  const Annotation* annotation_ = nullptr;
};

}  // namespace

PropertyMarks property_marks(const std::vector<Annotation>& annotations) {
  PropertyMarks marks{.id = Marking(annotations, "id").place(),
                      .transient = Marking(annotations, "transient").place(),
                      .expires = Marking(annotations, "expires").place()};
  if (const Marking shardable(annotations, "shardable"); shardable)
    marks.shardable = Shardable{.span = shardable.span(),
                                .from_macro = shardable.from_macro(),
                                .neutral = shardable.argument("neutral"),
                                .shards = shardable.argument("shards"),
                                .fold = shardable.argument("fold"),
                                .minimum = shardable.argument("min"),
                                .maximum = shardable.argument("max"),
                                .order = shardable.argument("order"),
                                .last = shardable.argument("last"),
                                .bucket = shardable.argument("bucket"),
                                .trusted = shardable.argument("trusted")};
  if (const Marking group(annotations, "shard_group"); group)
    marks.group = ShardGroup{.span = group.span(), .shards = group.argument("shards")};
  if (const Marking index(annotations, "index"); index)
    marks.index = Index{.span = index.span(),
                        .is_unique = index.has_word("unique"),
                        .is_of_elements = index.has_word("elements"),
                        .staleness = index.argument("staleness")};
  return marks;
}

MethodMarks method_marks(const std::vector<Annotation>& annotations) {
  MethodMarks marks{.shard_method = Marking(annotations, "shard_method").place(),
                    .shard_write = Marking(annotations, "shard_write").place(),
                    .before_save = Marking(annotations, "before_save").place(),
                    .after_load = Marking(annotations, "after_load").place()};
  for (const std::string_view update : {"shard_method", "shard_write"}) {
    if (const Marking marking(annotations, update); marking && !marks.trusted)
      marks.trusted = marking.argument("trusted");
  }
  if (const Marking fold(annotations, "shard_fold"); fold)
    marks.fold = ShardFold{.span = fold.span(), .from_macro = fold.from_macro(), .members = fold.arguments()};
  return marks;
}

}  // namespace autoshard::tool
