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
    : stream_(stream), base_build_(base_build) {
  for (std::uint8_t id = 0; id < std::size(kind_names); ++id) {
    layouts_[id] = find_layout(layout_stream::message, id, base_build);
  }
}

result<bool> message_reader::next(message& out) noexcept {
  if (failed_)
    return fail(error_code::wrong_state, position_, "replay.message.events: cannot be read further");
  if (position_ == stream_.size()) return false;
  packed_reader from(stream_.subspan(static_cast<std::size_t>(position_)), position_);
  const std::uint32_t tick = tick_ + read_tick_delta(from);
  const auto user = static_cast<std::uint8_t>(from.bits(5));
  const auto id = static_cast<std::uint8_t>(from.bits(4));
  failed_ = true;
  if (!from.ok()) return from.failure("replay.message.events: ends inside a message");
  if (layouts_[id] == nullptr) {
    return fail(error_code::malformed, position_, "replay.message.events: base build {} has no message {}",
                base_build_, id);
  }
  out = {};
  out.kind = static_cast<message_kind>(id);
  message_sink sink;
  sink.out = &out;
  read_layout(layouts_[id]->ops, from, sink);
  from.align();
  if (!from.ok()) {
    error why = from.failure("replay.message.events: inside message {} at {}").value();
    why.values[0] = id;
    why.values[1] = static_cast<std::int64_t>(position_);
    return fail(why);
  }
  const auto size = static_cast<std::size_t>(from.bit_position() / 8);
  out.tick = tick;
  out.user = user;
  out.offset = position_;
  out.bytes = stream_.subspan(static_cast<std::size_t>(position_), size);
  tick_ = tick;
  position_ += size;
  failed_ = false;
  return true;
}

}  // namespace tickreel::sc2replay
