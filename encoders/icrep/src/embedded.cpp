#include "tickreel/icrep/embedded.hpp"

#include "tickreel/codec/lz4_block.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/entry.hpp"

namespace tickreel::icrep {

namespace {

constexpr std::size_t size_bytes = sizeof(std::uint32_t);

// map_data is a u32 with the map's size, then an LZ4 block.
struct stored_resources {
  std::optional<byte_vector> map_data;
  std::optional<byte_vector> mod_manifest;
  std::optional<std::string> balance_preset;
  std::optional<byte_vector> initial_state;
};
TICKREEL_DESCRIBE(stored_resources, map_data, mod_manifest, balance_preset, initial_state);

result<byte_vector> open_map(byte_span stored, const limits& most, std::uint64_t base_offset) {
  byte_reader in(stored, base_offset);
  const std::uint32_t raw_bytes = in.u32();
  if (!in.ok()) return in.failure("the embedded map");
  if (raw_bytes > most.snapshot_bytes || raw_bytes > std::uint64_t{in.remaining()} * most.ratio) {
    return fail(error_code::over_limit, base_offset, "an embedded map of {} bytes", raw_bytes);
  }
  byte_vector map;
  if (auto done = lz4_block_decompress(in.rest(), raw_bytes, map); !done) return fail(done.error());
  return map;
}

}  // namespace

result<byte_vector> to_bytes(const embedded_resources& resources) {
  stored_resources stored{std::nullopt, resources.mod_manifest, resources.balance_preset,
                          resources.initial_state};
  if (auto sound = check_bc1(stored); !sound) return fail(sound.error());
  if (resources.map_data) {
    const byte_span map = *resources.map_data;
    byte_vector packed;
    if (map.size() > limits{}.snapshot_bytes) {
      return fail(error_code::over_limit, error::no_offset, "a map of {} bytes",
                  static_cast<std::int64_t>(map.size()));
    }
    if (auto done = lz4_block_compress(map, packed); !done) return fail(done.error());
    byte_writer out(stored.map_data.emplace(size_bytes + packed.size()));
    out.u32(static_cast<std::uint32_t>(map.size()));
    out.bytes(packed);
  }
  byte_vector bytes;
  append_bc1(bytes, stored);
  return bytes;
}

result<embedded_resources> read_embedded_section(byte_span from, const limits& most,
                                                 std::uint64_t base_offset) {
  auto stored = read_bc1<stored_resources>(from, most, base_offset);
  if (!stored) return fail(stored.error());
  embedded_resources resources{std::nullopt, std::move(stored->mod_manifest),
                               std::move(stored->balance_preset), std::move(stored->initial_state)};
  if (stored->map_data) {
    auto map = open_map(*stored->map_data, most, base_offset);
    if (!map) return fail(map.error());
    resources.map_data = std::move(*map);
  }
  return resources;
}

}  // namespace tickreel::icrep
