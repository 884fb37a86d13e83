#include "monitor/prometheus_parser.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace autoshard::test {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  PrometheusText run() {
    while (!text_.empty()) {
      const std::size_t end = text_.find('\n');
      if (end == std::string_view::npos) fail("the last line has no end");
      line_ = text_.substr(0, end);
      text_.remove_prefix(end + 1);
      rest_ = line_;
      rest_.starts_with('#') ? comment() : sample();
    }
    close_family();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + ", in line: " + std::string(line_));
  }
  void require(bool holds, const std::string& what) const {
    if (!holds) fail(what);
  }

  void expect(std::string_view text) {
    require(rest_.starts_with(text), "expected '" + std::string(text) + '\'');
    rest_.remove_prefix(text.size());
  }

  std::string name(bool is_label) {
    std::size_t length = 0;
    const auto is_part = [&](char c) {
      return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c == ':' && !is_label) ||
             (length > 0 && std::isdigit(static_cast<unsigned char>(c)));
    };
    while (length < rest_.size() && is_part(rest_[length])) ++length;
    require(length > 0, "a name is missing");
    std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return name;
  }

  void comment() {
    const bool is_help = rest_.starts_with("# HELP ");
    expect(is_help ? "# HELP " : "# TYPE ");
    const std::string of = name(false);
    expect(" ");
    require(!rest_.empty(), "a text is missing");
    if (is_help) {
      close_family();
      require(!result_.families.contains(of), "the family is there twice");
      open_ = of;
      result_.families[of].help = rest_;
      return;
    }
    require(of == open_, "the help is missing");
    PrometheusText::Family& family = result_.families[of];
    require(family.type.empty() && family.samples.empty(), "the type is too late");
    require(rest_ == "counter" || rest_ == "gauge" || rest_ == "histogram", "an unknown type");
    require(rest_ != "counter" || of.ends_with("_total"), "a counter has no _total");
    require(rest_ == "counter" || !of.ends_with("_total"), "only a counter has _total");
    family.type = rest_;
  }

  std::string quoted() {
    expect("\"");
    std::string value;
    for (; !rest_.starts_with('"'); rest_.remove_prefix(1)) {
      require(!rest_.empty(), "a quote is missing");
      if (rest_.front() != '\\') {
        value += rest_.front();
        continue;
      }
      rest_.remove_prefix(1);
      require(!rest_.empty() && std::string_view("\\\"n").find(rest_.front()) != std::string_view::npos,
              "an unknown escape");
      value += rest_.front() == 'n' ? '\n' : rest_.front();
    }
    expect("\"");
    return value;
  }

  double number() {
    if (rest_ == "+Inf") return std::numeric_limits<double>::infinity();
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    require(error == std::errc() && end == rest_.data() + rest_.size(), "this is no number");
    return value;
  }

  void sample() {
    PrometheusText::Sample sample{.name = name(false), .labels = {}, .value = 0};
    if (rest_.starts_with('{')) {
      do {
        rest_.remove_prefix(1);
        const std::string label = name(true);
        expect("=");
        require(sample.labels.emplace(label, quoted()).second, "a label is there twice");
      } while (rest_.starts_with(','));
      expect("}");
    }
    expect(" ");
    sample.value = number();
    require(!open_.empty() && !result_.families[open_].type.empty(), "a sample has no type");
    PrometheusText::Family& family = result_.families[open_];
    const bool is_part =
        family.type == "histogram" && (sample.name == open_ + "_bucket" || sample.name == open_ + "_sum" ||
                                       sample.name == open_ + "_count");
    require(family.type == "histogram" ? is_part : sample.name == open_, "a sample of another family");
    require(family.type == "gauge" || sample.value >= 0, "a count is negative");
    require(samples_.emplace(sample.name, sample.labels).second, "a sample is there twice");
    family.samples.push_back(std::move(sample));
  }

  void close_family() {
    if (open_.empty()) return;
    const PrometheusText::Family& family = result_.families[open_];
    require(!family.type.empty(), "a family has no type");
    if (family.type != "histogram") return;
    double bound = -std::numeric_limits<double>::infinity(), number = 0;
    for (const PrometheusText::Sample& sample : family.samples) {
      if (sample.name != open_ + "_bucket") continue;
      require(sample.labels.contains("le"), "a bucket has no bound");
      const std::string& le = sample.labels.at("le");
      const double next = le == "+Inf" ? std::numeric_limits<double>::infinity() : std::stod(le);
      require(next > bound && sample.value >= number, "the buckets do not ascend");
      bound = next;
      number = sample.value;
    }
    require(std::isinf(bound), "the bucket +Inf is missing");
    require(number == result_.value(open_ + "_count"), "the last bucket is not the count");
    require(result_.value(open_ + "_sum") >= 0, "the sum is negative");
  }

  std::string_view text_, line_, rest_;
  std::string open_;  // the family
  std::set<std::pair<std::string, std::map<std::string, std::string>>> samples_;
  PrometheusText result_;
};

}  // namespace

double PrometheusText::value(const std::string& name,
                             const std::map<std::string, std::string>& labels) const {
  for (const auto& [family_name, family] : families) {
    for (const Sample& sample : family.samples) {
      if (sample.name == name && sample.labels == labels) return sample.value;
    }
  }
  throw std::runtime_error("there is no sample of " + name);
}

PrometheusText parse_prometheus(std::string_view text) { return Parser(text).run(); }

}  // namespace autoshard::test
