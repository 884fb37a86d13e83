#include "tool/advise/advise.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

/// Returns the part of the statement around `span` that stands on the same line, cut off if it is too long
/// for a sentence.
std::string statement_at(const Model& model, const Span& span) {
  constexpr std::size_t kMost = 40;
  const std::string_view text = model.files[span.file].text;
  const std::size_t before =
      span.begin == 0 ? std::string_view::npos : text.find_last_of("{};\n", span.begin - 1);
  std::string_view rest = text.substr(before == std::string_view::npos ? 0 : before + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  rest = rest.substr(0, rest.find_first_of("{};\r\n"));
  while (rest.ends_with(' ')) rest.remove_suffix(1);
  return rest.size() <= kMost ? std::string(rest) : std::string(rest.substr(0, kMost)) + "…";
}

bool may_update(const Method& method) { return !method.is_constructor && !method.is_shard_fold(); }

class ClassAdviser {
 public:
  ClassAdviser(const Model& model, const Entity& entity, const std::vector<Objection>& objections)
      : model_(model), entity_(entity), objections_(objections) {}

  ClassAdvice run() && {
    advice_.entity = &entity_;
    const auto is_id = [](const Property* property) { return property->is_id(); };
    advice_.has_id = std::ranges::any_of(entity_.all_properties(), is_id);
    if (!advice_.has_id) advice_.id = choose_id(entity_);
    refuse_class();
    if (!advice_.refusals.empty()) return std::move(advice_);
    for (const Property& property : entity_.properties) consider(property);
    while (withdraw_one()) continue;
    for (const Property& property : entity_.properties) conclude(property);
    return std::move(advice_);
  }

 private:
  /// What is said against `pattern` for `member`; null if nothing is.
  const Objection* objection(std::string_view member, const Pattern& pattern) const {
    const auto found = std::ranges::find_if(objections_, [&](const Objection& one) {
      return one.entity == entity_.qualified_name && one.member == member && one.pattern == pattern;
    });
    return found == objections_.end() ? nullptr : &*found;
  }

  /// The names of non-const methods whose bodies were not read. They may change any member.
  std::vector<std::string> unknown_methods() const {
    std::vector<std::string> names;
    for (const Method& method : entity_.methods) {
      const bool may_write = may_update(method) && !method.is_const && !method.is_static;
      if (may_write && !method.is_known) names.push_back(named(method));
    }
    return names;
  }

  void refuse_class() {
    for (const Objection& one : objections_) {
      if (one.entity == entity_.qualified_name && one.member.empty())
        advice_.refusals.push_back({"", entity_.span, one.reason});
    }
    constexpr std::size_t kMost = 3;
    std::vector<std::string> unknown = unknown_methods();
    if (unknown.empty()) return;
    const std::string does = unknown.size() == 1 ? " does" : " do";
    if (unknown.size() > kMost) {
      unknown[kMost - 1] = std::to_string(unknown.size() - kMost + 1) + " others";
      unknown.resize(kMost);
    }
    advice_.refusals.push_back({"", entity_.span,
                                "what " + enumeration(unknown, "and") + does +
                                    " is not known; give the source that has it with --source"});
  }

  std::string named(const Method& method) const {
    return quoted(method.name) + " (" + place_of(model_, method.span, entity_.span.file) + ")";
  }

  std::string at(const Span& span) const {
    return place_of(model_, span, entity_.span.file) + ": " + statement_at(model_, span);
  }

  /// Decides whether a member can be sharded, and notes the suggestion or the reason against it.
  void consider(const Property& property) {
    std::vector<const Method*> methods, writes;
    bool is_written = false;
    for (const Method& method : entity_.methods) {
      if (!may_update(method)) continue;
      if (!updates_of(method, property).empty()) methods.push_back(&method);
      if (replaces(method, property)) writes.push_back(&method);
      is_written |= other_write(method, property) != nullptr;
    }
    for (const ForeignWrite& write : entity_.suspicions.foreign_writes)
      is_written |= write.use.member == property.name;
    if (methods.empty() && writes.empty() && !is_written) return;
    if (property.is_transient() || property.is_id()) return;
    if (auto why = why_no_property(property, methods)) {
      reasons_[property.name] = *why;
      return;
    }
    const std::vector<Way> ways = ways_of(property, methods);
    auto patterns = patterns_of(property, ways);
    if (const auto* why = std::get_if<std::string>(&patterns)) {
      reasons_[property.name] = named(*methods.front()) + " " + verb(ways.front()) + ", but " + *why;
      return;
    }
    for (Pattern& pattern : std::get<std::vector<Pattern>>(patterns)) {
      if (pattern.is_group() && !writes.empty()) continue;  // its elements can only be added
      if (const Objection* against = objection(property.name, pattern)) {
        reasons_[property.name] = against->reason;
        continue;
      }
      reasons_.erase(property.name);
      sharded_[property.name] = {&property, std::move(pattern),
                                 ways.front().field.empty() ? verb(ways.front()) : "updates its fields",
                                 std::move(methods), std::move(writes)};
      return;
    }
  }

  /// Why the member cannot be sharded, regardless of the other members; nothing if it can.
  std::optional<std::string> why_no_property(const Property& property,
                                             const std::vector<const Method*>& methods) const {
    if (property.access != Access::kPrivate)
      return std::string("it is not private, so anybody may change it");
    // The text at this place is the invocation of a macro.
    if (text_of(property.span) != property.name) return std::string("it comes out of a macro");
    for (const Method& method : entity_.methods) {
      const MemberUse* write = may_update(method) ? other_write(method, property) : nullptr;
      if (!write && methods.empty() && may_update(method)) write = replaced(method, property);
      if (write)
        return quoted(method.name) + " may change it in a way that does not commute (" + at(write->span) +
               ")";
    }
    for (const ForeignWrite& write : entity_.suspicions.foreign_writes) {
      if (write.use.member == property.name) return write.by + " may change it (" + at(write.use.span) + ")";
    }
    return why_mixed(property, methods);
  }

  /// A sum and a maximum of the same member do not commute with each other.
  std::optional<std::string> why_mixed(const Property& property,
                                       const std::vector<const Method*>& methods) const {
    std::map<std::string, const Update*> first;  // by field
    for (const Method* method : methods) {
      for (const Update* update : updates_of(*method, property)) {
        const bool is_mixed = !first.empty() && update->field.empty() != first.begin()->first.empty();
        const Update* const other = first.try_emplace(update->field, update).first->second;
        if (update->operation == other->operation && update->by_key == other->by_key && !is_mixed) continue;
        const auto of_other_kind = std::ranges::find_if(
            first, [&](const auto& one) { return one.first.empty() != update->field.empty(); });
        const Update& earlier = is_mixed ? *of_other_kind->second : *other;
        return "one update " + verb(way_of(earlier)) + " (" + at(earlier.span) + "), another one " +
               verb(way_of(*update)) + " (" + at(update->span) + ")";
      }
    }
    return std::nullopt;
  }

  /// Withdraws the suggestion for one member if a method that updates it cannot run on a shard. Returns
  /// whether it withdrew one.
  bool withdraw_one() {
    for (const auto& [name, suggestion] : sharded_) {
      std::vector<const Method*> methods = suggestion.methods;
      methods.insert(methods.end(), suggestion.writes.begin(), suggestion.writes.end());
      for (const Method* method : methods) {
        const auto why = why_no_shard_method(*method, name);
        if (!why) continue;
        reasons_[name] = named(*method) + " " + *why;
        sharded_.erase(name);
        return true;
      }
    }
    return false;
  }

  /// Why `method`, which updates `member`, cannot run on a shard; nothing if it can. A shard has only the
  /// sharded members.
  std::optional<std::string> why_no_shard_method(const Method& method, const std::string& member) const {
    if (method.is_template) return "is a template; write an overload for each type";
    if (method.is_const) return "is const, so it cannot be a shard method";
    if (method.is_static) return "is static, so it cannot be a shard method";
    if (method.is_overridable) return "is virtual, and an override may do something else; make it final";
    if (method.from_macro) return "comes out of a macro; write it out";
    if (!method.effects.empty()) {
      const Escape& effect = method.effects.front();
      return effect.what + ", but a shard method runs twice and must do nothing but its update";
    }
    for (const MemberUse& use : method.uses) {
      if (use.member == member && !is_of_update(method, use)) {
        return "also reads it (" + at(use.span) + "), and a shard has only a part of its value" +
               (sharded_.at(member).pattern.may_keep_bounds ? "; if this checks a bound, leave the check out "
                                                              "and write 'min' or 'max' into shardable(…): "
                                                              "an update beyond it then throws BoundExceeded"
                                                            : "");
      }
    }
    for (const MemberUse& use : method.uses) {
      if (use.member == member || (sharded_.contains(use.member) && is_of_update(method, use))) continue;
      if (sharded_.contains(use.member)) {
        return "reads " + quoted(use.member) + " (" + at(use.span) + "), of which a shard has only a part";
      }
      if (use.write)
        return "also changes " + quoted(use.member) + ", which is not sharded; split it in two methods";
      return "uses " + quoted(use.member) + ", which no shard has; pass the value as a parameter";
    }
    return std::nullopt;
  }

  void conclude(const Property& property) {
    if (const auto found = sharded_.find(property.name); found != sharded_.end())
      advice_.suggestions.push_back(found->second);
    if (const auto found = reasons_.find(property.name); found != reasons_.end())
      advice_.refusals.push_back({property.name, property.span, found->second});
  }

  /// The updates of `property`, or of its fields, in `method`.
  static std::vector<const Update*> updates_of(const Method& method, const Property& property) {
    std::vector<const Update*> found;
    for (const std::vector<Update>* updates : {&method.updates, &method.field_updates}) {
      for (const Update& update : *updates) {
        if (update.member == property.name) found.push_back(&update);
      }
    }
    return found;
  }

  static Way way_of(const Update& update) { return {update.field, update.operation, update.by_key}; }

  /// One for each field.
  static std::vector<Way> ways_of(const Property& property, const std::vector<const Method*>& methods) {
    std::vector<Way> ways;
    for (const Method* method : methods) {
      for (const Update* update : updates_of(*method, property)) {
        if (std::ranges::find(ways, update->field, &Way::field) == ways.end())
          ways.push_back(way_of(*update));
      }
    }
    return ways;
  }

  /// The assignment to `property` in a method that does nothing but assign; null for any other method.
  static const MemberUse* replaced(const Method& method, const Property& property) {
    const auto use = std::ranges::find(method.uses, property.name, &MemberUse::member);
    return method.only_assigns && use != method.uses.end() ? &*use : nullptr;
  }
  static bool replaces(const Method& method, const Property& property) {
    return replaced(method, property) != nullptr;
  }

  /// Whether `use` is a part of an update, or of a method that replaces values.
  static bool is_of_update(const Method& method, const MemberUse& use) {
    const auto has_use = [&](const Update& update) {
      return update.member == use.member && std::ranges::find(update.uses, use.span) != update.uses.end();
    };
    return method.only_assigns || belongs_to_update(method, use) ||
           std::ranges::any_of(method.field_updates, has_use);
  }

  /// A use that changes the member, and is no update of a known kind; null if there is none.
  static const MemberUse* other_write(const Method& method, const Property& property) {
    const auto found = std::ranges::find_if(method.uses, [&](const MemberUse& use) {
      return use.member == property.name && use.write && !is_of_update(method, use);
    });
    return found == method.uses.end() ? nullptr : &*found;
  }

  std::string_view text_of(const Span& span) const {
    return std::string_view(model_.files[span.file].text).substr(span.begin, span.end - span.begin);
  }

  const Model& model_;
  const Entity& entity_;
  const std::vector<Objection>& objections_;
  std::map<std::string, Suggestion> sharded_;   ///< by member
  std::map<std::string, std::string> reasons_;  ///< why a member is not sharded, by member
  ClassAdvice advice_;
};

/// Whether the advice mentions a plain class. Its id must be known or have candidates. It must have an update
/// that may commute, or a refusal that concerns the whole class.
bool looks_like_entity(const ClassAdvice& advice) {
  if (!advice.has_id && !advice.id.property && advice.id.candidates.empty()) return false;
  const auto updates = [](const Method& method) {
    return may_update(method) && !(method.updates.empty() && method.field_updates.empty());
  };
  const auto is_about_class = [](const Refusal& refusal) { return refusal.member.empty(); };
  return std::ranges::any_of(advice.entity->methods, updates) ||
         std::ranges::any_of(advice.refusals, is_about_class);
}

}  // namespace

