#include "tickreel/text/metrics.hpp"

#include <cmath>

#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::text {

void append_label_value(std::string_view value, std::string& out) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  while (!value.empty()) {
    const character one = first_character(value);
    const auto byte = static_cast<unsigned char>(value.front());
    if (!one.valid) {
      out += {'=', digits[byte >> 4u], digits[byte & 15u]};
    } else if (byte == '\n') {
      out += "\\n";
    } else {
      if (byte == '"' || byte == '\\') out += '\\';
      out += value.substr(0, one.bytes);
    }
    value.remove_prefix(one.bytes);
  }
}

metrics_writer& metrics_writer::metric(std::string_view name, metric_kind kind, std::string_view help) {
  name_ = name;
  ((((*out_ += "# HELP ") += name) += ' ') += help) += '\n';
  ((((*out_ += "# TYPE ") += name) += ' ') += kind == metric_kind::counter ? "counter" : "gauge") += '\n';
  return *this;
}

void metrics_writer::begin_sample(const metric_labels& labels) {
  *out_ += name_;
  char before = '{';
  for (const auto& [name, value] : labels) {
    ((*out_ += before) += name) += "=\"";
    append_label_value(value, *out_);
    *out_ += '"';
    before = ',';
  }
  *out_ += labels.empty() ? " " : "} ";
}

metrics_writer& metrics_writer::sample(double value, const metric_labels& labels) {
  begin_sample(labels);
  if (std::isfinite(value)) {
    json_writer(*out_).value(value);
  } else {
    *out_ += std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  }
  *out_ += '\n';
  return *this;
}

metrics_writer& metrics_writer::sample(std::uint64_t value, const metric_labels& labels) {
  begin_sample(labels);
  json_writer(*out_).value(value);
  *out_ += '\n';
  return *this;
}

}  // namespace tickreel::text
