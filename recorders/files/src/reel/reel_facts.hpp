// Facts that every reel reports, whatever its frames are.
#pragma once

#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

// The loss of every reel without an end record.
inline constexpr const char* unsealed_ticks =
    "the recorder did not end properly: ticks after the last sealed chunk";

// For readers at its end: the rest is lost, or not written yet.
inline constexpr const char* ends_early = "the file ends early: everything after its end is lost";
inline constexpr const char* is_being_recorded = "it is being recorded: later ticks are not in the file yet";
// The reason why a reel has no end record.
[[nodiscard]] const char* why_unfinished(const reel::reader& source);

// For a reel with ticks of which none is readable; the argument is their number.
inline constexpr const char* no_tick_can_be_shown =
    "none of the {} ticks are readable: the header or the keyframe that they depend on is lost";

// The metadata key that `recover` sets, with any value.
inline constexpr const char* recovered_key = "recovered";

// Likewise, of a reel of ticks that may have been changed: the checksum of their archive was wrong.
inline constexpr const char* doubtful_key = "doubtful";

[[nodiscard]] bool is_doubtful(const reel::header& head) noexcept;
[[nodiscard]] bool is_recovered(const reel::header& head) noexcept;

// Whether a copy of its readable content would lack something, as far as a checked opening detects.
[[nodiscard]] bool lacks_something(const reel::table_of_contents& contents) noexcept;

// Bytes of an incomplete last record. Bytes after an end record are not part of the reel.
[[nodiscard]] std::uint64_t torn_bytes(const reel::table_of_contents& contents) noexcept;

// `lost_ticks` is the known number: of a complete reading, or of the gap records.
void describe_reel(const reel::reader& source, std::uint64_t lost_ticks, summary& out);
void inspect_reel(const reel::reader& source, std::vector<finding>& out);
// Findings about the end of the reel.
void inspect_end(const reel::reader& source, std::vector<finding>& out);

}  // namespace tickreel::files
