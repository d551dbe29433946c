// Events and messages as JSON, each on one line without its end: "tick", "seconds" (of game time), "stream",
// "type", "user" if there is one, then the event's own fields in snake_case, with the numbers of the stream.
// Fields that the build lacks are omitted, absent ones are null; a choice is an object with its one
// alternative; a bit array {"bits":n,"mask":"0110"} in the order of the stream; bytes that are not UTF-8
// "hex:...".
#pragma once

#include <string>

#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/header.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::sc2replay {

// The members of an event, in an object that the caller opens and closes. `seconds` assumes this many ticks
// each: 16 for game time, 22.4 for real time at the speed "Faster".
void append_members(const game_event& event, text::json_writer& json, double ticks_per_second);
void append_members(const tracker_event& event, text::json_writer& json, double ticks_per_second);
void append_members(const message& said, text::json_writer& json, double ticks_per_second);

// The whole object.
template <class Event>
void append_json(const Event& event, std::string& out, double ticks_per_second = loops_per_game_second) {
  text::json_writer json(out);
  json.begin_object();
  append_members(event, json, ticks_per_second);
  json.end_object();
}

}  // namespace tickreel::sc2replay
