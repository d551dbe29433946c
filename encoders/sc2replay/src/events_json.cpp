#include "tickreel/sc2replay/events_json.hpp"

#include "tickreel/analysis/json.hpp"
#include "tickreel/sc2replay/versioned.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr double ticks_per_game_second = 16;

void append_blob(analysis::json_text& json, byte_span bytes) {
  if (is_utf8(as_text(bytes))) {
    json.value(as_text(bytes));
    return;
  }
  std::string hex = "hex:";
  for (const std::byte each : bytes) {
    hex += "0123456789abcdef"[std::to_integer<unsigned>(each >> 4)];
    hex += "0123456789abcdef"[std::to_integer<unsigned>(each & std::byte{15})];
  }
  json.value(hex);
}

struct json_sink {
  analysis::json_text json;

  void name(const layout_op& op) {
    if (op.name != layout_op::no_name) json.key(field_name(op));
  }
  void number(const layout_op& op, std::int64_t value) {
    name(op);
    if (op.kind == layout_kind::flag) {
      json.value(value != 0);
    } else if (op.bits == 64) {
      json.value(static_cast<std::uint64_t>(value));
    } else {
      json.value(value);
    }
  }
  void blob(const layout_op& op, byte_span bytes) {
    name(op);
    append_blob(json, bytes);
  }
  void bit_array(const layout_op& op, packed_reader bits, unsigned count) {
    std::string mask;
    for (unsigned i = 0; i < count; ++i) mask += bits.flag() ? '1' : '0';
    name(op);
    json.open('{');
    json.pair("bits", count);
    json.pair("mask", mask);
    json.close('}');
  }
  void nothing(const layout_op& op) {
    name(op);
    json.null();
  }
  void begin_structure(const layout_op& op) {
    name(op);
    json.open('{');
  }
  void end_structure(const layout_op&) { json.close('}'); }
  void begin_optional(const layout_op& op, bool present) {
    name(op);
    if (!present) json.null();
  }
  void end_optional(const layout_op&) {}
  void begin_array(const layout_op& op, unsigned) {
    name(op);
    json.open('[');
  }
  void end_array(const layout_op&) { json.close(']'); }
  void begin_choice(const layout_op& op, const layout_op& alternative) {
    name(op);
    json.open('{');
    json.key(field_name(alternative));
  }
  void end_choice(const layout_op&) { json.close('}'); }
};

void begin_line(analysis::json_text& json, std::uint64_t tick, const char* stream, std::string_view type) {
  json.open('{');
  json.pair("tick", tick);
  json.pair("seconds", static_cast<double>(tick) / ticks_per_game_second);
  json.pair("stream", stream);
  json.pair("type", type);
}

void append_value(analysis::json_text& json, versioned_reader& from) {
  switch (from.peek()) {
    case versioned_tag::array:
      json.open('[');
      for (std::size_t left = from.array(); left > 0 && from.ok(); --left) append_value(json, from);
      json.close(']');
      return;
    case versioned_tag::bit_array: {
      std::uint64_t count = 0;
      append_blob(json, from.bit_array(count));
      return;
    }
    case versioned_tag::blob:
      append_blob(json, from.blob());
      return;
    case versioned_tag::choice:
      json.open('{');
      json.key(std::to_string(from.choice()));
      append_value(json, from);
      json.close('}');
      return;
    case versioned_tag::optional:
      if (from.optional()) {
        append_value(json, from);
      } else {
        json.null();
      }
      return;
    case versioned_tag::structure:
      json.open('{');
      from.fields([&json](std::int64_t number, versioned_reader& field) {
        json.key(std::to_string(number));
        append_value(json, field);
      });
      json.close('}');
      return;
    case versioned_tag::u8:
    case versioned_tag::four_bytes:
    case versioned_tag::eight_bytes:
    case versioned_tag::integer:
      json.value(from.any_integer());
      return;
  }
  from.fail_with(error_code::malformed);
}

}  // namespace

// Sequences that Unicode allows: no overlong ones, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text) noexcept {
  std::size_t at = 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  while (at < text.size()) {
    const unsigned first = byte(at);
    const std::size_t size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (size == 0 || first > 0xF4 || text.size() - at < size) return false;
    for (std::size_t i = 1; i < size; ++i) {
      if ((byte(at + i) & 0xC0) != 0x80) return false;
    }
    if (size > 2) {
      const unsigned second = byte(at + 1);
      if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
          (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
        return false;
      }
    }
    at += size;
  }
  return true;
}

bool append_members_json(std::span<const layout_op> ops, packed_reader& from, std::string& out) {
  json_sink sink{analysis::json_text(out)};
  read_layout(ops, from, sink);
  return from.ok();
}

void append_json(const game_event& event, std::string& out) {
  json_sink sink{analysis::json_text(out)};
  begin_line(sink.json, event.tick, "game", event.name());
  if (event.user == global_user) {
    sink.json.key("user");
    sink.json.null();
  } else {
    sink.json.pair("user", event.user);
  }
  event.visit(sink);
  sink.json.close('}');
}

void append_json(const tracker_event& event, std::string& out) {
  analysis::json_text json(out);
  begin_line(json, event.tick, "tracker", event.name());
  versioned_reader from(event.fields);
  if (event.id > static_cast<std::uint32_t>(tracker_kind::player_setup)) json.pair("id", event.id);
  from.fields([&](std::int64_t number, versioned_reader& field) {
    const std::string_view name = tracker_field_name(event.id, number);
    json.key(name.empty() ? "field_" + std::to_string(number) : std::string(name));
    if (!event.is(tracker_kind::player_stats) || field.peek() != versioned_tag::structure) {
      append_value(json, field);
      return;
    }
    json.open('{');
    field.fields([&](std::int64_t stat, versioned_reader& value) {
      const std::string_view stat_name = tracker_stat_name(stat);
      json.key(stat_name.empty() ? "field_" + std::to_string(stat) : std::string(stat_name));
      append_value(json, value);
    });
    json.close('}');
  });
  json.close('}');
}

void append_json(const message& said, std::string& out) {
  analysis::json_text json(out);
  begin_line(json, said.tick, "message", name(said.kind));
  json.pair("user", said.user);
  switch (said.kind) {
    case message_kind::chat:
      json.pair("recipient", name(said.to));
      json.key("text");
      append_blob(json, as_bytes(said.text));
      break;
    case message_kind::ping:
      json.pair("recipient", name(said.to));
      json.pair("x", said.place.x);
      json.pair("y", said.place.y);
      break;
    case message_kind::loading_progress:
      json.pair("progress", said.progress);
      break;
    case message_kind::server_ping:
      break;
    case message_kind::reconnect_notify:
      json.pair("status", said.status);
      break;
  }
  json.close('}');
}

}  // namespace tickreel::sc2replay
