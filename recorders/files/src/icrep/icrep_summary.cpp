#include "icrep_summary.hpp"

#include <algorithm>

#include "icrep_layout.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/icrep/cut.hpp"
#include "tickreel/icrep/fact_values.hpp"
#include "tickreel/icrep/lost_content.hpp"
#include "tickreel/icrep/sound_keyframes.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

constexpr std::uint32_t icrep_format_version = 1;

// Counts that need a complete reading.
struct counts {
  std::uint64_t orders = 0;
  std::uint64_t events = 0;
};

// Damage that is found without restoring states.
std::vector<finding> damage_of_streams(const icrep_source& of, counts& counted, const monitor& watch) {
  const game::replay& match = *of.match;
  std::vector<finding> out;
  const auto add = [&](std::span<const icrep::stream_damage> all) {
    for (const icrep::stream_damage& one : all) out.push_back(finding_of(severity::error, one.what));
  };
  for (const icrep::finding& found : match.file().findings()) {
    if (found.severity == icrep::severity::damage) out.push_back(finding_of(severity::error, found.what));
  }
  icrep::sound_keyframes sound;
  icrep::tick_frame frame;
  auto frames = match.orders(0, match.total_ticks());
  while (frames.next(frame) && !watch.stop()) counted.orders += frame.orders.size();
  add(frames.damage());
  auto events = match.events();
  for (icrep::event_record one; events.next(one) && !watch.stop();) {
    if (const auto read = icrep::check_event(one.bytes, {}, one.offset); !read) {
      out.push_back(finding_of(severity::error, read.error()));
    } else if (one.type < analysis::type_count || one.type >= icrep::first_game_event_type) {
      ++counted.events;
    }
  }
  add(events.damage());
  for (const icrep::stored_keyframe& keyframe : match.keyframes()) {
    watch.report(keyframe.offset, of.file_bytes);
    if (const auto taken = sound.take(keyframe); !taken) {
      out.push_back(finding_of(severity::error, taken.error()));
    }
    if (watch.stop()) break;
  }
  return out;
}

std::string names_of(const std::vector<game::slot_layout>& types) {
  std::string out;
  for (const game::slot_layout& one : types) out += (out.empty() ? "" : ", ") + one.slot.name;
  return out;
}

// The recorded origin of a clip; empty if it is not a clip, or the text is not one that our clips contain.
std::string cut_from(const icrep::metadata& facts) {
  constexpr std::size_t longest = 4096;
  const std::string* const json = icrep::fact_of(facts, icrep::cut_metadata_key);
  if (json == nullptr || json->size() > longest) return {};
  return icrep::read_text(facts, icrep::cut_metadata_key);
}

void add_facts(const icrep_source& of, const std::optional<counts>& counted, summary& out) {
  const game::replay& match = *of.match;
  const icrep::metadata& facts = match.facts();
  const icrep::file_header& header = match.file().header();
  const auto text = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out.facts.push_back({std::string(key), value});
  };
  const auto number = [&](std::string_view key, std::uint64_t value) {
    out.facts.push_back({std::string(key), static_cast<std::int64_t>(value)});
  };
  text("game", facts.game_module);
  text("game_version", facts.engine_version);
  text("map_name", facts.map_name);
  text("timestamp", facts.timestamp);
  text("replay_id", facts.replay_id);
  text("game_speed", facts.game_speed);
  text(cut_key, cut_from(facts));
  const game::world_layout& types = match.types().layout();
  text("described_components", names_of(types.components));
  text("described_player_fields", names_of(types.player_fields));
  text("described_orders", names_of(types.orders));
  text("described_events", names_of(types.events));
  out.facts.push_back({"ticks_per_second", 1 / of.clock.tick_seconds});
  number("full_keyframes", static_cast<std::uint64_t>(
                               std::ranges::count(match.keyframes(), true, &icrep::stored_keyframe::full)));
  number("order_blocks", match.file().order_blocks().size());
  if (counted) {
    number("orders", counted->orders);
    number("events", counted->events);
  }
  out.facts.push_back({"has_voice", header.has_voice});
  out.facts.push_back({"has_embedded_resources", header.embedded.offset != 0});
  if (const auto part = game::part_of(facts)) {
    number("part", part->number);
    number("parts", part->of);
    number("missing_parts", match.missing_parts().size());
  }
  number("lost_frames", header.lost_frame_count);
  if (const auto lost = game::losses_of(facts)) {
    number("lost_ticks", lost->ticks);
    number("lost_keyframes", lost->keyframes);
    number("lost_events", lost->events);
  }
  if (const auto fixes = game::fixes_of(facts)) {
    number("fixed_texts", fixes->texts);
    number("rejected_values", fixes->values);
  }
  if (header.live) out.facts.push_back({"live", true});
}

