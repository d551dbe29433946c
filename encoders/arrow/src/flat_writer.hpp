// FlatBuffers, as far as Arrow needs them. Bytes are added from the end to the beginning, so that a table follows what it
// refers to; offsets count from the end until finish().
//
//   buffer  = u32 offset of the root table | ...              each value aligned to its size, the buffer to 8 bytes
//   table   = i32 distance back to its vtable | members
//   vtable  = u16 its bytes | u16 bytes of the table | u16 offset of each member in the table, 0: absent
//   vector  = u32 count | elements                            of tables and texts: u32 offsets, forward from themselves
//   text    = u32 bytes | UTF-8 | u8 0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"

namespace tickreel::arrow {

class flat_writer {
 public:
  // Where a value begins, as its distance from the end.
  using place = std::size_t;

  place text(std::string_view value) {
    align(value.size() + 1, sizeof(std::uint32_t));
    reversed_.push_back(std::byte{0});
    for (std::size_t at = value.size(); at != 0; --at)
      reversed_.push_back(static_cast<std::byte>(value[at - 1]));
    return add(static_cast<std::uint32_t>(value.size()));
  }
  // Of tables or texts.
  place list(std::span<const place> of) {
    align(of.size() * sizeof(std::uint32_t), sizeof(std::uint32_t));
    for (std::size_t at = of.size(); at != 0; --at) add_offset(of[at - 1]);
    return add(static_cast<std::uint32_t>(of.size()));
  }
  // Of structs that consist of `each` words.
  place structs(std::span<const std::int64_t> words, std::size_t each) {
    align(words.size() * sizeof(std::int64_t), sizeof(std::int64_t));
    for (std::size_t at = words.size(); at != 0; --at) add(words[at - 1]);
    return add(static_cast<std::uint32_t>(words.size() / each));
  }

  // Write what a table refers to before it begins.
  void begin_table() {
    members_.clear();
    table_end_ = reversed_.size();
  }
  template <std::integral Number>
  void member(unsigned number, Number value) {
    members_.push_back({number, add(value)});
  }
  void member_at(unsigned number, place of) {
    align(0, sizeof(std::uint32_t));
    members_.push_back({number, add_offset(of)});
  }
  place end_table() {
    const place table = add(std::int32_t{0});
    unsigned count = 0;
    for (const auto& each : members_) count = std::max(count, each.number + 1);
    for (unsigned number = count; number != 0; --number) {
      const auto found = std::ranges::find(members_, number - 1, &table_member::number);
      add(static_cast<std::uint16_t>(found == members_.end() ? 0 : table - found->at));
    }
    add(static_cast<std::uint16_t>(table - table_end_));
    const place vtable = add(static_cast<std::uint16_t>((count + 2) * sizeof(std::uint16_t)));
    set(table, static_cast<std::uint32_t>(vtable - table));
    return table;
  }

  // Appends the buffer; the writer is then empty.
  void finish(place root, byte_vector& out) {
    align(sizeof(std::uint32_t), sizeof(std::int64_t));
    add_offset(root);
    out.insert(out.end(), reversed_.rbegin(), reversed_.rend());
    reversed_.clear();
  }
  [[nodiscard]] std::size_t size() const noexcept { return reversed_.size(); }

 private:
  struct table_member {
    unsigned number = 0;
    place at = 0;
  };

  // So that a value is aligned that begins `bytes` further in front.
  void align(std::size_t bytes, std::size_t to) {
    while ((reversed_.size() + bytes) % to != 0) reversed_.push_back(std::byte{0});
  }
  template <std::integral Number>
  place add(Number value) {
    align(sizeof(Number), sizeof(Number));
    for (std::size_t at = sizeof(Number); at != 0; --at) {
      reversed_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * (at - 1))));
    }
    return reversed_.size();
  }
  place add_offset(place to) {
    return add(static_cast<std::uint32_t>(reversed_.size() + sizeof(std::uint32_t) - to));
  }
  void set(place at, std::uint32_t value) {
    for (std::size_t byte = 0; byte < sizeof(value); ++byte) {
      reversed_[at - 1 - byte] = static_cast<std::byte>(value >> (8 * byte));
    }
  }

  byte_vector reversed_;
  std::vector<table_member> members_;
  std::size_t table_end_ = 0;
};

}  // namespace tickreel::arrow
