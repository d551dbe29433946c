// The table `players`: the players of each tick, in recordings of Echo VR.
#include <algorithm>
#include <array>

#include "inputs.hpp"
#include "path_values.hpp"
#include "rows.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::query {

namespace {

constexpr std::array<std::string_view, echo::max_teams> team_names = {"blue", "orange", "spectator"};

class player_rows final : public file_rows {
 public:
  player_rows(const request& what, std::unique_ptr<files::recording> opened, const input& from)
      : file_rows("tick"), what_(&what), walk_(std::move(opened), from), paths_(what.paths) {
    if (what.needs(players_column::state)) paths_.insert(paths_.begin(), std::string());
  }

  result<void> begin(const limits& within) override {
    within_ = within;
    omitted().clear();
    team_ = echo::max_teams;
    return walk_.begin(within);
  }

  result<bool> next(std::span<value> row) override {
    for (;;) {
      if (team_ == echo::max_teams) {
        const auto more = walk_.next();
        if (!more || !*more) return more;
        team_ = place_ = number_ = 0;
        if (auto ready = read_values(); !ready) return fail(ready.error());
      }
      const echo::session& match = walk_.recording().echo_state()->match;
      if (team_ >= match.team_count || number_ >= echo::max_players) {
        team_ = echo::max_teams;
        continue;
      }
      if (place_ >= match.teams[team_].player_count) {
        ++team_;
        place_ = 0;
        continue;
      }
      const echo::player& who = walk_.recording().echo_state()->players[number_++];
      const std::size_t place = place_++;
      if (within_.player && *within_.player != who.name.view()) continue;
      fill(row, who, place);
      return true;
    }
  }

  std::uint64_t row_id() const override { return walk_.position().tick * echo::max_players + number_; }
  std::optional<std::uint64_t> tick() const override { return walk_.position().tick; }
  std::vector<std::string> losses() const override { return walk_.losses(); }
  ticks_read read() const override { return walk_.read(); }
  bool has_other_files() const override { return walk_.has_other_files(); }

 private:
  // Of all players of the tick, so that a tick that is parsed is parsed once.
  result<void> read_values() {
    if (paths_.empty()) return {};
    const echo::session& match = walk_.recording().echo_state()->match;
    bool is_known = values_.has_value();
    for (std::size_t team = 0; team < match.team_count && team < echo::max_teams; ++team) {
      if (match.teams[team].player_count <= places_[team]) continue;
      places_[team] = match.teams[team].player_count;
      is_known = false;
    }
    if (!is_known) {
      if (auto made = make_values(); !made) return made;
    }
    now_ = values_->read();
    omitted().add(values_->repairs(), tick());
    return {};
  }

  result<void> make_values() {
    std::vector<std::string> all;
    for (std::size_t team = 0; team < places_.size(); ++team) {
      for (std::size_t place = 0; place < places_[team]; ++place) {
        const std::string player =
            "session.teams[" + std::to_string(team) + "].players[" + std::to_string(place) + "]";
        for (const std::string& each : paths_) {
          const bool is_member = !each.empty() && each.front() != '[';
          all.push_back(player + (is_member ? "." : "") + each);
        }
      }
    }
    auto values = viewer::tick_values::create(walk_.recording(), views_of(all));
    if (!values) return fail(values.error());
    values_.emplace(std::move(*values));
    return {};
  }

  void fill(std::span<value> row, const echo::player& who, std::size_t place) const {
    std::size_t first = place;
    for (std::size_t team = 0; team < team_; ++team) first += places_[team];
    const std::size_t at = first * paths_.size();
    const std::size_t before_paths = paths_.size() - what_->paths.size();
    std::size_t slot = 0;
    for (const int each : what_->fixed) {
      value& to = row[slot++];
      switch (each) {
        case players_column::tick:
          to = value_of(walk_.position().tick);
          break;
        case players_column::time_ms:
          to = walk_.position().time_ms;
          break;
        case players_column::team:
          to = std::string(team_names[team_]);
          break;
        case players_column::player:
          to = std::string(who.name.view());
          break;
        case players_column::id:
          to = value_of(who.userid);
          break;
        case players_column::state:
          to = value_of(now_[at]);
          break;
        default:
          break;
      }
    }
    for (std::size_t path = before_paths; path < paths_.size(); ++path)
      row[slot++] = value_of(now_[at + path]);
  }

  const request* what_;
  tick_walk walk_;
  limits within_;
  std::vector<std::string> paths_;  // of a player; an empty one is the whole player
  std::array<std::size_t, echo::max_teams> places_{};
  std::optional<viewer::tick_values> values_;
  std::span<const viewer::tick_value> now_;
  // The next player of the current tick; max_teams: none is left.
  std::size_t team_ = echo::max_teams;
  std::size_t place_ = 0;
  std::size_t number_ = 0;
};

}  // namespace

result<std::unique_ptr<file_rows>> open_player_rows(const request& what, const input& from) {
  auto opened = open_recording(from);
  if (!opened) return fail(opened.error());
  if ((*opened)->offers().echo == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset, "its ticks have no list of players");
  }
  return std::make_unique<player_rows>(what, std::move(*opened), from);
}

}  // namespace tickreel::query
