// Orders: what players told the simulation, tick by tick. Playing them again plays the match again.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "tickreel/analysis/match.hpp"
#include "tickreel/analysis/types.hpp"
#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/limits.hpp"

namespace tickreel::icrep {

// The kinds of order. A variant's index is its number in files; never reorder.
namespace order {

struct unit_target {
  analysis::unit_tag unit;
  static constexpr void fields(auto& self, auto&& visit) { visit("unit", self.unit); }
  bool operator==(const unit_target&) const = default;
};
struct ground_target {
  analysis::world_position position;
  static constexpr void fields(auto& self, auto&& visit) { visit("position", self.position); }
  bool operator==(const ground_target&) const = default;
};
using target = std::variant<unit_target, ground_target>;

struct to_all {
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const to_all&) const = default;
};
struct to_team {
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const to_team&) const = default;
};
struct to_player {
  std::uint32_t player = 0;
  static constexpr void fields(auto& self, auto&& visit) { visit("player", self.player); }
  bool operator==(const to_player&) const = default;
};
struct to_observers {
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const to_observers&) const = default;
};
using chat_channel = std::variant<to_all, to_team, to_player, to_observers>;

struct propose {
  analysis::vote::motion vote_type;
  static constexpr void fields(auto& self, auto&& visit) { visit("vote_type", self.vote_type); }
  bool operator==(const propose&) const = default;
};
struct cast {
  std::uint32_t vote = 0;
  analysis::vote::choice choice = analysis::vote::choice::yes;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("vote", self.vote);
    visit("choice", self.choice);
  }
  bool operator==(const cast&) const = default;
};
struct cancel {
  std::uint32_t vote = 0;
  static constexpr void fields(auto& self, auto&& visit) { visit("vote", self.vote); }
  bool operator==(const cancel&) const = default;
};

struct move {
  std::vector<analysis::unit_tag> units;
  analysis::world_position target;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("units", self.units);
    visit("target", self.target);
  }
  bool operator==(const move&) const = default;
};
struct attack {
  std::vector<analysis::unit_tag> units;
  order::target target;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("units", self.units);
    visit("target", self.target);
  }
  bool operator==(const attack&) const = default;
};
struct stop {
  std::vector<analysis::unit_tag> units;
  static constexpr void fields(auto& self, auto&& visit) { visit("units", self.units); }
  bool operator==(const stop&) const = default;
};
struct idle {
  static constexpr void fields(auto&, auto&&) {}
  bool operator==(const idle&) const = default;
};
struct chat_message {
  chat_channel channel;
  std::string text;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("channel", self.channel);
    visit("text", self.text);
  }
  bool operator==(const chat_message&) const = default;
};
struct chat_command {
  std::string command;
  std::vector<std::string> arguments;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("cmd", self.command);
    visit("args", self.arguments);
  }
  bool operator==(const chat_command&) const = default;
};
struct cheat_code {
  std::uint32_t cheat = 0;
  static constexpr void fields(auto& self, auto&& visit) { visit("cheat", self.cheat); }
  bool operator==(const cheat_code&) const = default;
};
struct set_cvar {
  std::string name;
  std::string value;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("name", self.name);
    visit("value", self.value);
  }
  bool operator==(const set_cvar&) const = default;
};
struct vote {
  std::variant<propose, cast, cancel> action;
  static constexpr void fields(auto& self, auto&& visit) { visit("action", self.action); }
  bool operator==(const vote&) const = default;
};
// What a game of its own uses: its own numbers and bytes.
struct game_order {
  std::uint16_t type_tag = 0;
  byte_vector payload;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("type_tag", self.type_tag);
    visit("payload", self.payload);
  }
  bool operator==(const game_order&) const = default;
};

}  // namespace order

using player_order =
    std::variant<order::move, order::attack, order::stop, order::idle, order::chat_message,
                 order::chat_command, order::cheat_code, order::set_cvar, order::vote, order::game_order>;

struct timestamped_order {
  std::uint32_t player = 0;
  player_order order;
  std::uint32_t sub_tick_us = 0;  // since the tick began

  static constexpr void fields(auto& self, auto&& visit) {
    visit("player", self.player);
    visit("order", self.order);
    visit("sub_tick_time", self.sub_tick_us);
  }
  bool operator==(const timestamped_order&) const = default;
};

struct tick_frame {
  std::uint64_t tick = 0;
  std::uint64_t state_hash = 0;           // sync_hash() of the state before these orders
  std::vector<timestamped_order> orders;  // by time, then player

  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("state_hash", self.state_hash);
    visit("orders", self.orders);
  }
  bool operator==(const tick_frame&) const = default;
};

inline std::uint64_t item_limit(const limits& most, std::type_identity<timestamped_order>) noexcept {
  return most.orders_per_tick;
}

constexpr const char* unknown_variant(const limits&, std::type_identity<player_order>) noexcept {
  return "unknown order variant {}";
}

// By time, then player; equal ones stay as they are.
void sort_orders(tick_frame& frame);

// Makes order blocks of frames, one a tick; also ticks without orders have one. Allocates nothing once its
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

  // Ticks rise, else invalid_argument. over_limit for a frame that readers would refuse. The orders are
  // written in their order, whatever order they come in.
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
