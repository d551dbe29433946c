// tickreel npc build: recordings from a path script.
#include <algorithm>
#include <cmath>
#include <memory>

#include "console/checks.hpp"
#include "console/stop_signal.hpp"
#include "npc_input.hpp"
#include "npc_verbs.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/npc/build.hpp"
#include "tickreel/npc/collisions.hpp"
#include "tickreel/npc/heights_file.hpp"
#include "tickreel/npc/pawn.hpp"
#include "tickreel/npc/playback.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct build_arguments {
  std::string script;
  std::string folder = ".";
  std::vector<std::string> settings;
  std::vector<std::string> waypoints;
  std::vector<std::string> recordings;
  std::uint64_t seed = 1;
  std::string roads;
  std::string heights;
  bool playback = false;
  bool pawn = false;
  bool force = false;
  bool json = false;
};

// Scripts are untrusted and can print anything; only newlines and tabs reach the terminal unescaped.
std::string printable_lines(std::string_view text) {
  std::string out;
  for (const char& letter : text)
    out += letter == '\n' || letter == '\t' ? std::string(1, letter) : printable({&letter, 1});
  return out;
}

// Options that take several values also take a script that follows them.
void find_script(build_arguments& arguments) {
  for (auto* const list : {&arguments.settings, &arguments.waypoints, &arguments.recordings}) {
    const auto plain = std::find_if(list->begin(), list->end(), [](const std::string& each) {
      return !each.empty() && each.find('=') == std::string::npos;
    });
    if (!arguments.script.empty() || plain == list->end()) continue;
    arguments.script = *plain;
    list->erase(plain);
  }
}

// Returns false after a message.
bool read_inputs(const build_arguments& arguments, npc::script_options& options, int& code) {
  for (const std::string& each : arguments.settings) {
    auto setting = name_and_value("--set", each);
    if (!setting) return code = wrong_usage, false;
    options.settings.push_back(std::move(*setting));
  }
  for (const std::string& each : arguments.waypoints) {
    const auto named = name_and_value("--waypoints", each);
    if (!named) return code = wrong_usage, false;
    const auto bytes = read_whole_file(named->second, npc::max_waypoint_bytes);
    if (!bytes) return report_error(named->second, bytes.error(), false), code = failed, false;
    auto list = npc::read_waypoints(as_text(*bytes));
    if (!list) return report_error(fmt::format("{}: {}", named->second, list.error())), code = failed, false;
    options.waypoints.emplace_back(named->first, std::move(*list));
  }
  if (!arguments.roads.empty()) {
    auto roads = npc::read_roads(arguments.roads);
    if (!roads) return report_error(roads.error().file, roads.error().why, false), code = failed, false;
    options.roads = std::make_shared<const npc::road_network>(std::move(*roads));
  }
  if (!arguments.heights.empty()) {
    auto heights = npc::open_heights(arguments.heights);
    if (!heights) return report_error(arguments.heights, heights.error(), false), code = failed, false;
    options.heights = std::move(*heights);
  }
  for (const std::string& each : arguments.recordings) {
    const auto named = name_and_value("--rec", each);
    if (!named) return code = wrong_usage, false;
    auto read = read_rec_in_order(named->second, code);
    if (!read) return false;
    if (report_loss(named->second, *read)) code = done_with_loss;
    options.recordings.emplace_back(named->first,
                                    std::make_shared<const npc::recorded>(blocks_of(std::move(*read))));
  }
  return true;
}

// Where actors collide; this does not prevent the build.
npc::collision_report find_collisions(npc::production& made, const files::monitor& watch) {
  std::vector<npc::plan*> parts;
  for (const npc::scripted_actor& each : made.actors) parts.push_back(each.part.get());
  const auto when = npc::schedule(parts);
  if (!when) return {};
  const std::vector<const npc::plan*> seen(parts.begin(), parts.end());
  npc::collision_options how;
  how.cancelled = watch.cancelled;
  return npc::collisions_of(seen, *when, how);
}

void report_collisions(const build_arguments& arguments, const npc::production& made,
                       const npc::collision_report& all) {
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < all.found.size() && i < most; ++i) {
    const npc::collision& each = all.found[i];
    report_note(arguments.script,
                fmt::format("{} and {} collide at {:.1f} s, by ({:.1f}, {:.1f}, {:.1f}): {:.1f} m "
                            "between their centres",
                            made.actors[each.first].part->options().name,
                            made.actors[each.second].part->options().name, each.from_s, each.where.x,
                            each.where.y, each.where.z, each.distance_m));
  }
  if (all.found.size() > most)
    report_note(arguments.script, "and " + counted(all.found.size() - most, "more such place"));
  if (!all.complete) report_note(arguments.script, "only the beginning was checked for collisions");
}

