#include "tickreel/analysis/event.hpp"

#include <array>
#include <type_traits>
#include <utility>

#include "tickreel/analysis/event_json.hpp"
#include "tickreel/describe/describe.hpp"

namespace tickreel::analysis {

namespace {

constexpr auto names = []<std::size_t... Types>(std::index_sequence<Types...>) {
  return std::array<std::string_view, sizeof...(Types)>{
      std::variant_alternative_t<Types, event_data>::type_name...};
}(std::make_index_sequence<type_count>{});

template <class T>
void append(text::json_writer& out, const T& value) {
  if constexpr (is_instance<std::variant, T>) {
    std::visit(
        [&](const auto& kind) {
          out.begin_object();
          out.member("kind", kind.type_name);
          visit_fields(kind, [&](std::string_view name, const auto& field) {
            out.key(name);
            append(out, field);
          });
          out.end_object();
        },
        value);
  } else if constexpr (is_instance<std::optional, T>) {
    if (value) {
      append(out, *value);
    } else {
      out.null();
    }
  } else if constexpr (is_instance<std::vector, T>) {
    out.begin_array();
    for (const auto& item : value) append(out, item);
    out.end_array();
  } else if constexpr (std::is_enum_v<T>) {
    const auto all = words(std::type_identity<T>{});
    const auto number = static_cast<std::size_t>(value);
    out.value(number < all.size() ? all[number] : std::string_view("unknown"));
  } else if constexpr (described<T>) {
    out.begin_object();
    visit_fields(value, [&](std::string_view name, const auto& field) {
      out.key(name);
      append(out, field);
    });
    out.end_object();
  } else {
    out.value(value);
  }
}

// The names of fields with player numbers.
constexpr bool names_a_player(std::string_view field) noexcept {
  constexpr std::string_view roles[] = {"player", "owner", "killer_owner", "proposer", "voter", "leaver"};
  for (const std::string_view role : roles) {
    if (field == role) return true;
  }
  return false;
}

template <class T>
bool mentions(std::string_view field, const T& value, std::uint32_t player) noexcept {
  if constexpr (is_instance<std::variant, T>) {
    return std::visit([&](const auto& kind) { return mentions(field, kind, player); }, value);
  } else if constexpr (is_instance<std::optional, T>) {
    return value && mentions(field, *value, player);
  } else if constexpr (is_instance<std::vector, T>) {
    for (const auto& item : value) {
      if (mentions(field, item, player)) return true;
    }
    return false;
  } else if constexpr (described<T>) {
    bool found = false;
    visit_fields(value, [&](std::string_view inner, const auto& member) {
      found = found || mentions(inner, member, player);
    });
    return found;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return value == player && names_a_player(field);
  } else {
    return false;
  }
}

}  // namespace

std::uint64_t tick_of(const event& happened) noexcept {
  return std::visit([](const auto& kind) { return kind.tick; }, happened.what);
}

std::string_view type_name(const event& happened) noexcept {
  return type_name(happened.what.index());
}

std::string_view type_name(std::size_t type) noexcept {
  return type < names.size() ? names[type] : std::string_view("unknown");
}

std::optional<std::size_t> type_from_name(std::string_view name) noexcept {
  for (std::size_t type = 0; type < names.size(); ++type) {
    if (names[type] == name) return type;
  }
  return std::nullopt;
}

bool concerns(const event& happened, std::uint32_t player) noexcept {
  return mentions("", happened.what, player);
}

void append_members(const event& happened, text::json_writer& json) {
  std::visit(
      [&](const auto& kind) {
        json.member("tick", kind.tick);
        json.member("type", kind.type_name);
        visit_fields(kind, [&](std::string_view name, const auto& field) {
          if (name == "tick") return;
          json.key(name);
          append(json, field);
        });
      },
      happened.what);
  if (happened.derived) json.member("derived", true);
}

void append_json(const event& happened, std::string& out) {
  text::json_writer json(out);
  json.begin_object();
  append_members(happened, json);
  json.end_object();
}

std::span<const std::string_view> vote::words(std::type_identity<choice>) noexcept {
  static constexpr std::string_view all[] = {"yes", "no"};
  return all;
}

std::span<const std::string_view> vote::words(std::type_identity<failure>) noexcept {
  static constexpr std::string_view all[] = {"timer", "impossible", "proposer_left"};
  return all;
}

std::span<const std::string_view> words(std::type_identity<control_group_action>) noexcept {
  static constexpr std::string_view all[] = {"assign", "append", "recall"};
  return all;
}

}  // namespace tickreel::analysis
