#include "tickreel/viewer/tick_values.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "echo_column.hpp"
#include "path_steps.hpp"
#include "tickreel/files/state_stream.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/field_descriptions.hpp"

namespace tickreel::viewer {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t max_state_bytes = 64u << 20;
constexpr std::size_t max_columns = 4096;
constexpr std::size_t max_elements = 64;
constexpr int max_nested = 32;

result<std::vector<step>> steps_of(std::string_view path) {
  std::vector<step> steps = path.size() > max_path_bytes ? std::vector<step>() : parse_path(path);
  if (!steps.empty()) return steps;
  return fail(error_code::invalid_argument, error::no_offset, "not the path of a value");
}

// False where there is nothing.
bool walk_to(dom::element& at, std::span<const step> steps) {
  for (const step& each : steps) {
    simdjson::error_code status;
    if (const auto* const name = std::get_if<std::string>(&each)) {
      status = at[*name].get(at);
    } else if (at.is_array()) {
      status = at.at(std::get<std::size_t>(each)).get(at);
    } else {
      status = at[std::to_string(std::get<std::size_t>(each))].get(at);
    }
    if (status != simdjson::SUCCESS) return false;
  }
  return true;
}

// `json` receives an object or array.
tick_value value_of(const dom::element& at, std::string& json) {
  switch (at.type()) {
    case dom::element_type::BOOL:
      return at.get_bool().value_unsafe();
    case dom::element_type::INT64:
      return std::int64_t{at.get_int64().value_unsafe()};
    case dom::element_type::UINT64: {
      const std::uint64_t number = at.get_uint64().value_unsafe();
      if (number > static_cast<std::uint64_t>(INT64_MAX)) return number;
      return static_cast<std::int64_t>(number);
    }
    case dom::element_type::DOUBLE: {
      const double number = at.get_double().value_unsafe();
      if (!std::isfinite(number)) return {};
      return number;
    }
    case dom::element_type::STRING:
      return at.get_string().value_unsafe();
    case dom::element_type::ARRAY:
    case dom::element_type::OBJECT:
      json = simdjson::minify(at);
      return std::string_view(json);
    case dom::element_type::NULL_VALUE:
      break;
  }
  return {};
}

// Whether echo_states::read_disc_only() gives the value. `has_text`: other values than the computed one come from the text.
bool is_of_disc(std::span<const step> path, bool has_text) {
  const auto name_at = [&](std::size_t at) {
    const auto* const name = at < path.size() ? std::get_if<std::string>(&path[at]) : nullptr;
    return name != nullptr ? std::string_view(*name) : std::string_view();
  };
  if (name_at(0) != "session") return false;
  if (name_at(1) == "disc" && name_at(2) == speed_column && path.size() == 3) return true;
  const bool is_of_match = path.size() == 2 && (name_at(1) == "game_clock" || name_at(1) == "blue_points" ||
                                                name_at(1) == "orange_points");
  return !has_text && (name_at(1) == "disc" || is_of_match);
}

// The columns of ticks, in the order in which they were met.
class column_finder {
 public:
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }

  void look(const dom::element& value, std::string& path, int nested = 0) {
    if (nested > max_nested || path.size() > max_path_bytes || paths_.size() >= max_columns) return;
    const std::size_t before = path.size();
    if (value.is_object()) {
      const dom::object members = value.get_object().value_unsafe();
      for (const auto member : members) {
        if (nested == 0 && (member.key == "tick" || member.key == "time_ms")) continue;
        append_name(member.key, path);
        look(member.value, path, nested + 1);
        path.resize(before);
      }
    } else if (value.is_array()) {
      const dom::array elements = value.get_array().value_unsafe();
      if (elements.size() > max_elements) return;
      std::size_t number = 0;
      for (const dom::element element : elements) {
        path += '[' + std::to_string(number++) + ']';
        look(element, path, nested + 1);
        path.resize(before);
      }
    } else if (value.is_number() || value.is_bool()) {
      if (known_.insert(path).second) paths_.push_back(path);
    }
  }

