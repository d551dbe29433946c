// Resources inside a file, so that it plays where they are missing: map, mods' manifest, balance, first
// state. They come from strangers: ask before use, and never let them reach outside one folder.
#pragma once

#include <optional>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct embedded_resources {
  std::optional<byte_vector> map_data;  // the map file, not compressed
  std::optional<byte_vector> mod_manifest;
  std::optional<std::string> balance_preset;
  std::optional<byte_vector> initial_state;  // to_bytes() of a sim_snapshot
  bool operator==(const embedded_resources&) const = default;
};

// The section. over_limit for a map larger than readers take; unsupported_codec in a build without LZ4, when
// there is a map.
[[nodiscard]] result<byte_vector> to_bytes(const embedded_resources& resources);
// A map is as limited as a snapshot.
[[nodiscard]] result<embedded_resources> read_embedded_section(byte_span from, const limits& most = {},
                                                               std::uint64_t base_offset = 0);

}  // namespace tickreel::icrep
