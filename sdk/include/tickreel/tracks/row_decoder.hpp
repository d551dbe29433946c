// Decodes rows from the frames of a reel: the inverse of row_encoder, for any struct, known or not.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "tickreel/describe/schema.hpp"
#include "tickreel/keyframe/frame.hpp"
#include "tickreel/tracks/block_reader.hpp"
#include "tickreel/tracks/rows.hpp"

namespace tickreel::tracks {

// A tick_decoder whose state is the row: component bytes, as the schema describes them.
class row_decoder {
 public:
  using state_type = byte_vector;
  static constexpr std::string_view decoder_name = rows_name;
  [[nodiscard]] static bool reads_version(std::uint32_t version) noexcept {
    return version >= 1 && version <= rows_version;
  }

  // From the content of reel::header::schema. Fails as read_schema() and shape_of() do.
  static result<row_decoder> create(byte_span schema_bytes);

  [[nodiscard]] const schema& described() const noexcept { return schema_; }

  // Rows from the next keyframe on contain only the values for whose names (value_layout::name) `keeps` is
  // true, and zeros for the others, which is faster; errors in the others are not detected. An empty
  // function: all.
  void keep_only(const std::function<bool(std::string_view name)>& keeps);
  result<void> decode(frame_kind kind, byte_span frame);
  // Whether the frame is a block: the first of a chunk. decode() opens it, and decodes a row of it for each frame.
  [[nodiscard]] static bool begins_block(frame_kind kind, byte_span frame) noexcept {
    return kind == frame_kind::keyframe || !frame.empty();
  }
  // Opens it without decoding a row, for go_to_row().
  result<void> open_block(frame_kind kind, byte_span frame);
  [[nodiscard]] const byte_vector& state() const noexcept { return row_; }

  // The rows of the block that was opened last.
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  // Decodes one of them into state().
  result<void> go_to_row(std::size_t number);

 private:
  row_decoder(schema&& described, const shape& columns);

  schema schema_;
  std::vector<std::uint32_t> column_offsets_;
  byte_vector block_bytes_;
  block_reader block_;
  std::size_t rows_ = 0;
  std::size_t next_row_ = 0;
  byte_vector row_;
  bool has_row_ = false;  // row_ is one of the open block
};

}  // namespace tickreel::tracks
