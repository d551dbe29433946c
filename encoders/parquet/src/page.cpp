#include "page.hpp"

#include <array>

#include "tickreel/bytes/append.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::parquet {

namespace {

constexpr std::size_t length_bytes = 4;

bool has_one_level(const columns::column_values& of) noexcept {
  return of.nulls() == 0 || of.nulls() == of.rows();
}

std::size_t groups_of_levels(const columns::column_values& of) noexcept {
  return (of.rows() + 7) / 8;
}

std::size_t run_bytes(const columns::column_values& of) noexcept {
  if (has_one_level(of)) return leb128_size(std::uint64_t{of.rows()} << 1) + 1;
  return leb128_size(std::uint64_t{groups_of_levels(of)} << 1 | 1) + groups_of_levels(of);
}

void append_varint(std::uint64_t value, byte_vector& out) {
  std::array<std::byte, leb128_max_size> room{};
  byte_writer to(room);
  write_leb128(to, value);
  const byte_span written = to.written();
  out.insert(out.end(), written.begin(), written.end());
}

}  // namespace

std::size_t page_bytes(const columns::column_values& of) noexcept {
  return length_bytes + run_bytes(of) + of.values().size() + of.ends().size() * length_bytes;
}

void append_page(const columns::column_values& of, byte_vector& out) {
  out.reserve(out.size() + page_bytes(of));
  append_little(static_cast<std::uint32_t>(run_bytes(of)), out);
  if (has_one_level(of)) {
    append_varint(std::uint64_t{of.rows()} << 1, out);
    out.push_back(std::byte{of.nulls() == 0});
  } else {
    append_varint(std::uint64_t{groups_of_levels(of)} << 1 | 1, out);
    of.append_validity(out);
  }
  const byte_span values = of.values();
  if (of.type() != columns::column_type::text) {
    out.insert(out.end(), values.begin(), values.end());
    return;
  }
  std::size_t begin = 0;
  for (const std::size_t end : of.ends()) {
    const byte_span text = values.subspan(begin, end - begin);
    append_little(static_cast<std::uint32_t>(text.size()), out);
    out.insert(out.end(), text.begin(), text.end());
    begin = end;
  }
}

}  // namespace tickreel::parquet
