// The JSON writer, with the value types of a state.
#pragma once

#include "tickreel/echo/json.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::echo {

class json_output : public tickreel::text::json_writer {
 public:
  json_output(std::string& out, number_style numbers) noexcept
      : json_writer(out, numbers == number_style::game ? tickreel::text::json_floats::eight_digits_with_point
                                                       : tickreel::text::json_floats::shortest_with_point) {}

  using json_writer::value;
  void value(const vec3& v) {
    begin_array();
    value(v.x);
    value(v.y);
    value(v.z);
    end_array();
  }
  template <std::size_t Capacity>
  void value(const text<Capacity>& words) {
    value(words.view());
  }
  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
};

}  // namespace tickreel::echo
