#include <algorithm>
#include <string>
#include <vector>

#include "tool/emit/emit.h"
#include "tool/emit/template.h"

namespace autoshard::tool {
namespace {

/// Above the one member that a companion has more than the user's class.
constexpr std::string_view kNotes = "/// The mapper's notes, no part of the value.";

/// `text` as an initialiser of a member: `= text`, which a braced list and an expression both allow.
std::string member_of_shard(const Property& property) {
  return fill(
      "$type$ $name$ = $neutral$;\n",
      {{"type", property.type_text}, {"name", property.name}, {"neutral", property.sharding->neutral}});
}

std::string return_type_in_shard(const Method& method) {
  switch (method.result) {
    case Result::kSelfReference:
      return "Shard&";
    case Result::kSelfPointer:
      return "Shard*";
    case Result::kSelfValue:
      return "Shard";
    default:
      return method.return_type;
  }
}

std::string parameter_list(const Method& method, bool with_defaults) {
  std::string list;
  for (const Parameter& parameter : method.parameters) {
    if (!list.empty()) list += ", ";
    list += parameter.text;
    if (with_defaults && !parameter.default_argument.empty()) list += " = " + parameter.default_argument;
  }
  return list;
}

/// A shard is always called as an lvalue, whatever the user's method may be called on.
std::string_view without_ref_qualifier(std::string_view qualifiers) {
  while (qualifiers.starts_with('&') || qualifiers.starts_with(' ')) qualifiers.remove_prefix(1);
  return qualifiers;
}

/// The body as the user wrote it; where `#if` left a part of it out, compiling that part is refused.
std::string body_of(const Method& method, const SourceFile& source) {
  std::string body;
  std::uint32_t position = method.body.begin;
  for (const Span& region : source.skipped) {
    if (region.begin < position || region.end > method.body.end) continue;
    body += source.text.substr(position, region.begin - position) + skipped_region_guard(source);
    position = region.begin;
  }
  return body + source.text.substr(position, method.body.end - position);
}

std::string method_of_shard(const Method& method, const SourceFile& source) {
  return fill("$constexpr$$type$ $name$($parameters$) $qualifiers$ $body$\n",
              {{"constexpr", method.is_constexpr ? "constexpr " : ""},
               {"type", return_type_in_shard(method)},
               {"name", method.name},
               {"parameters", parameter_list(method, true)},
               {"qualifiers", without_ref_qualifier(method.qualifiers)},
               {"body", body_of(method, source)}});
}

/// The call that folds `x` and `y`.
std::string fold_call(const Property& property) {
  const std::string x = property.type.trivially_copyable ? "x" : "std::move(x)";
  const std::string call = property.sharding->fold + "(" + x + ", y)";
  // Arithmetic makes an int of anything smaller.
  return property.type.promotes_to_int ? "static_cast<" + property.type_text + ">(" + call + ")" : call;
}

std::string fold_of_shard(const Property& property) {
  return fill("static $type$ fold_$name$($type$ x, const $type$& y) { return $call$; }\n",
              {{"type", property.type_text}, {"name", property.name}, {"call", fold_call(property)}});
}

std::string shard(const Entity& entity, const SourceFile& source) {
  std::string members;
  std::string folds;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    members += member_of_shard(property);
    folds += fold_of_shard(property);
  }
  std::string methods;
  for (const Method& method : entity.methods) {
    if (method.is_shard_method()) methods += method_of_shard(method, source);
  }
  return fill(R"(
/// The sharded members of $entity$ alone, each neutral until a shard method changes it.
struct Shard {
$members$

$methods$

$folds$
};
)",
              {{"entity", entity.name}, {"members", members}, {"methods", methods}, {"folds", folds}});
}

/// Whether a member of this kind holds garbage unless it is initialised.
bool needs_initialiser(const Property& property) {
  if (property.has_initialiser) return false;
  switch (property.type.kind) {
    case TypeKind::kString:
    case TypeKind::kOptional:
    case TypeKind::kUniquePtr:
    case TypeKind::kVector:
    case TypeKind::kDeque:
    case TypeKind::kList:
    case TypeKind::kMap:
    case TypeKind::kUnorderedMap:
    case TypeKind::kSet:
    case TypeKind::kUnorderedSet:
    case TypeKind::kTuple:
    case TypeKind::kVariant:
    case TypeKind::kMonostate:
    case TypeKind::kRef:
      return false;
    default:
      return true;
  }
}

std::string loading_constructor(const Entity& entity) {
  std::string initialisers;
  const auto initialise = [&](const std::string& name) {
    initialisers += (initialisers.empty() ? " : " : ", ") + name + "()";
  };
  for (const std::string& base : entity.mapped_bases) initialise(base);
  for (const Property& property : entity.properties) {
    if (needs_initialiser(property)) initialise(property.name);
  }
  return fill("explicit $entity$(::autoshard::Loading)$initialisers$ {}\n",
              {{"entity", entity.name}, {"initialisers", initialisers}});
}

bool has_parameter(const Method& method, std::string_view name) {
  return std::ranges::any_of(method.parameters, [&](const Parameter& p) { return p.name == name; });
}

/// A name for a local variable that no parameter has.
std::string local(const Method& method, std::string name) {
  while (has_parameter(method, name)) name += '_';
  return name;
}