 private:
  std::set<std::string, std::less<>> known_;
  std::vector<std::string> paths_;
};

}  // namespace

result<void> append_limited_state(files::recording& from, std::string& out) {
  const files::state_stream* const pieces = from.offers().pieces;
  if (pieces == nullptr) {
    from.append_state(out);
    return {};
  }
  const std::size_t before = out.size();
  const bool whole = pieces->write_state([&](std::string_view piece) {
    if (out.size() - before + piece.size() > max_state_bytes) return false;
    out += piece;
    return true;
  });
  if (whole) return {};
  return fail(error_code::over_limit, error::no_offset, "the tick is too long to be shown");
}

std::optional<double> number_of(const tick_value& value) noexcept {
  if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  if (const auto* const number = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*number);
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

struct tick_values::work {
  struct path {
    std::vector<step> steps;
    bool computed = false;
    std::string json;  // of the last object or array
    std::optional<std::size_t> column = std::nullopt;
  };
  files::recording* from = nullptr;
  files::tick_columns* columns = nullptr;  // of `from`; null: it offers none
  std::vector<path> paths;
  std::string member;  // the only one that is needed; empty: several
  std::vector<tick_value> values;
  std::string state;
  dom::parser parser;
  json_repairs repairs;

  // False if the state is unreadable.
  bool parse(dom::element& tick) {
    state.assign(1, '{');
    if (member.empty() || !from->append_member(member, state)) {
      repairs.is_unreadable = !append_limited_state(*from, state);
      if (repairs.is_unreadable) return false;
    }
    state += '}';
    state.reserve(state.size() + simdjson::SIMDJSON_PADDING);
    if (parser.parse(state).get(tick) == simdjson::SUCCESS) return true;
    repairs = repair_json(state);
    state.reserve(state.size() + simdjson::SIMDJSON_PADDING);
    repairs.is_unreadable = parser.parse(state).get(tick) != simdjson::SUCCESS;
    return !repairs.is_unreadable;
  }

  std::span<const tick_value> read() {
    repairs = {};
    // Without the game's own text the lines of ticks contain nothing beyond their states.
    const files::echo_states* const echo = columns != nullptr ? nullptr : from->offers().echo;
    const bool is_exact = echo != nullptr && !echo->keeps_text();
    std::optional<bool> parsed;
    dom::element tick;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      path& one = paths[i];
      if (one.column) {
        if (auto value = columns->column_value(*one.column)) {
          values[i] = *value;
          continue;
        }
      }
      const echo::state* const direct = is_exact || one.computed ? from->echo_state() : nullptr;
      const auto known = direct != nullptr ? echo_number(*direct, one.steps) : std::nullopt;
      if (known) {
        values[i] = *known;
        continue;
      }
      if (!parsed) parsed = parse(tick);
      dom::element at = tick;
      values[i] = *parsed && walk_to(at, one.steps) ? value_of(at, one.json) : tick_value();
    }
    return values;
  }
};

tick_values::tick_values(std::unique_ptr<work> owned) noexcept : work_(std::move(owned)) {}
tick_values::tick_values(tick_values&&) noexcept = default;
tick_values& tick_values::operator=(tick_values&&) noexcept = default;
tick_values::~tick_values() = default;

result<tick_values> tick_values::create(files::recording& from, std::span<const std::string_view> paths) {
  auto made = std::make_unique<work>();
  made->from = &from;
  made->columns = from.offers().columns;
  for (const std::string_view each : paths) {
    auto parsed = steps_of(each);
    if (!parsed) return fail(parsed.error());
    std::vector<step> steps = std::move(*parsed);
    const auto* const last = std::get_if<std::string>(&steps.back());
    const bool computed = last != nullptr && (*last == speed_column || *last == disc_distance_column);
    const auto* const first = std::get_if<std::string>(&steps.front());
    const std::string member = first == nullptr ? std::string() : *first;
    if (made->paths.empty()) {
      made->member = member;
    } else if (made->member != member) {
      made->member.clear();
    }
    const auto column = made->columns != nullptr ? made->columns->find_column(steps) : std::nullopt;
    made->paths.push_back({std::move(steps), computed, {}, column});
  }
  made->values.resize(made->paths.size());
  return tick_values(std::move(made));
}

