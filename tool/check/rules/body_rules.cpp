/// Rules for the bodies of methods that use sharded members.

#include <algorithm>

#include "tool/check/rules/groups.h"
#include "tool/check/types.h"

namespace autoshard::tool {
namespace {

void shard_method_no_update(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (!method.writes.empty() || !method.has_body || method.is_const || method.is_static ||
        method.is_constructor)
      return;
    if (!method.escapes.empty()) return;  // rejected by another rule; the callee may change a member
    findings.add(
        method.span,
        "shard method '{name}' changes no sharded member; remove the attribute, or mark the member that "
        "it changes [[autoshard::shardable]]",
        "name"_a = method.name);
  });
}

void shard_method_members(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const MemberUse& use : method.uses) {
      const Property* property = entity.property(use.member);
      if (!property || property->is_sharded()) continue;
      Diagnostic& found = findings.add(use.span,
                                       "shard method '{name}' {does} '{member}', which is not sharded; a "
                                       "shard holds nothing but the sharded "
                                       "members, so {advice}",
                                       "name"_a = method.name, "does"_a = use.write ? "changes" : "uses",
                                       "member"_a = use.member,
                                       "advice"_a = use.write ? "change it in a method that calls this one"
                                                              : "pass the value as a parameter");
      Findings::note(found, property->span, "'{name}' is here", "name"_a = property->name);
    }
  });
}

void shard_method_escape(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const Escape& escape : method.escapes) {
      findings.add(
          escape.span, "shard method '{name}' {does}; {why}", "name"_a = method.name, "does"_a = escape.what,
          "why"_a = escape.why.empty()
                        ? "it runs on a shard too, which has nothing but sharded members and shard methods"
                        : escape.why);
    }
  });
}

void shard_method_effect(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.is_static) return;  // autoshard-shard-method-static reports it
    for (const Escape& effect : method.effects) {
      findings.add(
          effect.span,
          "shard method '{name}' {does}, but it runs more than once for one update; do that where the "
          "method is called",
          "name"_a = method.name, "does"_a = effect.what);
    }
  });
}

/// Says why the effects of a call are unknown: "calls 'next_ticket', which is only declared".
std::string unseen(const UnseenCall& call) {
  switch (call.why) {
    case Unseen::kDeclared:
      return fmt::format("calls '{}', which is only declared", call.function);
    case Unseen::kSkipped:
      return fmt::format("calls '{}', whose body is in a header that is not read", call.function);
    case Unseen::kOverridden:
      return fmt::format("calls the virtual '{}', which a derived class may override", call.function);
    case Unseen::kPointer:
      return fmt::format("calls the function in '{}', which is only known when it runs", call.function);
  }
  return {};
}

std::string way_out_of(const UnseenCall& call) {
  return call.why == Unseen::kPointer ? "call it before, and pass its result"
                                      : "mark it [[gnu::pure]] if it only computes, or call it before the "
                                        "update and pass its result";
}

void add_unseen_calls(const std::string& caller, const std::vector<UnseenCall>& calls, Findings& findings) {
  for (const UnseenCall& call : calls) {
    Diagnostic& found =
        findings.add(call.span, "{caller} {does}, so it may have an effect; {do_that}", "caller"_a = caller,
                     "does"_a = unseen(call), "do_that"_a = way_out_of(call));
    Findings::note(found, call.declared, "'{name}' is declared here", "name"_a = call.function);
    if (call.why == Unseen::kDeclared)
      found.notes.back().message +=
          "; to have its definition read, name its source with --source, or SOURCES of autoshard_generate";
  }
}

void shard_method_unseen_call(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method() && !method.is_shard_fold()) continue;
    if (!method.effects.empty() || !method.escapes.empty()) continue;  // another rule rejects it
    add_unseen_calls(fmt::format("shard {} '{}'", method.is_shard_fold() ? "fold" : "method", method.name),
                     method.unseen_calls, findings);
  }
  for (const Property& property : entity.properties) {
    if (property.sharding && property.sharding->effects.empty())
      add_unseen_calls(fmt::format("an argument of '{}'", property.name), property.sharding->unseen_calls,
                       findings);
  }
}

