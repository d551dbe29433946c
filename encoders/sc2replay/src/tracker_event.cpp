#include "tickreel/sc2replay/tracker_event.hpp"

#include <iterator>

#include "integer_cursor.hpp"
#include "tickreel/sc2replay/versioned.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::string_view event_names[] = {
    "player_stats", "unit_born", "unit_died", "unit_owner_change", "unit_type_change",
    "upgrade",      "unit_init", "unit_done", "unit_positions",    "player_setup"};

// The fields of each event by their numbers. Later additions are absent before: creator_* 4.0 (54724),
// killer_unit_* 2.1 (27950), player_setup 2.1; friendly fire 2.0.10 (26490).
constexpr std::string_view field_names[][10] = {
    {"player_id", "stats"},
    {"unit_tag_index", "unit_tag_recycle", "unit_type_name", "control_player_id", "upkeep_player_id", "x",
     "y", "creator_unit_tag_index", "creator_unit_tag_recycle", "creator_ability_name"},
    {"unit_tag_index", "unit_tag_recycle", "killer_player_id", "x", "y", "killer_unit_tag_index",
     "killer_unit_tag_recycle"},
    {"unit_tag_index", "unit_tag_recycle", "control_player_id", "upkeep_player_id"},
    {"unit_tag_index", "unit_tag_recycle", "unit_type_name"},
    {"player_id", "upgrade_type_name", "count"},
    {"unit_tag_index", "unit_tag_recycle", "unit_type_name", "control_player_id", "upkeep_player_id", "x",
     "y"},
    {"unit_tag_index", "unit_tag_recycle"},
    {"first_unit_index", "items"},
    {"player_id", "player_type", "user_id", "slot_id"},
};
static_assert(std::size(field_names) == std::size(event_names));

constexpr std::string_view stat_names[] = {
    "minerals_current",
    "vespene_current",
    "minerals_collection_rate",
    "vespene_collection_rate",
    "workers_active_count",
    "minerals_used_in_progress_army",
    "minerals_used_in_progress_economy",
    "minerals_used_in_progress_technology",
    "vespene_used_in_progress_army",
    "vespene_used_in_progress_economy",
    "vespene_used_in_progress_technology",
    "minerals_used_current_army",
    "minerals_used_current_economy",
    "minerals_used_current_technology",
    "vespene_used_current_army",
    "vespene_used_current_economy",
    "vespene_used_current_technology",
    "minerals_lost_army",
    "minerals_lost_economy",
    "minerals_lost_technology",
    "vespene_lost_army",
    "vespene_lost_economy",
    "vespene_lost_technology",
    "minerals_killed_army",
    "minerals_killed_economy",
    "minerals_killed_technology",
    "vespene_killed_army",
    "vespene_killed_economy",
    "vespene_killed_technology",
    "food_used",
    "food_made",
    "minerals_used_active_forces",
    "vespene_used_active_forces",
    "minerals_friendly_fire_army",
    "minerals_friendly_fire_economy",
    "minerals_friendly_fire_technology",
    "vespene_friendly_fire_army",
    "vespene_friendly_fire_economy",
    "vespene_friendly_fire_technology",
};

constexpr std::uint8_t tag(versioned_tag which) {
  return static_cast<std::uint8_t>(which);
}

// Struct fields that are integers; anything else fails the read, and the caller skips the struct.
bool read_stats(integer_cursor& from, tracker_event& out) noexcept {
  const std::int64_t count = from.integer();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = from.integer();
    if (from.u8() != tag(versioned_tag::integer)) return false;
    const std::int64_t value = from.integer();
    if (!from.ok()) return false;
    if (number < 0 || number >= static_cast<std::int64_t>(tracker_event::stats_limit)) continue;
    out.stats[static_cast<std::size_t>(number)] = value;
    out.filled_stats |= std::uint64_t{1} << number;
  }
  return from.ok();
}

bool pass_integers(integer_cursor& from, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    if (from.u8() != tag(versioned_tag::integer)) return false;
    (void)from.integer();
    if (!from.ok()) return false;
  }
  return count >= 0;
}