std::vector<ClassAdvice> advise(const Model& model, const std::vector<Objection>& objections) {
  std::vector<const Entity*> classes;
  for (const Entity& entity : model.entities) {
    if (!entity.is_sharded()) classes.push_back(&entity);
  }
  for (const Entity& candidate : model.candidates) classes.push_back(&candidate);
  std::ranges::sort(classes, {},
                    [](const Entity* entity) { return std::pair(entity->span.file, entity->span.begin); });
  std::vector<ClassAdvice> result;
  for (const Entity* entity : classes) {
    ClassAdvice advice = ClassAdviser(model, *entity, objections).run();
    const bool says_something = !advice.suggestions.empty() || !advice.refusals.empty();
    if (says_something && (entity->is_annotated || looks_like_entity(advice)))
      result.push_back(std::move(advice));
  }
  return result;
}

std::vector<ClassAdvice> with_provisional_ids(std::vector<ClassAdvice> advice) {
  for (ClassAdvice& one : advice) {
    if (!one.has_id && !one.id.property && !one.id.candidates.empty())
      one.id.property = one.id.candidates.front();
  }
  return advice;
}

std::string place_of(const Model& model, const Span& span, std::uint32_t file) {
  const std::string& text = model.files[span.file].text;
  const std::string line =
      "line " + std::to_string(1 + std::count(text.begin(), text.begin() + span.begin, '\n'));
  return span.file == file ? line : line + " of " + model.files[span.file].path;
}

}  // namespace autoshard::tool
