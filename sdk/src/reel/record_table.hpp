// Adds records to a table of contents, in the order of their sequence.
#pragma once

#include "tickreel/reel/reader.hpp"

namespace tickreel::reel {

// The lowest valid sequence of the next record.
[[nodiscard]] inline std::uint32_t next_sequence(const table_of_contents& contents) noexcept {
  return contents.records.empty() ? 0 : contents.records.back().sequence + 1;
}

// Records that may precede the gap at the beginning of a reel that was joined late.
[[nodiscard]] inline bool may_precede_beginning(const record_info& info) noexcept {
  return info.kind == record_kind::header_update || info.lasts();
}

// Whether both are of the same record, which may have been moved. Of two writes with one sequence, the heads differ.
[[nodiscard]] bool is_same_record(const record_info& a, const record_info& b) noexcept;

// Counts the record, and the records that are missing before it.
void list_record(table_of_contents& contents, const record_info& info);

[[nodiscard]] inline bool is_within(const record_info& info, const limits& limits) noexcept {
  return info.stored_bytes <= limits.max_stored_bytes && info.raw_bytes <= limits.max_raw_bytes;
}

}  // namespace tickreel::reel