// Before the build; returns false, with a message, if an actor has the name of a script that --pawn writes.
bool has_place_for_pawn(const build_arguments& arguments, const npc::production& made) {
  std::vector<std::string> names;
  for (const npc::scripted_actor& each : made.actors) names.push_back(each.part->options().name);
  for (const npc::saved_recording& each : made.saved) names.push_back(each.name);
  for (const std::string& each : names) {
    if (!npc::is_server_script(each)) continue;
    report_error(fmt::format("{}: with --pawn nothing may have the name {}: {}.pwn is for all actors",
                             arguments.script, each, each));
    return false;
  }
  std::vector<std::string> first_recordings;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i >= made.actors.size() || !made.actors[i].part->options().continues)
      first_recordings.push_back(names[i]);
  }
  for (const std::string& each : npc::pawn_file_names(first_recordings)) {
    const file_path path(filesystem_path(arguments.folder) / filesystem_path(each));
    if (!arguments.force && path_exists(path))
      return report_error(path, error{error_code::already_exists}), false;
  }
  return true;
}

// Writes scripts beside the recordings; returns false, with a message, if one cannot be written.
bool write_pawn(const build_arguments& arguments, const npc::production& made,
                const std::vector<npc::built_file>& files) {
  std::vector<npc::pawn_actor> actors;
  for (std::size_t i = 0; i < files.size(); ++i) {
    npc::pawn_actor one;
    one.name = files[i].name;
    one.kind = files[i].kind;
    if (i < made.actors.size()) {
      one.skin = made.actors[i].skin;
      one.model = made.actors[i].model;
      one.start = made.actors[i].part->start_position().value_or(npc::vec3{});
      one.heading_deg = made.actors[i].part->start_heading_deg();
      one.shares_clock = true;
      if (const auto before = made.actors[i].part->options().continues) one.continues = *before;
    } else {
      const npc::place_and_heading first = npc::first_place(*made.saved[i - made.actors.size()].what);
      one.start = first.position;
      one.heading_deg = first.heading_deg;
    }
    actors.push_back(std::move(one));
  }
  for (const npc::pawn_file& each : npc::pawn_files(actors)) {
    const file_path path(filesystem_path(arguments.folder) / filesystem_path(each.name));
    auto out = published_file::create(path, arguments.force);
    result<void> written = out ? out->append(as_bytes(each.text)) : result<void>(fail(out.error()));
    if (written) written = out->commit();
    if (!written) return report_error(path, written.error()), false;
  }
  return true;
}

void print_built(const build_arguments& arguments, const npc::production& made,
                 const std::vector<npc::built_file>& files,
                 const std::vector<samp_rec::playback_report>& playback,
                 const npc::collision_report& collisions) {
  if (arguments.json) {
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("script", arguments.script).key("files").begin_array();
    for (std::size_t i = 0; i < files.size(); ++i) {
      const npc::built_file& each = files[i];
      json.begin_object().member("file", each.file.utf8()).member("name", each.name);
      json.member("kind", samp_rec::name(each.kind))
          .member("blocks", each.blocks)
          .member("bytes", each.bytes);
      json.member("duration_ms", each.duration_ms)
          .member("length_m", each.length_m)
          .member("top_speed_mps", each.top_mps);
      if (i < made.actors.size() && made.actors[i].skin >= 0)
        json.member("skin", std::int64_t{made.actors[i].skin});
      if (i < made.actors.size() && made.actors[i].model >= 0)
        json.member("model", std::int64_t{made.actors[i].model});
      if (i < playback.size()) {
        json.key("playback").begin_object().member("mean_error_m", playback[i].mean_error_m);
        json.member("worst_error_m", playback[i].worst_error_m)
            .member("worst_time_ms", playback[i].worst_time_ms)
            .member("worst_snap_m", playback[i].worst_snap_m)
            .end_object();
      }
      json.end_object();
    }
    json.end_array().key("collisions").begin_array();
    for (const npc::collision& each : collisions.found) {
      json.begin_object()
          .member("first", made.actors[each.first].part->options().name)
          .member("second", made.actors[each.second].part->options().name);
      json.member("from_s", each.from_s).member("to_s", each.to_s).member("distance_m", each.distance_m);
      json.member("x", each.where.x).member("y", each.where.y).member("z", each.where.z).end_object();
    }
    json.end_array().member("collisions_complete", collisions.complete);
    json.member("printed", made.printed).end_object();
    standard_output().write_line(text);
    return;
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const npc::built_file& each = files[i];
    standard_output().write_line(fmt::format(
        "{}: {:.1f} m in {}, at most {:.1f} m/s ({:.0f} km/h), {}, {}", printable(each.file.utf8()),
        each.length_m, duration_text(static_cast<std::int64_t>(each.duration_ms)), each.top_mps,
        each.top_mps * 3.6, counted(each.blocks, "block"), bytes_text(each.bytes)));
    if (i >= playback.size()) continue;
    standard_output().write_line(fmt::format(
        "  playback: off the path by {:.4f} m on average, {:.4f} m at most, at {}", playback[i].mean_error_m,
        playback[i].worst_error_m, duration_text(std::llround(playback[i].worst_time_ms))));
  }
}

