#include "echo_rows.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tickreel::files {

namespace {

// What echo_summary reads, and how the lines are stored.
bool is_in_summary(std::string_view name) {
  constexpr std::string_view of_the_tick[] = {"recorded_time_ms", "bones", "bone_player_count"};
  constexpr std::string_view of_the_match[] = {"fields",           "sessionid",          "client_name",
                                               "match_type",       "map_name",           "game_status",
                                               "game_clock",       "blue_points",        "orange_points",
                                               "blue_round_score", "orange_round_score", "total_round_count",
                                               "team_count",       "player_count"};
  constexpr std::string_view of_a_player[] = {"fields", "userid", "name"};
  const auto is_one_of = [](const auto& names, std::string_view member) {
    return std::ranges::find(names, member) != std::end(names);
  };
  const auto member_of = [](std::string_view item) {
    return item.substr(std::min(item.find("].") + 2, item.size()));
  };
  if (name.starts_with("line.") || is_one_of(of_the_tick, name)) return true;
  if (name.starts_with("match.teams[")) return member_of(name) == "player_count";
  if (name.starts_with("match.")) return is_one_of(of_the_match, name.substr(6));
  if (!name.starts_with("players[")) return false;
  const std::string_view member = member_of(name);
  return member.starts_with("stats.") || is_one_of(of_a_player, member);
}

// Most places of a row are unused: they are skipped.
template <class Place, std::size_t Places>
void take_used(byte_reader& row, std::array<Place, Places>& places, std::size_t count) {
  count = std::min(count, Places);
  for (std::size_t place = 0; place < count; ++place) detail::take_component(row, places[place]);
  row.skip((Places - count) * component_size<Place>);
}

template <class Tick>
void take_tick(byte_reader& row, Tick& tick) {
  visit_fields(tick, [&](std::string_view, auto& field) {
    using type = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<type, decltype(Tick::players)>) {
      take_used(row, field, tick.match.player_count);
    } else if constexpr (std::is_same_v<type, decltype(Tick::bone_players)>) {
      take_used(row, field, tick.bone_player_count);
    } else {
      detail::take_component(row, field);
    }
  });
}

}  // namespace

template <class Tick>
result<void> echo_row_decoder::read_as(byte_span row, echo::state& out, echo::line_reference& line,
                                       tick_room& room) {
  if (room == nullptr) room = tick_room(new Tick, [](void* tick) { delete static_cast<Tick*>(tick); });
  Tick& tick = *static_cast<Tick*>(room.get());
  byte_reader in(row);
  take_tick(in, tick);
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
  const schema& described = made.rows_.described();
  if (has_same_layout(described, schema_of<echo::small_recorded_tick>())) {
    made.read_ = &read_as<echo::small_recorded_tick>;
  } else if (has_same_layout(described, schema_of<echo::recorded_tick_with_bones>())) {
    made.read_ = &read_as<echo::recorded_tick_with_bones>;
  } else if (has_same_layout(described, schema_of<largest>())) {
    made.read_ = &read_as<largest>;
  } else {
    made.match_ = layout_match::between(layout_of<largest>(), values_of(described), described.row_bytes());
  }
  return made;
}

void echo_row_decoder::choose_values() {
  if (times_only_) {
    rows_.keep_only([](std::string_view name) {
      return name == "recorded_time_ms" || name == "match.fields" || name == "match.game_clock";
    });
  } else if (disc_only_) {
    rows_.keep_only([](std::string_view name) {
      return name == "recorded_time_ms" || name == "match.fields" || name == "match.game_clock" ||
             name == "match.blue_points" || name == "match.orange_points" || name.starts_with("match.disc.");
    });
  } else if (summary_only_) {
    rows_.keep_only(is_in_summary);
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
