/// Rows for the rules that are checked by evaluating code. The folder laws/ checks most of them.

#include "tool/check/findings.h"
#include "tool/check/rules/groups.h"
#include "tool/model/law_tags.h"

namespace autoshard::tool {
namespace {

void trusted_reason(const Entity& entity, Findings& findings) {
  for_each_annotation(entity, [&](const Annotation& annotation) {
    const Argument* const reason = annotation.argument("trusted");
    if (!reason || reason->text.value_or("").find_first_not_of(' ') != std::string::npos) return;
    findings.add(reason->span,
                 "'trusted' needs the reason why the law holds, as a string: trusted = \"ids are unique, so "
                 "there are no ties\"");
  });
}

constexpr Rule kLaws[] = {
    {.tag = tags::kArgumentValue,
     .subject = Subject::kValue,
     .summary = "The arguments 'neutral', 'min', 'max' and 'fold' fit the type of the member.",
     .reason =
         "These arguments become expressions in generated code, where they initialise a value of the "
         "type of the member, are compared with it, or fold it. An argument that does not compile there, "
         "or that loses a part of its value, is reported here, where you wrote it."},
    {.tag = tags::kFoldNotCommutative,
     .subject = Subject::kLaw,
     .optional = true,
     .summary = "A fold gives the same for its two arguments in either order.",
     .reason =
         "Shards are folded in no particular order: an update goes to whichever shard is free. If "
         "fold(a, b) differs from fold(b, a), a member has one value now and another one after the next "
         "update or restart. The message shows two values for which the order matters."},
    {.tag = tags::kFoldNotAssociative,
     .subject = Subject::kLaw,
     .optional = true,
     .summary = "A fold gives the same for three values in either grouping.",
     .reason = "Shards are folded in no particular grouping: some are folded by the store or by compaction, "
               "the others by a load. If fold(fold(a, b), c) differs from fold(a, fold(b, c)), the value "
               "depends on when that happened. A mean is an example: keep the sum and the count instead, and "
               "divide when you read."},
    {.tag = tags::kNeutralNotIdentity,
     .subject = Subject::kLaw,
     .optional = true,
     .summary = "The neutral value changes nothing when it is folded with another value.",
     .reason =
         "A shard begins with the neutral value, and a load folds shards that were never written, too. So "
         "fold(x, neutral) must be x: 0 for a sum, 1 for a product, the greatest number of the type for "
         "a minimum. If 0 is to be neutral for a maximum, because no value is negative, give the member an "
         "unsigned "
         "type."},
    {.tag = tags::kBoundedFold,
     .subject = Subject::kLaw,
     .optional = true,
     .summary = "The fold of a member with 'min' or 'max' is a sum.",
     .reason =
         "What is left up to a bound is divided among the shards. That is right only if the value is the "
         "sum of the shards: ten shards that may each add 10 add at most 100. For a maximum or any other "
         "fold, there is nothing to divide."},
    {.tag = tags::kMethodDoesNotCommute,
     .subject = Subject::kLaw,
     .optional = true,
     .summary = "A shard method gives the same on whichever shard it runs.",
     .reason =
         "An update runs on one shard, not on the folded value. So m(fold(a, b)) must be the same as "
         "fold(m(a), b). Adding, taking a maximum and inserting keep this law. An update that looks at "
         "the value first, such as 'take two if there are enough left', does not: a shard knows only its "
         "own part. Use bounds ('min = 0'), or a plain save with a version check."},
    {.tag = tags::kWriteNotReplacing,
     .subject = Subject::kLaw,
     .optional = true,
     .summary = "A shard write leaves the same value, whatever the value was before.",
     .reason =
         "A shard write replaces the value: the updates from before it are dropped without being read. If "
         "what it leaves depends on the old value, the result would depend on the shard that it runs "
         "on."},
    {.tag = tags::kLawNotProved,
     .subject = Subject::kLaw,
     .severity = Diagnostic::Severity::kWarning,
     .optional = true,
     .summary = "It is proved that folds and updates obey their laws.",
     .reason =
         "A law that was only tried on some values may fail for others, and then updates are lost or counted "
         "twice in production. There are three ways out. Rewrite the fold or the method so that the prover "
         "follows it. Or have the law tests run: autoshard_add_law_tests(TARGET your_target) tries each law "
         "on many random values, and ends this warning for laws that it tries. Or say in the annotation why "
         "the law holds, as in shard_method(trusted = \"ids are unique, so there are no ties\"); --explain "
         "lists what is trusted."},
    {.tag = "autoshard-trusted-reason",
     .summary = "The argument 'trusted' is the reason why a law holds.",
     .reason = "Nothing but this sentence stands behind a law that is trusted. The next reader needs it to "
               "know what must stay true.",
     .find = trusted_reason},
};

}  // namespace

const RuleGroup kLawRules{"Values and laws", kLaws};

}  // namespace autoshard::tool
