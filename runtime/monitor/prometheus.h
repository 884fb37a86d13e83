#pragma once

#include <autoshard/activity.h>
#include <autoshard/metrics.h>

#include <span>
#include <string>
#include <string_view>

namespace autoshard::monitor {

/// The media type of the text.
inline constexpr const char* kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

/// Returns the metrics in the text format of Prometheus. `hottest`: properties whose rates are added, each
/// with labels for the entity and the property.
std::string prometheus_text(const Metrics& metrics, std::span<const PropertyActivity> hottest);

/// Returns the value of a label in quotes. Bytes that are no UTF-8 become U+FFFD.
std::string quoted_label(std::string_view value);

}  // namespace autoshard::monitor
