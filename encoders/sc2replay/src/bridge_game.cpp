// Game events and messages as analysis events, and the end of the match.
#include <algorithm>
#include <cmath>

#include "bridge_state.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::uint64_t camera_window_ticks = 8;  // two per game second

std::vector<analysis::unit_tag> to_analysis(const std::vector<unit_tag>& tags) {
  std::vector<analysis::unit_tag> out;
  out.reserve(tags.size());
  for (const unit_tag each : tags) out.push_back(sc2replay::to_analysis(each));
  return out;
}

// The last loser to leave before any winner did. A player who leaves after a winner left a finished game.
std::optional<std::uint8_t> surrendered(const std::vector<std::uint8_t>& leavers,
                                        const std::vector<const player*>& losers,
                                        const std::vector<const player*>& winners) {
  const auto among = [](std::uint8_t who, const std::vector<const player*>& these) {
    return std::ranges::any_of(these, [who](const player* each) { return each->number == who; });
  };
  std::optional<std::uint8_t> found;
  for (const std::uint8_t each : leavers) {
    if (among(each, winners)) break;
    if (among(each, losers)) found = each;
  }
  return found;
}

}  // namespace

void analysis_bridge::state::take_game() {
  const auto player = game.user < player_of_user.size() ? player_of_user[game.user] : std::nullopt;
  if (game.kind == game_event_kind::player_leave || game.kind == game_event_kind::game_user_leave) {
    last_leave = game.tick;
    if (player) leavers.push_back(*player);
    leave_out("departures, of which the last ends the match");
    return;
  }
  if (!player) {
    leave_out(game.user == global_user ? "events of the game itself" : "events of users who do not play");
    return;
  }
  camera_update camera;
  selection_delta delta;
  control_group_update group;
  if (read_camera_update(game, camera)) {
    take_camera(camera);
  } else if (game.kind == game_event_kind::command ||
             game.kind == game_event_kind::command_update_target_point ||
             game.kind == game_event_kind::command_update_target_unit) {
    take_command(*player);
  } else if (read_selection_delta(game, delta)) {
    take_selection_delta(*player, delta);
  } else if (read_control_group_update(game, group)) {
    take_control_group(*player, group);
  } else if (game.kind == game_event_kind::resource_trade || game.kind == game_event_kind::resource_request ||
             game.kind == game_event_kind::resource_request_fulfill ||
             game.kind == game_event_kind::resource_request_cancel) {
    leave_out("resources given and asked for");
  } else {
    // Repeats the last order.
    if (game.name() == "command_manager_state") ++counters[*player].actions;
    leave_out("game events of other kinds");
  }
}

void analysis_bridge::state::take_camera(const camera_update& camera) {
  camera_state& view = cameras[game.user];
  if (camera.target) view.target = *camera.target;
  if (camera.distance) view.distance = *camera.distance;
  view.known = view.known || camera.target.has_value();
  view.changed = true;
}

void analysis_bridge::state::take_selection_delta(std::uint8_t player, const selection_delta& delta) {
  const auto* found = selections.apply(game.user, delta);
  if (delta.group == active_selection) ++counters[player].actions;
  if (found != nullptr) {
    take_selection(player, *found);
  } else {
    leave_out(delta.group == active_selection ? "selections that change nothing"
                                              : "control groups brought up to date by the game");
  }
}

void analysis_bridge::state::take_control_group(std::uint8_t player, const control_group_update& group) {
  ++counters[player].actions;
  using action = analysis::control_group_action;
  switch (group.update) {
    case group_update::set:
    case group_update::set_and_steal:
      emit(analysis::control_group_event{game.tick, player, group.group, action::assign});
      break;
    case group_update::append:
    case group_update::append_and_steal:
      emit(analysis::control_group_event{game.tick, player, group.group, action::append});
      break;
    case group_update::recall:
      emit(analysis::control_group_event{game.tick, player, group.group, action::recall});
      break;
    default:
      leave_out("control groups cleared");
      break;
  }
  if (const auto* found = selections.apply(game.user, group)) take_selection(player, *found);
}

void analysis_bridge::state::take_command(std::uint8_t player) {
  std::optional<std::uint32_t>& ability = last_ability[game.user];
  std::optional<analysis::world_position> target;
  command order;
  command_target later;
  if (read_command(game, order)) {
    ++counters[player].actions;
    ability = order.ability ? order.ability->id() : right_click_ability_id;
    if (order.point) target = sc2replay::to_analysis(*order.point);
    if (order.unit) target = sc2replay::to_analysis(order.unit->place);
  } else if (read_command_target(game, later)) {
    target = sc2replay::to_analysis(later.point ? *later.point : later.unit->place);
  }
  if (!ability) {
    leave_out("targets of orders that came before the recording");
    return;
  }
  emit(analysis::ability_used{game.tick, player, *ability, target}, game.kind != game_event_kind::command);
}

void analysis_bridge::state::take_selection(std::uint8_t player, const selection_tracker::difference& found) {
  emit(analysis::selection_changed{game.tick, player, to_analysis(found.added), to_analysis(found.removed)},
       !found.removed.empty());
}

void analysis_bridge::state::take_message() {
  switch (said.kind) {
    case message_kind::chat:
      leave_out("chat lines");
      break;
    case message_kind::ping:
      leave_out("pings");
      break;
    default:
      leave_out("messages about connections and loading");
      break;
  }
}

void analysis_bridge::state::sample_cameras(std::uint64_t tick) {
  const std::uint64_t window = tick / camera_window_ticks;
  if (window <= camera_window) return;
  // The last values of a window are sampled at its end, which is not after `tick`; the last window may be
  // shorter.
  const std::uint64_t sampled = std::min((camera_window + 1) * camera_window_ticks, last_tick);
  camera_window = window;
  for (std::size_t user = 0; user < cameras.size(); ++user) {
    camera_state& view = cameras[user];
    if (!view.changed || !view.known || !player_of_user[user]) continue;
    view.changed = false;
    const double zoom = std::clamp(std::round(view.distance), 0.0, 65535.0);
    emit(analysis::camera_position_sample{sampled, *player_of_user[user], sc2replay::to_analysis(view.target),
                                          static_cast<std::uint16_t>(zoom)});
  }
}

void analysis_bridge::state::take_end() {
  // Nothing follows it.
  const std::uint64_t tick = std::max(last_leave.value_or(sources.loops), last_tick);
  std::vector<const player*> winners;
  std::vector<const player*> losers;
  bool tie = false;
  for (const player& each : sources.players) {
    if (each.result == game_result::win) winners.push_back(&each);
    if (each.result == game_result::loss) losers.push_back(&each);
    tie = tie || each.result == game_result::tie;
  }
  namespace outcome = analysis::outcome;
  if (!winners.empty()) {
    outcome::completed ended_well;
    if (winners.size() == 1 || !winners.front()->team) {
      ended_well.winner = outcome::winning_player{winners.front()->number};
    } else {
      ended_well.winner = outcome::winning_team{*winners.front()->team + 1};
    }
    if (const auto who = surrendered(leavers, losers, winners)) {
      ended_well.reason = outcome::surrender{*who};
    } else {
      ended_well.reason = outcome::elimination{};
    }
    emit(analysis::match_ended{tick, ended_well}, true);
  } else if (tie) {
    emit(analysis::match_ended{tick, outcome::draw{outcome::elimination{}}}, true);
  } else if (!leavers.empty()) {
    emit(analysis::match_ended{tick, outcome::abandoned{leavers.back(), tick}}, true);
  } else {
    leave_out("ends of matches without a winner or leaver");
  }
}

}  // namespace tickreel::sc2replay
