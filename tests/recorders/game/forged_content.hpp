// Forgeries of the recorded content.
#pragma once

#include "forger_trial.hpp"
#include "hex.hpp"

namespace tickreel::test {

inline void forge_metadata(trial& on) {
  on.facts("replay id", [](auto& it) { it.replay_id.back() = '2'; });
  on.facts("timestamp", [](auto& it) { it.timestamp = "2028-03-15T15:00:00Z"; });
  on.facts("engine version", [](auto& it) { it.engine_version = "9"; });
  on.facts("base build", [](auto& it) { it.base_build = 2; });
  on.facts("data version", [](auto& it) { it.data_version = "sha256:00"; });
  on.facts("game", [](auto& it) { it.game_module = "other"; });
  on.facts("mods", [](auto& it) { it.active_mods.push_back({"cheats", "1"}); });
  on.facts("map name", [](auto& it) { it.map_name = "Elsewhere"; });
  on.facts("map hash", [](auto& it) { it.map_hash.back() = '1'; });
  on.facts("speed", [](auto& it) { it.game_speed = "fastest"; });
  on.facts("balance", [](auto& it) { it.balance_preset = "mine"; });
  on.facts("total ticks", [](auto& it) { ++it.total_ticks; });
  on.facts("duration", [](auto& it) { it.duration_seconds *= 2; });
  on.facts("seed", [](auto& it) { ++it.initial_rng_seed; });
  on.facts("not signed", [](auto& it) { it.is_signed = false; });
  on.facts("relay", [](auto& it) { it.relay_server = "relay.example"; });
  on.facts("tick rate", [](auto& it) { it.tick_rate = "30/1"; });
  on.facts("state hash", [](auto& it) { it.state_hash = "other"; });
  on.facts("converted from", [](auto& it) { it.converted_from.emplace().source = "x"; });
  on.facts("branch", [](auto& it) { it.branch_from.emplace().branch_tick = 3; });
  on.facts("schema name", [](auto& it) { it.schema->components[0].name = "speed"; });
  on.facts("no schema", [](auto& it) { it.schema.reset(); });
  on.facts("described values", [](auto& it) { it.others.clear(); });
  on.facts("another key", [](auto& it) { it.others.emplace_back("x_mine", "1"); });
  on.facts("losses",
           [](auto& it) { it.others.emplace_back("x_lost", R"({"ticks":0,"keyframes":0,"events":0})"); });
  for (std::size_t player = 0; player < 2; ++player) {
    const std::string who = " of player " + std::to_string(player);
    on.facts("name" + who, [&](auto& it) { it.players[player].name = "Mallory"; });
    on.facts("slot" + who, [&](auto& it) { it.players[player].slot = 7; });
    on.facts("faction" + who, [&](auto& it) { it.players[player].faction = "green"; });
    on.facts("outcome" + who, [&](auto& it) { it.players[player].outcome = "unknown"; });
    on.facts("apm" + who, [&](auto& it) { it.players[player].apm_avg = 900; });
    on.facts("without" + who,
             [&](auto& it) { it.players.erase(it.players.begin() + static_cast<std::ptrdiff_t>(player)); });
  }
  on.facts("winner exchanged", [](auto& it) { std::swap(it.players[0].outcome, it.players[1].outcome); });
  on.facts("players exchanged", [](auto& it) { std::swap(it.players[0], it.players[1]); });
  on.facts("one more player", [](auto& it) { it.players.push_back({2, "C", "", "won", 0}); });
  on.forge("metadata: a space", [](match_parts& it) { it.json = icrep::to_json(it.facts) + " "; });
}

inline void forge_orders(trial& on) {
  for (const std::size_t tick :
       {std::size_t{0}, std::size_t{9}, std::size_t{10}, std::size_t{50}, std::size_t{match_ticks - 1}}) {
    const std::string where = ", tick " + std::to_string(tick);
    const auto change = [&](const std::string& kind, auto&& what) {
      on.forge("orders: " + kind + where, [&](match_parts& it) { what(it.frames[tick]); });
    };
    change("none", [](auto& frame) { frame.orders.clear(); });
    change("one more", [](auto& frame) { frame.orders.push_back(frame.orders.back()); });
    change("player", [](auto& frame) { frame.orders[0].player ^= 1; });
    change("time", [](auto& frame) { ++frame.orders[0].sub_tick_us; });
    change("type", [](auto& frame) { ++std::get<icrep::order::game_order>(frame.orders[0].order).type_tag; });
    change("payload", [](auto& frame) {
      std::get<icrep::order::game_order>(frame.orders[0].order).payload[0] ^= std::byte{1};
    });
    change("kind", [](auto& frame) { frame.orders[0].order = icrep::order::chat_message{{}, "gg"}; });
    change("state hash", [](auto& frame) { frame.state_hash ^= 1; });
    on.forge("orders: a tick is gone" + where, [&](match_parts& it) {
      it.frames.erase(it.frames.begin() + static_cast<std::ptrdiff_t>(tick));
    });
  }
  on.forge("orders: given a tick later",
           [](match_parts& it) { it.frames[31].orders.swap(it.frames[33].orders); });
  on.forge("orders: a tick more",
           [](match_parts& it) { it.frames.push_back({match_ticks, it.frames.back().state_hash, {}}); });
  on.forge("orders: a tick more that counts", [](match_parts& it) {
    it.frames.push_back({match_ticks, it.frames.back().state_hash, {}});
    ++it.total_ticks;
  });
  on.forge("orders: none at all", [](match_parts& it) { it.frames.clear(); });
}

inline void forge_states(trial& on) {
  for (std::size_t number = 0; number < on.parts().keyframes.size(); number += 3) {
    const std::string where = ", keyframe " + std::to_string(number);
    const bool full = on.parts().keyframes[number].full;
    on.forge("keyframes: other values" + where, [&](match_parts& it) {
      byte_vector& raw = it.keyframes[number].raw;
      if (full) {
        auto state = got(icrep::read_snapshot(raw));
        state.core.player_states[0].player_fields[0] ^= std::byte{1};
        raw = icrep::to_bytes(state);
      } else {
        auto delta = got(icrep::read_delta(raw));
        BOOST_REQUIRE(!delta.core.changed_players.empty());
        delta.core.changed_players[0].changed_fields[0] ^= std::byte{1};
        raw = icrep::to_bytes(delta);
      }
    });
    on.forge("keyframes: another text" + where, [&](match_parts& it) {
      byte_vector& raw = it.keyframes[number].raw;
      if (full) {
        auto state = got(icrep::read_snapshot(raw));
        state.core.intern_table.push_back("elf");
        raw = icrep::to_bytes(state);
      } else {
        auto delta = got(icrep::read_delta(raw));
        delta.core.intern_table_delta = {90, {"elf"}};
        raw = icrep::to_bytes(delta);
      }
    });
    if (number == 0) continue;
    on.forge("keyframes: one less" + where, [&](match_parts& it) {
      it.keyframes.erase(it.keyframes.begin() + static_cast<std::ptrdiff_t>(number));
    });
    on.forge("keyframes: a tick later" + where, [&](match_parts& it) { ++it.keyframes[number].tick; });
  }
  on.forge("keyframes: a delta called full", [](match_parts& it) { it.keyframes[1].full = true; });
  on.forge("keyframes: one more", [](match_parts& it) {
    auto last = it.keyframes.back();
    ++last.tick;
    it.keyframes.push_back(last);
  });
  on.forge("keyframes: only the first", [](match_parts& it) { it.keyframes.resize(1); });
  on.forge("keyframes: another seed", [](match_parts& it) {
    for (auto& one : it.keyframes) {
      if (!one.full) continue;
      auto state = got(icrep::read_snapshot(one.raw));
      ++state.core.game_seed;
      one.raw = icrep::to_bytes(state);
    }
  });
}

inline void forge_records(trial& on) {
  const std::size_t last = on.parts().events.size() - 1;
  for (const std::size_t place : {std::size_t{0}, last / 2, last}) {
    const std::string where = ", " + std::to_string(place);
    const auto at = static_cast<std::ptrdiff_t>(place);
    on.forge("events: one less" + where, [&](match_parts& it) { it.events.erase(it.events.begin() + at); });
    on.forge("events: one twice" + where, [&](match_parts& it) {
      const analysis::event again = it.events[place];
      it.events.insert(it.events.begin() + at, again);
    });
    on.forge("events: another" + where, [&](match_parts& it) {
      it.events[place] = {analysis::upgrade_completed{analysis::tick_of(it.events[place]), 0, 3}};
    });
  }
  on.forge("events: another winner", [&](match_parts& it) {
    auto& end = std::get<analysis::match_ended>(it.events[last].what);
    std::get<analysis::outcome::completed>(end.outcome).winner = analysis::outcome::winning_player{0};
  });
  on.forge("events: a tick later",
           [](match_parts& it) { ++std::get<analysis::pause_event>(it.events[1].what).tick; });
  on.forge("events: none", [](match_parts& it) { it.events.clear(); });
  on.forge("events: one behind the end",
           [](match_parts& it) { it.events.push_back({analysis::pause_event{match_ticks - 1, 1, true}}); });
  on.forge("voice: none", [](match_parts& it) { it.voice.clear(); });
  on.forge("voice: no consent",
           [](match_parts& it) { std::get<icrep::voice::track>(it.voice[0]).consented = 0; });
  for (const std::size_t place : {std::size_t{1}, on.parts().voice.size() - 1}) {
    const std::string where = ", " + std::to_string(place);
    const auto change = [&](const std::string& kind, auto&& what) {
      on.forge("voice: " + kind + where,
               [&](match_parts& it) { what(std::get<icrep::voice::frame>(it.voice[place])); });
    };
    change("words", [](auto& frame) { frame.opus[1] ^= std::byte{1}; });
    change("speaker", [](auto& frame) { frame.player = 1; });
    change("listeners", [](auto& frame) { frame.target = icrep::voice::to_player{1}; });
    on.forge("voice: one less" + where,
             [&](match_parts& it) { it.voice.erase(it.voice.begin() + static_cast<std::ptrdiff_t>(place)); });
  }
}

}  // namespace tickreel::test
