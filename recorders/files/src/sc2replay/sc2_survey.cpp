#include "sc2_survey.hpp"

#include "sc2_problem.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "tickreel/codec/crc32.hpp"
#include "tickreel/mpq/attributes.hpp"
#include "tickreel/sc2replay/game_actions.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"
#include "tickreel/text/utc.hpp"

namespace tickreel::files {

namespace {

// Behind findings whose offset does not count in the file.
constexpr const char* in_the_member = " (offset in the member)";

using sc2replay::game_event;
using sc2replay::game_event_kind;

bool is_action(const game_event& event) noexcept {
  switch (event.kind) {
    case game_event_kind::command:
    case game_event_kind::control_group_update:
      return true;
    case game_event_kind::selection_delta: {
      sc2replay::selection_delta change;
      return read_selection_delta(event, change) && change.group == sc2replay::active_selection;
    }
    default:
      // The last order once more.
      return event.name() == "command_manager_state";
  }
}

std::string_view speed_name(std::uint32_t speed) noexcept {
  constexpr std::string_view names[] = {"slower", "slow", "normal", "fast", "faster"};
  return speed < std::size(names) ? names[speed] : "unknown";
}

std::string_view result_name(sc2replay::game_result result) noexcept {
  switch (result) {
    case sc2replay::game_result::win:
      return "win";
    case sc2replay::game_result::loss:
      return "loss";
    case sc2replay::game_result::tie:
      return "tie";
    case sc2replay::game_result::unknown:
      break;
  }
  return "unknown";
}

std::string_view type_name(sc2replay::player_type type) noexcept {
  if (type == sc2replay::player_type::human) return "human";
  if (type == sc2replay::player_type::computer) return "computer";
  return "unknown";
}

constexpr std::uint32_t fastest = 4;

double rounded(double value) noexcept {
  return std::round(value * 10) / 10;
}

// "1v1", "2v2", "2v0" and so on, from the sizes of teams.
std::string teams_text(const sc2replay::replay& of) {
  std::array<unsigned, 16> sizes{};
  for (const sc2replay::player& each : of.players) {
    if (each.team && *each.team < sizes.size()) ++sizes[*each.team];
  }
  std::string out;
  for (const unsigned size : sizes) {
    if (size == 0) continue;
    if (!out.empty()) out += 'v';
    out += std::to_string(size);
  }
  return out;
}

// Without the activity also without what tracker events tell.
player_summary summarise_player(const sc2replay::replay& of, const sc2replay::player& player,
                                const sc2_activity* activity) {
  player_summary out;
  out.name = player.name;
  if (player.team) out.team = std::to_string(*player.team + 1);
  const auto add = [&out](const char* key, auto&& value) { out.facts.push_back({key, std::move(value)}); };
  if (activity != nullptr) add("number", std::int64_t{player.number});
  if (player.event_user) add("event_user", std::int64_t{*player.event_user});
  if (!player.clan_tag.empty()) add("clan_tag", std::string(player.clan_tag));
  if (!player.handle.empty()) add("handle", std::string(player.handle));
  add("type", std::string(type_name(player.type)));
  if (!player.race.empty()) add("race", std::string(player.race));
  if (!player.chosen_race.empty()) add("chosen_race", std::string(player.chosen_race));
  add("result", std::string(result_name(player.result)));
  if (activity != nullptr) {
    if (const auto apm = actions_per_minute(of, player, *activity)) add("apm", *apm);
  }
  return out;
}

template <class Reader, class Event>
void verify_stream(std::string_view member, Reader reader, Event& event, std::uint64_t last_tick,
                   verification& out) {
  std::uint64_t late = 0;
  std::uint64_t first_late = 0;
  auto more = reader.next(event);
  for (; more && *more; more = reader.next(event)) {
    if (event.tick <= last_tick) continue;
    if (late++ == 0) first_late = event.offset;
  }
  if (!more) {
    out.findings.push_back({severity::error, more.error().offset,
                            problem_text_without_offset(member, more.error()) + in_the_member});
  }
  if (late > 0) {
    out.findings.push_back({severity::warning, first_late,
                            std::string(member) + ": " + std::to_string(late) +
                                " events lie behind the end of the game" + in_the_member});
  }
}

}  // namespace

std::uint32_t game_speed(const sc2replay::replay& of) noexcept {
  if (of.details) return of.details->game_speed;
  return of.lobby ? of.lobby->game_speed : fastest;
}

double loops_per_second(const sc2replay::replay& of) noexcept {
  // Slower to faster: 0.6, 0.8, 1, 1.2 and 1.4 times 16.
  return sc2replay::loops_per_game_second * (0.6 + 0.2 * std::min(game_speed(of), fastest));
}

std::optional<double> actions_per_minute(const sc2replay::replay& of, const sc2replay::player& player,
                                         const sc2_activity& activity) noexcept {
  if (!player.event_user || *player.event_user >= activity.actions.size()) return std::nullopt;
  const double minutes =
      static_cast<double>(activity.last_tick[*player.event_user]) / loops_per_second(of) / 60;
  if (minutes <= 0) return 0;
  return rounded(static_cast<double>(activity.actions[*player.event_user]) / minutes);
}

std::string ended_text(const sc2replay::replay& of) {
  if (!of.details) return {};
  return text::utc_text(sc2replay::unix_ms_of_file_time(of.details->ended_utc) / 1000);
}

sc2_activity survey(const sc2replay::replay& of) {
  sc2_activity out;
  const std::uint32_t base_build = of.base_build();
  const auto event = std::make_unique<game_event>();
  sc2replay::game_event_reader game(of.game_events, base_build);
  auto more = game.next(*event);
  for (; more && *more; more = game.next(*event)) {
    ++out.events;
    if (event->user >= out.actions.size()) continue;
    out.last_tick[event->user] = event->tick;
    if (is_action(*event)) ++out.actions[event->user];
  }
  out.whole = more.has_value();
  sc2replay::message_reader messages(of.message_events, base_build);
  sc2replay::message message;
  for (more = messages.next(message); more && *more; more = messages.next(message)) {
    ++out.messages;
    if (message.kind == sc2replay::message_kind::chat) ++out.chat_lines;
  }
  out.whole = out.whole && more.has_value();
  sc2replay::tracker_event_reader tracker(of.tracker_events, base_build);
  const auto tracked = std::make_unique<sc2replay::tracker_event>();
  for (more = tracker.next(*tracked); more && *more; more = tracker.next(*tracked)) ++out.tracker_events;
  out.whole = out.whole && more.has_value();
  return out;
}

namespace {

summary describe_replay(const sc2replay::replay& of, const sc2_activity* activity) {
  summary out;
  out.format = "sc2replay";
  out.format_version = of.base_build();
  out.bytes = of.file_bytes;
  out.ticks = of.header.loops;
  out.duration_ms = static_cast<std::int64_t>(
      std::llround(1000.0 * static_cast<double>(of.header.loops) / sc2replay::loops_per_game_second));
  out.health =
      (activity == nullptr || activity->whole) && of.problems.empty() ? health::whole : health::damaged;
  for (const sc2replay::player& each : of.players) {
    out.players.push_back(summarise_player(of, each, activity));
  }
  const auto add = [&out](const char* key, auto&& value) { out.facts.push_back({key, std::move(value)}); };
  add("map", std::string(of.map()));
  add("version", sc2replay::version_text(of.header));
  add("base_build", std::int64_t{of.base_build()});
  add("teams", teams_text(of));
  if (of.attributes) {
    const std::string_view mode = of.attributes->value(sc2replay::attribute_id::game_mode);
    add("matched", mode == "Amm");
  }
  add("speed", std::string(speed_name(game_speed(of))));
  add("real_seconds", rounded(of.header.loops / loops_per_second(of)));
  if (of.details) add("ended", ended_text(of));
  if (activity != nullptr) {
    add("game_events", static_cast<std::int64_t>(activity->events));
    add("tracker_events", static_cast<std::int64_t>(activity->tracker_events));
    add("messages", static_cast<std::int64_t>(activity->messages));
    add("chat_lines", static_cast<std::int64_t>(activity->chat_lines));
  }
  for (const sc2replay::member_problem& each : of.problems) {
    add("problem", problem_text(each.member, each.what));
  }
  return out;
}

}  // namespace

summary summarise_sc2(const sc2replay::replay& of) {
  const sc2_activity activity = survey(of);
  return describe_replay(of, &activity);
}

summary outline_sc2(const sc2replay::replay& of) {
  return describe_replay(of, nullptr);
}

void verify_sc2_members(const mpq::archive& archive, verification& out) {
  auto kept = mpq::read_attributes(archive);
  if (!kept) {
    out.findings.push_back({severity::warning, kept.error().offset,
                            "the archive's checksums cannot be read: " + describe(kept.error())});
    kept.emplace();
  }
  if (!kept->crc32) {
    out.findings.push_back({severity::note, error::no_offset, "the archive keeps no checksums"});
  }
  if (archive.nameless() > 0) {
    out.findings.push_back({severity::note, error::no_offset,
                            "members that no list names: " + std::to_string(archive.nameless())});
  }
  byte_vector bytes;
  for (const mpq::member& each : archive.members()) {
    if (auto read = archive.read(each.name, bytes); !read) {
      const error& why = read.error();
      const std::uint64_t offset = why.offset == error::no_offset ? each.offset : why.offset;
      out.findings.push_back({severity::error, offset, problem_text_without_offset(each.name, why)});
      continue;
    }
    if (bytes.size() != each.bytes) {
      out.findings.push_back({severity::warning, each.offset,
                              each.name + ": has " + std::to_string(bytes.size()) +
                                  " bytes, and the archive says " + std::to_string(each.bytes)});
    }
    const auto wanted = each.block < kept->rows.size() ? kept->rows[each.block].crc32 : std::nullopt;
    if (wanted && *wanted != crc32(bytes)) {
      out.findings.push_back(
          {severity::error, each.offset, each.name + ": its content does not have the archive's checksum"});
    }
  }
}

void verify_sc2_streams(const sc2replay::replay& replay, verification& out) {
  out.ticks = replay.header.loops;
  for (const sc2replay::member_problem& each : replay.problems) {
    // What cannot be unpacked has been said of the members.
    if (is_unpacking_error(each.member, each.what)) continue;
    const bool newer = replay.base_build() > sc2replay::newest_known_base_build;
    out.findings.push_back({newer ? severity::warning : severity::error, each.what.offset,
                            problem_text_without_offset(each.member, each.what) + in_the_member});
  }
  const std::uint32_t base_build = replay.base_build();
  const auto event = std::make_unique<game_event>();
  verify_stream("replay.game.events", sc2replay::game_event_reader(replay.game_events, base_build), *event,
                replay.header.loops, out);
  const auto tracked = std::make_unique<sc2replay::tracker_event>();
  verify_stream("replay.tracker.events", sc2replay::tracker_event_reader(replay.tracker_events, base_build),
                *tracked, replay.header.loops, out);
  sc2replay::message message;
  verify_stream("replay.message.events", sc2replay::message_reader(replay.message_events, base_build),
                message, replay.header.loops, out);
}

}  // namespace tickreel::files
