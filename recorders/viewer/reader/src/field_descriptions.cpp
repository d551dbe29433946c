#include "tickreel/viewer/field_descriptions.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "path_steps.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tracks/event_reader.hpp"
#include "tickreel/tracks/row_decoder.hpp"
#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::size_t max_declared = 4096;

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

// Calls `each` for each single value with a declaration.
class declaration_finder {
 public:
  using function = std::function<void(const std::string& path, const schema_declaration&)>;
  declaration_finder(const schema& described, function each)
      : described_(described), each_(std::move(each)) {}

  void look(std::uint32_t type_number, const schema_declaration& stated, const std::string& path) {
    if (count_ >= max_declared || path.size() > max_path_bytes) return;
    const schema_type& type = described_.types[type_number];
    switch (type.kind) {
      case type_kind::structure:
        for (const schema_field& field : type.fields) {
          std::string member = path;
          append_name(field.name, member);
          // The unit of a struct also applies to its members.
          schema_declaration own = field.declared;
          if (own.unit.empty()) own.unit = stated.unit;
          look(field.type, own, member);
        }
        return;
      case type_kind::optional:
        return look(type.element, stated, path);
      case type_kind::array:
      case type_kind::entities:
        return look(type.element, stated, path + "[]");
      default:
        if (stated.unit.empty() && meaning_of(stated.how).empty()) return;
        ++count_;
        each_(path, stated);
    }
  }

 private:
  const schema& described_;
  function each_;
  std::size_t count_ = 0;
};

// With [] for every element, and each name in its usual spelling.
std::string pattern_of(std::string_view path) {
  std::string out;
  for (const step& each : parse_path(path)) {
    if (const auto* const name = std::get_if<std::string>(&each)) {
      append_name(*name, out);
    } else {
      out += "[]";
    }
  }
  return out;
}

// As page/text.js shows them.
std::string_view echo_unit(std::string_view pattern) {
  constexpr std::pair<std::string_view, std::string_view> units[] = {
      {"speed", "m/s"},         {"velocity", "m/s"},    {"rim_speed", "m/s"}, {"total_speed", "m/s"},
      {"arm_speed", "m/s"},     {"top_speed", "m/s"},   {"position", "m"},    {"disc_distance", "m"},
      {"distance_thrown", "m"}, {"goal_distance", "m"}, {"ping", "ms"},       {"game_clock", "s"},
      {"possession_time", "s"}};
  if (!pattern.starts_with("session.")) return {};
  // A vector's unit is that of its elements.
  if (pattern.ends_with("[]")) pattern.remove_suffix(2);
  const std::string_view name = pattern.substr(pattern.find_last_of(".]") + 1);
  const auto* const known =
      std::ranges::find(units, name, &std::pair<std::string_view, std::string_view>::first);
  return known == std::end(units) ? std::string_view() : known->second;
}

}  // namespace

field_descriptions::field_descriptions(const byte_source& recording, lines of) {
  auto source = reel::reader::open(recording, {}, false);
  if (!source || source->head().encoder_name != tracks::rows_name) return;
  if (of == lines::events) {
    tracks::event_reader events(*source);
    const auto kinds = events.kinds();
    if (!kinds) return;
    for (const auto& [number, kind] : **kinds) add(kind);
    has_schema_ = true;
  } else if (const auto described = read_schema(source->head().schema)) {
    add(*described);
  }
}

void field_descriptions::add(const schema& described) {
  if (described.types.empty()) return;
  has_schema_ = true;
  declaration_finder all(described, [&](const std::string& path, const schema_declaration& stated) {
    const declared found = {stated.unit, meaning_of(stated.how)};
    const auto [known, is_new] = declared_.emplace(path, found);
    if (is_new) return;
    if (known->second.unit != found.unit) known->second.unit.clear();
    if (known->second.meaning != found.meaning) known->second.meaning = {};
  });
  all.look(static_cast<std::uint32_t>(described.types.size() - 1), {}, {});
}

field_description field_descriptions::at(std::string_view path) const {
  const std::string pattern = pattern_of(path);
  if (!has_schema_) return {echo_unit(pattern), {}};
  const auto known = declared_.find(pattern);
  return known == declared_.end() ? field_description()
                                  : field_description{known->second.unit, known->second.meaning};
}

}  // namespace tickreel::viewer
