#include "tickreel/tape/wire.hpp"

#include "tickreel/bytes/varint.hpp"

namespace tickreel::tape {

bool field_reader::number(std::uint64_t& out) noexcept {
  if (at_ != end_ && std::to_integer<unsigned>(*at_) < 0x80) {
    out = std::to_integer<std::uint64_t>(*at_++);
    return true;
  }
  byte_reader from(byte_span(at_, end_));
  out = read_leb128(from);
  if (!from.ok()) return fail_with("a number is truncated or too long");
  at_ += from.position();
  return true;
}

bool field_reader::next(wire_field& out) noexcept {
  if (at_ == end_) return false;
  std::uint64_t key = 0;
  if (!number(key)) return false;
  constexpr std::uint64_t largest_number = (1u << 29) - 1;
  if (key >> 3 == 0 || key >> 3 > largest_number) return fail_with("a field has an invalid number");
  out.number = static_cast<std::uint32_t>(key >> 3);
  out.type = static_cast<wire_type>(key & 7);
  out.value = 0;
  out.bytes = {};
  const auto left = static_cast<std::size_t>(end_ - at_);
  switch (out.type) {
    case wire_type::varint:
      return number(out.value);
    case wire_type::eight_bytes:
      if (left < 8) return fail_with("a field is longer than its message");
      out.value = detail::load<std::endian::little, std::uint64_t>(at_);
      at_ += 8;
      return true;
    case wire_type::four_bytes:
      if (left < 4) return fail_with("a field is longer than its message");
      out.value = detail::load<std::endian::little, std::uint32_t>(at_);
      at_ += 4;
      return true;
    case wire_type::bytes: {
      std::uint64_t size = 0;
      if (!number(size)) return false;
      if (size > static_cast<std::size_t>(end_ - at_)) return fail_with("a field is longer than its message");
      out.bytes = byte_span(at_, static_cast<std::size_t>(size));
      at_ += static_cast<std::size_t>(size);
      return true;
    }
  }
  return fail_with("a field has an invalid type");
}

void message_writer::end(std::size_t begin) {
  const std::size_t size = out_.size() - begin;
  const std::size_t length_bytes = leb128_size(size);
  if (length_bytes > 1) {
    out_.resize(out_.size() + length_bytes - 1);
    std::memmove(out_.data() + begin + length_bytes - 1, out_.data() + begin, size);
  }
  byte_writer length(mutable_byte_span(out_).subspan(begin - 1, length_bytes));
  write_leb128(length, size);
}

}  // namespace tickreel::tape
