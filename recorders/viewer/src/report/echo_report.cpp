// Echo VR: score, possession, positions of players and the disc, speeds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "match_report.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/files/recording.hpp"
#include "words.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::size_t max_mapped_players = 24;
constexpr double longest_step_s = 1;  // between two ticks: a longer pause is a gap in the recording

float length(const echo::vec3& of) noexcept {
  return std::sqrt(of.x * of.x + of.y * of.y + of.z * of.z);
}

bool in_play(const echo::session& match) noexcept {
  if ((match.fields & echo::session::has_game_status) == 0) return true;
  const std::string_view status = match.game_status.view();
  return status == "playing" || status == "sudden_death";
}

// Reads the ticks of one session.
class match_observer {
 public:
  match_observer(const files::match_rows* rows, const echo::state& first)
      : first_ms_(first.recorded_time_ms) {
    report_.title = first.match.map_name.empty() ? "Match" : map_title(first.match.map_name.view());
    report_.started_ms = first_ms_;
    if (rows != nullptr) {
      report_.rows = *rows;
      report_.seconds = static_cast<double>(rows->duration_ms) / 1000;
    }
    report_.possession = {{"blue", "blue", 0}, {"orange", "orange", 0}, {"nobody", "grey", 0}};
    report_.possession_strip.emplace();
  }

  void see(const echo::state& now) {
    const echo::session& match = now.match;
    const double at = (static_cast<double>(now.recorded_time_ms) - static_cast<double>(first_ms_)) / 1000;
    const double step = std::clamp(at - last_at_, 0.0, longest_step_s);
    const bool arena = (match.fields & echo::session::has_disc) != 0;
    last_at_ = std::max(at, last_at_);
    last_ms_ = std::max(last_ms_, now.recorded_time_ms);
    if (!match.match_type.empty()) type_ = match.match_type.view();
    if (!match.client_name.empty()) client_ = match.client_name.view();
    for (std::size_t side = 0; side < 2; ++side) {
      if (!match.teams[side].name.empty()) team_names_[side] = match.teams[side].name.view();
    }
    if ((match.fields & echo::session::has_blue_points) != 0) {
      points_[0] = match.blue_points;
      points_[1] = match.orange_points;
      rounds_[0] = match.blue_round_score;
      rounds_[1] = match.orange_round_score;
      score_[0].add(at, static_cast<double>(match.blue_points));
      score_[1].add(at, static_cast<double>(match.orange_points));
      knows_score_ = true;
    }
    const bool plays = in_play(match);
    std::uint8_t owner = strip::nobody;
    std::size_t first = 0;
    for (std::size_t side = 0; side < std::min<std::size_t>(match.team_count, 2); ++side) {
      const std::size_t end =
          std::min<std::size_t>(first + match.teams[side].player_count, match.player_count);
      double speed = 0;
      int moving = 0;
      for (std::size_t i = first; i < end; ++i) {
        const echo::player& player = now.players[i];
        if (player.possession) owner = static_cast<std::uint8_t>(side);
        if (!plays) continue;
        if ((player.fields & echo::player::has_velocity) != 0) {
          speed += static_cast<double>(length(player.velocity));
          ++moving;
        }
        if ((player.fields & echo::player::has_head) != 0) see_place(player, side, step);
      }
      if (moving != 0) speed_[side].add(at, speed / moving);
      first = end;
    }
    if (plays && arena) {
      has_disc_ = true;
      if ((match.disc.at.fields & echo::pose::has_position) != 0) {
        disc_.add(static_cast<double>(match.disc.at.position.z),
                  static_cast<double>(match.disc.at.position.x), step);
        along_.add(at, static_cast<double>(match.disc.at.position.z));
      }
      if ((match.fields & echo::session::has_disc_velocity) != 0) {
        disc_speed_.add(at, static_cast<double>(length(match.disc.velocity)));
      }
      const std::size_t whose = owner == strip::nobody ? 2 : owner;
      report_.possession[whose].seconds += step;
      if (owner != strip::nobody && report_.seconds > 0) {
        report_.possession_strip->set((at - step) / report_.seconds, at / report_.seconds, owner);
      }
    }
  }

  match_report finish(event_log events, const recording_facts& facts, bool only_match) {
    report_.events = std::move(events);
    report_.seconds = last_at_;
    report_.under = fmt::format("{}{}{}, {}", when_text(first_ms_), type_.empty() ? "" : ", ", type_,
                                time_text(last_at_));
    if (!client_.empty()) report_.under += ", seen by " + client_;
    set_score();
    if (!has_disc_) report_.possession.clear(), report_.possession_strip.reset();
    const auto add = [&](std::string title, std::string unit, std::vector<chart::series> lines) {
      if (!lines.empty()) report_.charts.push_back({std::move(title), std::move(unit), std::move(lines)});
    };
    const auto both = [&](curve(&of)[2]) {
      std::vector<chart::series> out;
      for (std::size_t side = 0; side < 2; ++side) {
        if (!of[side].empty()) out.push_back({side_name(side), side_style(side), std::move(of[side])});
      }
      return out;
    };
    add("Score", "points", both(score_));
    if (!along_.empty()) {
      add("Where the disc was", "m from the middle, above 0 toward the orange goal",
          {{"disc", "s0", std::move(along_)}});
    }
    if (!disc_speed_.empty()) add("Speed of the disc", "m/s", {{"disc", "s0", std::move(disc_speed_)}});
    add("Speed of the players", "m/s, mean of each team", both(speed_));
    add_heat();
    add_facts(facts.summary, report_);
    if (!only_match) report_.facts.clear();  // they are those of the whole file
    return std::move(report_);
  }

