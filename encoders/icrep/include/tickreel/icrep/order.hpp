// Orders: the players' commands to the simulation, tick by tick. The orders reproduce the match.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "tickreel/analysis/match.hpp"
#include "tickreel/analysis/types.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/limits.hpp"

namespace tickreel::icrep {

// The kinds of order. A variant's index is its number in files; never reorder.
namespace order {

struct unit_target {
  analysis::unit_tag unit;
  bool operator==(const unit_target&) const = default;
};
TICKREEL_DESCRIBE(unit_target, unit);
struct ground_target {
  analysis::world_position position;
  bool operator==(const ground_target&) const = default;
};
TICKREEL_DESCRIBE(ground_target, position);
using target = std::variant<unit_target, ground_target>;

struct to_all {
  bool operator==(const to_all&) const = default;
};
TICKREEL_DESCRIBE(to_all);
struct to_team {
  bool operator==(const to_team&) const = default;
};
TICKREEL_DESCRIBE(to_team);
struct to_player {
  std::uint32_t player = 0;
  bool operator==(const to_player&) const = default;
};
TICKREEL_DESCRIBE(to_player, player);
struct to_observers {
  bool operator==(const to_observers&) const = default;
};
TICKREEL_DESCRIBE(to_observers);
using chat_channel = std::variant<to_all, to_team, to_player, to_observers>;

struct propose {
  analysis::vote::motion vote_type;
  bool operator==(const propose&) const = default;
};
TICKREEL_DESCRIBE(propose, vote_type);
struct cast {
  std::uint32_t vote = 0;
  analysis::vote::choice choice = analysis::vote::choice::yes;
  bool operator==(const cast&) const = default;
};
TICKREEL_DESCRIBE(cast, vote, choice);
struct cancel {
  std::uint32_t vote = 0;
  bool operator==(const cancel&) const = default;
};
TICKREEL_DESCRIBE(cancel, vote);

struct move {
  std::vector<analysis::unit_tag> units;
  analysis::world_position target;
  bool operator==(const move&) const = default;
};
TICKREEL_DESCRIBE(move, units, target);
struct attack {
  std::vector<analysis::unit_tag> units;
  order::target target;
  bool operator==(const attack&) const = default;
};
TICKREEL_DESCRIBE(attack, units, target);
struct stop {
  std::vector<analysis::unit_tag> units;
  bool operator==(const stop&) const = default;
};
TICKREEL_DESCRIBE(stop, units);
struct idle {
  bool operator==(const idle&) const = default;
};
TICKREEL_DESCRIBE(idle);
struct chat_message {
  chat_channel channel;
  std::string text;
  bool operator==(const chat_message&) const = default;
};
TICKREEL_DESCRIBE(chat_message, channel, text);
struct chat_command {
  std::string command;
  std::vector<std::string> arguments;
  bool operator==(const chat_command&) const = default;
};
struct cheat_code {
  std::uint32_t cheat = 0;
  bool operator==(const cheat_code&) const = default;
};
TICKREEL_DESCRIBE(cheat_code, cheat);
struct set_cvar {
  std::string name;
  std::string value;
  bool operator==(const set_cvar&) const = default;
};
TICKREEL_DESCRIBE(set_cvar, name, value);
struct vote {
  std::variant<propose, cast, cancel> action;
  bool operator==(const vote&) const = default;
};
TICKREEL_DESCRIBE(vote, action);
// For other games: their own numbers and bytes.
struct game_order {
  std::uint16_t type_tag = 0;
  byte_vector payload;
  bool operator==(const game_order&) const = default;
};
TICKREEL_DESCRIBE(game_order, type_tag, payload);

}  // namespace order

}  // namespace tickreel::icrep

// Its members have shorter names in the file.
template <>
struct tickreel::described_as<tickreel::icrep::order::chat_command> {
  using command_type = tickreel::icrep::order::chat_command;
  static constexpr std::string_view name = "chat_command";
  static constexpr auto fields = std::tuple(described_field{"cmd", &command_type::command},
                                            described_field{"args", &command_type::arguments});
};

namespace tickreel::icrep {

using player_order =
    std::variant<order::move, order::attack, order::stop, order::idle, order::chat_message,
                 order::chat_command, order::cheat_code, order::set_cvar, order::vote, order::game_order>;

struct timestamped_order {
  std::uint32_t player = 0;
  player_order order;
  std::uint32_t sub_tick_us = 0;  // since the start of the tick
  bool operator==(const timestamped_order&) const = default;
};
TICKREEL_DESCRIBE(timestamped_order, player, order, sub_tick_us);

struct tick_frame {
  std::uint64_t tick = 0;
  std::uint64_t state_hash = 0;           // sync_hash() of the state before these orders
  std::vector<timestamped_order> orders;  // by time, then player
  bool operator==(const tick_frame&) const = default;
};
TICKREEL_DESCRIBE(tick_frame, tick, state_hash, orders);

inline std::uint64_t item_limit(const limits& most, std::type_identity<timestamped_order>) noexcept {
  return most.orders_per_tick;
}

constexpr const char* unknown_variant(const limits&, std::type_identity<player_order>) noexcept {
  return "unknown order variant {}";
}

// By time, then player; equal ones keep their order.
void sort_orders(tick_frame& frame);

// Writes frames as order blocks, one per tick, also for ticks without orders. Allocates nothing once its
// memory has grown, except to compress. One thread at a time.
class order_stream_writer {
 public:
  struct options {
    std::uint32_t block_ticks = 256;  // 32 to 1024
    bool compress = true;
  };
  explicit order_stream_writer(options chosen) noexcept
      : blocks_(block_kind::orders, {chosen.block_ticks, limits{}.block_bytes, chosen.compress}) {}
  order_stream_writer() noexcept : order_stream_writer(options{}) {}

  // Ticks rise, otherwise invalid_argument. over_limit and invalid_argument for a frame that readers would
  // reject (entry.hpp). Sorts the orders.
  result<void> add(const tick_frame& frame, byte_vector& out);
  result<void> flush(byte_vector& out) { return blocks_.flush(out); }
  result<void> finish(byte_vector& out) { return blocks_.finish(out); }

 private:
  block_stream_writer blocks_;
  byte_vector encoded_;
  tick_frame sorted_;
  std::uint64_t next_tick_ = 0;
};

}  // namespace tickreel::icrep
