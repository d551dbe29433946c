// The small object beside each archived reel that says what is in it, so that nobody has to fetch it to know.
// docs/archive.md has its fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

inline constexpr std::string_view reel_ending = ".reel";
inline constexpr std::string_view index_ending = ".json";
// Of an index object; more is none.
inline constexpr std::size_t most_index_bytes = std::size_t{4} << 20;

struct index_object {
  std::string league;
  std::string match;
  std::string reel;  // its id, 32 hexadecimal digits
  std::string key;   // of the recording, in the same store
  std::uint64_t bytes = 0;
  std::string sha256;  // of the recording as it is stored
  // As it was recorded, before it was made smaller: the recorder's own file, byte for byte, where `ended` is
  // true and no record is lost.
  std::uint64_t recorded_bytes = 0;
  std::string recorded_sha256;
  std::uint64_t records = 0;  // of that; the sequence of its last one, plus one
  std::uint64_t lost_records = 0;
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;
  bool ended = false;           // closed by its recorder
  bool compacted = false;       // stored as 'tickreel compact' makes it
  std::int64_t started_us = 0;  // since 1970 UTC
  std::int64_t duration_ms = 0;
  std::int64_t archived_at_us = 0;
  std::string info;  // what 'tickreel info --json' says of it: an object of JSON, {} where nothing
};

[[nodiscard]] std::string to_json(const index_object& what);
// bad_json for what is no index object; members that are missing are as above.
[[nodiscard]] result<index_object> read_index(byte_span json);
// The one under that key; nothing when there is none, and when what is there is none.
[[nodiscard]] result<std::optional<index_object>> fetch_index(object_store& from, const std::string& key);

}  // namespace tickreel::store
