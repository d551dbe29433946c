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

result<file_writer> file_writer::create(std::vector<columns::column> columns,
                                        std::vector<columns::key_value> facts, const codec_options& codec,
                                        byte_vector& out) {
  auto table = columns::make_table(std::move(columns), std::move(facts), codec, takes(codec.codec),
                                   "an Arrow file takes none and zstd");
  if (!table) return fail(table.error());
  file_writer writer(std::move(*table));
  byte_vector schema;
  append_schema(writer.table_.columns, writer.table_.facts, schema);
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
  if (auto valid = columns::check_group(table_.columns, values); !valid) return valid;
  const std::size_t rows = values.front().rows();
  if (rows == 0) return {};
  body_writer body(table_.codec, rows);
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
  append_footer(table_.columns, table_.facts, batches_, footer);
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
