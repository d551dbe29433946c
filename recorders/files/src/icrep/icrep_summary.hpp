// Summary and verification of a match.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icrep_clock.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/icrep/reader.hpp"

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

// What icrep::reader::verify() finds, except in signatures.
struct content_findings {
  std::vector<icrep::finding> all;
  // Deltas that cannot be applied because the metadata do not describe the components. That is not damage.
  std::uint64_t not_checked = 0;
};
[[nodiscard]] content_findings check_content(const icrep::reader& file,
                                             const icrep::signature_report& signatures);

// For a match in several files: the missing ones, one sentence each.
[[nodiscard]] std::vector<std::string> parts_missing(const game::replay& match);

// A finding of a damage: its offset is stored beside the sentence.
[[nodiscard]] finding finding_of(severity level, const error& what);

}  // namespace tickreel::files
