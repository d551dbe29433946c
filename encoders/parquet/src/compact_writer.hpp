// Thrift's compact protocol, as far as Parquet needs it.
//
//   struct = field * | u8 0
//   field  = u8 (difference to the number before) << 4 | type, and its value; numbers ascend by 1 to 15
//   i32, i64 = varint, zigzag     binary = varint bytes | bytes
//   list   = u8 count << 4 | type  up to 14, else  u8 0xF0 | type, varint count; then the elements
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::parquet {

enum class compact_type : std::uint8_t { i32 = 5, i64 = 6, binary = 8, list = 9, structure = 12 };

class compact_writer {
 public:
  explicit compact_writer(byte_vector& out) noexcept : out_(&out) {}

  void i32(unsigned field, std::int32_t value) { number(field, compact_type::i32, value); }
  void i64(unsigned field, std::int64_t value) { number(field, compact_type::i64, value); }
  void u64(unsigned field, std::uint64_t value) { i64(field, static_cast<std::int64_t>(value)); }
  void binary(unsigned field, byte_span value) {
    head(field, compact_type::binary);
    element(value);
  }
  void text(unsigned field, std::string_view value) { binary(field, as_bytes(value)); }

  void begin_list(unsigned field, compact_type of, std::size_t count) {
    head(field, compact_type::list);
    const auto type = static_cast<unsigned>(of);
    if (count < 15) {
      byte(static_cast<unsigned>(count) << 4 | type);
    } else {
      byte(0xF0 | type);
      varint(count);
    }
  }
  void element(byte_span value) {
    varint(value.size());
    out_->insert(out_->end(), value.begin(), value.end());
  }
  void element(std::int32_t value) { varint(zigzag_encode(value)); }

  // Structs are at most 5 deep in Parquet's files.
  void begin_struct(unsigned field) {
    head(field, compact_type::structure);
    begin_struct();
  }
  // The outermost one, or the element of a list.
  void begin_struct() { last_[++depth_] = 0; }
  void end_struct() {
    byte(0);
    --depth_;
  }

 private:
  void byte(unsigned value) { out_->push_back(static_cast<std::byte>(value)); }
  void varint(std::uint64_t value) {
    std::array<std::byte, leb128_max_size> room{};
    byte_writer to(room);
    write_leb128(to, value);
    const byte_span written = to.written();
    out_->insert(out_->end(), written.begin(), written.end());
  }
  void head(unsigned field, compact_type type) {
    byte((field - last_[depth_]) << 4 | static_cast<unsigned>(type));
    last_[depth_] = field;
  }
  void number(unsigned field, compact_type type, std::int64_t value) {
    head(field, type);
    varint(zigzag_encode(value));
  }

  byte_vector* out_;
  std::array<unsigned, 8> last_{};  // the number of the last field, by depth
  std::size_t depth_ = 0;
};

}  // namespace tickreel::parquet
