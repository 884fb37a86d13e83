#include "tool/laws/argument_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/emit/emit.h"
#include "tool/laws/known.h"
#include "tool/laws/trial/generated_includes.h"
#include "tool/model/law_tags.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

/// A member with the neutral value as its initialiser, in a struct that stands for the entity's shard.
std::string neutral_member(const Entity& entity, const Property& property, const std::string& nested) {
  return fill("struct $entity$::$nested$ {\n  $type$ value = $neutral$;\n};\n",
              {{"entity", entity.qualified_name},
               {"nested", nested},
               {"type", property.type_text},
               {"neutral", property.sharding->neutral}});
}

/// A struct that does not compile if the neutral value has a fraction, and the member cannot hold it.
std::string whole_neutral(const Entity& entity, const Property& property, const std::string& nested) {
  return fill(R"(
struct $entity$::$nested$ {
  static_assert(!__is_floating_point(decltype($neutral$)) || static_cast<$type$>($neutral$) == ($neutral$));
};
)",
              {{"entity", entity.qualified_name},
               {"nested", nested},
               {"type", property.type_text},
               {"neutral", property.sharding->neutral}});
}

/// A struct with a bound, as generated code has it, or with a declaration that uses it.
std::string with_bound(const Entity& entity, const Property& property, const std::string& nested,
                       const std::string& declaration, const std::string& bound) {
  return fill("struct $entity$::$nested$ {\n  " + declaration + "\n};\n", {{"entity", entity.qualified_name},
                                                                           {"nested", nested},
                                                                           {"type", property.type_text},
                                                                           {"bound", bound}});
}

/// The error of Clang, without its place: users do not see that text.
std::string without_place(std::string problem) {
  const std::size_t begin = problem.find(" at autoshard-laws.cpp:");
  if (begin != std::string::npos) problem.erase(begin, problem.find(')', begin) - begin);
  return problem;
}

class ArgumentCompiler {
 public:
  ArgumentCompiler(const Model& model, Evaluator& evaluator) : model_(model), evaluator_(evaluator) {}

  Diagnostics run() && {
    for (const Entity& entity : model_.entities) {
      for (const Property& property : entity.properties) {
        if (property.is_sharded() && !property.is_group()) look_at(entity, property);
      }
    }
    return std::move(found_);
  }

 private:
  void look_at(const Entity& entity, const Property& property) {
    const auto is_known = [&](Law::Kind kind) {
      return follows_from_form(entity, {.kind = kind, .property = &property});
    };
    const bool knows_fold = is_known(Law::Kind::kCommutative);
    const Shardable& shardable = *property.marks.shardable;
    bool bounds_fit = true;
    for (const std::optional<Argument>* bound : {&shardable.minimum, &shardable.maximum}) {
      if (*bound) bounds_fit &= look_at_bound(entity, property, **bound);
    }
    const std::optional<Argument>& neutral = shardable.neutral;
    if (neutral && !is_known(Law::Kind::kNeutral)) {
      const auto text = [&](const std::string& nested) { return neutral_member(entity, property, nested); };
      if (!compiles(entity, property, *neutral, text)) return;
      const auto whole = [&](const std::string& nested) { return whole_neutral(entity, property, nested); };
      const bool may_be_cut = property.type.kind == TypeKind::kInteger && !property.sharding->neutral_is_list;
      if (may_be_cut && !compile(entity, whole).empty())
        return note(property, *neutral, "it is not a whole number");
    }
    // The code of the fold contains the bounds, so it cannot compile if they do not fit.
    if (!shardable.fold || knows_fold || !bounds_fit) return;
    Entity part = entity;
    part.properties = {property};
    part.methods.clear();
    compiles(entity, property, *shardable.fold, [&](const std::string& nested) {
      return shard_struct(part, model_.files, entity.qualified_name + "::" + nested, Bodies::kAll);
    });
  }

  /// Returns whether the bound compiles. Reports it if not.
  bool look_at_bound(const Entity& entity, const Property& property, const Argument& bound) {
    const auto declaring = [&](const std::string& declaration) {
      return [&, declaration](const std::string& nested) {
        return with_bound(entity, property, nested, declaration, bound.value);
      };
    };
    if (!compiles(entity, property, bound, declaring("static $type$ bound() { return $bound$; }")))
      return false;
    const auto is_constant = declaring("static_assert(((($bound$) == ($bound$)), true));");
    const auto is_held = declaring(
        "static_assert(static_cast<$type$>($bound$) == ($bound$) &&\n"
        "                (static_cast<$type$>($bound$) < 0) == (($bound$) < 0));");
    // A variable, and no call that returns a reference.
    const auto is_variable = declaring(
        "static_assert(__is_lvalue_reference(decltype(($bound$))) &&\n"
        "                !__is_lvalue_reference(decltype($bound$)));");
    if (compile(entity, is_constant).empty()) {
      if (!compile(entity, is_held).empty()) note(property, bound, "the type does not hold it");
    } else if (compile(entity, is_variable).empty()) {
      note(property, bound, "it must be a constant expression, or call a static function");
    }
    return true;
  }

  /// Returns whether a struct compiles. `text` makes its text for a name. Reports the argument if it does not
  /// compile.
  template <class MakeText>
  bool compiles(const Entity& entity, const Property& property, const Argument& argument,
                const MakeText& text) {
    std::string problem = compile(entity, text);
    if (!problem.empty() && !has_includes_) {
      evaluator_.compile("", "", kGeneratedIncludes);
      has_includes_ = true;
      problem = compile(entity, text);
    }
    if (problem.empty()) return true;
    note(property, argument, without_place(std::move(problem)));
    return false;
  }

  void note(const Property& property, const Argument& argument, const std::string& problem) {
    Diagnostic diagnostic;
    diagnostic.rule = tags::kArgumentValue;
    diagnostic.span = argument.value_span;
    diagnostic.message = fmt::format("'{} = {}' does not fit '{}', of type '{}': {}", argument.name,
                                     argument.value, property.name, property.type_text, problem);
    found_.push_back(std::move(diagnostic));
  }

  template <class MakeText>
  std::string compile(const Entity& entity, const MakeText& text) {
    const std::string nested = "AutoshardArgument" + std::to_string(++number_);
    return evaluator_.compile(entity.qualified_name, nested, text(nested));
  }

  const Model& model_;
  Evaluator& evaluator_;
  Diagnostics found_;
  int number_ = 0;
  bool has_includes_ = false;
};

}  // namespace

Diagnostics wrong_argument_values(const Model& model, Evaluator& evaluator) {
  return ArgumentCompiler(model, evaluator).run();
}

}  // namespace autoshard::tool