std::span<const tick_value> tick_values::read() {
  return work_->read();
}
result<void> tick_values::read_nothing_else() {
  files::tick_columns* const columns = work_->columns;
  if (columns == nullptr) {
    files::echo_states* const echo = work_->from->offers().echo;
    const auto fits = [&](const work::path& each) { return is_of_disc(each.steps, echo->keeps_text()); };
    return echo != nullptr && std::ranges::all_of(work_->paths, fits) ? echo->read_disc_only()
                                                                      : result<void>();
  }
  std::vector<std::size_t> needed;
  for (const work::path& each : work_->paths) {
    if (!each.column) return {};
    needed.push_back(*each.column);
  }
  return columns->read_only(needed);
}
const json_repairs& tick_values::repairs() const noexcept {
  return work_->repairs;
}

struct json_values::work {
  std::vector<std::vector<step>> paths;
  std::vector<std::string> json;  // objects and arrays, by path
  std::vector<tick_value> values;
  std::string text;
  dom::parser parser;
};

json_values::json_values(std::unique_ptr<work> owned) noexcept : work_(std::move(owned)) {}
json_values::json_values(json_values&&) noexcept = default;
json_values& json_values::operator=(json_values&&) noexcept = default;
json_values::~json_values() = default;

result<json_values> json_values::create(std::span<const std::string_view> paths) {
  auto made = std::make_unique<work>();
  for (const std::string_view each : paths) {
    auto steps = steps_of(each);
    if (!steps) return fail(steps.error());
    made->paths.push_back(std::move(*steps));
  }
  made->json.resize(paths.size());
  made->values.resize(paths.size());
  return json_values(std::move(made));
}

result<std::span<const tick_value>> json_values::read(std::string_view json) {
  work& at = *work_;
  at.text = json;
  at.text.reserve(at.text.size() + simdjson::SIMDJSON_PADDING);
  dom::element whole;
  if (at.parser.parse(at.text).get(whole) != simdjson::SUCCESS) return fail(error_code::bad_json);
  for (std::size_t i = 0; i < at.paths.size(); ++i) {
    dom::element found = whole;
    at.values[i] = walk_to(found, at.paths[i]) ? value_of(found, at.json[i]) : tick_value();
  }
  return std::span<const tick_value>(at.values);
}

struct tick_fields::work {
  column_finder found;
  std::string state;
  std::string path;
  dom::parser parser;
};

tick_fields::tick_fields() : work_(std::make_unique<work>()) {}
tick_fields::~tick_fields() = default;

void tick_fields::look(files::recording& from) {
  std::string& state = work_->state;
  state.assign(1, '{');
  // Nothing is known of a tick that is too long.
  if (!append_limited_state(from, state)) state.resize(1);
  state += '}';
  state.reserve(state.size() + simdjson::SIMDJSON_PADDING);
  dom::element tick;
  auto status = work_->parser.parse(state).get(tick);
  if (status != simdjson::SUCCESS) {
    (void)repair_json(state);
    state.reserve(state.size() + simdjson::SIMDJSON_PADDING);
    status = work_->parser.parse(state).get(tick);
  }
  if (status == simdjson::SUCCESS) work_->found.look(tick, work_->path);
}

std::string tick_fields::json(const byte_source& recording) const {
  const field_descriptions described(recording);
  std::string out;
  text::json_writer json(out);
  json.begin_array();
  for (const std::string& each : work_->found.paths()) {
    json.begin_object().member("path", each);
    const field_description about = described.at(each);
    if (!about.unit.empty()) json.member("unit", about.unit);
    if (!about.meaning.empty()) json.member("meaning", about.meaning);
    json.end_object();
  }
  json.end_array();
  return out;
}

}  // namespace tickreel::viewer
