#include "tickreel/sc2replay/versioned.hpp"

namespace tickreel::sc2replay {

versioned_tag versioned_reader::peek() noexcept {
  byte_reader ahead = from_;
  const std::uint8_t tag = ahead.u8();
  if (!ahead.ok()) from_.fail_with(error_code::truncated);
  return versioned_tag{tag};
}

std::int64_t versioned_reader::any_integer() noexcept {
  switch (peek()) {
    case versioned_tag::u8:
      return u8();
    case versioned_tag::four_bytes:
      return four_bytes();
    case versioned_tag::eight_bytes:
      return static_cast<std::int64_t>(eight_bytes());
    default:
      return integer();
  }
}

byte_span versioned_reader::bit_array(std::uint64_t& bit_count) noexcept {
  bit_count = 0;
  if (!expect(versioned_tag::bit_array)) return {};
  const std::int64_t bits = read_sc2_integer(from_);
  if (bits < 0 || static_cast<std::uint64_t>(bits) > std::uint64_t{remaining()} * 8) {
    fail_with(bits < 0 ? error_code::malformed : error_code::truncated);
    return {};
  }
  const byte_span raw_bits = from_.bytes((static_cast<std::size_t>(bits) + 7) / 8);
  if (ok()) bit_count = static_cast<std::uint64_t>(bits);
  return raw_bits;
}

byte_span versioned_reader::raw() noexcept {
  const byte_span rest = from_.rest();
  const std::size_t start = from_.position();
  skip();
  return ok() ? rest.first(from_.position() - start) : byte_span{};
}

bool versioned_reader::expect(versioned_tag wanted) noexcept {
  byte_reader ahead = from_;
  const std::uint8_t tag = ahead.u8();
  if (!ahead.ok() || tag != static_cast<std::uint8_t>(wanted)) {
    fail_with(ahead.ok() ? error_code::malformed : error_code::truncated);
    return false;
  }
  from_ = ahead;
  return true;
}

// A value takes at least two bytes, so a count above the remaining bytes is invalid.
std::size_t versioned_reader::count() noexcept {
  const std::int64_t promised = read_sc2_integer(from_);
  if (promised < 0 || static_cast<std::uint64_t>(promised) > remaining()) {
    fail_with(promised < 0 ? error_code::malformed : error_code::truncated);
    return 0;
  }
  return static_cast<std::size_t>(promised);
}

bool versioned_reader::presence() noexcept {
  const std::uint8_t present = from_.u8();
  if (present > 1) fail_with(error_code::malformed);
  return present == 1;
}

byte_span versioned_reader::counted_bytes() noexcept {
  return from_.bytes(count());
}

void versioned_reader::skip(unsigned depth) noexcept {
  if (depth >= versioned_depth_limit) {
    fail_with(error_code::over_limit);
    return;
  }
  switch (peek()) {
    case versioned_tag::array:
      for (std::size_t left = array(); left > 0 && ok(); --left) skip(depth + 1);
      return;
    case versioned_tag::bit_array: {
      std::uint64_t bit_count = 0;
      (void)bit_array(bit_count);
      return;
    }
    case versioned_tag::blob:
      (void)blob();
      return;
    case versioned_tag::choice:
      (void)choice();
      if (ok()) skip(depth + 1);
      return;
    case versioned_tag::optional:
      if (optional() && ok()) skip(depth + 1);
      return;
    case versioned_tag::structure:
      fields([depth](std::int64_t, versioned_reader& field) { field.skip(depth + 1); });
      return;
    case versioned_tag::u8:
      (void)u8();
      return;
    case versioned_tag::four_bytes:
      (void)four_bytes();
      return;
    case versioned_tag::eight_bytes:
      (void)eight_bytes();
      return;
    case versioned_tag::integer:
      (void)integer();
      return;
  }
  fail_with(error_code::malformed);
}

}  // namespace tickreel::sc2replay
