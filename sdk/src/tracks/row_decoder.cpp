#include "tickreel/tracks/row_decoder.hpp"

#include <utility>
#include <vector>

namespace tickreel::tracks {

result<row_decoder> row_decoder::create(byte_span schema_bytes) {
  auto described = read_schema(schema_bytes);
  if (!described) return fail(described.error());
  auto columns = shape_of(*described);
  if (!columns) return fail(columns.error());
  return row_decoder(std::move(*described), *columns);
}

row_decoder::row_decoder(schema&& described, const shape& columns)
    : schema_(std::move(described)), block_(columns), row_(schema_.row_bytes()) {
  column_offsets_.reserve(columns.columns.size());
  for (const column& each : columns.columns) column_offsets_.push_back(each.offset);
}

void row_decoder::keep_only(const std::function<bool(std::string_view name)>& keeps) {
  std::vector<std::uint32_t> columns;
  rows_ = next_row_ = 0;
  has_row_ = false;
  if (keeps) {
    std::vector<std::uint32_t> offsets;
    for (const value_layout& each : values_of(schema_)) {
      if (keeps(each.name)) offsets.push_back(each.offset);
    }
    // No column at all is not all of them: a number that none has.
    if (offsets.empty()) columns.push_back(static_cast<std::uint32_t>(column_offsets_.size()));
    // Both in the order of a row's bytes.
    auto offset = offsets.begin();
    for (std::uint32_t number = 0; number < column_offsets_.size(); ++number) {
      while (offset != offsets.end() && *offset < column_offsets_[number]) ++offset;
      if (offset == offsets.end()) break;
      if (*offset == column_offsets_[number]) columns.push_back(number);
    }
  }
  block_.keep_only(columns);
}

result<void> row_decoder::open_block(frame_kind kind, byte_span frame) {
  rows_ = next_row_ = 0;
  has_row_ = false;
  // Columns are decoded on demand, and the frame's bytes are valid only until the iterator's next call.
  block_bytes_.assign(frame.begin(), frame.end());
  const auto opened = kind == frame_kind::delta ? block_.open_next(block_bytes_) : block_.open(block_bytes_);
  if (!opened) return opened;
  rows_ = block_.rows();
  if (rows_ == 0) return fail(error_code::malformed, 0, "more ticks than the block has rows");
  return {};
}

result<void> row_decoder::decode(frame_kind kind, byte_span frame) {
  if (begins_block(kind, frame)) {
    if (auto opened = open_block(kind, frame); !opened) return opened;
  }
  if (next_row_ >= rows_) return fail(error_code::malformed, 0, "more ticks than the block has rows");
  return go_to_row(next_row_++);
}

result<void> row_decoder::go_to_row(std::size_t number) {
  if (number >= rows_) return fail(error_code::out_of_range);
  next_row_ = number + 1;
  const auto done = has_row_ ? block_.replace_row(number, row_) : block_.row(number, row_);
  has_row_ = done.has_value();
  return done;
}

}  // namespace tickreel::tracks
