// The valid signatures of a match of which content is lost.
#pragma once

#include <optional>

#include "match_scan.hpp"
#include "tickreel/icrep/signature.hpp"

namespace tickreel::game {

struct kept_signatures {
  icrep::signature_chain chain;
  icrep::content_seal seal;
};

// The signatures of a match that was ended; empty if there are none, or no seal.
[[nodiscard]] std::optional<kept_signatures> sealed_by(const match_end& end);

// The content of a reel that is in the file.
struct published_content {
  std::uint64_t keyframes = 0;  // the first so many
  std::uint64_t total_ticks = 0;
  bool ended = false;
};

// Keeps the leading entries that are valid for the content of the scan, without the end. None if there is no
// keyframe to begin with.
[[nodiscard]] result<void> keep_what_holds(match_scan& scan, const published_content& content,
                                           std::string_view replay_id, kept_signatures& signatures,
                                           const scan_progress& progress);

}  // namespace tickreel::game
