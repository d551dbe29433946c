// Chooses the recording that counts if several contain the same match. `stats` and `library stats` share this
// rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/io/path.hpp"

namespace tickreel::files {

struct session_recording {
  std::string match;  // of match_key(), equal for recordings of one match; empty: no other contains it
  std::string name;   // of the file, for users
  std::int64_t duration_ms = 0;
  bool has_losses = false;
  bool is_clip = false;
};

enum class choice : std::uint8_t { counts, is_clip, less_complete };

struct session_choice {
  choice outcome = choice::counts;
  std::size_t chosen = 0;  // for less_complete: the index of the recording that counts
};

// A recorder that rejoins a session keeps its id, but another map is another match. Empty without a session.
[[nodiscard]] std::string match_key(std::string_view session, std::string_view map);

// Whether a file is named like a recorder's clip: "NAME_goal.butter", "NAME_clip-2.reel". Some formats cannot
// store that a recording is a clip.
[[nodiscard]] bool has_clip_name(const file_path& file);

// One result per recording. Clips never count. Of the other recordings of a match, those at most a second
// shorter than the longest are candidates: the first one without losses counts, or else the longest.
[[nodiscard]] std::vector<session_choice> choose_recordings(const std::vector<session_recording>& all);

// The reason why a recording does not count, for users; empty if it counts.
[[nodiscard]] std::string sentence(const session_choice& of, const std::vector<session_recording>& all);

}  // namespace tickreel::files
