#include <charconv>
#include <cmath>
#include <limits>
#include <version>

#include "answer_reader.hpp"
#include "plain_values.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::echo {

namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::SUCCESS;

// A number that a double cannot represent, or whose conversion over double would round twice.
reading read_float_exactly(std::string_view token, double nearest, float& out) noexcept {
#if defined(__cpp_lib_to_chars)
  float value = 0;
  const auto [end, status] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (end != token.data() + token.size() || status == std::errc::invalid_argument) return reading::broken;
  if (status == std::errc::result_out_of_range) {
    if (std::abs(nearest) > 1) return reading::wrong;
    value = std::copysign(0.0f, static_cast<float>(nearest));
  }
  out = value;
  return reading::taken;
#else
  if (token.empty() || !(std::abs(nearest) <= std::numeric_limits<float>::max())) return reading::wrong;
  out = static_cast<float>(nearest);
  return reading::taken;
#endif
}

// Rounding text to double and then to float is wrong only if the double is exactly between two floats. This is for
// zero and the normal floats.
bool is_between_floats(double value) noexcept {
  constexpr std::uint64_t lost_bits = (std::uint64_t{1} << 29) - 1;
  constexpr std::uint64_t halfway = std::uint64_t{1} << 28;
  return (std::bit_cast<std::uint64_t>(value) & lost_bits) == halfway;
}
bool rounds_twice(double value) noexcept {
  if (value == 0) return false;
  const double size = std::abs(value);
  return !(size <= std::numeric_limits<float>::max()) || size < std::numeric_limits<float>::min() ||
         is_between_floats(value);
}

reading read_double(ondemand::value& value, double& out) noexcept {
  if (value.get_double().get(out) == SUCCESS) return reading::taken;
  float ignored = 0;
  const reading outcome = read_float_exactly(tickreel::text::trimmed(value.raw_json_token()),
                                             std::numeric_limits<double>::max(), ignored);
  return outcome == reading::broken ? reading::broken : reading::wrong;
}

// Whole numbers written as floats, such as 3.0 or 1.5e15.
template <class Integer>
reading read_whole_double(ondemand::value& value, Integer& out) noexcept {
  double wide = 0;
  if (const reading outcome = read_double(value, wide); outcome != reading::taken) return outcome;
  // 2^63 and 2^64 are doubles, the largest integers below them are not.
  constexpr double above = std::is_signed_v<Integer> ? 9223372036854775808.0 : 18446744073709551616.0;
  constexpr double lowest = std::is_signed_v<Integer> ? -9223372036854775808.0 : 0.0;
  if (!(wide >= lowest && wide < above) || wide != std::trunc(wide)) return reading::wrong;
  out = static_cast<Integer>(wide);
  return reading::taken;
}

template <class Integer>
reading read_integer(ondemand::value& value, Integer& out) noexcept {
  std::int64_t number = 0;
  if (plain::read_integer(text_at(value), number) && (std::is_signed_v<Integer> || number >= 0)) {
    out = static_cast<Integer>(number);
    return reading::taken;
  }
  ondemand::json_type type{};
  if (value.type().get(type) != SUCCESS) return reading::broken;
  switch (type) {
    case ondemand::json_type::number:
      if constexpr (std::is_signed_v<Integer>) {
        if (value.get_int64().get(out) == SUCCESS) return reading::taken;
      } else {
        if (value.get_uint64().get(out) == SUCCESS) return reading::taken;
      }
      return read_whole_double(value, out);
    case ondemand::json_type::string:
      if constexpr (std::is_signed_v<Integer>) {
        return value.get_int64_in_string().get(out) == SUCCESS ? reading::taken : reading::wrong;
      } else {
        return value.get_uint64_in_string().get(out) == SUCCESS ? reading::taken : reading::wrong;
      }
    case ondemand::json_type::boolean: {
      bool flag = false;
      if (value.get_bool().get(flag) != SUCCESS) return reading::broken;
      out = flag ? 1 : 0;
      return reading::taken;
    }
    case ondemand::json_type::null:
      return read_null(value);
    default:
      return reading::wrong;
  }
}

bool read_plain(const char*& at, float& out) noexcept {
  double wide = 0;
  at = plain::read_number(at, wide);
  if (at == nullptr || is_between_floats(wide)) return false;
  out = static_cast<float>(wide);
  return true;
}
bool read_plain(const char*& at, std::int32_t& out) noexcept {
  std::int64_t wide = 0;
  at = plain::read_integer(at, wide);
  const auto value = static_cast<std::int32_t>(wide);
  if (at == nullptr || value != wide) return false;
  out = value;
  return true;
}

// An array of exactly `count` plain numbers without blanks: no token of it remains to be checked.
template <class T>
bool read_plain_array(const char* at, T* out, std::size_t count) noexcept {
  if (*at != '[') return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_plain(++at, out[i]) || *at != (i + 1 == count ? ']' : ',')) return false;
  }
  return true;
}

