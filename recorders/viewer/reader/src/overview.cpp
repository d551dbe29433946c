// What a whole recording looks like from afar: its times, gaps and score, and where its players were.
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tickreel/echo/state.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/reader.hpp"

namespace tickreel::viewer {

namespace {

constexpr std::uint32_t most_points = 100'000;
// Of what changes; a recording in which more does is not one that anybody looks at.
constexpr std::size_t most_changes = 20'000;
constexpr std::size_t most_players = 256;
// Between two ticks of a game that is polled or stepped many times a second.
constexpr std::int64_t gap_ms = 2000;

// Evenly spread over whatever comes: when there are too many, every other one goes.
template <class Item>
class thinned {
 public:
  explicit thinned(std::size_t most) : most_(std::max<std::size_t>(most, 2)) {}
  void add(const Item& item) {
    last_ = item;
    if (count_++ % every_ != 0) return;
    items_.push_back(item);
    if (items_.size() <= most_) return;
    for (std::size_t i = 1; 2 * i < items_.size(); ++i) items_[i] = items_[2 * i];
    items_.resize((items_.size() + 1) / 2);
    every_ *= 2;
  }
  // With the last one, which an axis ends at.
  [[nodiscard]] std::vector<Item> with_last() const {
    std::vector<Item> all = items_;
    if (last_ && (count_ - 1) % every_ != 0) all.push_back(*last_);
    return all;
  }
  [[nodiscard]] const std::vector<Item>& items() const noexcept { return items_; }

 private:
  std::size_t most_;
  std::uint64_t every_ = 1;
  std::uint64_t count_ = 0;
  std::vector<Item> items_;
  std::optional<Item> last_;
};

struct moment_seen {
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
  std::optional<double> clock = std::nullopt;
};

struct gap {
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
  std::int64_t until_ms = 0;
  std::uint64_t missing = 0;

  [[nodiscard]] std::string sentence() const {
    std::string out;
    if (missing != 0)
      out = std::to_string(missing) + (missing == 1 ? " tick is missing" : " ticks are missing");
    const double long_ms = static_cast<double>(until_ms) - static_cast<double>(time_ms);
    if (long_ms < static_cast<double>(gap_ms)) return out;
    return out + (out.empty() ? "" : ", ") + "nothing was recorded for " +
           std::to_string(static_cast<std::uint64_t>(long_ms / 1000)) + " s";
  }
};

std::string_view team_name(std::size_t team) noexcept {
  constexpr std::string_view names[] = {"blue", "orange", "spectator"};
  return team < std::size(names) ? names[team] : std::string_view();
}

std::string_view possession_of(const echo::session& match) noexcept {
  const std::size_t teams = std::min<std::size_t>(match.team_count, 2);
  for (std::size_t team = 0; team < teams; ++team) {
    if (match.teams[team].possession) return team_name(team);
  }
  return "none";
}

void append_texts(const std::vector<std::string>& texts, text::json_writer& json) {
  json.begin_array();
  for (const std::string& each : texts) json.value(each);
  json.end_array();
}

// Gaps, score and possession, tick by tick.
class timeline {
 public:
  timeline(std::size_t points, bool numbers_have_holes)
      : times_(points), keyframes_(points), sparse_(numbers_have_holes) {}

  void see(const files::tick_position& at, std::optional<double> clock, const echo::state* state) {
    if (before_ && !sparse_ && gaps_.size() < most_changes) {
      const std::uint64_t missing = at.tick > before_->tick ? at.tick - before_->tick - 1 : 0;
      if (missing != 0 || static_cast<double>(at.time_ms) - static_cast<double>(before_->time_ms) >=
                              static_cast<double>(gap_ms)) {
        gaps_.push_back({at.tick, before_->time_ms, at.time_ms, missing});
      }
    }
    before_ = at;
    times_.add({at.tick, at.time_ms, clock});
    if (at.keyframe) keyframes_.add(at.tick);
    if (state != nullptr) see_match(at.tick, state->match);
  }

