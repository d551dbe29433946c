// Compares JSON by value: the order of keys is ignored, and floating-point numbers are equal if they are the same float.
#pragma once

#include <simdjson.h>

#include <cmath>
#include <set>
#include <string>
#include <string_view>

namespace tickreel::test {

// "" if equal, otherwise the path to the first difference and both values.
inline std::string json_difference(simdjson::dom::element a, simdjson::dom::element b,
                                   const std::string& path = "$") {
  using simdjson::dom::element_type;
  const auto differs = [&] {
    return path + ": " + simdjson::minify(a).substr(0, 120) + " and " + simdjson::minify(b).substr(0, 120);
  };
  if (a.is_object() && b.is_object()) {
    std::set<std::string> keys;
    for (const auto field : simdjson::dom::object(a)) keys.emplace(field.key);
    for (const auto field : simdjson::dom::object(b)) keys.emplace(field.key);
    for (const std::string& key : keys) {
      simdjson::dom::element in_a, in_b;
      if (a[key].get(in_a)) return path + "." + key + ": only in the second";
      if (b[key].get(in_b)) return path + "." + key + ": only in the first";
      if (const std::string found = json_difference(in_a, in_b, path + "." + key); !found.empty())
        return found;
    }
    return {};
  }
  if (a.is_array() && b.is_array()) {
    const simdjson::dom::array in_a = a, in_b = b;
    if (in_a.size() != in_b.size()) return differs();
    auto other = in_b.begin();
    std::size_t index = 0;
    for (const auto element : in_a) {
      const std::string inner = path + "[" + std::to_string(index++) + "]";
      if (const std::string found = json_difference(element, *other, inner); !found.empty()) return found;
      ++other;
    }
    return {};
  }
  if (a.is_number() && b.is_number()) {
    if (a.type() == b.type() && a.type() != element_type::DOUBLE) {
      return simdjson::minify(a) == simdjson::minify(b) ? std::string() : differs();
    }
    const auto in_a = static_cast<float>(double(a)), in_b = static_cast<float>(double(b));
    return in_a == in_b && std::signbit(in_a) == std::signbit(in_b) ? std::string() : differs();
  }
  if (a.type() != b.type()) return differs();
  return simdjson::minify(a) == simdjson::minify(b) ? std::string() : differs();
}

inline std::string json_difference(std::string_view a, std::string_view b) {
  simdjson::dom::parser parser_a, parser_b;
  simdjson::dom::element in_a, in_b;
  if (const auto status = parser_a.parse(simdjson::padded_string(a)).get(in_a)) {
    return std::string("the first is not JSON: ") + simdjson::error_message(status);
  }
  if (const auto status = parser_b.parse(simdjson::padded_string(b)).get(in_b)) {
    return std::string("the second is not JSON: ") + simdjson::error_message(status);
  }
  return json_difference(in_a, in_b);
}

}  // namespace tickreel::test
