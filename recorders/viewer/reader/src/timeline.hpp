// An overview of a whole recording, collected tick by tick.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/echo/state.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::viewer {

inline constexpr std::uint32_t max_points = 100'000;
// Limit of changes; more are not useful in a picture.
inline constexpr std::size_t max_changes = 20'000;
inline constexpr std::size_t max_gaps = 1'000'000;
// Between two ticks of a game that is polled or stepped many times a second.
inline constexpr std::int64_t gap_ms = 2000;

// Evenly distributed over any number of values: when there are too many, every other one is dropped.
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
  // Including the last one, at which an axis ends.
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
};

inline std::string_view team_name(std::size_t team) noexcept {
  constexpr std::string_view names[] = {"blue", "orange", "spectator"};
  return team < std::size(names) ? names[team] : std::string_view();
}

inline std::string_view possession_of(const echo::session& match) noexcept {
  const std::size_t teams = std::min<std::size_t>(match.team_count, 2);
  for (std::size_t team = 0; team < teams; ++team) {
    if (match.teams[team].possession) return team_name(team);
  }
  return "none";
}

// Gaps, score and possession, tick by tick.
class timeline {
 public:
  timeline(std::size_t points, bool has_sparse_ticks)
      : times_(points), keyframes_(points), sparse_(has_sparse_ticks) {}

  void see(const files::tick_position& at, std::optional<double> clock, const echo::state* state) {
    if (before_ && !sparse_) {
      const std::uint64_t missing = at.tick > before_->tick ? at.tick - before_->tick - 1 : 0;
      if (missing != 0 || static_cast<double>(at.time_ms) - static_cast<double>(before_->time_ms) >=
                              static_cast<double>(gap_ms)) {
        if (gaps_.size() < max_gaps)
          gaps_.push_back({at.tick, before_->time_ms, at.time_ms, missing});
        else
          ++more_gaps_;
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
      json.begin_array().value(each.tick).value(each.time_ms).value(each.until_ms);
      json.value(each.missing).end_array();
    }
    json.end_array().member("more_gaps", more_gaps_).key("keyframes").begin_array();
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
    if ((match.fields & both) == both && scores_.size() < max_changes) {
      const bool same = !scores_.empty() && scores_.back().blue == match.blue_points &&
                        scores_.back().orange == match.orange_points;
      if (!same) scores_.push_back({tick, match.blue_points, match.orange_points});
    }
    if ((match.fields & echo::session::has_teams) != 0 && possessions_.size() < max_changes) {
      const std::string_view who = possession_of(match);
      if (possessions_.empty() || possessions_.back().second != who) possessions_.emplace_back(tick, who);
    }
  }

  thinned<moment_seen> times_;
  thinned<std::uint64_t> keyframes_;
  bool sparse_;
  std::optional<files::tick_position> before_;
  std::vector<gap> gaps_;
  std::uint64_t more_gaps_ = 0;  // beyond the limit
  std::vector<score> scores_;
  std::vector<std::pair<std::uint64_t, std::string_view>> possessions_;
};

// How the format of a recording is shown.
inline files::presentation presentation_of(const files::recording& of) noexcept {
  const files::format* const known = files::find_format(of.format());
  return known != nullptr ? known->shown : files::presentation{};
}

}  // namespace tickreel::viewer
