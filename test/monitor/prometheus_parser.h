#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::test {

/// Metrics as a strict reader of Prometheus's text format takes them.
struct PrometheusText {
  struct Sample {
    std::string name;
    std::map<std::string, std::string> labels;
    double value;
  };
  struct Family {
    std::string type, help;
    std::vector<Sample> samples;
  };

  std::map<std::string, Family> families;

  /// Returns the value of a sample without labels, or with these labels.
  double value(const std::string& name, const std::map<std::string, std::string>& labels = {}) const;
};

/// Throws `std::runtime_error` with the line for everything that the format does not allow, and for what
/// promtool complains of: a family in two places or without help, a counter without `_total`, a histogram
/// whose buckets do not ascend, decrease, or lack `+Inf`, and a sample that is there twice.
PrometheusText parse_prometheus(std::string_view text);

}  // namespace autoshard::test
