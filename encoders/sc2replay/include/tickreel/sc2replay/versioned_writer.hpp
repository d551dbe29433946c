// Writes versioned data; tickreel/sc2replay/versioned.hpp has the format.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/sc2replay/versioned.hpp"

namespace tickreel::sc2replay {

// Appends values to its own memory. The caller ensures correct counts and nesting: after array(3) three
// values follow, after structure(2) twice a field() and a value.
class versioned_writer {
 public:
  void integer(std::int64_t value);
  void u8(std::uint8_t value);
  void flag(bool value) { u8(value ? 1 : 0); }
  void four_bytes(std::uint32_t value);
  void eight_bytes(std::uint64_t value);
  void blob(byte_span value);
  void text(std::string_view value) { blob(as_bytes(value)); }
  // `bits` holds (bit_count + 7) / 8 bytes.
  void bit_array(byte_span bits, std::uint64_t bit_count);

  // The part before other values.
  void array(std::size_t count);
  void optional(bool present);
  void choice(std::int64_t alternative);
  void structure(std::size_t field_count);
  void field(std::int64_t number);

  // A value in this form.
  void raw(byte_span value);

  [[nodiscard]] const byte_vector& bytes() const noexcept { return bytes_; }
  [[nodiscard]] byte_vector take() noexcept { return std::move(bytes_); }

 private:
  void tag(versioned_tag value);
  void number(std::int64_t value);

  byte_vector bytes_;
};

}  // namespace tickreel::sc2replay
