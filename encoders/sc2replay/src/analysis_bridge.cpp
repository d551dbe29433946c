#include "tickreel/sc2replay/analysis_bridge.hpp"

#include <algorithm>

#include "bridge_state.hpp"

namespace tickreel::sc2replay {

std::uint32_t name_table::number(std::string_view name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const auto next = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(names_.back(), next);
  return next;
}

analysis_bridge::state::state(const bridge_sources& from)
    : sources(from),
      games(from.game_events, from.base_build),
      messages(from.message_events, from.base_build),
      trackers(from.tracker_events, from.base_build) {
  for (const player& each : from.players) {
    if (each.event_user && *each.event_user < player_of_user.size())
      player_of_user[*each.event_user] = each.number;
  }
  advance_game();
  advance_message();
  advance_tracker();
}

void analysis_bridge::state::advance_game() {
  const auto more = games.next(game);
  has_game = more && *more;
  if (!more) problems.push_back({"replay.game.events", more.error()});
}

void analysis_bridge::state::advance_message() {
  const auto more = messages.next(said);
  has_message = more && *more;
  if (!more) problems.push_back({"replay.message.events", more.error()});
}

void analysis_bridge::state::advance_tracker() {
  const auto more = trackers.next(tracker);
  has_tracker = more && *more;
  if (!more) problems.push_back({"replay.tracker.events", more.error()});
}

bool analysis_bridge::state::take_next() {
  queue.clear();
  given = 0;
  left_something_out = false;
  // The event of the last result is kept until now, because the result points to it.
  if (origin.tracker != nullptr) advance_tracker();
  if (origin.game != nullptr) advance_game();
  if (origin.said != nullptr) advance_message();
  origin = {};
  const bool tracker_first =
      has_tracker && (!has_game || tracker.tick <= game.tick) && (!has_message || tracker.tick <= said.tick);
  const bool game_first = has_game && (!has_message || game.tick <= said.tick);
  if (tracker_first) {
    if (samples_before(tracker.tick)) return true;
    origin.tracker = &tracker;
    take_tracker();
  } else if (game_first) {
    if (samples_before(game.tick)) return true;
    origin.game = &game;
    take_game();
  } else if (has_message) {
    if (samples_before(said.tick)) return true;
    origin.said = &said;
    take_message();
  } else if (!ended) {
    ended = true;
    sample_cameras(~std::uint64_t{0});
    take_end();
  } else {
    return false;
  }
  return true;
}

bool analysis_bridge::state::samples_before(std::uint64_t tick) {
  last_tick = std::max(last_tick, tick);
  sample_cameras(tick);
  return !queue.empty();
}

void analysis_bridge::state::leave_out(std::string_view what) {
  left_something_out = true;
  for (left_out& each : left_outs) {
    if (each.what == what) {
      ++each.count;
      return;
    }
  }
  left_outs.push_back({what, 1});
}

analysis_bridge::analysis_bridge(const bridge_sources& from) : state_(std::make_unique<state>(from)) {}
analysis_bridge::analysis_bridge(analysis_bridge&&) noexcept = default;
analysis_bridge& analysis_bridge::operator=(analysis_bridge&&) noexcept = default;
analysis_bridge::~analysis_bridge() = default;

bool analysis_bridge::next(bridged& out) {
  while (state_->given == state_->queue.size()) {
    if (!state_->take_next()) return false;
    const bool something =
        state_->origin.game != nullptr || state_->origin.tracker != nullptr || state_->origin.said != nullptr;
    if (state_->queue.empty() && something && state_->left_something_out) {
      out = state_->origin;
      return true;
    }
  }
  const queued_event& event = state_->queue[state_->given++];
  out = state_->origin;
  out.event = &event.what;
  out.type_name = event.type_name;
  out.unit = event.unit;
  return true;
}

const std::deque<std::string>& analysis_bridge::unit_types() const noexcept {
  return state_->unit_types.names();
}
const std::deque<std::string>& analysis_bridge::upgrades() const noexcept {
  return state_->upgrades.names();
}
std::span<const left_out> analysis_bridge::without_counterpart() const noexcept {
  return state_->left_outs;
}
std::span<const bridge_problem> analysis_bridge::problems() const noexcept {
  return state_->problems;
}
std::uint64_t analysis_bridge::contradictory_selections() const noexcept {
  return state_->selections.contradictions();
}

std::optional<std::uint8_t> analysis_bridge::player_of_user(std::uint8_t user) const noexcept {
  return user < state_->player_of_user.size() ? state_->player_of_user[user] : std::nullopt;
}

}  // namespace tickreel::sc2replay