// Stores one field's value. False if no known event has it.
bool read_field(integer_cursor& from, std::int64_t number, tracker_event& out) noexcept {
  std::uint8_t kind = from.u8();
  if (kind == tag(versioned_tag::optional)) {
    const std::uint8_t present = from.u8();
    if (present == 0) return from.ok();
    if (present != 1) return false;
    kind = from.u8();
  }
  if (number < 0 || number >= static_cast<std::int64_t>(tracker_event::field_limit)) return false;
  std::int64_t value = 0;
  switch (versioned_tag{kind}) {
    case versioned_tag::integer:
      value = from.integer();
      break;
    case versioned_tag::blob: {
      const std::int64_t size = from.integer();
      const std::byte* const start = from.place();
      if (!from.pass(size)) return false;
      value = static_cast<std::int64_t>(start - out.bytes.data()) << 32 | size;
      break;
    }
    case versioned_tag::structure:
      if (!out.is(tracker_kind::player_stats) || !read_stats(from, out)) return false;
      break;
    case versioned_tag::array: {
      if (!out.is(tracker_kind::unit_positions)) return false;
      const std::int64_t count = from.integer();
      const std::byte* const start = from.place();
      if (!pass_integers(from, count)) return false;
      out.items = {start, from.place()};
      out.item_count = static_cast<std::size_t>(count);
      break;
    }
    default:
      return false;
  }
  out.values[static_cast<std::size_t>(number)] = value;
  out.filled |= std::uint64_t{1} << number;
  return from.ok();
}

}  // namespace

std::string_view tracker_event::name() const noexcept {
  return id < std::size(event_names) ? event_names[id] : "unknown";
}

std::string_view tracker_event::text(unsigned field) const noexcept {
  if (!has(field)) return {};
  const auto packed = static_cast<std::uint64_t>(values[field]);
  return as_text(bytes.subspan(static_cast<std::size_t>(packed >> 32), packed & 0xFFFFFFFF));
}

std::string_view tracker_field_name(std::uint32_t id, std::int64_t field) noexcept {
  if (id >= std::size(field_names) || field < 0 || field >= std::ssize(field_names[id])) return {};
  return field_names[id][field];
}

std::string_view tracker_stat_name(std::int64_t field) noexcept {
  return field < 0 || field >= std::ssize(stat_names) ? std::string_view() : stat_names[field];
}

result<bool> tracker_event_reader::next(tracker_event& out) noexcept {
  if (failed_)
    return fail(error_code::wrong_state, position_, "replay.tracker.events: cannot be read further");
  if (at_end()) return false;
  const byte_span stream = rest();
  integer_cursor from(stream);
  // 03, the form, 09, the delta, 09, the id, 05 ...
  const bool delta_begins = from.u8() == tag(versioned_tag::choice);
  (void)from.integer();
  const bool delta_is_integer = from.u8() == tag(versioned_tag::integer);
  const auto delta = static_cast<std::uint32_t>(from.integer());
  const bool id_begins = from.u8() == tag(versioned_tag::integer);
  const std::int64_t id = from.integer();
  const std::size_t fields_at = from.position();
  const bool fields_begin = from.u8() == tag(versioned_tag::structure);
  const std::int64_t count = from.integer();
  failed_ = true;
  if (!from.ok()) {
    return fail(error_code::truncated, position_ + from.position(),
                "replay.tracker.events: ends inside an event");
  }
  if (!delta_begins || !delta_is_integer || !id_begins || !fields_begin || id < 0 || id > 0xFFFFFFFF ||
      count < 0) {
    return fail(error_code::malformed, position_, "replay.tracker.events: no event begins here");
  }
  out.bytes = stream;
  out.id = static_cast<std::uint32_t>(id);
  out.filled = 0;
  out.filled_stats = 0;
  out.items = {};
  out.item_count = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = from.integer();
    const integer_cursor before = from;
    if (from.ok() && read_field(from, number, out)) continue;
    // Not a known form; versioned data are self-describing.
    from = before;
    versioned_reader unknown(stream.subspan(from.position()), position_ + from.position());
    unknown.skip();
    if (!unknown.ok()) {
      error why = unknown.failure("replay.tracker.events: inside event {} at {}").value();
      why.values[0] = id;
      why.values[1] = static_cast<std::int64_t>(position_);
      return fail(why);
    }
    (void)from.pass(static_cast<std::int64_t>(unknown.position()));
  }
  out.tick = tick_ + delta;
  out.base_build = base_build_;
  out.offset = position_;
  out.bytes = stream.first(from.position());
  out.fields = out.bytes.subspan(fields_at);
  pass(from.position(), tick_ + delta);
  return true;
}

}  // namespace tickreel::sc2replay
