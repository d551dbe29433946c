// Resources inside a file, so that it can be played where they are missing: map, mods' manifest, balance,
// first state. They are untrusted: ask the user before use, and write them to one folder only.
#pragma once

#include <optional>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/seal.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct embedded_resources {
  std::optional<byte_vector> map_data;  // the map file, uncompressed
  std::optional<byte_vector> mod_manifest;
  std::optional<std::string> balance_preset;
  std::optional<byte_vector> initial_state;  // to_bytes() of a sim_snapshot
  // BC1 of a content_seal: a resource of Tickreel, after the format's own, only if there is one.
  std::optional<byte_vector> seal;
  bool operator==(const embedded_resources&) const = default;
};

// The section. over_limit for a map larger than readers accept; unsupported_codec in a build without LZ4, if
// there is a map.
[[nodiscard]] result<byte_vector> to_bytes(const embedded_resources& resources);
// A map has the size limit of a snapshot.
[[nodiscard]] result<embedded_resources> read_embedded_section(byte_span from, const limits& most = {},
                                                               std::uint64_t base_offset = 0);

// The section with another seal, or none; the rest stays byte for byte. Empty if nothing remains.
[[nodiscard]] result<byte_vector> with_seal(byte_span section, const content_seal* seal);
// The section without its seal, which the seal's end signs: four bytes of zeros if there was nothing else.
// Other bytes are returned unchanged.
[[nodiscard]] byte_span without_seal(byte_span section) noexcept;

}  // namespace tickreel::icrep
