// Chooses the recordings that count if several contain the same match. `stats`, `library stats` and `query`
// share this rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/io/path.hpp"

namespace tickreel::files {

struct session_recording {
  std::string match;  // of match_key(), equal for recordings of one match; empty: no other contains it
  std::string name;   // of the file, for users
  // Since 1970, by the recording's clock. A recording without it overlaps every other one.
  std::optional<std::int64_t> started_ms = std::nullopt;
  std::int64_t duration_ms = 0;
  bool has_losses = false;
  bool is_clip = false;
};

enum class choice : std::uint8_t {
  counts,
  is_clip,
  contained,    // in a recording that counts
  overlapping,  // a recording that counts is more complete, but does not contain all of it
  other_time,   // too far from the parts that count
};

struct session_choice {
  choice outcome = choice::counts;
  // Of a recording that counts: the longest part of its match, equal for all its parts. Otherwise: the one that
  // counts instead.
  std::size_t chosen = 0;
  bool is_part = false;  // other recordings count for the same match, too
};

// A recorder that rejoins a session keeps its id, but another map is another match. Empty without a session.
[[nodiscard]] std::string match_key(std::string_view session, std::string_view map);

// Whether a file is named like a recorder's clip: "NAME_goal.butter", "NAME_clip-2.reel". Some formats cannot
// store that a recording is a clip.
[[nodiscard]] bool has_clip_name(const file_path& file);

// One result per recording. Clips never count. Of the other recordings of a match, those at most a second
// shorter than the longest are candidates: the first one without losses counts, or else the longest. Recordings
// that overlap it by at most a second are other parts of the match, such as other rounds: the same rule is
// applied to them. Parts count together if at most 15 minutes are missing between two of them; the longest such
// group counts. Others are recordings of the same parts by a clock of another time zone.
[[nodiscard]] std::vector<session_choice> choose_recordings(const std::vector<session_recording>& all);

// The reason why a recording does not count, for users; empty if it counts.
[[nodiscard]] std::string sentence(const session_choice& of, const std::vector<session_recording>& all);

}  // namespace tickreel::files
