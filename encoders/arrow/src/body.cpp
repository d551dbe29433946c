#include "body.hpp"

#include "tickreel/bytes/append.hpp"

namespace tickreel::arrow {

namespace {

constexpr std::size_t alignment = 8;

void append_numbers(const columns::column_values& of, byte_vector& out) {
  constexpr std::size_t bytes_each = 8;
  out.resize(of.rows() * bytes_each);
  const byte_span values = of.values();
  std::size_t next = 0;
  for (std::size_t row = 0; row < of.rows(); ++row) {
    if (!of.has_value(row)) continue;
    for (std::size_t byte = 0; byte < bytes_each; ++byte) out[row * bytes_each + byte] = values[next++];
  }
}

void append_offsets(const columns::column_values& of, byte_vector& out) {
  std::size_t end = 0;
  std::size_t next = 0;
  append_little(std::int32_t{0}, out);
  for (std::size_t row = 0; row < of.rows(); ++row) {
    if (of.has_value(row)) end = of.ends()[next++];
    append_little(static_cast<std::int32_t>(end), out);
  }
}

}  // namespace

body_writer::body_writer(compressor& codec, std::size_t rows) : codec_(&codec) {
  layout_.rows = rows;
  layout_.has_zstd = codec.codec() == codec_id::zstd;
}

result<void> body_writer::add_buffer() {
  const std::size_t begin = bytes_.size();
  byte_span stored = buffer_;
  if (layout_.has_zstd && !buffer_.empty()) {
    if (auto done = codec_->compress(buffer_, packed_); !done) return done;
    const bool is_smaller = packed_.size() < buffer_.size();
    append_little(is_smaller ? static_cast<std::int64_t>(buffer_.size()) : std::int64_t{-1}, bytes_);
    if (is_smaller) stored = packed_;
  }
  bytes_.insert(bytes_.end(), stored.begin(), stored.end());
  layout_.buffers.push_back(static_cast<std::int64_t>(begin));
  layout_.buffers.push_back(static_cast<std::int64_t>(bytes_.size() - begin));
  bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
  layout_.body_bytes = bytes_.size();
  buffer_.clear();
  return {};
}

result<void> body_writer::add(const columns::column_values& values) {
  if (values.values().size() > columns::max_bytes) {
    return fail(error_code::over_limit, error::no_offset, "a group of rows has a column of more than 2 GiB");
  }
  layout_.nodes.push_back(static_cast<std::int64_t>(values.rows()));
  layout_.nodes.push_back(static_cast<std::int64_t>(values.nulls()));
  if (values.nulls() != 0) values.append_validity(buffer_);
  if (auto added = add_buffer(); !added) return added;
  if (values.type() != columns::column_type::text) {
    append_numbers(values, buffer_);
    return add_buffer();
  }
  append_offsets(values, buffer_);
  if (auto added = add_buffer(); !added) return added;
  buffer_.assign(values.values().begin(), values.values().end());
  return add_buffer();
}

}  // namespace tickreel::arrow
