// Events of a file in the index. A question about one type reads one group, and a count reads no JSON.
//
//   places = for each event: leb128 difference of its number to that of the event before
//            | u8 flags: 1 it has a tick, 2 a time | leb128 zigzag difference to the tick before
//            | leb128 zigzag difference to the time before | leb128 bytes of its JSON
//   lines  = the JSON of all events, see compressed_bytes.hpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/library/event_list.hpp"
#include "tickreel/result.hpp"

namespace tickreel::library {

// Of JSON in one file. A file with more has no events in the index.
inline constexpr std::size_t max_event_text_bytes = std::size_t{16} << 20;

// Events of one type.
struct event_group {
  std::string type;
  std::uint64_t count = 0;
  // Unset if an event has no tick.
  std::optional<std::uint64_t> first_tick = std::nullopt;
  std::optional<std::uint64_t> last_tick = std::nullopt;
  byte_vector places;
  byte_vector lines;
};

struct event_groups {
  std::uint64_t events = 0;
  std::vector<event_group> by_type;
};

// Numbers the events from 0 in the order of the list.
result<event_groups> group_events(const event_list& from);

// A group as stored.
struct stored_group {
  std::string_view type;
  std::uint64_t count = 0;
  byte_span places;
  byte_span lines;  // empty: without JSON
};
// Appends the events; their ids are their numbers. malformed for another content.
result<void> append_group(const stored_group& from, std::vector<event_line>& to);

}  // namespace tickreel::library
