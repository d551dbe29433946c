// Signatures of a match that is not all there any more.
#pragma once

#include <optional>

#include "match_walk.hpp"
#include "tickreel/icrep/signature.hpp"

namespace tickreel::game {

struct kept_signatures {
  icrep::signature_chain chain;
  icrep::content_seal seal;
};

// Those of a match that was ended; nothing where there are none, or no seal beside them.
[[nodiscard]] std::optional<kept_signatures> sealed_by(const match_end& end);

// What of a reel has come into the file.
struct laid_out_content {
  std::uint64_t keyframes = 0;  // the first so many
  std::uint64_t total_ticks = 0;
  bool ended = false;
};

// Keeps the entries, from the first on, that hold for what the walk gives, and no end. None where there is no
// keyframe to begin with.
[[nodiscard]] result<void> keep_what_holds(match_walk& walk, const laid_out_content& content,
                                           std::string_view replay_id, kept_signatures& signatures,
                                           const walk_teller& tell);

}  // namespace tickreel::game
