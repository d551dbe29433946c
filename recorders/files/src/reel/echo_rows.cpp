#include "echo_rows.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tickreel::files {

namespace {

// `schema_bytes` in the encoding of to_bytes(), independent of the encoding in the reel.
template <class Tick>
bool is_schema_of(byte_span schema_bytes) {
  return std::ranges::equal(schema_bytes, to_bytes(schema_of<Tick>()));
}

bool is_pose(std::string_view name) {
  if (name.starts_with("bone_players") || name.starts_with("match.disc.") || name.starts_with("match.vr.")) {
    return true;
  }
  if (!name.starts_with("players[")) return false;
  const std::string_view member = name.substr(std::min(name.find("].") + 2, name.size()));
  return member.starts_with("head.") || member.starts_with("body.") || member.starts_with("lhand.") ||
         member.starts_with("rhand.") || member.starts_with("velocity.");
}

}  // namespace

template <class Tick>
result<void> echo_row_decoder::read_as(byte_span row, echo::state& out, echo::line_reference& line,
                                       tick_room& room) {
  if (room == nullptr) room = tick_room(new Tick, [](void* tick) { delete static_cast<Tick*>(tick); });
  Tick& tick = *static_cast<Tick*>(room.get());
  byte_reader in(row);
  detail::take_component(in, tick);
  if (!in.ok()) return in.failure("row");
  echo::assign(out, tick);
  line = tick.line;
  return {};
}

bool holds_echo_rows(const reel::header& head) {
  if (head.encoder_name != tracks::rows_name) return false;
  const auto described = read_schema(head.schema);
  return described && described->root().name == echo::recorded_tick_name;
}

echo_row_decoder::echo_row_decoder(tracks::row_decoder rows)
    : rows_(std::move(rows)), state_(std::make_unique<echo::state>()) {}

result<echo_row_decoder> echo_row_decoder::create(byte_span schema_bytes) {
  auto rows = tracks::row_decoder::create(schema_bytes);
  if (!rows) return fail(rows.error());
  echo_row_decoder made(std::move(*rows));
  const byte_vector unpacked = to_bytes(made.rows_.described());
  if (is_schema_of<echo::small_recorded_tick>(unpacked)) {
    made.read_ = &read_as<echo::small_recorded_tick>;
  } else if (is_schema_of<echo::recorded_tick_with_bones>(unpacked)) {
    made.read_ = &read_as<echo::recorded_tick_with_bones>;
  } else if (is_schema_of<largest>(unpacked)) {
    made.read_ = &read_as<largest>;
  } else {
    const schema& described = made.rows_.described();
    made.match_ = layout_match::between(layout_of<largest>(), values_of(described), described.row_bytes());
  }
  return made;
}

void echo_row_decoder::choose_values() {
  if (times_only_) {
    rows_.keep_only([](std::string_view name) {
      return name == "recorded_time_ms" || name == "match.fields" || name == "match.game_clock";
    });
  } else if (!poses_) {
    rows_.keep_only([](std::string_view name) { return !is_pose(name); });
  } else if (!bones_) {
    rows_.keep_only([](std::string_view name) { return !name.starts_with("bone"); });
  } else {
    rows_.keep_only({});
  }
}

result<void> echo_row_decoder::decode(frame_kind kind, byte_span frame) {
  if (auto decoded = rows_.decode(kind, frame); !decoded) return decoded;
  return read_ != nullptr ? read_(rows_.state(), *state_, line_, room_) : read_other(rows_.state());
}

result<void> echo_row_decoder::read_other(byte_span row) {
  matched_.resize(component_size<largest>);
  const auto fresh = std::make_unique<largest>();
  detail::put_component(matched_.data(), *fresh);
  if (auto applied = match_.apply(row, matched_); !applied) return applied;
  return read_as<largest>(matched_, *state_, line_, room_);
}

}  // namespace tickreel::files
