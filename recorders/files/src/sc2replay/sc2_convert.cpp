#include "sc2_convert.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "byte_stream.hpp"
#include "icrep/icrep_conversion.hpp"
#include "icrep/icrep_layout.hpp"
#include "paths.hpp"
#include "sc2_events.hpp"
#include "sc2_facts.hpp"
#include "sc2_problem.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/icrep/digest.hpp"
#include "tickreel/icrep/keyframe.hpp"
#include "tickreel/icrep/layout.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/icrep/record.hpp"
#include "tickreel/icrep/snapshot.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/sc2replay/events_json.hpp"
#include "tickreel/sc2replay/game_actions.hpp"
#include "tickreel/text/hex.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utc.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::files {

namespace {

// Names for unit_type and upgrade_id, indexed by number.
constexpr std::string_view unit_types_key = "x_unit_types";
constexpr std::string_view upgrades_key = "x_upgrades";
// The ability_id of right clicks.
constexpr std::string_view right_click_key = "x_right_click_ability_id";
// The beginning of each sentence about content that an .icrep does not store.
constexpr std::string_view left_out_mark = "left out";

// A UUID of version 8, "custom", from the first bits of the file's hash: the same file has the same UUID.
std::string id_of(icrep::digest hash) {
  hash[6] = (hash[6] & std::byte{0x0F}) | std::byte{0x80};
  hash[8] = (hash[8] & std::byte{0x3F}) | std::byte{0x80};
  std::string out = text::to_hex(byte_span(hash).first(16));
  for (const std::size_t at : {20u, 16u, 12u, 8u}) out.insert(at, 1, '-');
  return out;
}

std::string_view outcome_of(sc2replay::game_result result) noexcept {
  switch (result) {
    case sc2replay::game_result::win:
      return "won";
    case sc2replay::game_result::loss:
      return "lost";
    case sc2replay::game_result::tie:
      return "draw";
    case sc2replay::game_result::unknown:
      break;
  }
  return "unknown";
}

// The five speeds as .icrep names, and their loops per second of real time.
struct speed {
  std::string_view name;
  std::string_view tick_rate;
};
speed speed_of(const sc2replay::replay& of) noexcept {
  constexpr speed speeds[] = {
      {"slowest", "48/5"}, {"slower", "64/5"}, {"normal", "16/1"}, {"faster", "96/5"}, {"fastest", "112/5"}};
  return speeds[std::min<std::size_t>(game_speed(of), std::size(speeds) - 1)];
}

std::string list_json(const auto& texts) {
  std::string out;
  text::json_writer json(out);
  json.array(texts);
  return out;
}

// The channel of a chat line; empty if .icrep has no such channel.
std::optional<icrep::order::chat_channel> channel_of(sc2replay::recipient to) noexcept {
  switch (to) {
    case sc2replay::recipient::all:
      return icrep::order::to_all{};
    case sc2replay::recipient::allies:
      return icrep::order::to_team{};
    case sc2replay::recipient::observers:
      return icrep::order::to_observers{};
    default:
      return std::nullopt;
  }
}

struct collected {
  byte_vector events;  // the section
  std::vector<std::pair<std::uint64_t, icrep::timestamped_order>> chat;
  std::uint64_t ticks = 0;
  std::vector<std::string> lost;
  std::vector<std::string> left_out;
  std::string unit_types_json;
  std::string upgrades_json;
};

// Events are written in sequence, with one block in memory. A resumed game may go back in time; its events
// are then collected and sorted first.
enum class event_order : std::uint8_t { as_they_come, by_tick };

result<collected> collect(const sc2replay::replay& of, const monitor& watch,
                          event_order order = event_order::as_they_come) {
  collected out;
  out.ticks = std::uint64_t{of.header.loops} + 1;
  std::uint64_t lines_kept = 0;
  auto section = icrep::record_stream_writer::events();
  std::vector<analysis::event> kept;
  std::uint64_t last_tick = 0;
  sc2replay::analysis_bridge bridge(bridge_sources_of(of));
  std::uint64_t looked_at = 0;
  for (sc2replay::bridged item; bridge.next(item);) {
    if (++looked_at % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    if (item.event != nullptr) {
      const std::uint64_t tick = analysis::tick_of(*item.event);
      out.ticks = std::max(out.ticks, tick + 1);
      if (order == event_order::by_tick) {
        kept.push_back(*item.event);
        continue;
      }
      if (tick < last_tick) return collect(of, watch, event_order::by_tick);
      last_tick = tick;
      if (auto added = section.add(*item.event, out.events); !added) return fail(added.error());
      continue;
    }
    if (item.said == nullptr || item.said->kind != sc2replay::message_kind::chat) continue;
    const auto player = bridge.player_of_user(item.said->user);
    auto channel = channel_of(item.said->to);
    if (!player || !channel || !text::is_utf8(item.said->text)) continue;
    out.ticks = std::max(out.ticks, item.said->tick + 1);
    out.chat.emplace_back(
        item.said->tick, icrep::timestamped_order{
                             *player, icrep::order::chat_message{*channel, std::string(item.said->text)}, 0});
    ++lines_kept;
  }
  std::ranges::stable_sort(kept, {}, [](const analysis::event& each) { return analysis::tick_of(each); });
  for (const analysis::event& each : kept) {
    if (auto added = section.add(each, out.events); !added) return fail(added.error());
  }
  if (auto done = section.finish(out.events); !done) return fail(done.error());
  std::ranges::stable_sort(out.chat, {}, [](const auto& each) { return each.first; });
  const auto leave_out = [&out](const std::string& what) {
    out.left_out.push_back(std::string(left_out_mark) + ": " + what);
  };
  for (const sc2replay::left_out& each : bridge.without_counterpart()) {
    const bool chat = each.what == "chat lines";
    const std::uint64_t count = chat ? each.count - lines_kept : each.count;
    if (count == 0) continue;
    leave_out(std::string(each.what) +
              (chat ? " of users who do not play, to single users, or not UTF-8" : "") + " (" +
              std::to_string(count) + ')');
  }
  // The ends of the streams; the judgement reports other damage.
  for (const sc2replay::bridge_problem& each : bridge.problems()) {
    out.lost.push_back(stop_text(each.member, each.what));
  }
  if (const std::uint64_t count = bridge.contradictory_selections(); count != 0) {
    leave_out("the exact units of " + counted(count, "selection") +
              "; the change contradicts the selection before it");
  }
  leave_out("states of the game; a replay contains orders, which only the game can simulate");
  for (const std::string_view each : of.stripped) leave_out(std::string(each) + "; it is missing");
  if (of.tracker_events.empty() && !of.has_tracker_by_version()) {
    leave_out("everything about units and resources; replays before 2.0.8 do not contain it");
  }
  out.unit_types_json = list_json(bridge.unit_types());
  out.upgrades_json = list_json(bridge.upgrades());
  return out;
}

icrep::metadata facts_of(const sc2replay::replay& of, const collected& found, const file_path& input,
                         const sc2_activity& activity, const icrep::digest& hash) {
  icrep::metadata facts;
  facts.replay_id = id_of(hash);
  facts.timestamp = ended_text(of);
  facts.engine_version = version_text(of.header);
  facts.base_build = of.base_build();
  facts.game_module = "starcraft2";
  facts.map_name = std::string(of.map());
  const speed how_fast = speed_of(of);
  facts.game_speed = how_fast.name;
  // The clock of the game's own client is kept.
  const bool real_time = clock_ticks_per_second(of) == loops_per_second(of);
  facts.tick_rate = std::string(real_time ? how_fast.tick_rate : "16/1");
  facts.total_ticks = found.ticks;
  facts.duration_seconds = static_cast<double>(found.ticks) / clock_ticks_per_second(of);
  for (const sc2replay::player& each : of.players) {
    icrep::player_entry& player = facts.players.emplace_back();
    player.slot = each.number;
    player.name = each.name;
    player.faction = each.race;
    player.outcome = outcome_of(each.result);
    player.apm_avg = actions_per_minute(of, each, activity).value_or(0);
  }
  if (of.lobby) facts.initial_rng_seed = of.lobby->random_seed;
  icrep::conversion& from = facts.converted_from.emplace();
  from.source = "sc2replay";
  from.original_file = name_of(input);
  from.original_version = version_text(of.header);
  from.conversion_date = text::utc_text(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
  from.translation_warnings_json = list_json(found.left_out);
  facts.others.emplace_back(icrep::derived_types_key, "[\"resource_collected\",\"match_ended\"]");
  facts.others.emplace_back(unit_types_key, found.unit_types_json);
  facts.others.emplace_back(upgrades_key, found.upgrades_json);
  facts.others.emplace_back(right_click_key, std::to_string(sc2replay::right_click_ability_id));
  return facts;
}

// A frame per tick, most of them empty: the format allows no gaps.
result<byte_vector> write_orders(const collected& found) {
  byte_vector out;
  icrep::order_stream_writer orders;
  icrep::tick_frame frame;
  auto line = found.chat.begin();
  for (frame.tick = 0; frame.tick < found.ticks; ++frame.tick) {
    frame.orders.clear();
    for (; line != found.chat.end() && line->first == frame.tick; ++line)
      frame.orders.push_back(line->second);
    if (auto added = orders.add(frame, out); !added) return fail(added.error());
  }
  if (auto done = orders.finish(out); !done) return fail(done.error());
  return out;
}

// A finished file, and a part that is cut at `part_tick`, must begin with a state. A replay has no states, so
// these are empty.
result<byte_vector> write_keyframes(std::uint64_t part_tick) {
  icrep::keyframe_section_writer keyframes;
  icrep::sim_snapshot nothing;
  if (auto added = keyframes.add(0, true, to_bytes(nothing)); !added) return fail(added.error());
  if (part_tick != 0) {
    nothing.core.tick = part_tick;
    if (auto added = keyframes.add(part_tick, true, to_bytes(nothing)); !added) return fail(added.error());
  }
  return keyframes.finish();
}

// A loop is a 16th of a second. The limit is more than a week, and bounds the memory for an invalid header.
constexpr std::uint64_t tick_limit = 10'000'000;

// Everything that is read from the replay.
struct prepared {
  double ticks_per_second = 16;
  collected found;
  byte_vector orders;
  std::string facts_json;
};

// With the findings of info and verify about members that are not converted.
result<sc2replay::replay> open_judged(byte_span file, const monitor& watch, verification& judgement) {
  const auto archive = sc2replay::open_archive(file);
  if (!archive) return fail(archive.error());
  auto replay = sc2replay::replay::open_without_events(*archive);
  if (!replay) return fail(replay.error());
  judgement = judge_other_members(*archive, *replay);
  if (watch.stop()) return fail(error_code::interrupted);
  replay->unpack_events(*archive);
  return replay;
}

result<prepared> prepare(const file_path& input, const monitor& watch) {
  auto file = read_whole_file(input, mpq::limits{}.file_bytes);
  if (!file) return fail(file.error());
  const icrep::digest hash = icrep::sha256(*file);
  verification judgement;
  auto replay = open_judged(*file, watch, judgement);
  // Its members are decompressed; frees the compressed copy.
  byte_vector().swap(*file);
  if (!replay) return fail(replay.error());
  const sc2_activity activity = activity_of(*replay, watch);
  if (watch.stop()) return fail(error_code::interrupted);
  auto found = collect(*replay, watch);
  if (!found) return fail(found.error());
  judge_sc2(*replay, activity, judgement);
  for (const sc2_stream_end* each : {&activity.game, &activity.tracker, &activity.messages}) {
    // The judgement also reports where the stream ends.
    if (!each->stopped) continue;
    std::erase_if(found->lost, [&](const std::string& one) { return one.starts_with(each->member); });
  }
  const std::vector<std::string> problems = problems_of(judgement);
  found->lost.insert(found->lost.end(), problems.begin(), problems.end());
  if (found->ticks > tick_limit) {
    return fail(error_code::over_limit, error::no_offset, "the game claims to have {} loops",
                static_cast<std::int64_t>(found->ticks));
  }
  auto orders = write_orders(*found);
  if (!orders) return fail(orders.error());
  std::string facts = to_json(facts_of(*replay, *found, input, activity, hash));
  return prepared{clock_ticks_per_second(*replay), std::move(*found), std::move(*orders), std::move(facts)};
}

// The first tick of a part; 0 for all of it.
std::uint64_t first_tick_of(const tick_range& range, double ticks_per_second) {
  if (!range.from) return 0;
  if (range.from->unit == moment::by::tick) return range.from->tick;
  constexpr double rounding = 1e-6;
  return static_cast<std::uint64_t>(
      std::min(std::ceil(std::max(0.0, range.from->seconds) * ticks_per_second - rounding), 9e18));
}

result<conversion_report> write_icrep(const file_path& input, const file_path& output,
                                      const conversion_options& options);

}  // namespace

result<conversion_report> convert_sc2replay_to_icrep(const file_path& input, const file_path& output,
                                                     const conversion_options& options) {
  if (options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a replay of StarCraft II contains no states, so it has no keyframes");
  }
  if (options.codec && options.codec->codec != codec_id::lz4) {
    return fail(error_code::unsupported_codec, error::no_offset, "an .icrep supports only lz4");
  }
  if (options.range.is_all()) return write_icrep(input, output, options);
  return cut_converted(input, output, options, [&](const file_path& whole) {
    conversion_options all = options;
    all.overwrite = true;
    auto report = write_icrep(input, whole, all);
    if (!report) return report;
    for (std::string& each : report->left_out) each.insert(left_out_mark.size(), " of the whole game");
    return report;
  });
}

namespace {

result<conversion_report> write_icrep(const file_path& input, const file_path& output,
                                      const conversion_options& options) {
  const auto ready = prepare(input, options.watch);
  if (!ready) return fail(ready.error());
  const std::uint64_t part_tick = first_tick_of(options.range, ready->ticks_per_second);
  const auto keyframe = write_keyframes(part_tick < ready->found.ticks ? part_tick : 0);
  if (!keyframe) return fail(keyframe.error());
  icrep::file_sections sections;
  sections.metadata_json = ready->facts_json;
  sections.orders = ready->orders;
  sections.keyframes = *keyframe;
  sections.events = ready->found.events;
  sections.total_ticks = ready->found.ticks;
  sections.incomplete = !ready->found.lost.empty();
  const auto encoded = icrep::encode_file(sections);
  if (!encoded) return fail(encoded.error());
  auto published = published_file::create(output, options.overwrite);
  if (!published) return fail(published.error());
  if (auto added = published->append(*encoded); !added) return fail(added.error());
  if (auto done = published->commit(); !done) return fail(done.error());

  conversion_report report;
  report.ticks = ready->found.ticks;
  report.bytes = encoded->size();
  report.files = {output};
  report.lost = ready->found.lost;
  report.left_out = ready->found.left_out;
  return report;
}

}  // namespace

}  // namespace tickreel::files
