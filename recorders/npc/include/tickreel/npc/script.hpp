// Path scripts: Lua 5.4 that reads like stage directions and makes the plans of actors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "tickreel/npc/plan.hpp"
#include "tickreel/npc/recorded.hpp"
#include "tickreel/npc/roads.hpp"
#include "tickreel/npc/waypoints.hpp"

namespace tickreel::npc {

// A script that wants more ends with an error that says so.
struct script_limits {
  std::size_t memory_bytes = 64u << 20;        // of the Lua state
  std::uint64_t allocated_bytes = 8ull << 30;  // in all, also what was given back
  std::uint64_t instructions = 200'000'000;
  std::uint32_t milliseconds = 20'000;  // a last resort, for what the others miss
  std::size_t script_bytes = 4u << 20;
  std::size_t printed_bytes = 1u << 20;
  std::size_t actors = 1000;
  std::size_t recorded_blocks = 4'000'000;  // of all recordings that the script makes
  std::size_t saved = 10'000;               // recordings, each of them a file
  std::size_t saved_blocks = 4'000'000;     // of all of them; saved twice counts twice
  plan_limits plan = {};
  std::size_t points = 200'000;  // of all paths of all actors
};

struct script_options {
  // What the script sees as settings.NAME: a number, true or false where the text is one, else the text.
  std::vector<std::pair<std::string, std::string>> settings = {};
  // waypoints.NAME
  std::vector<std::pair<std::string, waypoint_list>> waypoints = {};
  // recordings.NAME
  std::vector<std::pair<std::string, std::shared_ptr<const recorded>>> recordings = {};
  // What drive_via_roads_to() goes along, and the ground that the script calls hmap; both may be missing.
  std::shared_ptr<const road_network> roads = {};
  height_function heights = {};
  std::uint64_t seed = 1;
  script_limits limits = {};
  // Called at once with what the script prints, piece by piece, also when it fails later. Bytes of the
  // script's choice: nothing for a terminal as they are.
  std::function<void(std::string_view)> on_print = {};
};

struct scripted_actor {
  std::unique_ptr<plan> part;
  int skin = -1;   // said by the script for people; no .rec holds it
  int model = -1;  // likewise
};

struct saved_recording {
  std::string name;
  std::shared_ptr<const recorded> what;
};

// What a script asks to be made.
struct production {
  std::vector<scripted_actor> actors;  // in the order of the script; their names are distinct file names
  std::vector<saved_recording> saved;
  std::string printed;
  // Of the options' settings those that the script never asked for: likely misspelt.
  std::vector<std::string> unread_settings;
};

// Runs `text`; `name` stands in messages. The error is one text for people: "guard.lua:12: ...". Never
// throws; may be called from several threads at once.
[[nodiscard]] tl::expected<production, std::string> run_script(std::string_view text, std::string_view name,
                                                               const script_options& options = {});

// Everything that a script has besides Lua's own, as it is called: "actor:wait", "recording:cut", "kmh".
[[nodiscard]] std::vector<std::string> script_functions();

}  // namespace tickreel::npc
