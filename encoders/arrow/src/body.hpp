// The body of a record batch: buffers, each padded to 8 bytes.
//
//   integer, real   validity | i64 or f64 per row, 0 for null
//   text            validity | i32 per row and one more: where its text begins and ends | UTF-8
//   validity        a bit per row, least significant first, 0: null; no bytes if the column has no nulls
//
// A compressed buffer that is not empty begins with its size as i64, or with -1 if it is stored as it is.
#pragma once

#include "messages.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/columns/column_values.hpp"

namespace tickreel::arrow {

class body_writer {
 public:
  // Of `rows` rows. `codec` must outlive the writer.
  body_writer(compressor& codec, std::size_t rows);

  // over_limit for texts of more than 2 GiB.
  result<void> add(const columns::column_values& values);
  [[nodiscard]] const batch_layout& layout() const noexcept { return layout_; }
  [[nodiscard]] byte_span bytes() const noexcept { return bytes_; }

 private:
  // What buffer_ contains.
  result<void> add_buffer();

  compressor* codec_;
  batch_layout layout_;
  byte_vector bytes_;
  byte_vector buffer_;
  byte_vector packed_;
};

}  // namespace tickreel::arrow
