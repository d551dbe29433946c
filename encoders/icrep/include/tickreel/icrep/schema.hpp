// The slots of a game's components and their sizes. Stored in the metadata under "schema"; deltas cannot be
// applied without it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/snapshot.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct slot_description {
  std::uint32_t slot = 0;  // 0-63; a player field's: 0-31
  std::string name;
  std::uint32_t size_bytes = 0;  // 0: variable; a u32 length precedes the bytes
  bool operator==(const slot_description&) const = default;
};

struct schema {
  std::vector<slot_description> components;
  std::vector<slot_description> player_fields;
  std::vector<slot_description> world;  // slot 0 is the random generator's state and need not be listed
  bool operator==(const schema&) const = default;
};

// The detail of the error for a mask with a slot that no schema describes.
inline constexpr const char* undescribed_slot = "slot {} is not in the schema";
[[nodiscard]] inline bool is_of_undescribed_slot(const error& what) noexcept {
  return what.detail != nullptr && std::string_view(what.detail) == undescribed_slot;
}

// A component's bytes, including its length if it has one. Those of absent slots are empty.
using slot_spans = std::array<byte_span, 64>;

// The schema as tables, to split component bytes. Immutable after construction; any thread.
class slot_table {
 public:
  // Without slots: every mask but 0 is an error.
  slot_table() noexcept = default;
  // invalid_argument for a slot above 63 (player fields: 31), a duplicate one, or the world's slot 0.
  static result<slot_table> create(const schema& description);

  // malformed: a slot of the mask is not described, or the bytes do not match the mask.
  result<void> split_components(std::uint64_t mask, byte_span bytes, slot_spans& out) const noexcept;
  result<void> split_player_fields(std::uint32_t mask, byte_span bytes, slot_spans& out) const noexcept;
  // Slot 0 is a u64 length and the generator's state.
  result<void> split_world(std::uint64_t mask, byte_span bytes, slot_spans& out) const noexcept;

  // Whether every entity's and player's bytes match their masks.
  result<void> validate(const sim_core_snapshot& core) const noexcept;

 private:
  enum class length : std::uint8_t { unknown, fixed, counted_u32, counted_u64 };
  struct slot {
    length kind = length::unknown;
    std::uint32_t bytes = 0;
  };
  using slots = std::array<slot, 64>;
  static result<slots> compile(const std::vector<slot_description>& described, std::uint32_t first,
                               std::uint32_t end);
  static result<void> split(const slots& known, std::uint64_t mask, byte_span bytes,
                            slot_spans& out) noexcept;

  slots components_{};
  slots player_fields_{};
  slots world_ = only_generator();
  static constexpr slots only_generator() noexcept {
    slots known{};
    known[0].kind = length::counted_u64;
    return known;
  }
};

}  // namespace tickreel::icrep
