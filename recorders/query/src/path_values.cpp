#include "path_values.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace tickreel::query {

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
      const bool is_small =
          text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
      const bool is_large = !is_small && is_out_of_range(double{});
      out += is_large ? "null" : text;
      is_lost = is_lost || is_large;
    }
  }
  json = std::move(out);
  return is_lost;
}

result<tick_paths> tick_paths::create(tick_walk& walk, const std::vector<std::string>& paths) {
  const auto views = views_of(paths);
  auto values = viewer::tick_values::create(walk.recording(), views);
  if (!values) return fail(values.error());
  auto repaired = viewer::json_values::create(views);
  if (!repaired) return fail(repaired.error());
  return tick_paths(walk, paths, std::move(*values), std::move(*repaired));
}

result<std::span<const viewer::tick_value>> tick_paths::read() {
  auto values = values_.read();
  if (values || values.error().code != error_code::bad_json) return values;
  std::string state = "{";
  if (auto shown = viewer::append_limited_state(walk_->recording(), state); !shown)
    return fail(shown.error());
  state += '}';
  const bool is_lost = replace_large_numbers(state);
  auto repaired = repaired_.read(state);
  if (!repaired) {
    return fail(repaired.error().code, error::no_offset, "the state of tick {}",
                static_cast<std::int64_t>(walk_->position().tick));
  }
  if (is_lost) walk_->add_large_number();
  given_.assign(repaired->begin(), repaired->end());
  for (std::size_t at = 0; at < given_.size(); ++at) {
    if (!std::holds_alternative<std::monostate>(given_[at])) continue;
    // Values that are computed are not in the text.
    const std::string_view path = paths_[at];
    auto computed = viewer::tick_values::create(walk_->recording(), {&path, 1});
    if (!computed) continue;
    const auto found = computed->read();
    if (found && std::holds_alternative<double>(found->front())) given_[at] = found->front();
  }
  return std::span<const viewer::tick_value>(given_);
}

}  // namespace tickreel::query
