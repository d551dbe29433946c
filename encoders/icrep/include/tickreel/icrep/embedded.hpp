// Resources inside a file, so that it plays where they are missing: map, mods' manifest, balance, first
// state. They come from strangers: ask before use, and never let them reach outside one folder.
#pragma once

#include <optional>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/seal.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct embedded_resources {
  std::optional<byte_vector> map_data;  // the map file, not compressed
  std::optional<byte_vector> mod_manifest;
  std::optional<std::string> balance_preset;
  std::optional<byte_vector> initial_state;  // to_bytes() of a sim_snapshot
  // BC1 of a content_seal: a resource of ours, behind the format's own, only where there is one.
  std::optional<byte_vector> seal;
  bool operator==(const embedded_resources&) const = default;
};

// The section. over_limit for a map larger than readers take; unsupported_codec in a build without LZ4, when
// there is a map.
[[nodiscard]] result<byte_vector> to_bytes(const embedded_resources& resources);
// A map is as limited as a snapshot.
[[nodiscard]] result<embedded_resources> read_embedded_section(byte_span from, const limits& most = {},
                                                               std::uint64_t base_offset = 0);

// A section with another seal, or none; the rest stays byte for byte. Empty when nothing is left.
[[nodiscard]] result<byte_vector> with_seal(byte_span section, const content_seal* seal);
// A section without its seal, which is what the seal's end signs: four bytes of zeros when there was nothing
// else. What is no such section is given as it is.
[[nodiscard]] byte_span without_seal(byte_span section) noexcept;

}  // namespace tickreel::icrep