void shard_method_throw(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const DependentThrow& one : method.throws) {
      const Property* property = entity.property(one.member);
      if (!property || property->is_group()) continue;  // autoshard-group-addition reports it
      Diagnostic& found = findings.add(
          one.span,
          "shard method '{name}' {does}{comma} because of the value of the sharded member '{member}', but a "
          "shard holds only a part of that; bound the member with 'min' or 'max', or do not shard it and "
          "change it in 'transact'",
          "name"_a = method.name, "does"_a = one.what,
          "comma"_a = one.what.find(',') == std::string::npos ? "" : ",", "member"_a = one.member);
      Findings::note(found, one.read, "'{name}' is read here", "name"_a = one.member);
    }
  });
}

void shard_method_disclosure(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.writes.empty()) return;  // autoshard-shard-method-no-update reports it
    for (const Disclosure& one : method.disclosures) {
      // The result '*this' discloses no value. Another rule rejects references.
      if (one.parameter.empty() && method.result != Result::kValue) continue;
      const auto parameter = std::ranges::find(method.parameters, one.parameter, &Parameter::name);
      if (parameter != method.parameters.end() && parameter->shares_an_object)
        continue;  // autoshard-shard-method-parameter reports it
      Diagnostic& found = findings.add(
          one.span,
          "shard method '{name}' {does} that depends on the sharded member '{member}', but a shard holds "
          "only a "
          "part of that; return nothing, and read '{member}' in a const method of a loaded entity",
          "name"_a = method.name,
          "does"_a = one.parameter.empty() ? "returns a value"
                                           : fmt::format("stores a value in '{}'", one.parameter),
          "member"_a = one.member);
      Findings::note(found, one.read, "'{name}' is read here", "name"_a = one.member);
    }
  });
}

/// How to add to a group of this type.
std::string_view how_to_add(const Type& type) {
  if (is_map(type)) return "with 'insert_or_assign' or 'group[key] = value;'";
  return is_sequence(type) ? "with 'push_back', 'emplace_back' or 'insert' at its end"
                           : "with 'insert' or 'emplace'";
}

/// Whether the update keeps the value that a map already has for the key. This value may be in a shard that
/// the method does not see.
bool keeps_the_old(const Update* update, const Type& type) {
  return update && is_map(type) && update->operation == Operation::kInsert;
}

void group_addition(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    for (const MemberUse& use : method.uses) {
      const Property* group = entity.property(use.member);
      if (!group || !group->is_group() || !is_group_type(group->type)) continue;
      const Update* update = update_of(method, use);
      if (is_addition(method, use, group->type)) continue;
      const std::string_view does = method.is_shard_write() ? "uses"
                                    : keeps_the_old(update, group->type)
                                        ? "would keep the value that a key has already in"
                                        : "does more than add to";
      Diagnostic& found = findings.add(
          use.span,
          "{kind} '{name}' {does} the group '{group}', of which a shard holds only what is added; add in a "
          "{place}, {how}; remove with 'erase_element' of the mapper",
          "kind"_a = method.is_shard_write() ? "shard write" : "shard method", "name"_a = method.name,
          "does"_a = does, "group"_a = use.member,
          "place"_a = method.is_shard_write() ? "shard method" : "statement of its own",
          "how"_a = how_to_add(group->type));
      Findings::note(found, group->span, "'{name}' is here", "name"_a = group->name);
    }
  });
}

void check_foreign_writes(const Entity& entity, Findings& findings) {
  for (const ForeignWrite& write : entity.suspicions.foreign_writes) {
    const Property* property = entity.property(write.use.member);
    if (!property || !property->is_sharded()) continue;
    findings.add(
        write.use.span,
        "{who} may change the sharded member '{member}', which would be lost; call a shard method instead",
        "who"_a = write.by, "member"_a = write.use.member);
  }
}

