// Path scripts: Lua 5.4 with stage directions, which define the plans of actors.
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

// Limits; a script that exceeds one ends with an error.
struct script_limits {
  std::size_t memory_bytes = 64u << 20;        // of the Lua state
  std::uint64_t allocated_bytes = 8ull << 30;  // in total, including freed memory
  std::uint64_t instructions = 200'000'000;
  std::uint32_t milliseconds = 20'000;  // a last resort, for cases that the others miss
  std::size_t script_bytes = 4u << 20;
  std::size_t printed_bytes = 1u << 20;
  std::size_t actors = 1000;
  std::size_t recorded_blocks = 4'000'000;  // of all recordings of the script
  std::size_t saved = 10'000;               // recordings, each a file
  std::size_t saved_blocks = 4'000'000;     // of all of them; one that is saved twice counts twice
  plan_limits plan = {};
  std::size_t points = 200'000;  // of all paths of all actors
};

struct script_options {
  // The value of settings.NAME: a number or a boolean if the text is one, otherwise the text.
  std::vector<std::pair<std::string, std::string>> settings = {};
  // waypoints.NAME
  std::vector<std::pair<std::string, waypoint_list>> waypoints = {};
  // recordings.NAME
  std::vector<std::pair<std::string, std::shared_ptr<const recorded>>> recordings = {};
  // The roads for drive_via_roads_to(), and the ground that the script calls hmap; both may be absent.
  std::shared_ptr<const road_network> roads = {};
  height_function heights = {};
  std::uint64_t seed = 1;
  script_limits limits = {};
  // Called immediately with the script's printed output, in pieces, even if the script fails later. Untrusted
  // bytes: do not write them to a terminal unescaped.
  std::function<void(std::string_view)> on_print = {};
};

struct scripted_actor {
  std::unique_ptr<plan> part;
  int skin = -1;   // set by the script for users; a .rec cannot store it
  int model = -1;  // likewise
};

struct saved_recording {
  std::string name;
  std::shared_ptr<const recorded> what;
};

// The output of a script.
struct production {
  std::vector<scripted_actor> actors;  // in the order of the script; their names are distinct file names
  std::vector<saved_recording> saved;
  std::string printed;
  // Settings in the options that the script never read: probably misspelled.
  std::vector<std::string> unread_settings;
};

// Runs `text`; `name` is used in messages. The error is one text for users: "guard.lua:12: ...". Never
// throws; thread-safe.
[[nodiscard]] tl::expected<production, std::string> run_script(std::string_view text, std::string_view name,
                                                               const script_options& options = {});

// The functions that a script has besides Lua's own, by name: "actor:wait", "recording:cut", "kmh".
[[nodiscard]] std::vector<std::string> script_functions();

}  // namespace tickreel::npc
