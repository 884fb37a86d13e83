/// Rules for declarations of shard methods and hooks.

#include <algorithm>

#include "tool/check/rules/groups.h"

namespace autoshard::tool {
namespace {

void shard_method_static(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.is_static) return;
    findings.add(
        method.span,
        "shard method '{name}' is static; a shard method updates the sharded members of one object, so "
        "drop 'static' or the attribute",
        "name"_a = method.name);
  });
}

void shard_method_const(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.is_const) return;
    findings.add(
        method.span,
        "shard method '{name}' is const, so it cannot update anything; drop 'const' or the attribute",
        "name"_a = method.name);
  });
}

void shard_method_constructor(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.is_constructor) return;
    findings.add(method.span,
                 "a constructor, destructor or assignment cannot be a shard method; remove the attribute");
  });
}

void shard_method_template(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.is_template) return;
    findings.add(method.span, "shard method '{name}' is a template; write an overload for each type",
                 "name"_a = method.name);
  });
}

void shard_method_macro(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.from_macro) return;
    findings.add(
        method.span,
        "shard method '{name}' comes out of a macro; write the method out (its attribute may come out "
        "of one)",
        "name"_a = method.name);
  });
}

void shard_method_body(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.has_body || method.is_constructor) return;
    if (!method.defined_elsewhere) {
      findings.add(
          method.span,
          "the definition of shard method '{name}' is missing; write it into this header, or name the "
          "source that has it (--source, or SOURCES of autoshard_generate)",
          "name"_a = method.name);
    } else if (method.deduced_result) {
      findings.add(
          method.span,
          "the return type of '{name}' is known with its body only, which is not in this header; write "
          "it out",
          "name"_a = method.name);
    }
  });
}

void shard_method_name(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.name.starts_with("operator")) return;
    const auto other = std::ranges::find_if(
        entity.methods, [&](const Method& one) { return one.name == method.name && !one.is_shard_method(); });
    if (other == entity.methods.end()) return;
    Diagnostic& found = findings.add(
        method.span,
        "'{name}' is also the name of a method that is not a shard method, so that '&{entity}::{name}' is "
        "ambiguous where it is applied; rename one of the two",
        "name"_a = method.name, "entity"_a = entity.name);
    Findings::note(found, other->span, "the other '{name}' is here", "name"_a = method.name);
  });
}

/// Why a parameter cannot be passed to both runs of a shard method; empty if it can.
std::string objection_to(const Parameter& parameter) {
  if (parameter.is_function)
    return "is a function, and may have an effect that would happen twice; call it before, and pass its "
           "result";
  if (parameter.is_volatile)
    return "is volatile, which the copies are not that the method runs twice with; drop 'volatile'";
  if (!parameter.copyable && parameter.passing != Passing::kConstReference)
    return "cannot be copied, but the method runs twice with it; pass a value that can be copied, or a const "
           "reference";
  if (parameter.shares_an_object)
    return "points to what the method can change, but it runs twice; pass a value, or a pointer to const";
  return {};
}

void shard_method_parameter(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const Parameter& parameter : method.parameters) {
      const std::string objection = objection_to(parameter);
      if (objection.empty()) continue;
      findings.add(method.span, "parameter '{parameter}' of shard method '{name}' {objection}",
                   "parameter"_a = parameter.name, "name"_a = method.name, "objection"_a = objection);
    }
  });
}

void shard_method_result(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.definition.empty() && method.result == Result::kValue &&
        method.result_type.qualified == entity.qualified_name) {
      findings.add(
          method.span,
          "shard method '{name}' is defined outside of its class and returns another '{entity}' than "
          "'*this'; move its body into the class",
          "name"_a = method.name, "entity"_a = entity.name);
    }
    if (method.result != Result::kReference) return;
    findings.add(
        method.span,
        "shard method '{name}' returns a reference, pointer, view or iterator, which may lead into a "
        "value that is replaced; return a value, or '*this'",
        "name"_a = method.name);
  });
}

/// Why the mapper could not call the method as a hook; empty if it could.
std::string objection_to_hook(const Method& method) {
  if (method.is_shard_method() || method.is_shard_fold()) return "is an update or a fold";
  if (method.is_constructor) return "is a constructor, a destructor or an assignment";
  if (method.is_static) return "is static";
  if (method.is_template) return "is a template";
  if (!method.parameters.empty()) return "takes a parameter";
  if (method.result != Result::kNothing) return "returns something";
  if (method.is_for_rvalues) return "is for rvalues only";
  return {};
}

