// A column of values as bytes: for a temporary file, and for the index of a library.
//
//   column = u32 rows | u8 kind * rows | value *
//   value  = null: nothing
//          | integer: leb128 zigzag difference to the integer before
//          | real: f64, or f32 for one that a float holds exactly
//          | text: leb128 number of an equal text before, from 1; or 0, leb128 bytes, the text
//
// Texts of at most 64 bytes have numbers, until 256 have one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/query/query.hpp"

namespace tickreel::query {

class column_packer {
 public:
  void add(const value& next);
  void add_integer(std::int64_t number);
  [[nodiscard]] std::size_t rows() const noexcept { return kinds_.size(); }
  // Of the packed column.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return sizeof(std::uint32_t) + kinds_.size() + values_.size();
  }
  void clear() noexcept;
  void append_to(byte_vector& out) const;

 private:
  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };
  void add_real(double number);
  void add_text(std::string_view text);

  byte_vector kinds_;
  byte_vector values_;
  std::uint64_t integer_before_ = 0;
  std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> numbers_;
};

// A value whose text is elsewhere.
using value_view = std::variant<std::monostate, std::int64_t, double, std::string_view>;

// Values in the order of the rows. The bytes must outlive it and the texts that it gives.
class column_unpacker {
 public:
  explicit column_unpacker(byte_span packed);

  [[nodiscard]] std::size_t rows() const noexcept { return kinds_.size(); }
  // Sets the next of the rows: a value or a value_view. False after the last one, and for malformed bytes.
  template <class Value>
  [[nodiscard]] bool next(Value& to);
  // Whether all rows were read and are all of the bytes.
  [[nodiscard]] bool is_complete() const noexcept {
    return at_ == kinds_.size() && values_.ok() && values_.at_end();
  }

 private:
  [[nodiscard]] std::string_view next_text();

  byte_reader values_;
  byte_span kinds_;
  std::size_t at_ = 0;
  std::uint64_t integer_before_ = 0;
  std::vector<std::string_view> texts_;
};

}  // namespace tickreel::query