struct Arguments {
  std::string copies;  ///< local copies of what the first run might change under the second one
  std::string first;
  std::string second;
};

/// The first run gets copies of what it may move from or write to; only the second has the caller's own.
Arguments arguments(const Method& method) {
  Arguments result;
  for (const Parameter& parameter : method.parameters) {
    const std::string separator = result.first.empty() ? "" : ", ";
    std::string first = parameter.name;
    std::string second = parameter.name;
    switch (parameter.passing) {
      case Passing::kValue:
        if (!parameter.type.trivially_copyable) second = "std::move(" + second + ")";
        break;
      case Passing::kConstReference:
        break;
      case Passing::kReference:
      case Passing::kRvalueReference: {
        const std::string copy = local(method, "first_" + parameter.name);
        result.copies += "auto " + copy + " = " + parameter.name + ";\n";
        const bool rvalue = parameter.passing == Passing::kRvalueReference;
        first = rvalue ? "std::move(" + copy + ")" : copy;
        if (rvalue) second = "std::move(" + second + ")";
        break;
      }
    }
    result.first += separator + first;
    result.second += separator + second;
  }
  return result;
}

std::string moved(const std::string& expression, bool trivially_copyable) {
  return trivially_copyable ? expression : "std::move(" + expression + ")";
}

/// The return type leads where it is a built-in one; any other is found in the class only behind its name.
std::string declarator(const Entity& entity, const Method& method) {
  const bool leads = method.builtin_return_type;
  return fill("$specifier$ $leading$ $entity$::$name$($parameters$) $qualifiers$$trailing$",
              {{"specifier", method.is_constexpr ? "constexpr" : "inline"},
               {"leading", leads ? method.return_type : "auto"},
               {"entity", entity.name},
               {"name", method.name},
               {"parameters", parameter_list(method, false)},
               {"qualifiers", method.qualifiers},
               {"trailing", leads ? "" : " -> " + method.return_type}});
}

std::string shard_method(const Entity& entity, const Method& method) {
  const std::string pending = local(method, "pending");
  const std::string total = local(method, "total");
  const std::string result = local(method, "result");
  const Arguments passed = arguments(method);

  std::string aggregated;
  std::string keep;
  bool trivial_shard = true;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    trivial_shard = trivial_shard && property.type.trivially_copyable;
    const bool read = std::ranges::find(method.touches, property.name) != method.touches.end();
    const bool written = std::ranges::find(method.writes, property.name) != method.writes.end();
    const std::string own = (has_parameter(method, property.name) ? "this->" : "") + property.name;
    if (read || written) aggregated += (aggregated.empty() ? "." : ", .") + property.name + " = " + own;
    if (written) {
      keep += own + " = " + moved(total + "." + property.name, property.type.trivially_copyable) + ";\n";
    }
  }

  std::string returned;
  if (method.result == Result::kValue) returned = "return " + result + ";";
  if (method.result == Result::kSelfReference || method.result == Result::kSelfValue)
    returned = "return *this;";
  if (method.result == Result::kSelfPointer) returned = "return this;";

  return fill(R"(
$declarator$ {
  Shard $pending$ = autoshard_.pending;
  Shard $total${$aggregated$};
  $copies$
  $pending$.$name$($first$);
  $result$$total$.$name$($second$);
  autoshard_.pending = $moved_pending$;
  $keep$
  $return$
}

)",
              {{"declarator", declarator(entity, method)},
               {"pending", pending},
               {"total", total},
               {"aggregated", aggregated},
               {"copies", passed.copies},
               {"name", method.name},
               {"first", passed.first},
               {"result", method.result == Result::kValue ? "auto " + result + " = " : ""},
               {"second", passed.second},
               {"moved_pending", moved(pending, trivial_shard)},
               {"keep", keep},
               {"return", returned}});
}

}  // namespace

std::string companion_members(const Entity& entity, const SourceFile& source) {
  const bool sharded = entity.is_sharded();
  const std::string state = sharded ? "Shard" : "";
  if (entity.is_aggregate) {
    // Public and last, so that the class stays an aggregate and its initialisers keep their places.
    return fill(R"(

$notes$
::autoshard::State<> autoshard_ = {};
)",
                {{"notes", kNotes}});
  }
  return fill(R"(

$public$
$default_constructor$
$shard$

 private:
  friend struct ::autoshard::Traits<$entity$>;
  $loading$

  $notes$
  ::autoshard::State<$state$> autoshard_ = {};
)",
              {{"notes", kNotes},
               {"public", sharded || entity.has_implicit_default_constructor ? " public:" : ""},
               {"default_constructor",
                entity.has_implicit_default_constructor ? entity.name + "() = default;\n\n" : ""},
               {"shard", sharded ? shard(entity, source) : ""},
               {"entity", entity.name},
               {"loading", loading_constructor(entity)},
               {"state", state}});
}

std::string part_members() {
  return R"(

  /// The mapper reaches the members through the traits of entities.
  template <class>
  friend struct ::autoshard::Traits;
)";
}

std::string shard_methods(const Entity& entity) {
  std::string text;
  for (const Method& method : entity.methods) {
    if (method.is_shard_method()) text += shard_method(entity, method);
  }
  return text;
}

}  // namespace autoshard::tool
