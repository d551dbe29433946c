#include "tickreel/sc2replay/events_json.hpp"

#include "tickreel/sc2replay/versioned.hpp"
#include "tickreel/text/hex.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::sc2replay {

namespace {

void append_blob(text::json_writer& json, byte_span bytes) {
  if (text::is_utf8(as_text(bytes))) {
    json.value(as_text(bytes));
    return;
  }
  std::string digits = "hex:";
  text::append_hex(bytes, digits);
  json.value(digits);
}

struct json_sink {
  text::json_writer& json;

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
    json.begin_object();
    json.member("bits", count);
    json.member("mask", mask);
    json.end_object();
  }
  void nothing(const layout_op& op) {
    name(op);
    json.null();
  }
  void begin_structure(const layout_op& op) {
    name(op);
    json.begin_object();
  }
  void end_structure(const layout_op&) { json.end_object(); }
  void begin_optional(const layout_op& op, bool present) {
    name(op);
    if (!present) json.null();
  }
  void end_optional(const layout_op&) {}
  void begin_array(const layout_op& op, unsigned) {
    name(op);
    json.begin_array();
  }
  void end_array(const layout_op&) { json.end_array(); }
  void begin_choice(const layout_op& op, const layout_op& alternative) {
    name(op);
    json.begin_object();
    json.key(field_name(alternative));
  }
  void end_choice(const layout_op&) { json.end_object(); }
};

void append_head(text::json_writer& json, std::uint64_t tick, double ticks_per_second, const char* stream,
                 std::string_view type) {
  json.member("tick", tick);
  json.member("seconds", static_cast<double>(tick) / ticks_per_second);
  json.member("stream", stream);
  json.member("type", type);
}

void append_value(text::json_writer& json, versioned_reader& from) {
  switch (from.peek()) {
    case versioned_tag::array:
      json.begin_array();
      for (std::size_t left = from.array(); left > 0 && from.ok(); --left) append_value(json, from);
      json.end_array();
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
      json.begin_object();
      json.key(std::to_string(from.choice()));
      append_value(json, from);
      json.end_object();
      return;
    case versioned_tag::optional:
      if (from.optional()) {
        append_value(json, from);
      } else {
        json.null();
      }
      return;
    case versioned_tag::structure:
      json.begin_object();
      from.fields([&json](std::int64_t number, versioned_reader& field) {
        json.key(std::to_string(number));
        append_value(json, field);
      });
      json.end_object();
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

void append_members(const game_event& event, text::json_writer& json, double ticks_per_second) {
  json_sink sink{json};
  append_head(json, event.tick, ticks_per_second, "game", event.name());
  if (event.user == global_user) {
    json.key("user");
    json.null();
  } else {
    json.member("user", event.user);
  }
  event.visit(sink);
}

void append_members(const tracker_event& event, text::json_writer& json, double ticks_per_second) {
  append_head(json, event.tick, ticks_per_second, "tracker", event.name());
  versioned_reader from(event.fields);
  if (event.id > static_cast<std::uint32_t>(tracker_kind::player_setup)) json.member("id", event.id);
  from.fields([&](std::int64_t number, versioned_reader& field) {
    const std::string_view name = tracker_field_name(event.id, number);
    json.key(name.empty() ? "field_" + std::to_string(number) : std::string(name));
    if (!event.is(tracker_kind::player_stats) || field.peek() != versioned_tag::structure) {
      append_value(json, field);
      return;
    }
    json.begin_object();
    field.fields([&](std::int64_t stat, versioned_reader& value) {
      const std::string_view stat_name = tracker_stat_name(stat);
      json.key(stat_name.empty() ? "field_" + std::to_string(stat) : std::string(stat_name));
      append_value(json, value);
    });
    json.end_object();
  });
}

void append_members(const message& said, text::json_writer& json, double ticks_per_second) {
  append_head(json, said.tick, ticks_per_second, "message", name(said.kind));
  json.member("user", said.user);
  switch (said.kind) {
    case message_kind::chat:
      json.member("recipient", name(said.to));
      json.key("text");
      append_blob(json, as_bytes(said.text));
      break;
    case message_kind::ping:
      json.member("recipient", name(said.to));
      json.member("x", said.place.x);
      json.member("y", said.place.y);
      break;
    case message_kind::loading_progress:
      json.member("progress", said.progress);
      break;
    case message_kind::server_ping:
      break;
    case message_kind::reconnect_notify:
      json.member("status", said.status);
      break;
  }
}

}  // namespace tickreel::sc2replay
