// Summary and verification of a match.
#pragma once

#include <optional>
#include <string_view>

#include "icrep_clock.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/game/replay.hpp"

namespace tickreel::files {

struct icrep_source {
  std::string_view format;  // of the file: "icrep", "reel"
  const game::replay* match = nullptr;
  std::uint64_t file_bytes = 0;
  icrep_clock clock;
};

// Reads everything but does not restore states.
[[nodiscard]] result<summary> summarise_icrep(const icrep_source& of, const monitor& watch);

// From header, metadata and indexes; empty if they are not trustworthy.
[[nodiscard]] std::optional<summary> outline_icrep(const icrep_source& of);

// Also restores states and checks signatures.
[[nodiscard]] verification verify_icrep(const game::replay& match, const open_options& options);

// For a match in several files: the missing ones, one sentence each.
[[nodiscard]] std::vector<std::string> parts_missing(const game::replay& match);

// A finding of a damage: its offset is stored beside the sentence.
[[nodiscard]] finding finding_of(severity level, const error& what);

}  // namespace tickreel::files
