#include "tickreel/sc2replay/message.hpp"

#include <iterator>

#include "layout_slots.inc"
#include "packed_event.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::string_view kind_names[] = {"chat", "ping", "loading_progress", "server_ping",
                                           "reconnect_notify"};
constexpr std::string_view recipient_names[] = {"all", "allies", "individual", "battle_net", "observers"};

struct message_sink : packed_sink {
  message* out;

  void number(const layout_op& op, std::int64_t value) noexcept {
    switch (out->kind) {
      case message_kind::chat:
        out->to = static_cast<recipient>(value);
        break;
      case message_kind::ping:
        if (op.slot == slots::message::ping::recipient) out->to = static_cast<recipient>(value);
        if (op.slot == slots::message::ping::point_x) out->place.x = static_cast<double>(value) / point_scale;
        if (op.slot == slots::message::ping::point_y) out->place.y = static_cast<double>(value) / point_scale;
        break;
      case message_kind::loading_progress:
        out->progress = static_cast<std::int32_t>(value);
        break;
      case message_kind::server_ping:
        break;
      case message_kind::reconnect_notify:
        out->status = static_cast<std::uint8_t>(value);
        break;
    }
  }
  void blob(const layout_op&, byte_span bytes) noexcept { out->text = as_text(bytes); }
};

}  // namespace

std::string_view name(message_kind kind) noexcept {
  return kind_names[static_cast<std::size_t>(kind)];
}

std::string_view name(recipient who) noexcept {
  const auto number = static_cast<std::size_t>(who);
  return number < std::size(recipient_names) ? recipient_names[number] : "unknown";
}

message_reader::message_reader(byte_span stream, std::uint32_t base_build) noexcept
    : event_stream(stream, base_build) {
  for (std::size_t id = 0; id < std::size(kind_names); ++id) {
    layouts_[id] = find_layout(layout_stream::message, static_cast<std::uint8_t>(id), base_build);
  }
}

result<bool> message_reader::next(message& out) noexcept {
  if (failed_)
    return fail(error_code::wrong_state, position_, "replay.message.events: cannot be read further");
  if (at_end()) return false;
  packed_reader from(rest(), position_);
  const packed_head head = read_head<4>(from, tick_);
  failed_ = true;
  if (!from.ok()) return from.failure("replay.message.events: ends inside a message");
  const layout* const what = layouts_[head.id];
  if (what == nullptr) {
    return fail(error_code::malformed, position_, "replay.message.events: base build {} has no message {}",
                base_build_, head.id);
  }
  out = {};
  out.kind = static_cast<message_kind>(head.id);
  message_sink sink;
  sink.out = &out;
  read_layout(what->ops, from, sink);
  from.align();
  if (!from.ok()) {
    return fields_failure(from, "replay.message.events: inside message {} at {}", head.id, position_);
  }
  const auto size = static_cast<std::size_t>(from.bit_position() / 8);
  out.tick = head.tick;
  out.user = head.user;
  out.offset = position_;
  out.bytes = rest().first(size);
  pass(size, head.tick);
  return true;
}

}  // namespace tickreel::sc2replay
