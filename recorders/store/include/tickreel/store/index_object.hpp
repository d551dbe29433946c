// The small object beside each archived reel that describes it, so that readers need not fetch the reel.
// docs/archive.md lists its fields.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

inline constexpr std::string_view reel_ending = ".reel";
inline constexpr std::string_view index_ending = ".json";
// The limit of an index object.
inline constexpr std::size_t max_index_bytes = std::size_t{4} << 20;
inline constexpr std::size_t max_missing_ranges = 1000;

// Both included.
struct record_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

struct index_object {
  std::string league;
  std::string match;
  std::string reel;  // its id, 32 hexadecimal digits
  std::string key;   // of the recording, in the same store
  std::uint64_t bytes = 0;
  std::string sha256;  // of the recording as it is stored
  // Size as recorded, before compaction: that of the recorder's own file, byte for byte, if `ended` is true
  // and no record is lost.
  std::uint64_t recorded_bytes = 0;
  std::string recorded_sha256;
  std::uint64_t records = 0;  // of that; the sequence of the last one, plus one
  std::uint64_t lost_records = 0;
  // Sequences of the lost records, in order; empty if there are more ranges than max_missing_ranges.
  std::vector<record_range> missing;
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;
  bool ended = false;           // closed by its recorder
  bool compacted = false;       // compacted, see 'tickreel compact'
  std::int64_t started_us = 0;  // since 1970 UTC
  std::int64_t duration_ms = 0;
  std::int64_t archived_at_us = 0;  // when the reading of its records began: later ones may be missing
  std::string info;  // the output of 'tickreel info --json' for it: a JSON object, {} if there is none
  // While the recording is replaced: the index object of the new one, which has no `next`. Otherwise null.
  std::shared_ptr<const index_object> next = nullptr;
};

[[nodiscard]] std::string to_json(const index_object& what);
// bad_json if it is not an index object; missing members have the defaults above.
[[nodiscard]] result<index_object> read_index(byte_span json);
// The index object under that key; empty if there is none, or the content is not one. `seen`, if not null,
// receives what is under the key.
[[nodiscard]] result<std::optional<index_object>> fetch_index(object_store& from, const std::string& key,
                                                              seen_object* seen = nullptr);

// An object that may be a recording, and the index object beside it, if there is one.
struct listed_recording {
  object itself;
  std::optional<object> index = std::nullopt;
};
// All objects of a store, in byte order of their keys, except index objects beside their recordings and markers of folders.
// interrupted if `cancelled` returns true.
[[nodiscard]] result<std::vector<listed_recording>> list_recordings(object_store& in,
                                                                    const std::function<bool()>& cancelled);

}  // namespace tickreel::store
