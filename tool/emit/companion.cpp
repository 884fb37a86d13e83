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

/// A wrapper passes every parameter on, and so needs names for them; default arguments stand in the class.
enum class Where { kShard, kWrapper };

std::string parameter_list(const Method& method, Where where) {
  std::string list;
  for (const Parameter& parameter : method.parameters) {
    if (!list.empty()) list += ", ";
    list += where == Where::kShard ? parameter.written : parameter.text;
    if (where == Where::kShard && !parameter.default_argument.empty())
      list += " = " + parameter.default_argument;
  }
  return list;
}

/// A shard is always called as an lvalue, whatever the user's method may be called on.
std::string_view without_ref_qualifier(std::string_view qualifiers) {
  while (qualifiers.starts_with('&') || qualifiers.starts_with(' ')) qualifiers.remove_prefix(1);
  return qualifiers;
}

/// Where the shard cannot occur in a constant expression, neither can a call (and the word goes; see
/// rewrite).
bool is_constexpr(const Entity& entity, const Method& method) {
  return method.constexpr_specifier.has_value() && entity.has_trivial_shard();
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

std::string method_of_shard(const Entity& entity, const Method& method, const SourceFile& source) {
  return fill("$constexpr$$type$ $name$($parameters$) $qualifiers$ $body$\n",
              {{"constexpr", is_constexpr(entity, method) ? "constexpr " : ""},
               {"type", return_type_in_shard(method)},
               {"name", method.name},
               {"parameters", parameter_list(method, Where::kShard)},
               {"qualifiers", without_ref_qualifier(method.qualifiers)},
               {"body", body_of(method, source)}});
}

/// Names for the two values that a fold's expression does not use itself.
std::pair<std::string, std::string> operands(const std::string& fold) {
  const bool is_lambda = fold.find('[') != std::string::npos;
  return is_lambda ? std::pair("left_", "right_") : std::pair("x", "y");
}

std::string fold_call(const Property& property, const std::string& x, const std::string& y) {
  const Sharding& sharding = *property.sharding;
  const bool moves = sharding.takes_rvalues || !property.type.trivially_copyable;
  const std::string first = moves ? "std::move(" + x + ")" : x;
  const std::string second =
      sharding.takes_rvalues ? "static_cast<" + property.type_text + ">(" + y + ")" : y;
  const std::string call = sharding.needs_invoke
                               ? "std::invoke(" + sharding.fold + ", " + first + ", " + second + ")"
                               : sharding.fold + "(" + first + ", " + second + ")";
  // Arithmetic makes an int of anything smaller.
  return property.type.promotes_to_int ? "static_cast<" + property.type_text + ">(" + call + ")" : call;
}

std::string fold_of_shard(const Property& property) {
  const auto [x, y] = operands(property.sharding->fold);
  return fill("static $type$ fold_$name$($type$ $x$, const $type$& $y$) { return $call$; }\n",
              {{"type", property.type_text},
               {"name", property.name},
               {"x", x},
               {"y", y},
               {"call", fold_call(property, x, y)}});
}

}  // namespace

std::string shard_struct(const Entity& entity, const SourceFile& source, std::string_view name) {
  std::string members;
  std::string folds;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    members += member_of_shard(property);
    folds += fold_of_shard(property);
  }
  std::string methods;
  for (const Method& method : entity.methods) {
    if (method.is_shard_method()) methods += method_of_shard(entity, method, source);
  }
  return fill(R"(
/// The sharded members of $entity$ alone, each neutral until a shard method changes it.
struct $name$ {
$members$

$methods$

$folds$
};
)",
              {{"entity", entity.name},
               {"name", name},
               {"members", members},
               {"methods", methods},
               {"folds", folds}});
}

namespace {

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

bool has_member(const Entity& entity, std::string_view name) {
  return entity.property(name) != nullptr ||
         std::ranges::any_of(entity.methods, [&](const Method& m) { return m.name == name; }) ||
         std::ranges::any_of(entity.other_names, [&](const Name& n) { return n.name == name; });
}

/// A name for a local variable that would hide nothing. (A second underscore would make it reserved.)
std::string local(const Entity& entity, const Method& method, std::string name) {
  while (has_parameter(method, name) || has_member(entity, name)) name = "the_" + name;
  return name;
}

struct Arguments {
  std::string copies;  ///< local copies of what the first run might change under the second one
  std::string first;
  std::string second;
};

/// The first run gets copies of what it may move from or write to; only the second has the caller's own.
Arguments arguments(const Entity& entity, const Method& method) {
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
        const std::string copy =
            local(entity, method,
                  "first_" + parameter.name.substr(
                                 std::min(parameter.name.find_first_not_of('_'), parameter.name.size())));
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

/// A class may ask not to have its values ignored.
std::string discarded(const Method& method, const std::string& call) {
  return may_be_nodiscard(method) ? "static_cast<void>(" + call + ")" : call;
}

/// The return type leads where it is a built-in one; any other is found in the class only behind its name.
std::string declarator(const Entity& entity, const Method& method) {
  const bool leads = method.builtin_return_type;
  return fill("$specifier$ $leading$ $entity$::$name$($parameters$) $qualifiers$$trailing$",
              {{"specifier", is_constexpr(entity, method) ? "constexpr" : "inline"},
               {"leading", leads ? method.return_type : "auto"},
               {"entity", entity.name},
               {"name", method.name},
               {"parameters", parameter_list(method, Where::kWrapper)},
               {"qualifiers", method.qualifiers},
               {"trailing", leads ? "" : " -> " + method.return_type}});
}

std::string shard_method(const Entity& entity, const Method& method) {
  const std::string pending = local(entity, method, "pending");
  const std::string total = local(entity, method, "total");
  const std::string result = local(entity, method, "result");
  const Arguments passed = arguments(entity, method);

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
  Shard $pending$ = $state$.pending;
  Shard $total${$aggregated$};
  $copies$
  $first_run$;
  $result$$total$.$name$($second$);
  $state$.pending = $moved_pending$;
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
               {"state", has_parameter(method, "autoshard_") ? "this->autoshard_" : "autoshard_"},
               {"first_run", discarded(method, pending + "." + method.name + "(" + passed.first + ")")},
               {"result", method.result == Result::kValue ? "auto " + result + " = " : ""},
               {"second", passed.second},
               {"moved_pending", moved(pending, trivial_shard)},
               {"keep", keep},
               {"return", returned}});
}

}  // namespace

bool may_be_nodiscard(const Method& method) {
  return method.result == Result::kValue && !method.builtin_return_type;
}

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
               {"shard", sharded ? shard_struct(entity, source, "Shard") : ""},
               {"entity", entity.name},
               {"loading", loading_constructor(entity)},
               {"state", state}});
}

std::string friend_declarations(const Entity& entity) {
  std::string text;
  bool declared = false;
  for (const Friend& befriended : entity.friends) {
    if (befriended.is_function && !declared) {
      text += "inline namespace sharded {\n" + std::string(entity.is_aggregate ? "struct " : "class ") +
              entity.name + ";\n}\n";
      declared = true;
    }
    text += befriended.declaration + "\n";
  }
  return text.empty() ? text : text + "\n";
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