int run(const build_arguments& arguments) {
  npc::script_options options;
  options.seed = arguments.seed;
  if (!arguments.json)
    options.on_print = [](std::string_view text) { standard_output().write(printable_lines(text)); };
  int code = done;
  if (!read_inputs(arguments, options, code)) return code;
  const auto script = read_whole_file(arguments.script, options.limits.script_bytes);
  if (!script) {
    report_error(arguments.script, script.error(), false);
    return failed;
  }
  auto made = npc::run_script(as_text(*script),
                              file_path(filesystem_path(arguments.script).filename()).utf8(), options);
  if (!made) {
    report_error(printable_lines(made.error()));
    return failed;
  }
  for (const std::string& each : made->unread_settings) {
    report_note(arguments.script, fmt::format("--set {}: the script does not read settings.{}", each, each));
  }
  if (made->actors.empty() && made->saved.empty()) {
    report_error(fmt::format("{}: the script creates no actor and saves nothing", arguments.script));
    return failed;
  }
  if (arguments.pawn && !has_place_for_pawn(arguments, *made)) return failed;
  if (const auto there = create_folders(arguments.folder); !there) {
    report_error(arguments.folder, there.error());
    return failed;
  }
  progress_bar bar("building");
  const files::monitor watch = bar.monitor();
  npc::build_options how;
  how.overwrite = arguments.force;
  how.progress = watch.progress;
  how.cancelled = watch.cancelled;
  const auto files = npc::build(*made, arguments.folder, how);
  bar.clear();
  if (!files) {
    const npc::build_problem& why = files.error();
    if (!why.text.empty()) {
      report_error(why.line > 0 ? fmt::format("{}:{}: {}", arguments.script, why.line, why.text)
                                : fmt::format("{}: {}", arguments.script, why.text));
    } else {
      // The remedy for an interruption is "nothing was written".
      report_error(why.file, why.why, why.written == 0 || why.why.code != error_code::interrupted);
    }
    if (why.written > 0) {
      report_note(arguments.folder, counted(why.written, "recording was written before the error and is",
                                            "recordings were written before the error and are") +
                                        " there");
    }
    return failed;
  }
  std::vector<samp_rec::playback_report> playback;
  if (arguments.playback) {
    auto simulated = npc::simulate_playback(*made);
    if (!simulated) {
      report_error(fmt::format("{}: {}", arguments.script, simulated.error().text));
      return failed;
    }
    playback = std::move(*simulated);
  }
  if (arguments.pawn && !write_pawn(arguments, *made, *files)) return failed;
  const npc::collision_report collisions = find_collisions(*made, watch);
  report_collisions(arguments, *made, collisions);
  print_built(arguments, *made, *files, playback, collisions);
  return code;
}

}  // namespace

void add_npc_build(command& npc_app) {
  auto arguments = std::make_shared<build_arguments>();
  command& app = npc_app.add_subcommand("build", "Builds recordings from a path script");
  app.add_option("SCRIPT", arguments->script, "A path script in Lua");
  app.add_option("-o,--out", arguments->folder, "Folder for the recordings; created if missing")
      .check(folder_to_write());
  app.add_option("--set", arguments->settings, "Values of settings.NAME in the script").named("NAME=VALUE");
  app.add_option("--waypoints", arguments->waypoints,
                 "Points from CSV or JSON, as waypoints.NAME in the script")
      .named("NAME=FILE");
  app.add_option("--rec", arguments->recordings, "Existing recordings, as recordings.NAME in the script")
      .named("NAME=FILE");
  app.add_option(
         "--roads", arguments->roads,
         "A folder of the game with data/Paths/NODES*.DAT, or with these files, for drive_via_roads_to()")
      .check(folder_to_read());
  app.add_option("--hmap", arguments->heights,
                 "A height map (SAfull.hmap, SAmin.hmap), as hmap in the script")
      .check(file_to_read());
  app.add_flag(
      "--pawn", arguments->pawn,
      "Also write Pawn scripts for the server: NAME.pwn for npcmodes, npcs_samp.pwn and npcs_openmp.pwn");
  app.add_option("--seed", arguments->seed, "Seed of the script's random numbers (1)").check(whole_number());
  app.add_flag("--playback", arguments->playback,
               "Also simulate the game's playback, and report how far players see it from the intended path");
  app.add_flag("--force", arguments->force, "Overwrite existing recordings");
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  app.notes = "Writes NAME.rec for every actor of the script and every recording that it saves.";
  app.examples = {"tickreel npc build patrol.lua -o recordings",
                  "tickreel npc build taxi.lua -o recordings --set speed=14 --playback",
                  "tickreel npc build tour.lua --waypoints route=route.csv --rec old=old.rec --force"};
  app.run = [arguments] {
    find_script(*arguments);
    if (arguments->script.empty()) return report_usage("SCRIPT is required");
    return run(*arguments);
  };
}

}  // namespace tickreel::cli
