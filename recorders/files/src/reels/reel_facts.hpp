// Facts that every reel reports, whatever its frames are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

// The loss of every reel without an end record.
inline constexpr const char* unsealed_ticks =
    "the recorder did not end properly: ticks after the last sealed chunk";

// For readers at its end: the rest is lost, or not written yet.
[[nodiscard]] std::string ends_early(std::uint64_t offset);  // error::no_offset if it is unknown
inline constexpr const char* is_being_recorded = "it is being recorded: later ticks are not in the file yet";
// For copies: appends the loss of a reel without an end record.
void append_missing_end(const reel::reader& source, std::vector<std::string>& lost);
// The reason why a reel has no end record.
[[nodiscard]] std::string why_unfinished(const reel::reader& source);

// For a reel with ticks of which none is readable; the argument is their number.
inline constexpr const char* no_tick_can_be_shown =
    "{} tick{s}, none readable: the header or the keyframe that the ticks need is lost";

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

// The losses that a reel states in its facts.
struct stated_losses {
  std::uint64_t ticks = 0;
  std::uint64_t places = 0;  // where an unknown number of ticks is missing
};
// Of the gap records alone, without reading ticks. Fails if the file cannot be read.
[[nodiscard]] result<stated_losses> recorded_losses(reel::reader& source);

void describe_reel(const reel::reader& source, const stated_losses& lost, summary& out);
void inspect_reel(const reel::reader& source, std::vector<finding>& out);
// Findings about the end of the reel.
void inspect_end(const reel::reader& source, std::vector<finding>& out);

}  // namespace tickreel::files
