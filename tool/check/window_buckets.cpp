#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/window.h"

namespace autoshard::tool::rules {

/// A window is a whole number of buckets, and a load folds each of them.
void window_buckets(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* window = window_of(property);
    const Argument* last = window ? window->argument("last") : nullptr;
    const Argument* bucket = window ? window->argument("bucket") : nullptr;
    if (!last || !bucket || !last->number || !bucket->number) continue;
    if (*last->number % *bucket->number != 0) {
      Diagnostic& found = findings.add(last->value_span, "'last' is " + quoted(last->value) +
                                                             ", which is no multiple of 'bucket', " +
                                                             quoted(bucket->value) + "; change one of them");
      found.notes.push_back({bucket->span, "'bucket' is here"});
    } else if (const std::int64_t buckets = *last->number / *bucket->number; buckets > kMostBuckets) {
      findings.add(bucket->value_span, "the window has " + std::to_string(buckets) +
                                           " buckets; it may have at most " + std::to_string(kMostBuckets) +
                                           ", so make 'bucket' longer");
    }
  }
}

}  // namespace autoshard::tool::rules
