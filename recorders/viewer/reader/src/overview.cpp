// An overview of a whole recording: its times, gaps and score, and positions of players.
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "live_watch.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/reader.hpp"
#include "tickreel/viewer/tick_values.hpp"
#include "timeline.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::size_t max_drawn_players = 256;

void append_losses(const std::vector<std::string>& texts, text::json_writer& json) {
  json.begin_array();
  for (const std::string& each : texts) json.value(each);
  json.end_array();
}

// Players by name and team, in order of first occurrence.
class crowd {
 public:
  // Null if there are too many.
  std::optional<std::size_t> number_of(std::string_view name, std::string_view team) {
    const auto known = numbers_.find({std::string(name), team});
    if (known != numbers_.end()) return known->second;
    if (players_.size() >= max_drawn_players) return std::nullopt;
    const std::size_t number = players_.size();
    players_.emplace_back(std::string(name), team);
    numbers_.emplace(players_.back(), number);
    return number;
  }
  void append(text::json_writer& json) const {
    json.key("players").begin_array();
    for (const auto& [name, team] : players_) {
      json.begin_object().member("name", name).member("team", team).end_object();
    }
    json.end_array();
  }

 private:
  using player = std::pair<std::string, std::string_view>;
  std::vector<player> players_;
  std::map<player, std::size_t> numbers_;
};

struct sample {
  std::uint64_t tick = 0;
  std::size_t player = 0;
  double at[3] = {0, 0, 0};
};

void add_echo(const echo::state& state, std::uint64_t tick, crowd& who, std::vector<sample>& out) {
  constexpr std::size_t playing_teams = 2;
  std::size_t number = 0;
  for (std::size_t team = 0; team < state.match.team_count && team < echo::max_teams; ++team) {
    for (std::size_t i = 0; i < state.match.teams[team].player_count && number < echo::max_players;
         ++i, ++number) {
      const echo::player& each = state.players[number];
      const echo::pose& at = (each.head.fields & echo::pose::has_position) != 0 ? each.head : each.body;
      if (team >= playing_teams || (at.fields & echo::pose::has_position) == 0) continue;
      const auto known = who.number_of(each.name.view(), team_name(team));
      const auto& p = at.position;
      if (known && std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z))
        out.push_back(
            {tick, *known, {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)}});
    }
  }
}

}  // namespace

const std::string& reader::overview(std::uint32_t points) {
  if (open_ == nullptr) return refuse({error_code::wrong_state, error::no_offset, "no recording is open"});
  if (watch_ != nullptr && points >= live_watch::points) return watched_overview();
  timeline line(std::min(points, max_points), presentation_of(*open_).has_sparse_ticks);
  const auto walked = walk([&] {
    line.see(open_->position(), open_->game_clock(), open_->echo_state());
    return true;
  });
  std::vector<std::string> losses = open_->losses();
  if (!walked) losses.push_back("it cannot be read to its end: " + describe(walked.error()));
  return answer_overview(line, losses);
}

const std::string& reader::answer_overview(const timeline& line, const std::vector<std::string>& losses) {
  answer_.clear();
  text::json_writer json(answer_);
  json.begin_object();
  line.append(json);
  json.key("losses");
  append_losses(losses, json);
  json.end_object();
  return answer_;
}

const std::string& reader::positions(std::uint32_t points) {
  if (open_ == nullptr) return refuse({error_code::wrong_state, error::no_offset, "no recording is open"});
  const std::size_t most = std::min(std::max(points, 1u), max_points);
  crowd who;
  std::vector<sample> samples;
  std::uint64_t every = 1;
  std::uint64_t count = 0;
  const bool is_path = presentation_of(*open_).stage == files::stage::path;
  constexpr std::string_view axis_paths[] = {"position[0]", "position[1]", "position[2]"};
  auto axes = tick_values::create(*open_, axis_paths);
  if (!axes) return refuse(axes.error());
  // Samples of one tick are added or removed together. An error ends it, which state() reports.
  (void)walk([&] {
    if (count++ % every != 0) return true;
    const std::uint64_t tick = open_->position().tick;
    if (const echo::state* const state = open_->echo_state()) {
      add_echo(*state, tick, who, samples);
    } else if (is_path) {
      const auto place = axes->read();
      sample one{tick, who.number_of({}, {}).value_or(0), {}};
      bool whole = true;
      for (std::size_t axis = 0; whole && axis < 3; ++axis) {
        const auto number = number_of(place[axis]);
        whole = number.has_value();
        one.at[axis] = number.value_or(0);
      }
      if (whole) samples.push_back(one);
    } else {
      return false;
    }
    while (samples.size() > most) {
      every *= 2;
      std::uint64_t seen = 0;
      std::uint64_t last = samples.front().tick;
      std::erase_if(samples, [&](const sample& each) {
        if (each.tick != last) ++seen;
        last = each.tick;
        return seen % 2 != 0;
      });
      if (seen == 0) samples.resize(most);
    }
    return true;
  });
  answer_.clear();
  text::json_writer json(answer_);
  json.begin_object();
  who.append(json);
  json.key("samples").begin_array();
  for (const sample& each : samples) {
    json.begin_array().value(each.tick).value(each.player);
    // A tenth of a unit is finer than any picture.
    for (const double axis : each.at) json.value(std::round(axis * 100) / 100);
    json.end_array();
  }
  json.end_array().end_object();
  return answer_;
}

}  // namespace tickreel::viewer
