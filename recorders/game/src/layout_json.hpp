// What a recording is made of, as JSON under one key of the metadata:
//
//   {"components": [{"slot", "values": [{"name", "kind", "offset", "size", "enum", "fraction_bits"}]}],
//    "player_fields": ..., "world": ...,
//    "orders": [{"slot", "name", "size", "values"}], "events": ...,    slot: their number
//    "enums": [{"calm": 0, "angry": 1}]}                               "enum": which of these
#pragma once

#include "tickreel/game/world_recorder.hpp"

namespace tickreel::game {

inline constexpr std::string_view values_key = "x_values";

[[nodiscard]] std::string to_json(const world_layout& layout);
// For components, player fields and singletons only the values; the metadata's schema has the rest. Invalid
// entries are left out: values of unknown kinds, without a name or with a name of more than 32 parts. Names
// beyond 64 MiB, where many values share long lists, are left out as well.
[[nodiscard]] world_layout read_layout(std::string_view json);

// Adds orders and events that are not known yet.
void merge_described(world_layout& to, const world_layout& added);
void add_described(icrep::metadata& facts, const world_layout& added);
// Puts `layout` into the metadata and replaces an existing entry.
void put_layout(icrep::metadata& facts, const world_layout& layout);

}  // namespace tickreel::game
