// Numbers of ticks as columns: their paths, and one column over the whole recording.
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <variant>

#include "echo_column.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/tracks/row_decoder.hpp"
#include "tickreel/viewer/reader.hpp"

namespace tickreel::viewer {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t max_columns = 4096;
constexpr std::size_t max_path_bytes = 512;
constexpr std::size_t max_elements = 64;
constexpr int max_nested = 32;
constexpr std::uint64_t looked_at_ticks = 24;
constexpr std::uint32_t max_curve_points = 100'000;

// Paths have the syntax of a script: teams[0].players[1].velocity[2], and ["odd.name"] for names with
// characters other than letters, digits and underscores.
bool is_plain(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char each) {
    return each == '_' || (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') ||
           (each >= 'A' && each <= 'Z');
  });
}

void append_name(std::string_view name, std::string& path) {
  if (is_plain(name)) {
    if (!path.empty()) path += '.';
    path += name;
    return;
  }
  path += '[';
  text::append_json_text(name, path);
  path += ']';
}

// Empty for an invalid path. ".0" is read as "[0]".
std::vector<step> parse_path(std::string_view path) {
  std::vector<step> steps;
  const auto number = [](std::string_view digits) -> std::optional<std::size_t> {
    std::size_t value = 0;
    if (digits.empty() || digits.size() > 9) return std::nullopt;
    for (const char each : digits) {
      if (each < '0' || each > '9') return std::nullopt;
      value = value * 10 + static_cast<std::size_t>(each - '0');
    }
    return value;
  };
  while (!path.empty()) {
    if (path.starts_with("[\"")) {
      // Up to the next quote without a preceding backslash.
      std::size_t end = 2;
      while (end < path.size() && path[end] != '"') end += path[end] == '\\' ? 2u : 1u;
      if (end + 1 >= path.size() || path[end + 1] != ']') return {};
      dom::parser parser;
      std::string_view name;
      if (parser.parse(std::string(path.substr(1, end))).get(name) != simdjson::SUCCESS) return {};
      steps.emplace_back(std::string(name));
      path.remove_prefix(end + 2);
    } else if (path.front() == '[') {
      const std::size_t end = path.find(']');
      if (end == std::string_view::npos) return {};
      const auto element = number(path.substr(1, end - 1));
      if (!element) return {};
      steps.emplace_back(*element);
      path.remove_prefix(end + 1);
    } else {
      if (path.front() == '.') path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      if (end == 0) return {};
      const std::string_view name = path.substr(0, end);
      if (const auto element = number(name)) {
        steps.emplace_back(*element);
      } else {
        steps.emplace_back(std::string(name));
      }
      path.remove_prefix(end);
    }
  }
  return steps;
}

