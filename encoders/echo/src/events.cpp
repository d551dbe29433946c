// Events as JSON and as records, written against their described fields.
#include "tickreel/echo/events.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <limits>
#include <utility>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::echo {

namespace {

// In version 1 every number had its full width, and every field was present.
constexpr std::uint8_t record_version = 2;

constexpr std::uint8_t source_bits = 7;
constexpr std::uint8_t uncertain_bit = 8;
constexpr std::uint8_t count_bit = 16;
constexpr std::uint8_t missed_bit = 32;
constexpr std::uint8_t late_bit = 64;
constexpr std::uint8_t clock_bit = 128;
constexpr float no_clock = event{}.game_clock;

constexpr auto names = []<std::size_t... Types>(std::index_sequence<Types...>) {
  return std::array<std::string_view, sizeof...(Types)>{
      std::variant_alternative_t<Types, event_data>::type_name...};
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

void write_number(byte_writer& out, std::integral auto value) noexcept {
  if constexpr (std::is_signed_v<decltype(value)>) {
    write_leb128(out, zigzag_encode(value));
  } else {
    write_leb128(out, value);
  }
}

// False for a number that the type cannot represent.
template <std::integral T>
bool read_number(byte_reader& in, T& value) noexcept {
  const std::uint64_t code = read_leb128(in);
  if constexpr (std::is_signed_v<T>) {
    const std::int64_t number = zigzag_decode(code);
    value = static_cast<T>(number);
    return number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max();
  } else {
    value = static_cast<T>(code);
    return code <= std::numeric_limits<T>::max();
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
  } else if constexpr (std::is_integral_v<T>) {
    write_number(out, value);
  } else {
    out.little(value);
  }
}

// The minimum number of fields of a record of T; later versions append fields.
template <class T>
inline constexpr std::size_t required_fields = std::numeric_limits<std::size_t>::max();
template <class T>
requires requires { T::required_fields; }
inline constexpr std::size_t required_fields<T> = T::required_fields;

// False for an invalid value.
template <class T>
bool read(byte_reader& in, T& value, std::uint8_t version) noexcept {
  if constexpr (described<T>) {
    bool valid = true;
    std::size_t place = 0;
    visit_fields(value, [&](std::string_view, auto& field) {
      if (place++ >= required_fields<T> && in.at_end()) return;
      valid = read(in, field, version) && valid;
    });
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
  } else if constexpr (std::is_integral_v<T>) {
    if (version != 1) return read_number(in, value);
    value = in.little<T>();
    return true;
  } else {
    value = in.little<T>();
    return true;
  }
}

template <std::size_t... Types>
bool emplace(event_data& to, std::size_t type, std::index_sequence<Types...>) noexcept {
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
  const auto number = tickreel::text::parse_number<std::uint64_t>(player);
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

void append_json(const event& happened, std::optional<std::int64_t> first_time_ms, std::string& out) {
  tickreel::text::json_writer json(out);
  json.begin_object();
  json.member("tick", happened.tick);
  if (first_time_ms) {
    // Times of a damaged file may have any value.
    const auto since =
        static_cast<std::uint64_t>(happened.time_ms) - static_cast<std::uint64_t>(*first_time_ms);
    json.member("time_ms", static_cast<std::int64_t>(since));
  }
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
  const bool has_clock =
      std::bit_cast<std::uint32_t>(from.game_clock) != std::bit_cast<std::uint32_t>(no_clock);
  std::uint32_t flags = static_cast<std::uint8_t>(from.derived_from);
  if (from.uncertain) flags |= uncertain_bit;
  if (from.count != 1) flags |= count_bit;
  if (from.missed_ms != 0) flags |= missed_bit;
  if (from.late_ms != 0) flags |= late_bit;
  if (has_clock) flags |= clock_bit;
  byte_writer out(to);
  out.u8(record_version);
  write_number(out, number);
  out.u8(static_cast<std::uint8_t>(from.what.index()));
  out.u8(static_cast<std::uint8_t>(flags));
  if (from.count != 1) write_number(out, from.count);
  if (from.missed_ms != 0) write_number(out, from.missed_ms);
  if (from.late_ms != 0) write_number(out, from.late_ms);
  write_number(out, from.tick);
  write_number(out, from.time_ms);
  if (has_clock) out.f32(from.game_clock);
  std::visit([&](const auto& kind) { write(out, kind); }, from.what);
  return out.ok() ? out.size() : 0;
}

namespace {

bool read_head_of_version_1(byte_reader& in, event& out) noexcept {
  bool valid = read(in, out.derived_from, 1);
  valid = read(in, out.uncertain, 1) && valid;
  out.count = in.u32();
  out.missed_ms = in.i32();
  out.late_ms = in.i32();
  out.tick = in.u64();
  out.time_ms = in.i64();
  out.game_clock = in.f32();
  return valid;
}

bool read_head(byte_reader& in, event& out) noexcept {
  const std::uint8_t flags = in.u8();
  const std::uint8_t source = flags & source_bits;
  bool valid = source < words(std::type_identity<event_source>{}).size();
  out.derived_from = static_cast<event_source>(source);
  out.uncertain = (flags & uncertain_bit) != 0;
  if ((flags & count_bit) != 0) valid = read_number(in, out.count) && valid;
  if ((flags & missed_bit) != 0) valid = read_number(in, out.missed_ms) && valid;
  if ((flags & late_bit) != 0) valid = read_number(in, out.late_ms) && valid;
  valid = read_number(in, out.tick) && valid;
  valid = read_number(in, out.time_ms) && valid;
  if ((flags & clock_bit) != 0) out.game_clock = in.f32();
  return valid;
}

}  // namespace

std::optional<recorded_event> read_event_record(byte_span record) noexcept {
  byte_reader in(record);
  const std::uint8_t version = in.u8();
  if (version == 0 || version > record_version) return std::nullopt;
  recorded_event made;
  event& out = made.what;
  bool valid = read(in, made.number, version);
  if (!emplace(out.what, in.u8(), std::make_index_sequence<event_type_count>{})) return std::nullopt;
  valid = (version == 1 ? read_head_of_version_1(in, out) : read_head(in, out)) && valid;
  valid = std::visit([&](auto& kind) { return read(in, kind, version); }, out.what) && valid;
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
                                             "last_throw", "possession", "flight",     "movement"};
  return all;
}

}  // namespace tickreel::echo