void hook(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    for (const std::string_view attribute : {"before_save", "after_load"}) {
      if (!method.annotation(attribute)) continue;
      if (const std::string objection = objection_to_hook(method); !objection.empty()) {
        findings.add(
            method.span,
            "'{name}' {objection}; '[[autoshard::{attribute}]]' is for a method such as 'void {attribute}()'",
            "name"_a = method.name, "objection"_a = objection, "attribute"_a = attribute);
      } else if (method.calls_shard_methods) {
        findings.add(method.span,
                     "'{name}' calls a shard method, so that each {event} would count as an update; do that "
                     "where the update is meant",
                     "name"_a = method.name, "event"_a = attribute == "before_save" ? "save" : "load");
      }
    }
  }
}

constexpr Rule kMethods[] = {
    {.tag = "autoshard-shard-method-static",
     .summary = "A shard method is not static.",
     .reason =
         "An update names one entity by its id and changes that one. A static method has no object whose "
         "members it could change.",
     .find = shard_method_static},
    {.tag = "autoshard-shard-method-const",
     .summary = "A shard method is not const.",
     .reason = "A shard method is an update, and a const method cannot change anything. If the method only "
               "reads, remove the attribute: a plain const method of a loaded entity sees the whole value.",
     .find = shard_method_const},
    {.tag = "autoshard-shard-method-constructor",
     .summary = "A constructor, destructor or assignment is no shard method.",
     .reason = "A shard method updates an entity that is stored already. A constructor runs once, before the "
               "entity is saved for the first time; it may set sharded members without any attribute.",
     .find = shard_method_constructor},
    {.tag = "autoshard-shard-method-template",
     .summary = "A shard method is no template.",
     .reason = "Generated code calls each shard method on a shard, so it must know every one of them. It "
               "cannot know for which types a template will be called.",
     .find = shard_method_template},
    {.tag = "autoshard-shard-method-macro",
     .summary = "The text of a shard method is written out, not the result of a macro.",
     .reason =
         "The generator moves the body of a shard method into the Shard of the companion class, as you "
         "wrote it. If a macro makes the method, there is no text to move. A macro may be used inside of "
         "the body, and for the attribute.",
     .find = shard_method_macro},
    {.tag = "autoshard-shard-method-body",
     .summary = "The generator is given the definition of every shard method.",
     .reason =
         "The generator moves the body into the Shard of the companion class and checks what it does. If "
         "the method is defined in a source, the generator must read that source, too.",
     .find = shard_method_body},
    {.tag = "autoshard-shard-method-name",
     .severity = Diagnostic::Severity::kWarning,
     .optional = true,
     .summary = "A shard method shares its name with shard methods only.",
     .reason =
         "An update names the method, as in 'mapper.apply<&Pedometer::steps>(id, 100)'. If a getter has "
         "the same name, the compiler cannot tell which of the two is meant, and its message does not "
         "say so. The method can still be called on a loaded entity.",
     .find = shard_method_name},
    {.tag = "autoshard-shard-method-parameter",
     .summary = "The arguments of a shard method can be used twice.",
     .reason = "On a loaded entity, a shard method runs twice: on the value that was loaded and on the shard "
               "that is saved. Both runs need the same arguments. So an argument must be copied, or only be "
               "read, and it must not be a callback, which would be called twice.",
     .find = shard_method_parameter},
    {.tag = "autoshard-shard-method-result",
     .summary = "A shard method returns a value, nothing, or its own object.",
     .reason = "A shard method runs on copies of the sharded members, which replace the members when it "
               "returns. A reference, pointer, view or iterator into such a copy would be invalid as soon as "
               "the caller has it.",
     .find = shard_method_result},
    {.tag = "autoshard-hook",
     .summary = "A hook takes and returns nothing, and calls no shard method.",
     .reason =
         "The mapper calls a hook for each save or load, on one object, without arguments. An update in a "
         "hook would be counted once for each of these calls, which is hardly ever meant: a counter "
         "would grow with every load.",
     .find = hook},
};

}  // namespace

const RuleGroup kMethodRules{"Shard methods and hooks", kMethods};

}  // namespace autoshard::tool
