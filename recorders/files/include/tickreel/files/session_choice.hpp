// Which recordings count where several hold the same match. `stats` and `library stats` share this rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/io/path.hpp"

namespace tickreel::files {

struct session_recording {
  std::string match;  // of match_key(), equal for recordings of one match; empty: no other holds it
  std::string name;   // of the file, for people
  std::int64_t duration_ms = 0;
  bool has_losses = false;
  bool is_clip = false;
};

enum class choice : std::uint8_t { counts, is_clip, less_complete };

struct session_choice {
  choice outcome = choice::counts;
  std::size_t chosen = 0;  // for less_complete: the index of the recording that counts
};

// A recorder that joins a session again goes on with its id, but another map is another match. Empty without
// a session.
[[nodiscard]] std::string match_key(std::string_view session, std::string_view map);

// Whether a file is named as the recorder names clips: "NAME_goal.butter", "NAME_clip-2.reel". Some formats
// have no room for a mark.
[[nodiscard]] bool has_clip_name(const file_path& file);

// One answer for each recording. Clips never count. Of the others of one match the longest counts; of those
// that are at most a second shorter the first one without losses, or else the longest.
[[nodiscard]] std::vector<session_choice> choose_recordings(const std::vector<session_recording>& all);

// Why a recording does not count, for people; empty where it does.
[[nodiscard]] std::string sentence(const session_choice& of, const std::vector<session_recording>& all);

}  // namespace tickreel::files
