// Versioned data: the self-describing values of headers, details and tracker events in StarCraft II replays.
//
//   value    = tag:u8 body
//   tag 0    array       count, then count values
//       1    bit array   bit count, then (count + 7) / 8 bytes
//       2    blob, text  byte count, then the bytes
//       3    choice      number of the alternative, then one value
//       4    optional    u8 0 or 1, then a value when 1
//       5    struct      field count, then that many (field number, value)
//       6    u8, bool    one byte
//       7    four bytes  big-endian; four-character codes
//       8    eight bytes big-endian
//       9    integer     SC2 integer
// All counts and numbers above are SC2 integers (tickreel/bytes/varint.hpp).
#pragma once

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::sc2replay {

enum class versioned_tag : std::uint8_t {
  array = 0,
  bit_array = 1,
  blob = 2,
  choice = 3,
  optional = 4,
  structure = 5,
  u8 = 6,
  four_bytes = 7,
  eight_bytes = 8,
  integer = 9,
};

// The maximum nesting of values; real replays reach 5.
inline constexpr unsigned versioned_depth_limit = 16;

// A cursor over versioned data that it does not own, with byte_reader's rules: a failed read returns zero,
// stores its offset and makes every later read fail, so a parser checks ok() once for a group of reads. A
// count is compared with the remaining bytes before it is returned. Not thread-safe; allocates nothing.
class versioned_reader {
 public:
  versioned_reader() noexcept = default;
  explicit versioned_reader(byte_span input, std::uint64_t base_offset = 0) noexcept
      : from_(input, base_offset) {}

  [[nodiscard]] bool ok() const noexcept { return from_.ok(); }
  [[nodiscard]] std::uint64_t offset() const noexcept { return from_.offset(); }
  [[nodiscard]] std::size_t position() const noexcept { return from_.position(); }
  [[nodiscard]] std::size_t remaining() const noexcept { return from_.remaining(); }
  [[nodiscard]] bool at_end() const noexcept { return from_.at_end(); }
  [[nodiscard]] tl::unexpected<error> failure(const char* detail = "") const noexcept {
    return from_.failure(detail);
  }
  void fail_with(error_code reason) noexcept { from_.fail_with(reason); }

  // The tag of the next value, without advancing.
  [[nodiscard]] versioned_tag peek() noexcept;

  // Single values. A different tag fails with malformed.
  [[nodiscard]] std::int64_t integer() noexcept {
    return expect(versioned_tag::integer) ? read_sc2_integer(from_) : 0;
  }
  [[nodiscard]] std::uint8_t u8() noexcept {
    return expect(versioned_tag::u8) ? from_.u8() : std::uint8_t{0};
  }
  [[nodiscard]] bool flag() noexcept { return u8() != 0; }
  [[nodiscard]] std::uint32_t four_bytes() noexcept {
    return expect(versioned_tag::four_bytes) ? from_.big<std::uint32_t>() : 0;
  }
  [[nodiscard]] std::uint64_t eight_bytes() noexcept {
    return expect(versioned_tag::eight_bytes) ? from_.big<std::uint64_t>() : 0;
  }
  // The integer in any of the integer, u8, four_bytes and eight_bytes forms.
  [[nodiscard]] std::int64_t any_integer() noexcept;
  // In place, valid as long as the input.
  [[nodiscard]] byte_span blob() noexcept {
    return expect(versioned_tag::blob) ? counted_bytes() : byte_span{};
  }
  [[nodiscard]] std::string_view text() noexcept { return as_text(blob()); }
  // The bytes of a bit array; `bit_count` becomes the number of bits.
  [[nodiscard]] byte_span bit_array(std::uint64_t& bit_count) noexcept;

  // Values that contain others: these functions read only the part before them.

  // The number of following values.
  [[nodiscard]] std::size_t array() noexcept { return expect(versioned_tag::array) ? count() : 0; }
  // Whether a value follows.
  [[nodiscard]] bool optional() noexcept { return expect(versioned_tag::optional) && presence(); }
  // The number of the alternative that follows.
  [[nodiscard]] std::int64_t choice() noexcept {
    return expect(versioned_tag::choice) ? read_sc2_integer(from_) : 0;
  }
  // The number of fields, each a field_number() and a value.
  [[nodiscard]] std::size_t structure() noexcept { return expect(versioned_tag::structure) ? count() : 0; }
  [[nodiscard]] std::int64_t field_number() noexcept { return read_sc2_integer(from_); }

  // A whole struct: visit(number, *this) reads one value, or skips it with skip(). Stops at the first
  // failure. A duplicate field fails with malformed, because two readers could see two values.
  template <class Visit>
  void fields(Visit&& visit) noexcept {
    const std::size_t field_count = structure();
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < field_count && ok(); ++i) {
      const std::int64_t number = field_number();
      // The game numbers fields from 0; none of its structs has 64.
      const std::uint64_t bit = number >= 0 && number < 64 ? std::uint64_t{1} << number : 0;
      if ((seen & bit) != 0) fail_with(error_code::malformed);
      seen |= bit;
      if (ok()) visit(number, *this);
    }
  }

  // Skips the next value with all of its content. Nesting beyond versioned_depth_limit fails with over_limit.
  void skip() noexcept { skip(0); }
  // The bytes of the next value, including its tag, in place; skips it.
  [[nodiscard]] byte_span raw() noexcept;

 private:
  bool expect(versioned_tag wanted) noexcept;
  std::size_t count() noexcept;
  bool presence() noexcept;
  byte_span counted_bytes() noexcept;
  void skip(unsigned depth) noexcept;

  byte_reader from_;
};

}  // namespace tickreel::sc2replay