// Only a check that read the signed content reports whether a signature is valid.
void add_signature(const game::replay& match, bool is_checked, summary& out) {
  if (!is_checked && match.file().header().is_signed) return;
  const icrep::signature_report signatures = match.file().verify_signatures();
  out.facts.push_back({"signature", std::string(name(signatures.state))});
  if (signatures.signer) out.facts.push_back({"signer", text::to_hex(*signatures.signer)});
  if (signatures.state == icrep::signature_state::tampered) out.health = health::damaged;
}

summary describe_match(const icrep_source& of, const std::optional<counts>& counted) {
  const game::replay& match = *of.match;
  const icrep::metadata& facts = match.facts();
  const icrep::file_header& header = match.file().header();
  summary out;
  out.format = of.format;
  out.format_version = icrep_format_version;
  out.bytes = of.file_bytes;
  out.ticks = match.total_ticks();
  out.keyframes = match.keyframes().size();
  out.duration_ms = out.ticks == 0 ? 0 : of.clock.time_ms_of(out.ticks - 1);
  for (const icrep::player_entry& player : facts.players) {
    player_summary& one = out.players.emplace_back();
    one.name = player.name;
    one.team = player.faction;
    one.facts.push_back({"number", static_cast<std::int64_t>(player.slot)});
    if (!player.outcome.empty()) one.facts.push_back({"outcome", player.outcome});
  }

  if (header.live || header.lost_frame_count != 0) {
    out.health = health::incomplete;
  } else if (header.incomplete && (match.file().first_tick() == 0 || icrep::lost_content_of(facts))) {
    // A clip begins at its requested tick.
    out.health = health::recovered;
  }
  const auto part = game::part_of(facts);
  if (part && (part->number != 1 || !match.missing_parts().empty())) out.health = health::incomplete;
  add_facts(of, counted, out);
  add_signature(match, counted.has_value(), out);
  return out;
}

}  // namespace

std::vector<std::string> parts_missing(const game::replay& match) {
  std::vector<std::string> out;
  const auto part = game::part_of(match.facts());
  if (!part) return out;
  const auto of = " of " + std::to_string(part->of) + " of this match ";
  for (const std::uint32_t number : match.missing_parts()) {
    out.push_back("part " + std::to_string(number) + of + "is missing: it is not beside the first as NAME." +
                  std::to_string(number) + ", or is damaged");
  }
  if (part->number != 1) {
    out.push_back("this is part " + std::to_string(part->number) + of + "alone: open the first to read all");
  }
  return out;
}

finding finding_of(severity level, const error& what) {
  error without_offset = what;
  without_offset.offset = error::no_offset;
  return {level, what.offset, describe(without_offset)};
}

result<summary> summarise_icrep(const icrep_source& of, const monitor& watch) {
  counts counted;
  const std::vector<finding> damage = damage_of_streams(of, counted, watch);
  if (watch.stop()) return fail(error_code::interrupted);
  summary out = describe_match(of, counted);
  if (!damage.empty()) out.health = health::damaged;
  return out;
}

std::optional<summary> outline_icrep(const icrep_source& of) {
  const icrep::file_header& header = of.match->file().header();
  const bool finished = !header.live && !header.incomplete && header.lost_frame_count == 0;
  if (!finished || !of.match->file().findings().empty() || !parts_missing(*of.match).empty()) {
    return std::nullopt;
  }
  return describe_match(of, std::nullopt);
}

}  // namespace tickreel::files
