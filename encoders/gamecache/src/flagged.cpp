// Layout A. Little-endian; z is text followed by a 0, W is z or 01 and UTF-16 followed by a 0 unit.
//
//   u32 size of the item, itself included | i64 time | u32 fields | u32 age | z path
//   then, each when its bit of `fields` is set, for n players:
//   W name | z ratio | u32 length | z mode | u8 n | u32 map version | u32 Warcraft version | n W names
//   | n u8 heroes | n x (4 or 5) i16 stats | n u32 leave times | n i32 item gold | n u8 levels | n u8 lanes
//   | n u8 teams | n i16 actions per minute (bit 19) | i8 winner (bit 18)
#include <limits>

#include "item_codec.hpp"

namespace tickreel::gamecache {

namespace {

std::uint8_t stats_of_version(std::uint32_t version) noexcept {
  return version >= version_2_05 ? 5 : 4;
}

void read_wide_or_plain(byte_reader& in, std::size_t limit, text& out) {
  const std::string_view rest = as_text(in.rest());
  if (rest.empty() || rest.front() != '\1') {
    out.form = text_form::plain;
    out.bytes = read_text(in, limit);
    return;
  }
  const std::string_view units = rest.substr(1, limit + 2);
  for (std::size_t at = 0; at + 1 < units.size(); at += 2) {
    if (units[at] == 0 && units[at + 1] == 0) {
      out.form = text_form::wide;
      out.bytes = units.substr(0, at);
      in.skip(1 + at + 2);
      return;
    }
  }
  in.fail_with(rest.size() > limit + 2 ? error_code::over_limit : error_code::truncated);
}

void read_players(byte_reader& in, const limits& most, std::uint8_t stats_per_player, item& out) {
  const auto has = [&out](std::uint32_t bit) { return (out.fields & bit) != 0; };
  if (has(field::player_names)) {
    for (player& each : out.players) read_wide_or_plain(in, most.string_bytes, each.name);
  }
  if (has(field::heroes)) {
    for (player& each : out.players) each.hero = in.u8();
  }
  if (has(field::stats)) {
    out.stats_per_player = stats_per_player;
    for (player& each : out.players) {
      each.kills = in.i16();
      each.deaths = in.i16();
      each.creeps = in.i16();
      each.denies = in.i16();
      if (stats_per_player == 5) each.assists = in.i16();
    }
  }
  if (has(field::leave_times)) {
    for (player& each : out.players) each.leave_ms = in.u32();
  }
  if (has(field::item_gold)) {
    for (player& each : out.players) each.item_gold = in.i32();
  }
  if (has(field::levels)) {
    for (player& each : out.players) each.level = in.u8();
  }
  if (has(field::lanes)) {
    for (player& each : out.players) each.lane = in.u8();
  }
  if (has(field::teams)) {
    for (player& each : out.players) each.team = in.u8();
  }
  if (has(field::actions_per_minute)) {
    for (player& each : out.players) each.actions_per_minute = in.i16();
  }
}

// Reads the fields after the path. Leaves `in` failed if they do not fit.
void read_fields(byte_reader& in, const limits& most, std::uint8_t stats_per_player, item& out) {
  const auto has = [&out](std::uint32_t bit) { return (out.fields & bit) != 0; };
  out.players.clear();
  if (has(field::game_name)) read_wide_or_plain(in, most.string_bytes, out.name);
  if (has(field::ratio)) out.ratio = read_text(in, most.string_bytes);
  if (has(field::length)) out.length_ms = in.u32();
  if (has(field::mode)) out.mode = read_text(in, most.string_bytes);
  if (has(field::player_count)) {
    const std::uint8_t count = in.u8();
    if (count > most.players) {
      in.fail_with(error_code::over_limit);
      return;
    }
    out.players.resize(count);
  }
  if (has(field::map_version)) out.map_version = in.u32();
  if (has(field::warcraft_version)) out.warcraft_version = in.u32();
  read_players(in, most, stats_per_player, out);
  if (has(field::winner)) out.winner = static_cast<std::int8_t>(in.u8());
}

void write_wide_or_plain(const text& from, byte_writer& out) noexcept {
  if (from.form == text_form::plain) {
    out.zero_terminated(from.bytes);
    return;
  }
  out.u8(1);
  out.bytes(as_bytes(from.bytes));
  out.u16(0);
}

std::size_t size_of(const text& from) noexcept {
  return from.bytes.size() + (from.form == text_form::wide ? 3 : 1);
}

bool fits_i16(std::int32_t value) noexcept {
  return value >= std::numeric_limits<std::int16_t>::min() &&
         value <= std::numeric_limits<std::int16_t>::max();
}

refusal refuse_text(const text& from, const write_options& options) noexcept {
  if (from.form == text_form::plain) {
    if (holds_zero(from.bytes)) return "a name holds a 0";
    if (from.bytes.starts_with('\1')) return "a plain name begins with byte 1, which means a wide one";
  } else {
    if (from.bytes.size() % 2 != 0) return "a wide name has an odd number of bytes";
    for (std::size_t at = 0; at < from.bytes.size(); at += 2) {
      if (from.bytes[at] == 0 && from.bytes[at + 1] == 0) return "a name holds a 0";
    }
  }
  if (options.program_limits && utf16_units(from) > program_name_units) {
    return "a name is longer than 63 units";
  }
  return nullptr;
}

refusal refuse_player(const player& from, std::uint32_t fields, const write_options& options) noexcept {
  if ((fields & field::player_names) != 0) {
    if (const refusal reason = refuse_text(from.name, options)) return reason;
  }
  const bool stats_fit = fits_i16(from.kills) && fits_i16(from.deaths) && fits_i16(from.creeps) &&
                         fits_i16(from.denies) && fits_i16(from.assists);
  if ((fields & field::stats) != 0 && !stats_fit) return "a statistic needs more than 16 bits";
  if ((fields & field::actions_per_minute) != 0 && !fits_i16(from.actions_per_minute)) {
    return "the actions per minute need more than 16 bits";
  }
  if ((fields & field::item_gold) != 0 && from.item_gold != static_cast<std::int32_t>(from.item_gold)) {
    return "the gold needs more than 32 bits";
  }
  return nullptr;
}

std::size_t player_size(const player& from, std::uint32_t fields, std::size_t stats_per_player) noexcept {
  std::size_t size = 0;
  if ((fields & field::player_names) != 0) size += size_of(from.name);
  if ((fields & field::heroes) != 0) size += 1;
  if ((fields & field::stats) != 0) size += 2 * stats_per_player;
  if ((fields & field::leave_times) != 0) size += 4;
  if ((fields & field::item_gold) != 0) size += 4;
  if ((fields & field::levels) != 0) size += 1;
  if ((fields & field::lanes) != 0) size += 1;
  if ((fields & field::teams) != 0) size += 1;
  if ((fields & field::actions_per_minute) != 0) size += 2;
  return size;
}

void write_players(const item& from, std::size_t stats_per_player, byte_writer& out) noexcept {
  const auto has = [&from](std::uint32_t bit) { return (from.fields & bit) != 0; };
  const auto half = [&out](std::int32_t value) { out.i16(static_cast<std::int16_t>(value)); };
  if (has(field::player_names)) {
    for (const player& each : from.players) write_wide_or_plain(each.name, out);
  }
  if (has(field::heroes)) {
    for (const player& each : from.players) out.u8(each.hero);
  }
  if (has(field::stats)) {
    for (const player& each : from.players) {
      half(each.kills);
      half(each.deaths);
      half(each.creeps);
      half(each.denies);
      if (stats_per_player == 5) half(each.assists);
    }
  }
  if (has(field::leave_times)) {
    for (const player& each : from.players) out.u32(each.leave_ms);
  }
  if (has(field::item_gold)) {
    for (const player& each : from.players) out.i32(static_cast<std::int32_t>(each.item_gold));
  }
  if (has(field::levels)) {
    for (const player& each : from.players) out.u8(each.level);
  }
  if (has(field::lanes)) {
    for (const player& each : from.players) out.u8(each.lane);
  }
  if (has(field::teams)) {
    for (const player& each : from.players) out.u8(each.team);
  }
  if (has(field::actions_per_minute)) {
    for (const player& each : from.players) half(each.actions_per_minute);
  }
}

std::size_t stats_of(const item& from, std::uint32_t version) noexcept {
  return from.stats_per_player != 0 ? from.stats_per_player : stats_of_version(version);
}

// Reads the fields after the path, limited by a reliable size.
result<void> read_bounded_fields(byte_reader& body, std::uint32_t version, const limits& most, item& out) {
  if (!out.understood()) {
    const byte_span rest = body.rest();
    out.tail.assign(rest.begin(), rest.end());
    return {};
  }
  const std::uint8_t expected = stats_of_version(version);
  byte_reader first = body;
  read_fields(first, most, expected, out);
  if (first.ok() && first.at_end()) return {};
  if ((out.fields & field::stats) != 0 && (out.fields & field::player_count) != 0) {
    item other = out;
    byte_reader second = body;
    read_fields(second, most, expected == 5 ? 4 : 5, other);
    if (second.ok() && second.at_end()) {
      if (other.stats_per_player == 4) {
        for (player& each : other.players) each.assists = 0;
      }
      out = std::move(other);
      return {};
    }
  }
  if (!first.ok()) return first.failure("a field of an item");
  const byte_span rest = first.rest();
  out.tail.assign(rest.begin(), rest.end());
  return {};
}

}  // namespace

result<void> read_flagged_item(byte_reader& in, std::uint32_t version, const limits& most, item& out) {
  const std::uint64_t start = in.offset();
  byte_reader body = in;
  const std::uint32_t size = body.u32();
  const bool size_counts = version >= version_1_05;
  if (size_counts) {
    if (body.ok() && (size < least_flagged_item || size > in.remaining())) {
      return fail(error_code::malformed, start, "an item of {} byte{s}", size);
    }
    body = byte_reader(in.rest().first(body.ok() ? size : 0), start);
    body.skip(4);
  }
  out.modified = body.i64();
  out.fields = body.u32();
  out.age = body.u32();
  out.path = read_text(body, most.string_bytes);
  if (!body.ok()) return body.failure("the head of an item");
  if (size_counts) {
    if (auto filled = read_bounded_fields(body, version, most, out); !filled) return filled;
    in.skip(size);
    return {};
  }
  out.claimed_size = size;
  if (!out.understood()) {
    return fail(error_code::malformed, start + 12, "an item has unknown fields and no size that counts");
  }
  read_fields(body, most, stats_of_version(version), out);
  if (!body.ok()) return body.failure("a field of an item");
  in = body;
  return {};
}

refusal refuse_flagged_item(const item& from, const write_options& options) noexcept {
  if (holds_zero(from.path)) return "the path holds a 0";
  if (options.program_limits && from.path.size() > program_path_bytes) {
    return "the path is longer than 511 bytes";
  }
  if (!from.understood()) return nullptr;
  if ((from.fields & field::game_name) != 0) {
    if (const refusal reason = refuse_text(from.name, options)) return reason;
  }
  if (holds_zero(from.ratio) || holds_zero(from.mode)) return "the ratio or the mode holds a 0";
  if (options.program_limits) {
    if (from.ratio.size() > program_ratio_bytes) return "the ratio is longer than 15 bytes";
    if (from.mode.size() > program_mode_bytes) return "the mode is longer than 31 bytes";
    if (from.players.size() > program_players) return "there are more than 10 players";
  }
  if (from.players.size() > std::numeric_limits<std::uint8_t>::max()) return "there are too many players";
  if (from.stats_per_player != 0 && from.stats_per_player != 4 && from.stats_per_player != 5) {
    return "statistics are four or five";
  }
  if ((from.fields & field::player_count) == 0 && !from.players.empty()) {
    return "there are players, and no field that counts them";
  }
  for (const player& each : from.players) {
    if (const refusal reason = refuse_player(each, from.fields, options)) return reason;
  }
  return nullptr;
}

std::size_t flagged_item_size(const item& from, std::uint32_t version) noexcept {
  std::size_t size = least_flagged_item + from.path.size() + from.tail.size();
  if (!from.understood()) return size;
  const auto has = [&from](std::uint32_t bit) { return (from.fields & bit) != 0; };
  if (has(field::game_name)) size += size_of(from.name);
  if (has(field::ratio)) size += from.ratio.size() + 1;
  if (has(field::length)) size += 4;
  if (has(field::mode)) size += from.mode.size() + 1;
  if (has(field::player_count)) size += 1;
  if (has(field::map_version)) size += 4;
  if (has(field::warcraft_version)) size += 4;
  if (has(field::winner)) size += 1;
  for (const player& each : from.players) size += player_size(each, from.fields, stats_of(from, version));
  return size;
}

void write_flagged_item(const item& from, std::uint32_t version, byte_writer& out) noexcept {
  const auto size = static_cast<std::uint32_t>(flagged_item_size(from, version));
  out.u32(version < version_1_05 ? from.claimed_size.value_or(size) : size);
  out.i64(from.modified);
  out.u32(from.fields);
  out.u32(from.age);
  out.zero_terminated(from.path);
  if (from.understood()) {
    const auto has = [&from](std::uint32_t bit) { return (from.fields & bit) != 0; };
    if (has(field::game_name)) write_wide_or_plain(from.name, out);
    if (has(field::ratio)) out.zero_terminated(from.ratio);
    if (has(field::length)) out.u32(from.length_ms);
    if (has(field::mode)) out.zero_terminated(from.mode);
    if (has(field::player_count)) out.u8(static_cast<std::uint8_t>(from.players.size()));
    if (has(field::map_version)) out.u32(from.map_version);
    if (has(field::warcraft_version)) out.u32(from.warcraft_version);
    write_players(from, stats_of(from, version), out);
    if (has(field::winner)) out.u8(static_cast<std::uint8_t>(from.winner));
  }
  out.bytes(from.tail);
}

}  // namespace tickreel::gamecache
