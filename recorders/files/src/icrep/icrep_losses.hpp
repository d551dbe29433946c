// Missing content between the states of a match.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/game/replay.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::files {

// The loss of a file that states no other.
inline constexpr const char* marked_incomplete = "the recording is marked as incomplete";

// Appends sentences about ticks in [`first_tick`, `end_tick`) whose orders are missing, with the reasons;
// with `events` also about damaged blocks of events. Reads all orders of those ticks. Missing ticks before `named_from`
// are left out.
void append_losses_between(const game::replay& match, std::uint64_t first_tick, std::uint64_t end_tick,
                           std::uint64_t named_from, bool events, std::vector<std::string>& to);

// Appends the losses that the file itself reports, at any position: those of its recorder and of later
// copies.
void append_reported_losses(const icrep::reader& match, std::vector<std::string>& to);

// Why the signatures of a match are not valid, as verify() reports it: "tampered: ...". Empty if they are valid or the
// match is unsigned. Reads the whole signed content.
[[nodiscard]] std::optional<std::string> invalid_signatures_of(const icrep::reader& match);

// Appends a loss if the signatures of the match that is copied are not valid.
void append_invalid_signatures(const icrep::reader& match, std::vector<std::string>& to);
// The same for a file with a match: an .icrep or a reel. Appends nothing if it cannot be opened.
void append_invalid_signatures(const file_path& match, std::vector<std::string>& to);

// Appends damage that was found while opening the file, unless `to` already reports it.
void append_damage_found(const icrep::reader& match, std::vector<std::string>& to);

}  // namespace tickreel::files
