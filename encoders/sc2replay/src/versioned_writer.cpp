#include "tickreel/sc2replay/versioned_writer.hpp"

#include <array>

#include "tickreel/bytes/varint.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::sc2replay {

void versioned_writer::integer(std::int64_t value) {
  tag(versioned_tag::integer);
  number(value);
}

void versioned_writer::u8(std::uint8_t value) {
  tag(versioned_tag::u8);
  bytes_.push_back(std::byte{value});
}

void versioned_writer::four_bytes(std::uint32_t value) {
  tag(versioned_tag::four_bytes);
  bytes_.resize(bytes_.size() + sizeof(value));
  detail::store<std::endian::big>(&bytes_[bytes_.size() - sizeof(value)], value);
}

void versioned_writer::eight_bytes(std::uint64_t value) {
  tag(versioned_tag::eight_bytes);
  bytes_.resize(bytes_.size() + sizeof(value));
  detail::store<std::endian::big>(&bytes_[bytes_.size() - sizeof(value)], value);
}

void versioned_writer::blob(byte_span value) {
  tag(versioned_tag::blob);
  number(static_cast<std::int64_t>(value.size()));
  raw(value);
}

void versioned_writer::bit_array(byte_span bits, std::uint64_t bit_count) {
  tag(versioned_tag::bit_array);
  number(static_cast<std::int64_t>(bit_count));
  raw(bits);
}

void versioned_writer::array(std::size_t count) {
  tag(versioned_tag::array);
  number(static_cast<std::int64_t>(count));
}

void versioned_writer::optional(bool present) {
  tag(versioned_tag::optional);
  bytes_.push_back(std::byte{present});
}

void versioned_writer::choice(std::int64_t alternative) {
  tag(versioned_tag::choice);
  number(alternative);
}

void versioned_writer::structure(std::size_t field_count) {
  tag(versioned_tag::structure);
  number(static_cast<std::int64_t>(field_count));
}

void versioned_writer::field(std::int64_t field_number) {
  number(field_number);
}

void versioned_writer::raw(byte_span value) {
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void versioned_writer::tag(versioned_tag value) {
  bytes_.push_back(static_cast<std::byte>(value));
}

void versioned_writer::number(std::int64_t value) {
  std::array<std::byte, sc2_integer_max_size> room;
  byte_writer writer(room);
  write_sc2_integer(writer, value);
  raw(writer.written());
}

}  // namespace tickreel::sc2replay
