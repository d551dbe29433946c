#include "icrep_orders.hpp"

#include <array>

#include "icrep_layout.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

using kind_names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 10> order_names = {
    "move",         "attack",     "stop",     "idle", "chat_message",
    "chat_command", "cheat_code", "set_cvar", "vote", "game_order"};
static_assert(order_names.size() == std::variant_size_v<icrep::player_order>);

constexpr std::array<std::string_view, 2> target_names = {"unit", "ground"};
constexpr std::array<std::string_view, 4> channel_names = {"all", "team", "player", "observers"};
constexpr std::array<std::string_view, 3> vote_names = {"propose", "cast", "cancel"};
constexpr std::array<std::string_view, 5> motion_names = {"surrender", "kick", "remake", "draw", "custom"};

constexpr kind_names names_of(const icrep::order::target&) noexcept {
  return target_names;
}
constexpr kind_names names_of(const icrep::order::chat_channel&) noexcept {
  return channel_names;
}
constexpr kind_names names_of(
    const std::variant<icrep::order::propose, icrep::order::cast, icrep::order::cancel>&) noexcept {
  return vote_names;
}
constexpr kind_names names_of(const analysis::vote::motion&) noexcept {
  return motion_names;
}

void append(const std::string& text, text::json_writer& json) {
  json.value(std::string_view(text));
}
void append(const byte_vector& bytes, text::json_writer& json) {
  json.value(text::to_hex(bytes));
}
template <std::integral Integer>
void append(Integer number, text::json_writer& json) {
  json.value(number);
}
void append(analysis::vote::choice choice, text::json_writer& json) {
  json.value(choice == analysis::vote::choice::yes ? "yes" : "no");
}
template <class T>
void append(const std::vector<T>& list, text::json_writer& json);
template <class... Kinds>
void append(const std::variant<Kinds...>& one_of, text::json_writer& json);

template <described T>
void append_fields(const T& value, text::json_writer& json);

template <described T>
void append(const T& value, text::json_writer& json) {
  json.begin_object();
  append_fields(value, json);
  json.end_object();
}
template <described T>
void append_fields(const T& value, text::json_writer& json) {
  visit_fields(value, [&](std::string_view name, const auto& field) {
    json.key(name);
    append(field, json);
  });
}
template <class T>
void append(const std::vector<T>& list, text::json_writer& json) {
  json.begin_array();
  for (const T& item : list) append(item, json);
  json.end_array();
}
template <class... Kinds>
void append(const std::variant<Kinds...>& one_of, text::json_writer& json) {
  json.begin_object().member("kind", names_of(one_of)[one_of.index()]);
  std::visit([&](const auto& kind) { append_fields(kind, json); }, one_of);
  json.end_object();
}

}  // namespace

void append_orders(const icrep::tick_frame& frame, const icrep_layout& layout,
                   const std::vector<std::string>& interned, text::json_writer& json) {
  for (const icrep::timestamped_order& one : frame.orders) {
    json.begin_object().member("tick", frame.tick).member("player", one.player);
    json.member("sub_tick_us", one.sub_tick_us).member("type", order_names[one.order.index()]);
    const auto* own = std::get_if<icrep::order::game_order>(&one.order);
    if (own == nullptr || !layout.append_order(*own, interned, json)) {
      std::visit([&](const auto& kind) { append_fields(kind, json); }, one.order);
    }
    json.end_object();
  }
}

}  // namespace tickreel::files
