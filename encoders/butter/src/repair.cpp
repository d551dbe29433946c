#include "repair.hpp"

namespace tickreel::butter {

player_memory* known_writer::find(std::uint64_t userid) noexcept {
  for (std::size_t i = 0; i < player_count_; ++i) {
    if (players_[i].userid == userid) return &players_[i];
  }
  return nullptr;
}

player_memory& known_writer::of(std::uint64_t userid) noexcept {
  if (player_memory* known = find(userid)) return *known;
  std::size_t place = 0;
  if (player_count_ < players_.size()) {
    place = player_count_++;
  } else {
    for (std::size_t i = 1; i < players_.size(); ++i) {
      if (players_[i].seen < players_[place].seen) place = i;
    }
  }
  players_[place] = {};
  players_[place].userid = userid;
  return players_[place];
}

void known_writer::remember(player_memory& memory, const echo::player& player) noexcept {
  memory.seen = frame_;
  memory.last = player;
}

void known_writer::follow_pause_timers(bool present, echo::pause_state& pause) noexcept {
  if (present) {
    paused_timer_step_ = pause.paused_timer;
    unpaused_timer_step_ = pause.unpaused_timer;
  }
  paused_timer_ += paused_timer_step_;
  unpaused_timer_ += unpaused_timer_step_;
  pause.paused_timer = paused_timer_;
  pause.unpaused_timer = unpaused_timer_;
}

}  // namespace tickreel::butter