/// The first use of a member that is not sharded; null if there is none. A shard method must not use a plain
/// member.
const MemberUse* plain_use(const Entity& entity, const Method& method) {
  const auto found = std::ranges::find_if(method.uses, [&](const MemberUse& use) {
    const Property* property = entity.property(use.member);
    return property && !property->is_sharded();
  });
  return found == method.uses.end() ? nullptr : &*found;
}

/// The advice for a plain method that changes the sharded member `member`.
std::string instead_of(const Method& method, const std::string& member, const MemberUse* plain) {
  if (method.is_constructor) return " of another object, which would be lost; call a shard method instead";
  if (method.is_static) return ", which would be lost; call a shard method instead";
  if (!plain && method.result == Result::kValue) {
    return fmt::format(
        "; if it only reads, make it const; if its result does not depend on '{member}', mark it "
        "[[autoshard::shard_method]]; if each call needs a value of its own, as numbers of a sequence do, do "
        "not shard '{member}', and change it in transact()",
        "member"_a = member);
  }
  if (!plain) return "; mark it [[autoshard::shard_method]], or make it const if it only reads";
  return fmt::format(
      " and uses '{plain}', which is not sharded; move what changes '{member}' into a shard method, and call "
      "that",
      "plain"_a = plain->member, "member"_a = member);
}

void plain_write(const Entity& entity, Findings& findings) {
  check_foreign_writes(entity, findings);
  for (const Method& method : entity.methods) {
    if (method.is_shard_method() || method.is_shard_fold()) continue;
    const auto use = std::ranges::find_if(method.uses, [&](const MemberUse& one) {
      const Property* property = entity.property(one.member);
      return one.write && property && property->is_sharded() && (!method.is_constructor || one.of_another);
    });
    if (use == method.uses.end()) continue;
    const MemberUse* plain = plain_use(entity, method);
    Diagnostic& found = findings.add(use->span, "'{name}' may change the sharded member '{member}'{advice}",
                                     "name"_a = method.name, "member"_a = use->member,
                                     "advice"_a = instead_of(method, use->member, plain));
    Findings::note(found, method.span, "'{name}' is here", "name"_a = method.name);
    const Span& at = method.declaration;
    if (!method.from_macro && !method.is_static && !method.is_constructor && !plain &&
        method.result != Result::kValue)
      found.fixes.push_back({{at.file, at.begin, at.begin}, "[[autoshard::shard_method]] "});
  }
}

/// `question.cpp` for `model/question.h`: the usual file of a definition.
std::string source_of(std::string_view header) {
  const std::string_view name = header.substr(header.find_last_of('/') + 1);
  return std::string(name.substr(0, name.find_last_of('.'))) + ".cpp";
}

bool may_write(const Method& method) {
  return !method.is_shard_method() && !method.is_shard_fold() && !method.is_const && !method.is_static &&
         !method.is_constructor;
}

void plain_method_body(const Model& model, Findings& findings) {
  for (const Entity& entity : model.entities) {
    if (!entity.is_sharded() || entity.suspicions.is_abstract) continue;
    for (const Method& method : entity.methods) {
      if (!may_write(method) || method.is_known || method.defined_elsewhere) continue;
      findings.add(
          method.span,
          "'{name}' may change a sharded member, and the change would be lost; no file that was given "
          "defines it, so it cannot be checked; name the source that does, perhaps '{source}' (--source, or "
          "SOURCES of autoshard_generate), or make it const if it only reads",
          "name"_a = method.name, "source"_a = source_of(model.files[method.span.file].path));
    }
  }
}

