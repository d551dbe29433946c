#include "event_groups.hpp"

#include <algorithm>
#include <map>

#include "compressed_bytes.hpp"
#include "tickreel/bytes/append.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::library {

namespace {

constexpr std::uint8_t has_tick = 1;
constexpr std::uint8_t has_time = 2;

// What the next place of a group is the difference to.
struct place_before {
  std::uint64_t number = 0;
  std::uint64_t tick = 0;
  std::uint64_t time_ms = 0;
};

std::uint64_t difference(std::uint64_t& before, std::uint64_t now) noexcept {
  return zigzag_encode(static_cast<std::int64_t>(now - std::exchange(before, now)));
}

void append_place(std::uint64_t number, const event_line& each, place_before& before, byte_vector& out) {
  append_leb128(number - std::exchange(before.number, number), out);
  out.push_back(static_cast<std::byte>((each.tick ? has_tick : 0) | (each.time_ms ? has_time : 0)));
  if (each.tick) append_leb128(difference(before.tick, *each.tick), out);
  if (each.time_ms) append_leb128(difference(before.time_ms, static_cast<std::uint64_t>(*each.time_ms)), out);
  append_leb128(each.json.size(), out);
}

struct open_group {
  event_group group;
  place_before before;
  std::string text;
};

std::uint64_t next_value(byte_reader& from, std::uint64_t& before) noexcept {
  before += static_cast<std::uint64_t>(zigzag_decode(read_leb128(from)));
  return before;
}

tl::unexpected<error> bad_group() {
  return fail(error_code::malformed, error::no_offset, "events in the index");
}

}  // namespace

result<event_groups> group_events(const event_list& from) {
  std::map<std::string_view, open_group> groups;
  event_groups out{.events = from.lines.size(), .by_type = {}};
  for (std::uint64_t number = 0; number < from.lines.size(); ++number) {
    const event_line& each = from.lines[static_cast<std::size_t>(number)];
    open_group& to = groups[each.type];
    event_group& group = to.group;
    if (group.count++ == 0) group.first_tick = group.last_tick = each.tick;
    if (!each.tick) group.first_tick.reset();
    if (group.first_tick) {
      group.first_tick = std::min(*group.first_tick, *each.tick);
      group.last_tick = std::max(*group.last_tick, *each.tick);
    }
    append_place(number, each, to.before, group.places);
    to.text += each.json;
  }
  auto pack = byte_compressor::create();
  if (!pack) return fail(pack.error());
  for (auto& [type, each] : groups) {
    if (auto done = pack->compress(as_bytes(each.text), each.group.lines); !done) return fail(done.error());
    each.group.type = type;
    if (!each.group.first_tick) each.group.last_tick.reset();
    out.by_type.push_back(std::move(each.group));
  }
  return out;
}

result<void> append_group(const stored_group& from, std::vector<event_line>& to) {
  byte_vector text;
  if (!from.lines.empty()) {
    decompressor codec;
    if (auto done = decompress_bytes(codec, from.lines, max_event_text_bytes, text); !done) return done;
  }
  std::string_view rest = as_text(text);
  byte_reader places(from.places);
  place_before before;
  for (std::uint64_t at = 0; at < from.count; ++at) {
    event_line& line = to.emplace_back();
    before.number += read_leb128(places);
    line.id = before.number;
    const std::uint8_t flags = places.u8();
    if ((flags & has_tick) != 0) line.tick = next_value(places, before.tick);
    if ((flags & has_time) != 0) line.time_ms = static_cast<std::int64_t>(next_value(places, before.time_ms));
    const std::uint64_t bytes = read_leb128(places);
    if (!places.ok()) return bad_group();
    line.type = from.type;
    if (from.lines.empty()) continue;
    if (bytes > rest.size()) return bad_group();
    line.json = rest.substr(0, static_cast<std::size_t>(bytes));
    rest.remove_prefix(static_cast<std::size_t>(bytes));
  }
  if (!places.rest().empty() || !rest.empty()) return bad_group();
  return {};
}

}  // namespace tickreel::library
