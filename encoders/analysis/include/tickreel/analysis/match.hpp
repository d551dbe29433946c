// How matches are voted on and how they end. Each variant's index is its number in files; never reorder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "tickreel/analysis/types.hpp"

namespace tickreel::analysis {

namespace vote {

struct surrender {
  static constexpr std::string_view type_name = "surrender";
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const surrender&) const = default;
};
struct kick {
  static constexpr std::string_view type_name = "kick";
  std::uint32_t player = 0;
  std::uint32_t reason = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("player", self.player);
    visit("reason", self.reason);
  }
  bool operator==(const kick&) const = default;
};
struct remake {
  static constexpr std::string_view type_name = "remake";
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const remake&) const = default;
};
struct draw {
  static constexpr std::string_view type_name = "draw";
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const draw&) const = default;
};
struct custom {
  static constexpr std::string_view type_name = "custom";
  std::string name;
  static constexpr void fields(auto& self, auto&& visit) { visit("name", self.name); }
  bool operator==(const custom&) const = default;
};

// What the vote is about.
using motion = std::variant<surrender, kick, remake, draw, custom>;

enum class choice : std::uint32_t { yes, no };
enum class failure : std::uint32_t { timer, impossible, proposer_left };

// The words of an enumeration in the order of its values; their number is the number of valid values.
[[nodiscard]] std::span<const std::string_view> words(std::type_identity<choice>) noexcept;
[[nodiscard]] std::span<const std::string_view> words(std::type_identity<failure>) noexcept;

struct passed {
  static constexpr std::string_view type_name = "passed";
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const passed&) const = default;
};
struct failed {
  static constexpr std::string_view type_name = "failed";
  failure reason = failure::timer;
  static constexpr void fields(auto& self, auto&& visit) { visit("reason", self.reason); }
  bool operator==(const failed&) const = default;
};
struct cancelled {
  static constexpr std::string_view type_name = "cancelled";
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const cancelled&) const = default;
};
using resolution = std::variant<passed, failed, cancelled>;

struct proposed {
  static constexpr std::string_view type_name = "proposed";
  std::uint32_t vote = 0;
  motion vote_type;
  std::uint32_t proposer = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("vote", self.vote);
    visit("vote_type", self.vote_type);
    visit("proposer", self.proposer);
  }
  bool operator==(const proposed&) const = default;
};
struct ballot_cast {
  static constexpr std::string_view type_name = "ballot_cast";
  std::uint32_t vote = 0;
  std::uint32_t voter = 0;
  vote::choice choice = vote::choice::yes;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("vote", self.vote);
    visit("voter", self.voter);
    visit("choice", self.choice);
  }
  bool operator==(const ballot_cast&) const = default;
};
struct resolved {
  static constexpr std::string_view type_name = "resolved";
  std::uint32_t vote = 0;
  vote::resolution resolution;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("vote", self.vote);
    visit("resolution", self.resolution);
  }
  bool operator==(const resolved&) const = default;
};
using happening = std::variant<proposed, ballot_cast, resolved>;

}  // namespace vote

namespace outcome {

struct winning_player {
  static constexpr std::string_view type_name = "player";
  std::uint32_t player = 0;
  static constexpr void fields(auto& self, auto&& visit) { visit("player", self.player); }
  bool operator==(const winning_player&) const = default;
};
struct winning_team {
  static constexpr std::string_view type_name = "team";
  std::uint32_t team = 0;
  static constexpr void fields(auto& self, auto&& visit) { visit("team", self.team); }
  bool operator==(const winning_team&) const = default;
};
using winner = std::variant<winning_player, winning_team>;

// How one player voted.
struct ballot {
  std::uint32_t player = 0;
  bool agreed = false;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("player", self.player);
    visit("agreed", self.agreed);
  }
  bool operator==(const ballot&) const = default;
};

struct elimination {
  static constexpr std::string_view type_name = "elimination";
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const elimination&) const = default;
};
struct surrender {
  static constexpr std::string_view type_name = "surrender";
  std::uint32_t player = 0;
  static constexpr void fields(auto& self, auto&& visit) { visit("player", self.player); }
  bool operator==(const surrender&) const = default;
};
struct team_surrender {
  static constexpr std::string_view type_name = "team_surrender";
  std::uint32_t team = 0;
  std::vector<ballot> votes;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("team", self.team);
    visit("votes", self.votes);
  }
  bool operator==(const team_surrender&) const = default;
};
struct objective_completed {
  static constexpr std::string_view type_name = "objective_completed";
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const objective_completed&) const = default;
};
struct agreed_draw {
  static constexpr std::string_view type_name = "draw";
  std::vector<ballot> votes;
  static constexpr void fields(auto& self, auto&& visit) { visit("votes", self.votes); }
  bool operator==(const agreed_draw&) const = default;
};
using end_reason = std::variant<elimination, surrender, team_surrender, objective_completed, agreed_draw>;

struct completed {
  static constexpr std::string_view type_name = "completed";
  outcome::winner winner;
  end_reason reason;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("winner", self.winner);
    visit("reason", self.reason);
  }
  bool operator==(const completed&) const = default;
};
struct abandoned {
  static constexpr std::string_view type_name = "abandoned";
  std::uint32_t leaver = 0;
  std::uint64_t at_tick = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("leaver", self.leaver);
    visit("at_tick", self.at_tick);
  }
  bool operator==(const abandoned&) const = default;
};
struct draw {
  static constexpr std::string_view type_name = "draw";
  end_reason reason;
  static constexpr void fields(auto& self, auto&& visit) { visit("reason", self.reason); }
  bool operator==(const draw&) const = default;
};
struct remade {
  static constexpr std::string_view type_name = "remade";
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const remade&) const = default;
};
struct desync_terminated {
  static constexpr std::string_view type_name = "desync_terminated";
  std::uint64_t at_tick = 0;
  static constexpr void fields(auto& self, auto&& visit) { visit("at_tick", self.at_tick); }
  bool operator==(const desync_terminated&) const = default;
};

}  // namespace outcome

using match_outcome = std::variant<outcome::completed, outcome::abandoned, outcome::draw, outcome::remade,
                                   outcome::desync_terminated>;

}  // namespace tickreel::analysis
