// What a reel says about itself, whatever its frames hold.
#pragma once

#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

// What a reel without an end always lacks.
inline constexpr const char* unsealed_ticks =
    "the recorder did not end properly: ticks after the last sealed chunk";

// The same for readers that came to its end: lost, or not written yet.
inline constexpr const char* ends_early = "the file ends early: what came after its end is lost";
inline constexpr const char* is_being_recorded =
    "it is being recorded: what comes after this is not in the file yet";
// Of a reel without an end.
[[nodiscard]] const char* why_unfinished(const reel::reader& source);

// With the number of ticks, where nothing comes out of a reel that holds some.
inline constexpr const char* no_tick_can_be_shown =
    "none of the {} ticks can be shown: the header or the keyframe that they rely on is lost";

// In a reel's metadata, with any value: written by `recover`.
inline constexpr const char* recovered_key = "recovered";

// Likewise, of a reel of ticks that may have been changed: the checksum of their archive was wrong.
inline constexpr const char* doubtful_key = "doubtful";

[[nodiscard]] bool is_doubtful(const reel::header& head) noexcept;
[[nodiscard]] bool is_recovered(const reel::header& head) noexcept;

// Whether a copy of what can be read of it would lack something, as far as an opening tells that checked it.
[[nodiscard]] bool lacks_something(const reel::table_of_contents& contents) noexcept;

// Bytes of a last record that is not whole. What follows an end record is not part of the reel.
[[nodiscard]] std::uint64_t torn_bytes(const reel::table_of_contents& contents) noexcept;

// `lost_ticks` is what is known of them: a walk's count, or what gap records say.
void describe_reel(const reel::reader& source, std::uint64_t lost_ticks, summary& out);
void inspect_reel(const reel::reader& source, std::vector<finding>& out);
// The part of it that is about how the reel ends.
void inspect_end(const reel::reader& source, std::vector<finding>& out);

}  // namespace tickreel::files