std::optional<double> number_of(const dom::element& value) {
  double number = 0;
  if (value.is_bool()) return bool(value.get_bool().value_unsafe()) ? 1 : 0;
  if (value.get(number) != simdjson::SUCCESS || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> value_at(dom::element at, const std::vector<step>& steps) {
  for (const step& each : steps) {
    simdjson::error_code found;
    if (const auto* const name = std::get_if<std::string>(&each)) {
      found = at[*name].get(at);
    } else if (at.is_array()) {
      found = at.at(std::get<std::size_t>(each)).get(at);
    } else {
      found = at[std::to_string(std::get<std::size_t>(each))].get(at);
    }
    if (found != simdjson::SUCCESS) return std::nullopt;
  }
  return number_of(at);
}

// The columns of ticks, in order of first occurrence.
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

// Units and meanings of a described struct's members, by their paths with [] for every element.
using declarations = std::map<std::string, schema_declaration, std::less<>>;

std::string_view meaning_of(relation how) noexcept {
  switch (how) {
    case relation::unit_vector:
    case relation::cross:
    case relation::orthogonal:
      return "direction";
    case relation::rotation:
      return "rotation";
    default:
      return {};
  }
}

void declare(const schema& described, std::uint32_t type_number, const schema_declaration& said,
             const std::string& path, declarations& to) {
  if (to.size() >= max_columns || path.size() > max_path_bytes) return;
  const schema_type& type = described.types[type_number];
  switch (type.kind) {
    case type_kind::structure:
      for (const schema_field& field : type.fields) {
        std::string member = path;
        append_name(field.name, member);
        // The unit of a struct also applies to its members.
        schema_declaration own = field.declared;
        if (own.unit.empty()) own.unit = said.unit;
        declare(described, field.type, own, member, to);
      }
      return;
    case type_kind::optional:
      return declare(described, type.element, said, path, to);
    case type_kind::array:
    case type_kind::entities:
      return declare(described, type.element, said, path + "[]", to);
    default:
      if (!said.unit.empty() || !meaning_of(said.how).empty()) to.emplace(path, said);
  }
}

declarations declarations_of(const byte_source& recording) {
  declarations out;
  auto source = reel::reader::open(recording, {}, false);
  if (!source || source->head().encoder_name != tracks::rows_name) return out;
  const auto described = read_schema(source->head().schema);
  if (!described || described->types.empty()) return out;
  declare(*described, static_cast<std::uint32_t>(described->types.size() - 1), {}, {}, out);
  return out;
}

std::string without_numbers(std::string_view path) {
  std::string out;
  for (std::size_t at = 0; at < path.size(); ++at) {
    out += path[at];
    if (path[at] == '[' && at + 1 < path.size() && path[at + 1] != '"') at = path.find(']', at) - 1;
  }
  return out;
}

// One bucket of ticks in a curve.
struct stretch {
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
  std::optional<double> min = std::nullopt;
  std::optional<double> max = std::nullopt;

  void add(const std::optional<double>& low, const std::optional<double>& high) noexcept {
    if (low && (!min || *low < *min)) min = low;
    if (high && (!max || *high > *max)) max = high;
  }
};

// At most the requested number, for any number of ticks: when there are too many, each is merged with the
// next.
class curve {
 public:
  explicit curve(std::size_t points) : points_(points) { stretches_.reserve(points); }

  void add(const files::tick_position& at, const std::optional<double>& value) {
    if (in_last_ == 0 || in_last_ == ticks_each_) {
      if (stretches_.size() == points_) {
        join();
        if (in_last_ != 0 && in_last_ < ticks_each_) return extend(value);
      }
      stretches_.push_back({at.tick, at.time_ms});
      in_last_ = 0;
    }
    extend(value);
  }
  [[nodiscard]] const std::vector<stretch>& stretches() const noexcept { return stretches_; }

 private:
  void extend(const std::optional<double>& value) {
    ++in_last_;
    stretches_.back().add(value, value);
  }
  void join() {
    const std::size_t before = stretches_.size();
    for (std::size_t i = 1; i < before; i += 2) stretches_[i - 1].add(stretches_[i].min, stretches_[i].max);
    for (std::size_t i = 1; 2 * i < before; ++i) stretches_[i] = stretches_[2 * i];
    stretches_.resize((before + 1) / 2);
    // The last one may have had none to merge with.
    in_last_ = before % 2 == 0 ? 2 * ticks_each_ : ticks_each_;
    ticks_each_ *= 2;
  }

  std::size_t points_;
  std::size_t ticks_each_ = 1;
  std::size_t in_last_ = 0;
  std::vector<stretch> stretches_;
};

}  // namespace

std::string& reader::padded_state(std::string_view member) {
  state_text_.assign(1, '{');
  // A column that is too long is unknown.
  const bool alone = !member.empty() && open_->append_member(member, state_text_);
  if (!alone && !append_members(state_text_)) state_text_.resize(1);
  state_text_ += '}';
  state_text_.reserve(state_text_.size() + simdjson::SIMDJSON_PADDING);
  return state_text_;
}

const std::string& reader::fields() {
  if (open_ == nullptr) return refuse({error_code::wrong_state, error::no_offset, "no recording is open"});
  column_finder found;
  dom::parser parser;
  std::string path;
  const std::uint64_t apart = std::max<std::uint64_t>(1, ticks_ / looked_at_ticks);
  for (std::uint64_t each = 0; each < looked_at_ticks && each * apart < std::max<std::uint64_t>(ticks_, 1);
       ++each) {
    const auto there = go_to(first_tick_ + each * apart);
    // Unreadable ticks are reported by state().
    if (!there || !*there) break;
    dom::element tick;
    if (parser.parse(padded_state()).get(tick) == simdjson::SUCCESS) found.look(tick, path);
  }
  const declarations declared = declarations_of(source());
  answer_.clear();
  text::json_writer json(answer_);
  json.begin_array();
  for (const std::string& each : found.paths()) {
    json.begin_object().member("path", each);
    if (const auto said = declared.find(without_numbers(each)); said != declared.end()) {
      if (!said->second.unit.empty()) json.member("unit", said->second.unit);
      if (const auto meaning = meaning_of(said->second.how); !meaning.empty())
        json.member("meaning", meaning);
    }
    json.end_object();
  }
  json.end_array();
  return answer_;
}

const std::string& reader::series(std::string_view path, std::uint32_t points) {
  if (open_ == nullptr) return refuse({error_code::wrong_state, error::no_offset, "no recording is open"});
  const std::vector<step> steps = parse_path(path);
  if (steps.empty() || points == 0) {
    return refuse({error_code::invalid_argument, error::no_offset, "not the path of a number"});
  }
  curve line(std::clamp<std::uint32_t>(points, 2, max_curve_points));
  dom::parser parser;
  const auto* const member = std::get_if<std::string>(&steps.front());
  // Without stored response texts, the lines of ticks contain nothing beyond their states.
  const files::echo_states* const echo = open_->offers().echo;
  const auto* const last = std::get_if<std::string>(&steps.back());
  const bool computed = last != nullptr && (*last == speed_column || *last == disc_distance_column);
  const bool direct = computed || (echo != nullptr && !echo->keeps_text());
  const auto walked = walk([&] {
    const echo::state* const state = direct ? open_->echo_state() : nullptr;
    const auto known = state != nullptr ? echo_number(*state, steps) : std::nullopt;
    if (known) {
      line.add(open_->position(), *known);
      return true;
    }
    dom::element tick;
    const bool read =
        parser.parse(padded_state(member == nullptr ? "" : *member)).get(tick) == simdjson::SUCCESS;
    line.add(open_->position(), read ? value_at(tick, steps) : std::nullopt);
    return true;
  });
  // Up to the unreadable part, which state() reports.
  if (!walked && line.stretches().empty()) return refuse(walked.error());
  answer_.clear();
  text::json_writer json(answer_);
  const auto list = [&](std::string_view name, auto&& value) {
    json.key(name).begin_array();
    for (const stretch& each : line.stretches()) value(each);
    json.end_array();
  };
  const auto number = [&](const std::optional<double>& value) { value ? json.value(*value) : json.null(); };
  json.begin_object();
  list("ticks", [&](const stretch& each) { json.value(each.tick); });
  list("time_ms", [&](const stretch& each) { json.value(each.time_ms); });
  list("min", [&](const stretch& each) { number(each.min); });
  list("max", [&](const stretch& each) { number(each.max); });
  json.end_object();
  return answer_;
}

}  // namespace tickreel::viewer