 private:
  static std::string_view side_style(std::size_t side) noexcept { return side == 0 ? "blue" : "orange"; }
  [[nodiscard]] std::string side_name(std::size_t side) const {
    return team_names_[side].empty() ? std::string(side_style(side)) : team_names_[side];
  }

  void see_place(const echo::player& player, std::size_t side, double step) {
    if ((player.head.fields & echo::pose::has_position) == 0) return;
    const auto z = static_cast<double>(player.head.position.z),
               x = static_cast<double>(player.head.position.x);
    teams_[side].add(z, x, step);
    const std::string name(player.name.view());
    auto found = std::ranges::find_if(players_, [&](const auto& each) { return each.name == name; });
    if (found == players_.end()) {
      if (players_.size() == max_mapped_players) return;
      players_.push_back({name, side_style(side), density(1)});
      found = std::prev(players_.end());
    }
    found->style = side_style(side);
    found->cells.add(z, x, step);
  }

  void set_score() {
    if (!knows_score_) return;
    std::string_view winner;
    for (const files::player_row& each : report_.rows.players) {
      if (each.result == "won") winner = each.team == "orange" ? "orange" : "blue";
    }
    for (std::size_t side = 0; side < 2; ++side) {
      report_.score.push_back({side_name(side), side_style(side),
                               number_text(static_cast<double>(points_[side])), winner == side_style(side)});
    }
    if (rounds_[0] + rounds_[1] > 0)
      report_.score_note = fmt::format("Rounds won: {} and {}", rounds_[0], rounds_[1]);
  }

  void add_heat() {
    const std::string under =
        has_disc_ ? "From above: the blue team's goal is on the left, the orange team's on the right; "
                    "the stronger the colour, the longer."
                  : "From above; the stronger the colour, the longer.";
    heat_group teams{"Where the teams were", under, "m", {}, has_disc_};
    for (std::size_t side = 0; side < 2; ++side) {
      if (!teams_[side].empty())
        teams.maps.push_back({side_name(side), side_style(side), std::move(teams_[side])});
    }
    if (!disc_.empty()) teams.maps.push_back({"disc", "s0", std::move(disc_)});
    if (!teams.maps.empty()) report_.heat.push_back(std::move(teams));
    heat_group players{"Where each player was", under, "m", std::move(players_), has_disc_};
    if (!players.maps.empty()) report_.heat.push_back(std::move(players));
  }

  match_report report_;
  std::int64_t first_ms_ = 0;
  std::int64_t last_ms_ = 0;
  double last_at_ = 0;
  std::string type_;
  std::string client_;
  std::string team_names_[2];
  float points_[2] = {};
  std::int32_t rounds_[2] = {};
  bool knows_score_ = false;
  bool has_disc_ = false;
  curve score_[2];
  curve speed_[2];
  curve along_;
  curve disc_speed_;
  density teams_[2];
  density disc_;
  std::vector<heat_group::map> players_;
};

// The events of a recording by session: a session begins at the tick's number, by its index among the
// sessions.
result<std::vector<event_log>> events_by_match(files::recording& from,
                                               const std::vector<std::uint64_t>& starts,
                                               const std::vector<double>& starts_ms,
                                               const files::monitor& watch) {
  std::vector<event_log> out(starts.size());
  simdjson::dom::parser parser;
  const auto given = from.events(
      {},
      [&](std::string_view line) {
        simdjson::dom::object event;
        if (parser.parse(line.data(), line.size()).get(event) != simdjson::SUCCESS) return true;
        const double tick = number_in(event, "tick").value_or(0);
        std::size_t at = starts.size();
        while (at > 1 && tick < static_cast<double>(starts[at - 1])) --at;
        out[at - 1].add(event, 0, starts_ms[at - 1], 1);
        return !watch.stop();
      },
      watch);
  if (!given && given.error().code != error_code::unsupported_operation) return fail(given.error());
  return out;
}

}  // namespace

result<std::vector<match_report>> echo_matches(const file_path& file, const recording_facts& facts,
                                               const report_limits& limits, const files::monitor& watch) {
  auto opened = files::open(file);
  if (!opened) return fail(opened.error());
  std::vector<match_observer> observers;
  std::vector<std::uint64_t> starts;
  std::vector<double> starts_ms;
  std::string session;
  std::uint64_t more = 0;
  bool any = false;
  std::int64_t first_ms = 0;
  for (;;) {
    // The recording's own tick numbers, which have gaps in a reel.
    const auto stepped = (*opened)->next();
    if (!stepped) return fail(stepped.error());
    if (!*stepped) break;
    const echo::state* const now = (*opened)->echo_state();
    if (watch.stop()) return fail(error_code::interrupted);
    if (!any) first_ms = now->recorded_time_ms;
    if (!any || session != now->match.sessionid.view()) {
      any = true;
      session = now->match.sessionid.view();
      if (observers.size() == limits.matches) {
        ++more;
      } else {
        const std::size_t at = observers.size();
        observers.emplace_back(at < facts.rows.size() ? &facts.rows[at] : nullptr, *now);
        starts.push_back((*opened)->position().tick);
        starts_ms.push_back(static_cast<double>(now->recorded_time_ms) - static_cast<double>(first_ms));
      }
    }
    if (more == 0) observers.back().see(*now);
  }
  std::vector<match_report> out;
  if (observers.empty()) return out;
  auto events = events_by_match(**opened, starts, starts_ms, watch);
  if (!events) return fail(events.error());
  for (std::size_t at = 0; at < observers.size(); ++at) {
    out.push_back(observers[at].finish(std::move((*events)[at]), facts, observers.size() == 1));
  }
  if (more != 0)
    out.back().losses.push_back(counted(more, "more session is", "more sessions are") + " not shown");
  return out;
}

}  // namespace tickreel::viewer
