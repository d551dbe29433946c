// Events as JSON and as records, written against their described fields.
#include "tickreel/echo/events.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::echo {

namespace {

constexpr std::uint8_t record_version = 1;

constexpr auto names = []<std::size_t... Types>(std::index_sequence<Types...>) {
  return std::array<std::string_view, sizeof...(Types)>{
      std::variant_alternative_t<Types, happening>::type_name...};
}(std::make_index_sequence<event_type_count>{});

template <class T>
inline constexpr bool is_text = false;
template <std::size_t Capacity>
inline constexpr bool is_text<text<Capacity>> = true;

template <class T>
void append(tickreel::text::json_writer& out, const T& value) {
  if constexpr (std::is_same_v<T, participant>) {
    if (!value.is_known()) {
      out.null();
      return;
    }
    out.begin_object();
    visit_fields(value, [&](std::string_view name, const auto& field) {
      out.key(name);
      append(out, field);
    });
    out.end_object();
  } else if constexpr (is_text<T>) {
    out.value(value.view());
  } else if constexpr (std::is_same_v<T, vec3>) {
    out.begin_array().value(value.x).value(value.y).value(value.z).end_array();
  } else if constexpr (std::is_enum_v<T>) {
    const auto all = words(std::type_identity<T>{});
    const auto number = static_cast<std::size_t>(value);
    out.value(number < all.size() ? all[number] : std::string_view("unknown"));
  } else {
    out.value(value);
  }
}

template <class T>
void write(byte_writer& out, const T& value) noexcept {
  if constexpr (described<T>) {
    visit_fields(value, [&](std::string_view, const auto& field) { write(out, field); });
  } else if constexpr (is_text<T>) {
    out.u8(value.length);
    out.bytes(as_bytes(value.view()));
  } else if constexpr (std::is_same_v<T, vec3>) {
    out.f32(value.x);
    out.f32(value.y);
    out.f32(value.z);
  } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
    out.u8(static_cast<std::uint8_t>(value));
  } else {
    out.little(value);
  }
}

// False for a value that is none.
template <class T>
bool read(byte_reader& in, T& value) noexcept {
  if constexpr (described<T>) {
    bool valid = true;
    visit_fields(value, [&](std::string_view, auto& field) { valid = read(in, field) && valid; });
    return valid;
  } else if constexpr (is_text<T>) {
    return value.assign(as_text(in.bytes(in.u8())));
  } else if constexpr (std::is_same_v<T, vec3>) {
    value.x = in.f32();
    value.y = in.f32();
    value.z = in.f32();
    return true;
  } else if constexpr (std::is_enum_v<T>) {
    const std::uint8_t number = in.u8();
    value = static_cast<T>(number);
    return number < words(std::type_identity<T>{}).size();
  } else if constexpr (std::is_same_v<T, bool>) {
    const std::uint8_t number = in.u8();
    value = number != 0;
    return number < 2;
  } else {
    value = in.little<T>();
    return true;
  }
}

template <std::size_t... Types>
bool emplace(happening& to, std::size_t type, std::index_sequence<Types...>) noexcept {
  return ((type == Types ? (to.template emplace<Types>(), true) : false) || ...);
}

bool is_named(const participant& who, std::string_view words, std::optional<std::uint64_t> number) noexcept {
  if (!who.is_known()) return false;
  if (who.name.view() == words) return true;
  if (!number) return false;
  return (who.userid != 0 && who.userid == *number) ||
         (who.slot >= 0 && static_cast<std::uint64_t>(who.slot) == *number);
}

}  // namespace

std::string_view type_name(const event& happened) noexcept {
  return type_name(happened.what.index());
}

std::string_view type_name(std::size_t type) noexcept {
  return type < names.size() ? names[type] : std::string_view("unknown");
}

std::optional<std::size_t> event_type_from_name(std::string_view name) noexcept {
  for (std::size_t type = 0; type < names.size(); ++type) {
    if (names[type] == name) return type;
  }
  return std::nullopt;
}

