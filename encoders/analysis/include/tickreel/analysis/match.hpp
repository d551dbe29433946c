// Votes and ends of matches. Each variant's index is its number in files; never reorder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "tickreel/analysis/types.hpp"
#include "tickreel/describe/describe.hpp"

namespace tickreel::analysis {

namespace vote {

struct surrender {
  static constexpr std::string_view type_name = "surrender";
  bool operator==(const surrender&) const = default;
};
TICKREEL_DESCRIBE(surrender);
struct kick {
  static constexpr std::string_view type_name = "kick";
  std::uint32_t player = 0;
  std::uint32_t reason = 0;
  bool operator==(const kick&) const = default;
};
TICKREEL_DESCRIBE(kick, player, reason);
struct remake {
  static constexpr std::string_view type_name = "remake";
  bool operator==(const remake&) const = default;
};
TICKREEL_DESCRIBE(remake);
struct draw {
  static constexpr std::string_view type_name = "draw";
  bool operator==(const draw&) const = default;
};
TICKREEL_DESCRIBE(draw);
struct custom {
  static constexpr std::string_view type_name = "custom";
  std::string name;
  bool operator==(const custom&) const = default;
};
TICKREEL_DESCRIBE(custom, name);

// The subject of the vote.
using motion = std::variant<surrender, kick, remake, draw, custom>;

enum class choice : std::uint32_t { yes, no };
enum class failure : std::uint32_t { timer, impossible, proposer_left };

// The names of an enumeration in the order of its values; their number is the number of valid values.
[[nodiscard]] std::span<const std::string_view> words(std::type_identity<choice>) noexcept;
[[nodiscard]] std::span<const std::string_view> words(std::type_identity<failure>) noexcept;

struct passed {
  static constexpr std::string_view type_name = "passed";
  bool operator==(const passed&) const = default;
};
TICKREEL_DESCRIBE(passed);
struct failed {
  static constexpr std::string_view type_name = "failed";
  failure reason = failure::timer;
  bool operator==(const failed&) const = default;
};
TICKREEL_DESCRIBE(failed, reason);
struct cancelled {
  static constexpr std::string_view type_name = "cancelled";
  bool operator==(const cancelled&) const = default;
};
TICKREEL_DESCRIBE(cancelled);
using resolution = std::variant<passed, failed, cancelled>;

struct proposed {
  static constexpr std::string_view type_name = "proposed";
  std::uint32_t vote = 0;
  motion vote_type;
  std::uint32_t proposer = 0;
  bool operator==(const proposed&) const = default;
};
TICKREEL_DESCRIBE(proposed, vote, vote_type, proposer);
struct ballot_cast {
  static constexpr std::string_view type_name = "ballot_cast";
  std::uint32_t vote = 0;
  std::uint32_t voter = 0;
  vote::choice choice = vote::choice::yes;
  bool operator==(const ballot_cast&) const = default;
};
TICKREEL_DESCRIBE(ballot_cast, vote, voter, choice);
struct resolved {
  static constexpr std::string_view type_name = "resolved";
  std::uint32_t vote = 0;
  vote::resolution resolution;
  bool operator==(const resolved&) const = default;
};
TICKREEL_DESCRIBE(resolved, vote, resolution);
using event_data = std::variant<proposed, ballot_cast, resolved>;

}  // namespace vote

namespace outcome {

struct winning_player {
  static constexpr std::string_view type_name = "player";
  std::uint32_t player = 0;
  bool operator==(const winning_player&) const = default;
};
TICKREEL_DESCRIBE(winning_player, player);
struct winning_team {
  static constexpr std::string_view type_name = "team";
  std::uint32_t team = 0;
  bool operator==(const winning_team&) const = default;
};
TICKREEL_DESCRIBE(winning_team, team);
using winner = std::variant<winning_player, winning_team>;

// How one player voted.
struct ballot {
  std::uint32_t player = 0;
  bool agreed = false;
  bool operator==(const ballot&) const = default;
};
TICKREEL_DESCRIBE(ballot, player, agreed);

struct elimination {
  static constexpr std::string_view type_name = "elimination";
  bool operator==(const elimination&) const = default;
};
TICKREEL_DESCRIBE(elimination);
struct surrender {
  static constexpr std::string_view type_name = "surrender";
  std::uint32_t player = 0;
  bool operator==(const surrender&) const = default;
};
TICKREEL_DESCRIBE(surrender, player);
struct team_surrender {
  static constexpr std::string_view type_name = "team_surrender";
  std::uint32_t team = 0;
  std::vector<ballot> votes;
  bool operator==(const team_surrender&) const = default;
};
TICKREEL_DESCRIBE(team_surrender, team, votes);
struct objective_completed {
  static constexpr std::string_view type_name = "objective_completed";
  bool operator==(const objective_completed&) const = default;
};
TICKREEL_DESCRIBE(objective_completed);
struct agreed_draw {
  static constexpr std::string_view type_name = "draw";
  std::vector<ballot> votes;
  bool operator==(const agreed_draw&) const = default;
};
TICKREEL_DESCRIBE(agreed_draw, votes);
using end_reason = std::variant<elimination, surrender, team_surrender, objective_completed, agreed_draw>;

struct completed {
  static constexpr std::string_view type_name = "completed";
  outcome::winner winner;
  end_reason reason;
  bool operator==(const completed&) const = default;
};
TICKREEL_DESCRIBE(completed, winner, reason);
struct abandoned {
  static constexpr std::string_view type_name = "abandoned";
  std::uint32_t leaver = 0;
  std::uint64_t at_tick = 0;
  bool operator==(const abandoned&) const = default;
};
TICKREEL_DESCRIBE(abandoned, leaver, at_tick);
struct draw {
  static constexpr std::string_view type_name = "draw";
  end_reason reason;
  bool operator==(const draw&) const = default;
};
TICKREEL_DESCRIBE(draw, reason);
struct remade {
  static constexpr std::string_view type_name = "remade";
  bool operator==(const remade&) const = default;
};
TICKREEL_DESCRIBE(remade);
struct desync_terminated {
  static constexpr std::string_view type_name = "desync_terminated";
  std::uint64_t at_tick = 0;
  bool operator==(const desync_terminated&) const = default;
};
TICKREEL_DESCRIBE(desync_terminated, at_tick);

}  // namespace outcome

using match_outcome = std::variant<outcome::completed, outcome::abandoned, outcome::draw, outcome::remade,
                                   outcome::desync_terminated>;

}  // namespace tickreel::analysis
