// Matches as recordings: .icrep files, live ones with their spools too, and reels of the same content.
#pragma once

#include "tickreel/files/format.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

claim claims_icrep(const probe& file) noexcept;

result<std::unique_ptr<recording>> open_icrep_recording(const byte_source& from, const open_options& options);
// The same for a reel of a match, which calls itself "reel".
result<std::unique_ptr<recording>> open_match_reel(const byte_source& from, const open_options& options);

}  // namespace tickreel::files
