// Writes the text format of Prometheus (version 0.0.4) at the end of a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tickreel::text {

inline constexpr const char* metrics_content_type = "text/plain; version=0.0.4; charset=utf-8";

enum class metric_kind : std::uint8_t { counter, gauge };
// Names and values. A name is letters and '_'.
using metric_labels = std::vector<std::pair<std::string_view, std::string_view>>;

// Prometheus refuses a whole page for one label that is not UTF-8: a byte that is not is written as '=' and
// two hexadecimal digits, so that different names stay different.
void append_label_value(std::string_view value, std::string& out);

// Each metric first, then its samples. Everything is in the text as soon as the call returns.
class metrics_writer {
 public:
  explicit metrics_writer(std::string& out) noexcept : out_(&out) {}

  metrics_writer& metric(std::string_view name, metric_kind kind, std::string_view help);
  metrics_writer& sample(double value, const metric_labels& labels = {});
  metrics_writer& sample(std::uint64_t value, const metric_labels& labels = {});

 private:
  void begin_sample(const metric_labels& labels);

  std::string* out_;
  std::string name_;
};

}  // namespace tickreel::text
