// Layout B. Little-endian; z is text followed by a 0.
//
//   u32 size of what follows | z path | u64 time | z name | u32 length | u64 mode bits | u32 map version
//   | u32 Warcraft version | i8 winner | u8 n | i8 host | i8 saver
//   n x: z name | u8 team | u8 hero | u16 kills deaths creeps denies assists gold neutrals | u32 leave time
//        | u8 lane | u8 level | u32 item gold | u16 actions per minute
//
// Betas before September 2012 have no host and saver. The size does not distinguish them, because the first name has
// any length; but its first two letters are not valid indices of players.
#include <limits>

#include "item_codec.hpp"

namespace tickreel::gamecache {

namespace {

constexpr std::size_t player_bytes = 28;  // after the name

void read_body(byte_reader& in, const limits& most, bool host_and_saver, item& out) {
  out.path = read_text(in, most.string_bytes);
  out.modified = in.i64();
  out.name = {text_form::plain, std::string(read_text(in, most.string_bytes))};
  out.length_ms = in.u32();
  out.mode_bits = in.u64();
  out.map_version = in.u32();
  out.warcraft_version = in.u32();
  out.winner = static_cast<std::int8_t>(in.u8());
  const std::uint8_t count = in.u8();
  if (count > most.players) {
    in.fail_with(error_code::over_limit);
    return;
  }
  out.has_host_and_saver = host_and_saver;
  out.host = host_and_saver ? static_cast<std::int8_t>(in.u8()) : std::int8_t{-1};
  out.saver = host_and_saver ? static_cast<std::int8_t>(in.u8()) : std::int8_t{-1};
  out.players.clear();
  if (!in.ok()) return;
  out.players.resize(count);
  for (player& each : out.players) {
    each.name = {text_form::plain, std::string(read_text(in, most.string_bytes))};
    each.team = in.u8();
    each.hero = in.u8();
    each.kills = in.u16();
    each.deaths = in.u16();
    each.creeps = in.u16();
    each.denies = in.u16();
    each.assists = in.u16();
    each.gold = in.u16();
    each.neutrals = in.u16();
    each.leave_ms = in.u32();
    each.lane = in.u8();
    each.level = in.u8();
    each.item_gold = in.u32();
    each.actions_per_minute = in.u16();
  }
}

// No replay has more players than this; -1 means none. Letters are above 31 or, as bytes of UTF-8, below -1.
bool is_place(std::int8_t value) noexcept {
  return value >= -1 && value < 32;
}

bool fits_u16(std::int32_t value) noexcept {
  return value >= 0 && value <= std::numeric_limits<std::uint16_t>::max();
}

refusal refuse_name(const text& from, const write_options& options) noexcept {
  if (from.form != text_form::plain) return "a name is wide";
  if (holds_zero(from.bytes)) return "a name holds a 0";
  if (options.program_limits && utf16_units(from) > program_name_units) {
    return "a name is longer than 63 units";
  }
  return nullptr;
}

}  // namespace

result<void> read_flat_item(byte_reader& in, const limits& most, item& out) {
  const std::uint64_t start = in.offset();
  const std::uint32_t size = in.u32();
  if (!in.ok()) return in.failure("the size of an item");
  if (size < least_flat_item - 4 || size > in.remaining()) {
    return fail(error_code::malformed, start, "an item of {} byte{s}", size);
  }
  const byte_reader body(in.rest().first(size), in.offset());
  byte_reader late = body;
  read_body(late, most, true, out);
  const bool late_fits = late.ok() && late.at_end();
  if (!late_fits || !is_place(out.host) || !is_place(out.saver)) {
    item other;
    byte_reader early = body;
    read_body(early, most, false, other);
    if (!late.ok() && !early.ok()) return late.failure("a field of an item");
    if ((early.ok() && early.at_end()) || !late.ok()) {
      out = std::move(other);
      late = early;
    }
  }
  const byte_span rest = late.rest();
  out.tail.assign(rest.begin(), rest.end());
  in.skip(size);
  return {};
}

refusal refuse_flat_item(const item& from, const write_options& options) noexcept {
  if (holds_zero(from.path)) return "the path holds a 0";
  if (options.program_limits && from.path.size() > program_path_bytes) {
    return "the path is longer than 511 bytes";
  }
  if (options.program_limits && from.players.size() > program_players)
    return "there are more than 10 players";
  if (from.players.size() > std::numeric_limits<std::uint8_t>::max()) return "there are too many players";
  if (const refusal reason = refuse_name(from.name, options)) return reason;
  for (const player& each : from.players) {
    if (const refusal reason = refuse_name(each.name, options)) return reason;
    if (!fits_u16(each.kills) || !fits_u16(each.deaths) || !fits_u16(each.creeps) || !fits_u16(each.denies) ||
        !fits_u16(each.assists)) {
      return "a statistic needs more than 16 bits";
    }
    if (!fits_u16(each.actions_per_minute)) return "the actions per minute need more than 16 bits";
    if (each.item_gold < 0 || each.item_gold > std::numeric_limits<std::uint32_t>::max()) {
      return "the gold needs more than 32 bits";
    }
  }
  return nullptr;
}

std::size_t flat_item_size(const item& from) noexcept {
  std::size_t size = least_flat_item + (from.has_host_and_saver ? 2 : 0);
  size += from.path.size() + from.name.bytes.size() + from.tail.size();
  for (const player& each : from.players) size += each.name.bytes.size() + 1 + player_bytes;
  return size;
}

void write_flat_item(const item& from, byte_writer& out) noexcept {
  const auto half = [&out](std::int32_t value) { out.u16(static_cast<std::uint16_t>(value)); };
  out.u32(static_cast<std::uint32_t>(flat_item_size(from) - 4));
  out.zero_terminated(from.path);
  out.i64(from.modified);
  out.zero_terminated(from.name.bytes);
  out.u32(from.length_ms);
  out.u64(from.mode_bits);
  out.u32(from.map_version);
  out.u32(from.warcraft_version);
  out.u8(static_cast<std::uint8_t>(from.winner));
  out.u8(static_cast<std::uint8_t>(from.players.size()));
  if (from.has_host_and_saver) {
    out.u8(static_cast<std::uint8_t>(from.host));
    out.u8(static_cast<std::uint8_t>(from.saver));
  }
  for (const player& each : from.players) {
    out.zero_terminated(each.name.bytes);
    out.u8(each.team);
    out.u8(each.hero);
    half(each.kills);
    half(each.deaths);
    half(each.creeps);
    half(each.denies);
    half(each.assists);
    out.u16(each.gold);
    out.u16(each.neutrals);
    out.u32(each.leave_ms);
    out.u8(each.lane);
    out.u8(each.level);
    out.u32(static_cast<std::uint32_t>(each.item_gold));
    half(each.actions_per_minute);
  }
  out.bytes(from.tail);
}

}  // namespace tickreel::gamecache