template <class T>
reading read_array(ondemand::value& value, T* out, std::size_t count) noexcept {
  if (read_plain_array(text_at(value), out, count)) return reading::taken;
  ondemand::json_type type{};
  if (value.type().get(type) != SUCCESS) return reading::broken;
  if (type == ondemand::json_type::null) return read_null(value);
  if (type != ondemand::json_type::array) return reading::wrong;
  ondemand::array array;
  if (value.get_array().get(array) != SUCCESS) return reading::broken;
  std::size_t taken = 0;
  bool whole = true;
  for (auto entry : array) {
    ondemand::value element;
    if (std::move(entry).get(element) != SUCCESS) return reading::broken;
    if (taken == count || !whole) {
      whole = false;
      continue;
    }
    const reading outcome = read_value(element, out[taken]);
    if (outcome == reading::broken) return outcome;
    if (outcome == reading::taken) {
      ++taken;
    } else {
      whole = false;
    }
  }
  return whole && taken == count ? reading::taken : reading::wrong;
}

}  // namespace

reading read_null(ondemand::value& value) noexcept {
  bool null = false;
  return value.is_null().get(null) == SUCCESS && null ? reading::absent : reading::broken;
}

reading read_value(ondemand::value& value, float& out) noexcept {
  if (const char* at = text_at(value); read_plain(at, out)) return reading::taken;
  ondemand::json_type type{};
  if (value.type().get(type) != SUCCESS) return reading::broken;
  switch (type) {
    case ondemand::json_type::number: {
      double wide = 0;
      if (value.get_double().get(wide) != SUCCESS) {
        return read_float_exactly(tickreel::text::trimmed(value.raw_json_token()),
                                  std::numeric_limits<double>::max(), out);
      }
      if (rounds_twice(wide))
        return read_float_exactly(tickreel::text::trimmed(value.raw_json_token()), wide, out);
      out = static_cast<float>(wide);
      return reading::taken;
    }
    case ondemand::json_type::string: {
      std::string_view words;
      if (value.get_string().get(words) != SUCCESS) return reading::broken;
      if (words == "NaN") {
        out = std::numeric_limits<float>::quiet_NaN();
      } else if (words == "Infinity") {
        out = std::numeric_limits<float>::infinity();
      } else if (words == "-Infinity") {
        out = -std::numeric_limits<float>::infinity();
      } else {
        return reading::wrong;
      }
      return reading::taken;
    }
    case ondemand::json_type::boolean: {
      bool flag = false;
      if (value.get_bool().get(flag) != SUCCESS) return reading::broken;
      out = flag ? 1.0f : 0.0f;
      return reading::taken;
    }
    case ondemand::json_type::null:
      return read_null(value);
    default:
      return reading::wrong;
  }
}

reading read_value(ondemand::value& value, std::int32_t& out) noexcept {
  std::int64_t wide = 0;
  if (const reading outcome = read_integer(value, wide); outcome != reading::taken) return outcome;
  if (wide < std::numeric_limits<std::int32_t>::min() || wide > std::numeric_limits<std::int32_t>::max()) {
    return reading::wrong;
  }
  out = static_cast<std::int32_t>(wide);
  return reading::taken;
}

reading read_value(ondemand::value& value, std::int64_t& out) noexcept {
  return read_integer(value, out);
}

reading read_value(ondemand::value& value, std::uint64_t& out) noexcept {
  return read_integer(value, out);
}

reading read_value(ondemand::value& value, bool& out) noexcept {
  if (plain::read_bool(text_at(value), out)) return reading::taken;
  ondemand::json_type type{};
  if (value.type().get(type) != SUCCESS) return reading::broken;
  switch (type) {
    case ondemand::json_type::boolean:
      return value.get_bool().get(out) == SUCCESS ? reading::taken : reading::broken;
    case ondemand::json_type::number: {
      double number = 0;
      const reading outcome = read_double(value, number);
      if (outcome == reading::taken) out = number != 0;
      return outcome;
    }
    case ondemand::json_type::null:
      return read_null(value);
    default:
      return reading::wrong;
  }
}

reading read_value(ondemand::value& value, std::string_view& out) noexcept {
  if (plain::read_text(text_at(value), out)) return reading::taken;
  ondemand::json_type type{};
  if (value.type().get(type) != SUCCESS) return reading::broken;
  if (type == ondemand::json_type::null) return read_null(value);
  if (type != ondemand::json_type::string) return reading::wrong;
  return value.get_string().get(out) == SUCCESS ? reading::taken : reading::broken;
}

reading read_values(ondemand::value& value, float* out, std::size_t count) noexcept {
  return read_array(value, out, count);
}

reading read_values(ondemand::value& value, std::int32_t* out, std::size_t count) noexcept {
  return read_array(value, out, count);
}

}  // namespace tickreel::echo
