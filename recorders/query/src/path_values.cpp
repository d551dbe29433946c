#include "path_values.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "tickreel/text/json_repair.hpp"

namespace tickreel::query {

namespace {

// Of a number that no double holds: whether it is too large, not too small, by the power of ten of its first digit.
bool is_too_large(std::string_view number) {
  const std::size_t end = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, end);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string_view exponent = number.substr(std::min(end + 1, number.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::int64_t power = 0;
  const auto read = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  constexpr std::int64_t beyond_all = std::int64_t{1} << 40;
  const bool is_beyond = read.ec == std::errc::result_out_of_range;
  if (is_beyond) power = exponent.starts_with('-') ? -beyond_all : beyond_all;
  power = std::clamp(power, -beyond_all, beyond_all);
  return power + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) > 0;
}

// Returns whether one became null.
bool replace_large_numbers(std::string& json) {
  std::string out;
  bool is_lost = false;
  for (std::size_t at = 0, end = 0; at < json.size(); at = end) {
    end = at + 1;
    const bool is_number = json[at] == '-' || (json[at] >= '0' && json[at] <= '9');
    if (json[at] == '"') {
      while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2u : 1u;
      end = std::min(end + 1, json.size());
    } else if (is_number) {
      end = std::min(json.find_first_not_of("+-.0123456789eE", at), json.size());
    }
    const std::string_view text = std::string_view(json).substr(at, end - at);
    const auto is_out_of_range = [&](auto number) {
      return std::from_chars(text.data(), text.data() + text.size(), number).ec ==
             std::errc::result_out_of_range;
    };
    if (!is_number) {
      out += text;
    } else if (text.find_first_of(".eE") == std::string_view::npos) {
      const bool is_large =
          is_out_of_range(std::int64_t{}) && (text[0] == '-' || is_out_of_range(std::uint64_t{}));
      out.append(is_large ? "\"" : "").append(text).append(is_large ? "\"" : "");
    } else {
      const bool is_large = is_out_of_range(double{}) && is_too_large(text);
      out += is_large ? "null" : text;
      is_lost = is_lost || is_large;
    }
  }
  json = std::move(out);
  return is_lost;
}

}  // namespace

value value_of(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)())) {
    return std::to_string(number);
  }
  return static_cast<std::int64_t>(number);
}

value value_of(const viewer::tick_value& from) {
  if (const auto* const truth = std::get_if<bool>(&from)) return std::int64_t{*truth ? 1 : 0};
  if (const auto* const number = std::get_if<std::int64_t>(&from)) return *number;
  if (const auto* const number = std::get_if<std::uint64_t>(&from)) return value_of(*number);
  if (const auto* const number = std::get_if<double>(&from)) return *number;
  if (const auto* const text = std::get_if<std::string_view>(&from)) return std::string(*text);
  return {};
}

value number_or_text(const std::string& from) {
  if (from.empty()) return {};
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(from.data(), from.data() + from.size(), number);
  // "007" and "-0" remain texts.
  if (code == std::errc{} && std::to_string(number) == from) return number;
  return from;
}

json_repairs repair_json(std::string& json) {
  json_repairs out;
  std::string valid;
  if (text::append_repaired_json(json, valid) != 0) {
    json = std::move(valid);
    out.has_invalid_texts = true;
  }
  out.has_large_numbers = replace_large_numbers(json);
  return out;
}

result<repaired_values> repaired_values::create(std::span<const std::string_view> paths) {
  auto values = viewer::json_values::create(paths);
  if (!values) return fail(values.error());
  return repaired_values(std::move(*values), paths.size());
}

repaired_values::reading repaired_values::read(std::string_view json) {
  if (const auto found = values_.read(json)) return {*found, {}};
  repaired_ = json;
  json_repairs repairs = repair_json(repaired_);
  if (const auto found = values_.read(repaired_)) return {*found, repairs};
  repairs.is_unreadable = true;
  return {none_, repairs};
}

result<tick_paths> tick_paths::create(tick_walk& walk, cell_losses& omitted,
                                      const std::vector<std::string>& paths) {
  const auto views = views_of(paths);
  auto values = viewer::tick_values::create(walk.recording(), views);
  if (!values) return fail(values.error());
  auto repaired = repaired_values::create(views);
  if (!repaired) return fail(repaired.error());
  tick_paths out(walk, omitted, std::move(*values), std::move(*repaired));
  for (std::size_t at = 0; at < views.size(); ++at) {
    if (!views[at].ends_with(viewer::speed_column) && !views[at].ends_with(viewer::disc_distance_column))
      continue;
    auto one = viewer::tick_values::create(walk.recording(), {&views[at], 1});
    if (one) out.computed_.push_back({at, std::move(*one)});
  }
  return out;
}

result<std::span<const viewer::tick_value>> tick_paths::read() {
  auto values = values_.read();
  if (values) return values;
  const error_code why = values.error().code;
  if (why != error_code::bad_json && why != error_code::over_limit) return values;
  read_repaired();
  for (computed& each : computed_) {
    if (!std::holds_alternative<std::monostate>(given_[each.place])) continue;
    const auto found = each.value.read();
    if (found && std::holds_alternative<double>(found->front())) given_[each.place] = found->front();
  }
  return std::span<const viewer::tick_value>(given_);
}

void tick_paths::read_repaired() {
  std::string state = "{";
  // An incomplete state is unreadable.
  if (viewer::append_limited_state(walk_->recording(), state)) state += '}';
  const auto [values, repairs] = repaired_.read(state);
  omitted_->add(repairs, walk_->position().tick);
  given_.assign(values.begin(), values.end());
}

}  // namespace tickreel::query
