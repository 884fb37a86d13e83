#include "prometheus.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace autoshard::monitor {
namespace {

/// Returns the shortest text that reads as the number.
std::string in_digits(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof(digits), number).ptr};
}

class Text {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    ((((text_ += "# HELP ") += name) += ' ') += help) += '\n';
    ((((text_ += "# TYPE ") += name) += ' ') += type) += '\n';
  }
  void sample(std::string_view name, std::string_view labels, const std::string& value) {
    text_ += name;
    if (!labels.empty()) ((text_ += '{') += labels) += '}';
    ((text_ += ' ') += value) += '\n';
  }

  void counter(std::string_view name, std::string_view help, std::uint64_t value) {
    family(name, "counter", help);
    sample(name, {}, std::to_string(value));
  }
  void gauge(std::string_view name, std::string_view help, double value) {
    family(name, "gauge", help);
    sample(name, {}, in_digits(value));
  }
  void histogram(const std::string& name, std::string_view help, const Histogram& values) {
    family(name, "histogram", help);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < values.counts.size(); ++i) {
      number += values.counts[i];
      const std::string bound = i < values.bounds.size() ? in_digits(values.bounds[i]) : "+Inf";
      sample(name + "_bucket", "le=\"" + bound + '"', std::to_string(number));
    }
    sample(name + "_sum", {}, in_digits(values.sum));
    sample(name + "_count", {}, std::to_string(number));
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_properties(Text& text, std::span<const PropertyActivity> hottest) {
  struct Rate {
    const char *name, *help;
    double PropertyActivity::*value;
  };
  static constexpr Rate kRates[] = {
      {"autoshard_property_updates_per_second",
       "Committed updates of one of the hottest properties, per second.", &PropertyActivity::updates},
      {"autoshard_property_conflicts_per_second",
       "Transactions with one of the hottest properties that failed because of others, per second.",
       &PropertyActivity::conflicts},
      {"autoshard_property_waiting_updates",
       "Updates of one of the hottest properties that wait for the end of a transaction, on average.",
       &PropertyActivity::waiting},
  };
  const auto labels = [](const PropertyActivity& property) {
    return "entity=" + quoted_label(property.entity) + ",property=" + quoted_label(property.property);
  };
  for (const Rate& rate : kRates) {
    text.family(rate.name, "gauge", rate.help);
    for (const PropertyActivity& property : hottest)
      text.sample(rate.name, labels(property), in_digits(property.*rate.value));
  }
  text.family("autoshard_property_shards", "gauge",
              "Shards of one of the hottest properties; 0 if it has none.");
  for (const PropertyActivity& property : hottest)
    text.sample("autoshard_property_shards", labels(property), std::to_string(property.shards));
}

}  // namespace

std::string quoted_label(std::string_view value) {
  // An id may have any bytes, and a label has UTF-8 only.
  const nlohmann::json text = value;
  const auto valid =
      nlohmann::json::parse(text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::string quoted = "\"";
  for (const char c : valid.get<std::string>()) {
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string prometheus_text(const Metrics& metrics, std::span<const PropertyActivity> hottest) {
  Text text;
  text.counter("autoshard_commits_total", "Transactions that took effect.", metrics.commits);
  text.counter("autoshard_conflicts_total", "Transactions that failed because of another one.",
               metrics.conflicts);
  text.counter("autoshard_unknown_outcomes_total", "Transactions whose outcome could not be found out.",
               metrics.unknown_outcomes);
  text.counter("autoshard_resolved_outcomes_total",
               "Transactions whose acknowledgement was lost and whose outcome was found out.",
               metrics.resolved_outcomes);
  text.histogram("autoshard_commit_seconds", "Times of transactions, from their commit to its outcome.",
                 metrics.commit_seconds);
  text.counter("autoshard_updates_total", "Committed updates of sharded properties.", metrics.updates);
  text.histogram("autoshard_batch_updates", "Numbers of updates that were attempted together.",
                 metrics.batch_updates);
  text.counter("autoshard_saves_total", "Saved main records, besides those of new entities.", metrics.saves);
  text.counter("autoshard_retries_total", "Repeated attempts of calls after conflicts.", metrics.retries);
  text.counter("autoshard_contentions_total", "Calls that gave up after conflicts.", metrics.contentions);
  text.counter("autoshard_lost_updates_total", "Acknowledged buffered updates that could not be committed.",
               metrics.lost_updates);
  text.counter("autoshard_unknown_updates_total",
               "Acknowledged buffered updates whose commit had an unknown outcome.", metrics.unknown_updates);
  text.gauge("autoshard_waiting_callers", "Callers whose update waits for the next batch.",
             static_cast<double>(metrics.waiting_callers));
  text.gauge("autoshard_updates_in_flight", "Asynchronous and buffered updates without a result.",
             static_cast<double>(metrics.updates_in_flight));
  text.counter("autoshard_held_up_total", "Waits of calls because too many updates were in flight.",
               metrics.held_up);
  text.family("autoshard_cached_loads_total", "counter", "Cached loads, by cache and result.");
  const auto cached = [&](const char* labels, std::uint64_t number) {
    text.sample("autoshard_cached_loads_total", labels, std::to_string(number));
  };
  cached(R"(cache="process",result="hit")", metrics.cache_hits);
  cached(R"(cache="process",result="miss")", metrics.cache_misses);
  cached(R"(cache="shared",result="hit")", metrics.shared_cache_hits);
  cached(R"(cache="shared",result="miss")", metrics.shared_cache_misses);
  text.counter("autoshard_shard_increases_total", "Properties that this mapper gave more shards.",
               metrics.shard_increases);
  text.counter("autoshard_shard_decreases_total", "Properties that this mapper gave fewer shards.",
               metrics.shard_decreases);
  text.counter("autoshard_compactions_total", "Compactions of entities.", metrics.compactions);
  text.counter("autoshard_compaction_failures_total", "Compactions of the maintenance thread that failed.",
               metrics.compaction_failures);
  text.counter("autoshard_compacted_records_total", "Records that compactions removed.",
               metrics.compacted_records);
  text.gauge("autoshard_compactable_entities", "Entities in which records to compact were noticed.",
             static_cast<double>(metrics.compactable_entities));
  text.gauge("autoshard_compaction_lag_seconds", "Time since there were no such entities.",
             metrics.compaction_lag_seconds);
  text.counter("autoshard_refreshed_entities_total",
               "Dirty entities whose entries in ranked indexes were moved.", metrics.refreshed_entities);
  if (metrics.refresh_lag_seconds)
    text.gauge("autoshard_refresh_lag_seconds",
               "Time since the last complete refresh of the index that waits longest.",
               *metrics.refresh_lag_seconds);
  text.counter("autoshard_outage_failures_total",
               "Failures of background work because the store was unavailable.", metrics.outage_failures);
  add_properties(text, hottest);
  return text.take();
}

}  // namespace autoshard::monitor
