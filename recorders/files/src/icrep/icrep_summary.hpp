// What a match is about, and whether it is sound.
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

// Everything is read but states are not restored.
[[nodiscard]] result<summary> summarise_icrep(const icrep_source& of, const monitor& watch);

// What header, metadata and indexes tell; empty where they are not to be trusted.
[[nodiscard]] std::optional<summary> outline_icrep(const icrep_source& of);

// States too, and signatures.
[[nodiscard]] verification verify_icrep(const game::replay& match, const open_options& options);

// Of a match in several files: what is not there, a sentence each.
[[nodiscard]] std::vector<std::string> parts_missing(const game::replay& match);

// For the list of what is wrong: the offset stands beside the sentence.
[[nodiscard]] finding finding_of(severity level, const error& what);

}  // namespace tickreel::files