  void append(text::json_writer& json) const {
    json.key("times").begin_array();
    for (const moment_seen& each : times_.with_last()) {
      json.begin_array().value(each.tick).value(each.time_ms);
      each.clock ? json.value(*each.clock) : json.null();
      json.end_array();
    }
    json.end_array().key("gaps").begin_array();
    for (const gap& each : gaps_) {
      json.begin_object().member("tick", each.tick).member("time_ms", each.time_ms);
      json.member("until_ms", each.until_ms).member("sentence", each.sentence()).end_object();
    }
    json.end_array().key("keyframes").begin_array();
    for (const std::uint64_t each : keyframes_.items()) json.value(each);
    json.end_array().key("score").begin_array();
    for (const score& each : scores_) {
      json.begin_array().value(each.tick).value(each.blue).value(each.orange).end_array();
    }
    json.end_array().key("possession").begin_array();
    for (const auto& [tick, who] : possessions_) json.begin_array().value(tick).value(who).end_array();
    json.end_array();
  }

 private:
  struct score {
    std::uint64_t tick;
    float blue;
    float orange;
  };

  void see_match(std::uint64_t tick, const echo::session& match) {
    constexpr std::uint64_t both = echo::session::has_blue_points | echo::session::has_orange_points;
    if ((match.fields & both) == both && scores_.size() < most_changes) {
      const bool same = !scores_.empty() && scores_.back().blue == match.blue_points &&
                        scores_.back().orange == match.orange_points;
      if (!same) scores_.push_back({tick, match.blue_points, match.orange_points});
    }
    if ((match.fields & echo::session::has_teams) != 0 && possessions_.size() < most_changes) {
      const std::string_view who = possession_of(match);
      if (possessions_.empty() || possessions_.back().second != who) possessions_.emplace_back(tick, who);
    }
  }

  thinned<moment_seen> times_;
  thinned<std::uint64_t> keyframes_;
  bool sparse_;
  std::optional<files::tick_position> before_;
  std::vector<gap> gaps_;
  std::vector<score> scores_;
  std::vector<std::pair<std::uint64_t, std::string_view>> possessions_;
};

// Players by name and team, in the order in which they were met.
class crowd {
 public:
  // Null when there are too many.
  std::optional<std::size_t> number_of(std::string_view name, std::string_view team) {
    const auto known = numbers_.find({std::string(name), team});
    if (known != numbers_.end()) return known->second;
    if (players_.size() >= most_players) return std::nullopt;
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
  // A tick of these is a step of the game in which something happened, or no step at all.
  const bool sparse =
      open_->format() == "sc2replay" || open_->format() == "icrep" || open_->format() == "gamecache";
  timeline line(std::min(points, most_points), sparse);
  const auto walked = walk([&] {
    line.see(open_->position(), open_->game_clock(), open_->echo_state());
    return true;
  });
  std::vector<std::string> losses = open_->losses();
  if (!walked) losses.push_back("it cannot be read to its end: " + describe(walked.error()));
  answer_.clear();
  text::json_writer json(answer_);
  json.begin_object();
  line.append(json);
  json.key("losses");
  append_texts(losses, json);
  json.end_object();
  return answer_;
}

const std::string& reader::positions(std::uint32_t points) {
  if (open_ == nullptr) return refuse({error_code::wrong_state, error::no_offset, "no recording is open"});
  const std::size_t most = std::min(std::max(points, 1u), most_points);
  crowd who;
  std::vector<sample> samples;
  std::uint64_t every = 1;
  std::uint64_t count = 0;
  const bool is_path = open_->format() == "rec";
  simdjson::dom::parser parser;
  // Those of one tick come and go together. An error ends it where state() tells of it.
  (void)walk([&] {
    if (count++ % every != 0) return true;
    const std::uint64_t tick = open_->position().tick;
    if (const echo::state* const state = open_->echo_state()) {
      add_echo(*state, tick, who, samples);
    } else if (is_path) {
      simdjson::dom::array place;
      simdjson::dom::element block;
      if (parser.parse(padded_state()).get(block) == simdjson::SUCCESS &&
          block["position"].get(place) == simdjson::SUCCESS && place.size() == 3) {
        sample one{tick, who.number_of({}, {}).value_or(0), {}};
        std::size_t axis = 0;
        bool whole = true;
        for (const simdjson::dom::element value : place)
          whole = value.get(one.at[axis++]) == simdjson::SUCCESS && whole;
        if (whole) samples.push_back(one);
      }
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
