#include "tool/check/findings.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace autoshard::tool {
namespace {

/// The number of letters to insert, remove, replace or swap with their neighbour.
std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(other.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::vector<std::size_t> row(other.size() + 1, i);
    for (std::size_t j = 1; j <= other.size(); ++j) {
      std::size_t replaced = last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, last[j] + 1, replaced});
      bool swapped = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, std::move(row));
  }
  return last.back();
}

/// The nearest of those that begin with most of `word`, as `shardable` does with that of `sharded`.
std::string_view begins_alike(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kLeast = 4;
  std::string_view best;
  for (std::string_view candidate : candidates) {
    const auto length = static_cast<std::size_t>(std::ranges::mismatch(word, candidate).in1 - word.begin());
    if (length < kLeast || length * 3 < word.size() * 2) continue;
    if (best.empty() || edit_distance(word, candidate) < edit_distance(word, best)) best = candidate;
  }
  return best;
}

}  // namespace

Diagnostic& Findings::add(const Span& span, std::string message) {
  return diagnostics_.emplace_back(Diagnostic{rule_, span, std::move(message), {}, {}});
}

Diagnostics Findings::take() && {
  std::stable_sort(
      diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& one, const Diagnostic& other) {
        return std::tie(one.span.file, one.span.begin) < std::tie(other.span.file, other.span.begin);
      });
  return std::move(diagnostics_);
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string quoted_attribute(std::string_view name) { return "'[[autoshard::" + std::string(name) + "]]'"; }

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::string_view candidate : candidates) {
    std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best.empty() ? begins_alike(word, candidates) : best;
}

std::string any_of_these(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (at > 0) text += at + 1 == words.size() ? " or " : ", ";
    text += quoted(words[at]);
  }
  return text;
}

void suggest(Diagnostic& diagnostic, std::string_view word, const Span& span, bool fixable,
             const std::vector<std::string_view>& candidates) {
  std::string_view near = nearest(word, candidates);
  if (near.empty()) {
    diagnostic.message += "; use " + any_of_these(candidates);
    return;
  }
  diagnostic.message += "; did you mean " + quoted(near) + "?";
  if (fixable) diagnostic.fixes.push_back({span, std::string(near)});
}

void for_each_annotation(const Entity& entity, const std::function<void(const Annotation&)>& visit) {
  for (const Annotation& annotation : entity.annotations) visit(annotation);
  for (const Property& property : entity.properties) {
    for (const Annotation& annotation : property.annotations) visit(annotation);
  }
  for (const Method& method : entity.methods) {
    for (const Annotation& annotation : method.annotations) visit(annotation);
  }
}

bool is_given(const Annotation& annotation, std::string_view name) {
  return std::ranges::any_of(annotation.arguments, [&](const Argument& argument) {
    return argument.name == name || (!argument.name.empty() && nearest(argument.name, {name}) == name);
  });
}

void for_each_shards(const Entity& entity,
                     const std::function<void(const Annotation&, const Argument&)>& visit) {
  for_each_annotation(entity, [&](const Annotation& annotation) {
    if (const Argument* shards = annotation.argument("shards")) visit(annotation, *shards);
  });
}

const Argument* shards_of(const Property& property) {
  const Annotation* shardable = property.annotation("shardable");
  return shardable ? shardable->argument("shards") : nullptr;
}

}  // namespace autoshard::tool
