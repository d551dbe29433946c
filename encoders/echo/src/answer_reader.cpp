#include "answer_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <version>

namespace tickreel::echo {

namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::SUCCESS;

// A token without trailing white space.
std::string_view trimmed(std::string_view token) noexcept {
  const std::size_t end = token.find_last_not_of(" \t\r\n");
  return end == std::string_view::npos ? std::string_view{} : token.substr(0, end + 1);
}

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

// Rounding text to double and then to float is wrong only if the double is exactly between two floats.
bool rounds_twice(double value) noexcept {
  constexpr std::uint64_t lost_bits = (std::uint64_t{1} << 29) - 1;
  constexpr std::uint64_t halfway = std::uint64_t{1} << 28;
  if (value == 0) return false;
  const double size = std::abs(value);
  return !(size <= std::numeric_limits<float>::max()) || size < std::numeric_limits<float>::min() ||
         (std::bit_cast<std::uint64_t>(value) & lost_bits) == halfway;
}

reading read_null(ondemand::value& value) noexcept {
  bool null = false;
  return value.is_null().get(null) == SUCCESS && null ? reading::absent : reading::broken;
}

reading read_double(ondemand::value& value, double& out) noexcept {
  if (value.get_double().get(out) == SUCCESS) return reading::taken;
  float ignored = 0;
  const reading outcome =
      read_float_exactly(trimmed(value.raw_json_token()), std::numeric_limits<double>::max(), ignored);
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

template <class T>
reading read_array(ondemand::value& value, T* out, std::size_t count) noexcept {
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

reading read_value(ondemand::value& value, float& out) noexcept {
  ondemand::json_type type{};
  if (value.type().get(type) != SUCCESS) return reading::broken;
  switch (type) {
    case ondemand::json_type::number: {
      double wide = 0;
      if (value.get_double().get(wide) != SUCCESS) {
        return read_float_exactly(trimmed(value.raw_json_token()), std::numeric_limits<double>::max(), out);
      }
      if (rounds_twice(wide)) return read_float_exactly(trimmed(value.raw_json_token()), wide, out);
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

void answer_reader::note(omission_kind kind, const member& at, std::string_view value) noexcept {
  std::uint32_t* const counters[] = {
      &report_.unknown_fields,  &report_.wrong_types,   &report_.cut_texts,   &report_.dropped_players,
      &report_.repeated_fields, &report_.missing_parts, &report_.wrong_types,  // of bones
      &report_.replaced_texts};
  static_assert(std::size(counters) == omission_kinds);
  ++*counters[static_cast<std::size_t>(kind)];
  if (listener_ == nullptr && !report_.first.empty()) return;
  // Written from the end, because the places are linked from the inside out.
  char path[80];
  std::size_t start = sizeof path;
  const auto prepend = [&](std::string_view part) {
    if (start < sizeof path && start > 0) path[--start] = '.';
    const std::size_t fits = std::min(part.size(), start);
    start -= fits;
    for (std::size_t i = 0; i < fits; ++i) {
      path[start + i] = part[i] > ' ' && part[i] < '\x7f' ? part[i] : '?';
    }
  };
  prepend(at.key.substr(0, 40));
  for (const place* p = at.within; p && !p->name.empty(); p = p->within) prepend(p->name);
  const std::string_view whole(path + start, sizeof path - start);
  if (report_.first.empty()) report_.first.assign(whole);
  if (listener_ != nullptr) listener_->left_out({kind, whole, value});
}

std::string_view answer_reader::text_of(member& from) noexcept {
  // A truncated name is reported in full, with its quotes and escapes unchanged.
  constexpr std::size_t longest = 200;
  const std::string_view token = trimmed(from.value.raw_json_token());
  if (token.empty()) return token;
  // Other values begin like this; the rest would be long.
  if (token.front() == '{') return "{...}";
  if (token.front() == '[') return "[...]";
  return token.substr(0, longest);
}

std::string_view answer_reader::naming(member& from, std::string_view key) noexcept {
  if (listener_ == nullptr || type_of(from) != '{') return {};
  ondemand::object object;
  ondemand::value named;
  if (from.value.get_object().get(object) != SUCCESS) return {};
  if (object.find_field(key).get(named) != SUCCESS) return {};
  return trimmed(named.raw_json_token());
}

void answer_reader::look_for_replaced(member& from) noexcept {
  const std::string_view token = trimmed(from.value.raw_json_token());
  const auto begin = static_cast<std::size_t>(token.data() - text_);
  const auto first = std::lower_bound(replaced_.begin(), replaced_.end(), begin);
  const auto last = std::lower_bound(first, replaced_.end(), begin + token.size());
  if (first == last) return;
  replaced_in_taken_ += static_cast<std::size_t>(last - first);
  note(omission_kind::replaced_text, from);
}

void answer_reader::note_other_replaced() noexcept {
  if (replaced_in_taken_ >= replaced_.size()) return;
  member other{};
  other.key = "other_fields";
  note(omission_kind::replaced_text, other, {});
}

std::string_view answer_reader::raw_key(ondemand::field& field) noexcept {
  // The closing quote exists: the text was checked for open strings before.
  const char* const start = field.key().raw();
  const char* end = start;
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  return {start, static_cast<std::size_t>(end - start)};
}

char answer_reader::type_of(member& from) noexcept {
  ondemand::json_type type{};
  if (from.value.type().get(type) != SUCCESS) {
    broken_ = true;
    return 0;
  }
  switch (type) {
    case ondemand::json_type::array:
      return '[';
    case ondemand::json_type::object:
      return '{';
    case ondemand::json_type::string:
      return '"';
    case ondemand::json_type::null:
      return 'n';
    default:
      return '0';
  }
}

bool answer_reader::begin(member& from, ondemand::object& object) noexcept {
  const char type = type_of(from);
  if (type == 'n') return judge(read_null(from.value), from);
  if (type != '{') return judge(broken_ ? reading::broken : reading::wrong, from);
  return judge(from.value.get_object().get(object) == SUCCESS ? reading::taken : reading::broken, from);
}

bool answer_reader::begin(member& from, ondemand::array& array) noexcept {
  const char type = type_of(from);
  if (type == 'n') return judge(read_null(from.value), from);
  if (type != '[') return judge(broken_ ? reading::broken : reading::wrong, from);
  return judge(from.value.get_array().get(array) == SUCCESS ? reading::taken : reading::broken, from);
}

}  // namespace tickreel::echo