bool concerns(const event& happened, std::string_view player) noexcept {
  std::uint64_t value = 0;
  const char* const end = player.data() + player.size();
  const auto [stopped, code] = std::from_chars(player.data(), end, value);
  const auto number =
      code == std::errc{} && stopped == end ? std::optional<std::uint64_t>(value) : std::nullopt;
  bool found = false;
  std::visit(
      [&](const auto& kind) {
        visit_fields(kind, [&](std::string_view, const auto& field) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, participant>) {
            found = found || is_named(field, player, number);
          }
        });
      },
      happened.what);
  return found;
}

void append_json(const event& happened, std::int64_t first_time_ms, std::string& out) {
  tickreel::text::json_writer json(out);
  json.begin_object();
  // Times of a damaged file may be anything.
  const auto since = static_cast<std::uint64_t>(happened.time_ms) - static_cast<std::uint64_t>(first_time_ms);
  json.member("tick", happened.tick).member("time_ms", static_cast<std::int64_t>(since));
  if (happened.game_clock >= 0) json.member("game_clock", happened.game_clock);
  json.member("type", type_name(happened));
  std::visit(
      [&](const auto& kind) {
        visit_fields(kind, [&](std::string_view name, const auto& field) {
          json.key(name);
          append(json, field);
        });
      },
      happened.what);
  json.key("derived_from");
  append(json, happened.derived_from);
  if (happened.uncertain) json.member("uncertain", true);
  if (happened.count != 1) json.member("count", happened.count);
  if (happened.missed_ms != 0) json.member("missed_ms", happened.missed_ms);
  if (happened.late_ms != 0) json.member("late_ms", happened.late_ms);
  json.member("derived", true);
  json.end_object();
}

std::size_t write_event_record(const event& from, std::uint32_t number, mutable_byte_span to) noexcept {
  byte_writer out(to);
  out.u8(record_version);
  out.u32(number);
  out.u8(static_cast<std::uint8_t>(from.what.index()));
  write(out, from.derived_from);
  write(out, from.uncertain);
  out.u32(from.count);
  out.i32(from.missed_ms);
  out.i32(from.late_ms);
  out.u64(from.tick);
  out.i64(from.time_ms);
  out.f32(from.game_clock);
  std::visit([&](const auto& kind) { write(out, kind); }, from.what);
  return out.ok() ? out.size() : 0;
}

std::optional<recorded_event> read_event_record(byte_span record) noexcept {
  byte_reader in(record);
  if (in.u8() != record_version) return std::nullopt;
  recorded_event made;
  made.number = in.u32();
  event& out = made.what;
  const bool known = emplace(out.what, in.u8(), std::make_index_sequence<event_type_count>{});
  bool valid = read(in, out.derived_from);
  valid = read(in, out.uncertain) && valid;
  out.count = in.u32();
  out.missed_ms = in.i32();
  out.late_ms = in.i32();
  out.tick = in.u64();
  out.time_ms = in.i64();
  out.game_clock = in.f32();
  if (!known) return std::nullopt;
  valid = std::visit([&](auto& kind) { return read(in, kind); }, out.what) && valid;
  if (!valid || !in.ok() || !in.at_end()) return std::nullopt;
  return made;
}

std::span<const std::string_view> words(std::type_identity<side>) noexcept {
  static constexpr std::string_view all[] = {"blue", "orange", "spectators", "none"};
  return all;
}

std::span<const std::string_view> words(std::type_identity<payload_motion>) noexcept {
  static constexpr std::string_view all[] = {"stopped", "moving", "contested"};
  return all;
}

std::span<const std::string_view> words(std::type_identity<event_source>) noexcept {
  static constexpr std::string_view all[] = {"session",    "statistics", "last_score", "points",
                                             "last_throw", "possession", "flight"};
  return all;
}

}  // namespace tickreel::echo
