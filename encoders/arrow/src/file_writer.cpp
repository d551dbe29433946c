#include "tickreel/arrow/file_writer.hpp"

#include <utility>

#include "body.hpp"
#include "messages.hpp"
#include "tickreel/bytes/append.hpp"

namespace tickreel::arrow {

namespace {

constexpr std::uint32_t continuation = 0xFFFF'FFFF;
constexpr std::size_t prefix_bytes = 2 * sizeof(std::uint32_t);

void append_bytes(byte_span bytes, byte_vector& out) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

bool takes(codec_id codec) noexcept {
  const codec_id found = resolve(codec);
  return found == codec_id::none || found == codec_id::zstd;
}

file_writer::file_writer(std::vector<columns::column> columns, std::vector<columns::key_value> facts,
                         compressor codec)
    : columns_(std::move(columns)), facts_(std::move(facts)), codec_(std::move(codec)) {}

result<file_writer> file_writer::create(std::vector<columns::column> columns,
                                        std::vector<columns::key_value> facts, const codec_options& codec,
                                        byte_vector& out) {
  if (auto valid = columns::check_columns(columns, facts); !valid) return fail(valid.error());
  if (!takes(codec.codec)) {
    return fail(error_code::invalid_argument, error::no_offset, "an Arrow file takes none and zstd");
  }
  auto made = compressor::create(codec);
  if (!made) return fail(made.error());
  file_writer writer(std::move(columns), std::move(facts), std::move(*made));
  byte_vector schema;
  append_schema(writer.columns_, writer.facts_, schema);
  append_bytes(as_bytes(padded_magic), out);
  writer.offset_ = padded_magic.size();
  if (auto added = writer.add_message(schema, out); !added) return fail(added.error());
  return writer;
}

result<void> file_writer::add_message(byte_span metadata, byte_vector& out) {
  if (metadata.size() > columns::max_bytes) {
    return fail(error_code::over_limit, error::no_offset, "the table has too many columns and facts");
  }
  append_little(continuation, out);
  append_little(static_cast<std::uint32_t>(metadata.size()), out);
  append_bytes(metadata, out);
  offset_ += prefix_bytes + metadata.size();
  return {};
}

result<void> file_writer::add_group(std::span<const columns::column_values> values, byte_vector& out) {
  if (auto valid = columns::check_group(columns_, values); !valid) return valid;
  const std::size_t rows = values.front().rows();
  if (rows == 0) return {};
  body_writer body(codec_, rows);
  for (const columns::column_values& each : values) {
    if (auto added = body.add(each); !added) return added;
  }
  byte_vector metadata;
  append_batch(body.layout(), metadata);
  const block added{offset_, prefix_bytes + metadata.size(), body.layout().body_bytes};
  if (auto done = add_message(metadata, out); !done) return done;
  append_bytes(body.bytes(), out);
  offset_ += added.body_bytes;
  batches_.push_back(added);
  rows_ += rows;
  return {};
}

result<void> file_writer::finish(byte_vector& out) {
  byte_vector footer;
  append_footer(columns_, facts_, batches_, footer);
  if (footer.size() > columns::max_bytes) {
    return fail(error_code::over_limit, error::no_offset,
                "the table has too many groups of rows and columns");
  }
  append_little(continuation, out);
  append_little(std::uint32_t{0}, out);
  append_bytes(footer, out);
  append_little(static_cast<std::uint32_t>(footer.size()), out);
  append_bytes(as_bytes(magic), out);
  return {};
}

}  // namespace tickreel::arrow
