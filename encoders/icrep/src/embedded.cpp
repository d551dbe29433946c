#include "tickreel/icrep/embedded.hpp"

#include <algorithm>
#include <array>

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

// Four resources that are absent.
constexpr std::array<std::byte, 4> nothing{};

// The end of the format's own resources.
result<std::size_t> end_of_resources(byte_span section, const limits& most, std::uint64_t base_offset,
                                     stored_resources& out) {
  bc1_reader in(section, most, base_offset);
  in.read(out);
  if (!in.ok()) return in.failure();
  return in.position();
}

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
  // Other readers know four resources.
  if (resources.seal) append_bc1(bytes, resources.seal);
  return bytes;
}

byte_span without_seal(byte_span section) noexcept {
  // Sizes are compared with the available bytes before anything is skipped.
  byte_reader in(section);
  for (std::size_t i = 0; i < nothing.size(); ++i) {
    if (in.u8() != 0) in.skip(static_cast<std::size_t>(std::min<std::uint64_t>(in.u64(), SIZE_MAX)));
  }
  return in.ok() ? section.first(in.position()) : section;
}

result<byte_vector> with_seal(byte_span section, const content_seal* seal) {
  stored_resources ignored;
  const auto end = section.empty() ? std::size_t{0} : end_of_resources(section, {}, 0, ignored);
  if (!end) return fail(end.error());
  const byte_span rest = *end == 0 ? byte_span(nothing) : section.first(*end);
  byte_vector bytes(rest.begin(), rest.end());
  if (seal != nullptr) {
    std::optional<byte_vector> content(std::in_place);
    append_bc1(*content, *seal);
    append_bc1(bytes, content);
  } else if (std::ranges::equal(bytes, nothing)) {
    bytes.clear();
  }
  return bytes;
}

result<embedded_resources> read_embedded_section(byte_span from, const limits& most,
                                                 std::uint64_t base_offset) {
  auto stored = std::make_optional<stored_resources>();
  const auto end = end_of_resources(from, most, base_offset, *stored);
  if (!end) return fail(end.error());
  embedded_resources resources{std::nullopt, std::move(stored->mod_manifest),
                               std::move(stored->balance_preset), std::move(stored->initial_state),
                               std::nullopt};
  if (*end != from.size()) {
    auto seal = read_bc1<std::optional<byte_vector>>(from.subspan(*end), most, base_offset + *end);
    if (!seal) return fail(seal.error());
    resources.seal = std::move(*seal);
  }
  if (stored->map_data) {
    auto map = open_map(*stored->map_data, most, base_offset);
    if (!map) return fail(map.error());
    resources.map_data = std::move(*map);
  }
  return resources;
}

}  // namespace tickreel::icrep