constexpr Rule kBodies[] = {
    {.tag = "autoshard-plain-write",
     .summary = "Only shard methods change sharded members.",
     .reason =
         "When a loaded entity is saved, the updates of its shard methods are written, not the values of "
         "its sharded members. A change that any other method makes is visible until the next load, and "
         "then it is lost. Mark the method [[autoshard::shard_method]], or [[autoshard::shard_write]] if "
         "it gives the member a new value.",
     .find = plain_write},
    {.tag = "autoshard-plain-method-body",
     .subject = Subject::kModel,
     .severity = Diagnostic::Severity::kWarning,
     .optional = true,
     .summary = "The generator is given the definition of every method that may change a sharded member.",
     .reason = "A method that is not const may change a sharded member, and if it is no shard method, that "
               "change would be lost. The generator reads the bodies to find such changes. It cannot read a "
               "body in a source that it was not given.",
     .find_in_model = plain_method_body},
    {.tag = "autoshard-shard-method-no-update",
     .summary = "A shard method changes a sharded member.",
     .reason = "A shard method that changes nothing writes nothing. Either the attribute is on the wrong "
               "method, such as a getter, or the member that it changes was not marked "
               "[[autoshard::shardable]].",
     .find = shard_method_no_update},
    {.tag = "autoshard-shard-method-members",
     .summary = "A shard method uses sharded members only.",
     .reason =
         "A shard method runs on one shard, without the entity being loaded: that is why updates are "
         "fast. A shard has the sharded members and nothing else, so the values of other members are not "
         "there. Pass what the update needs as a parameter.",
     .find = shard_method_members},
    {.tag = "autoshard-shard-method-escape",
     .summary = "The body of a shard method makes sense on a shard.",
     .reason =
         "The body runs on a Shard, which is another type than your class, and perhaps more than once. A "
         "Shard has the sharded members and the shard methods only: it cannot be passed on as 'this', "
         "and plain methods of the class cannot be called on it.",
     .find = shard_method_escape},
    {.tag = "autoshard-shard-method-effect",
     .summary = "A shard method has no effect other than on the sharded members.",
     .reason =
         "A shard method runs twice on a loaded entity, and again if the store reports a conflict. Each "
         "run would print, draw a random number, look at the clock or change a global variable once "
         "more, and the runs could differ. They could also differ if it read a variable that can change. "
         "The rule holds for all that the method calls: functions, constructors, destructors, operators, "
         "default arguments. Do these things where the method is called, and pass the result as a "
         "parameter.",
     .find = shard_method_effect},
    {.tag = "autoshard-shard-method-unseen-call",
     .severity = Diagnostic::Severity::kWarning,
     .optional = true,
     .summary = "The generator can see what the functions do that a shard method or a fold calls.",
     .reason =
         "A shard method runs more than once for one update, so a function that it calls must have no "
         "effect. The generator reads the function to find out. If only a declaration was read, or if a "
         "virtual method or a pointer decides which function runs, it cannot. Mark a function that only "
         "computes [[gnu::pure]], or name the source that defines it.",
     .find = shard_method_unseen_call},
    {.tag = "autoshard-shard-method-disclosure",
     .summary = "A shard method does not hand out values of sharded members.",
     .reason =
         "On a shard, a sharded member has only the part of the value that this shard holds. What the "
         "method returns, or stores in a parameter, would depend on the shard that the update happens to "
         "run on. Two callers of 'return ++last_;' could get the same number. Read the value in a const "
         "method of a loaded entity.",
     .find = shard_method_disclosure},
    {.tag = "autoshard-shard-method-throw",
     .summary = "A shard method does not throw because of the value of a sharded member.",
     .reason =
         "An update runs on one shard, which holds only a part of the value. A check such as 'if (sold_ + n "
         "> 400) throw' sees a tenth of the seats that were sold, and lets ten times as many be sold. "
         "Checks of the arguments are right. For a limit of the value, use 'min' or 'max' of the "
         "annotation: the mapper keeps them over all shards.",
     .find = shard_method_throw},
    {.tag = "autoshard-group-addition",
     .summary = "A shard method only adds to a shard group, one addition a statement.",
     .reason =
         "A shard method does not see the elements that a group has already: loading them all is what a "
         "group avoids. It can add, and additions come to the same in any order. It cannot look for "
         "elements, count them, change or remove them.",
     .find = group_addition},
};

}  // namespace

const RuleGroup kBodyRules{"Bodies of methods", kBodies};

}  // namespace autoshard::tool
