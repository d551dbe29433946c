#include "tickreel/parquet/file_writer.hpp"

#include <string_view>
#include <utility>

#include "compact_writer.hpp"
#include "page.hpp"
#include "tickreel/bytes/append.hpp"
#include "tickreel/codec/crc32.hpp"

// The structs, by the numbers of their fields; others are absent.
//
//   PageHeader       1 type, 2 bytes, 3 stored bytes, 4 CRC-32 of the stored page, 5 DataPageHeader
//   DataPageHeader   1 rows, 2 encoding, 3 encoding of definition levels, 4 encoding of repetition levels
//   FileMetaData     1 version, 2 [SchemaElement], 3 rows, 4 [RowGroup], 5 [KeyValue], 6 writer, 7 [ColumnOrder]
//   SchemaElement    1 type, 3 repetition, 4 name, 5 children, 6 converted type, 10 LogicalType
//   LogicalType      1 STRING = {}
//   RowGroup         1 [ColumnChunk], 2 bytes, 3 rows
//   ColumnChunk      2 offset, 3 ColumnMetaData
//   ColumnMetaData   1 type, 2 [encoding], 3 [name], 4 codec, 5 rows, 6 bytes, 7 stored bytes, 9 offset, 12 Statistics
//   Statistics       3 nulls, 5 greatest value, 6 least value
//   KeyValue         1 key, 2 value
//   ColumnOrder      1 by type = {}

namespace tickreel::parquet {

namespace {

using columns::column_type;

constexpr std::int32_t plain = 0;
constexpr std::int32_t rle = 3;
constexpr std::int32_t data_page = 0;
constexpr std::int32_t optional = 1;
constexpr std::int32_t converted_utf8 = 0;

std::int32_t physical(column_type type) noexcept {
  switch (type) {
    case column_type::integer:
      return 2;
    case column_type::real:
      return 5;
    case column_type::text:
      break;
  }
  return 6;
}

// -1: Parquet lacks it, or means other bytes by it.
std::int32_t number_of(codec_id codec) noexcept {
  switch (codec) {
    case codec_id::none:
      return 0;
    case codec_id::gzip:
      return 2;
    case codec_id::zstd:
      return 6;
    default:
      return -1;
  }
}

byte_vector bytes_of(std::int64_t value) {
  byte_vector out;
  append_little(value, out);
  return out;
}

void append_text(std::string_view text, byte_vector& out) {
  const byte_span bytes = as_bytes(text);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_schema(std::span<const columns::column> all, compact_writer& to) {
  to.begin_list(2, compact_type::structure, all.size() + 1);
  to.begin_struct();
  to.text(4, "schema");
  to.i32(5, static_cast<std::int32_t>(all.size()));
  to.end_struct();
  for (const columns::column& each : all) {
    to.begin_struct();
    to.i32(1, physical(each.type));
    to.i32(3, optional);
    to.text(4, each.name);
    if (each.type == column_type::text) {
      to.i32(6, converted_utf8);
      to.begin_struct(10);
      to.begin_struct(1);
      to.end_struct();
      to.end_struct();
    }
    to.end_struct();
  }
}

}  // namespace

bool takes(codec_id codec) noexcept {
  return number_of(resolve(codec)) >= 0;
}

result<file_writer> file_writer::create(std::vector<columns::column> columns,
                                        std::vector<columns::key_value> facts, const codec_options& codec,
                                        byte_vector& out) {
  auto table = columns::make_table(std::move(columns), std::move(facts), codec, takes(codec.codec),
                                   "a Parquet file takes none, gzip and zstd");
  if (!table) return fail(table.error());
  file_writer writer(std::move(*table));
  append_text(magic, out);
  writer.offset_ = magic.size();
  return writer;
}

result<file_writer::chunk> file_writer::add_page(const columns::column_values& values, byte_vector& out) {
  if (page_bytes(values) > max_page_bytes) {
    return fail(error_code::over_limit, error::no_offset, "a group of rows has a column of more than 2 GiB");
  }
  page_.clear();
  append_page(values, page_);
  byte_span stored = page_;
  if (table_.codec.codec() != codec_id::none) {
    if (auto done = table_.codec.compress(page_, stored_); !done) return fail(done.error());
    stored = stored_;
  }
  if (stored.size() > max_page_bytes) {
    return fail(error_code::over_limit, error::no_offset, "a group of rows has a column of more than 2 GiB");
  }
  const std::size_t begin = out.size();
  compact_writer head(out);
  head.begin_struct();
  head.i32(1, data_page);
  head.i32(2, static_cast<std::int32_t>(page_.size()));
  head.i32(3, static_cast<std::int32_t>(stored.size()));
  head.i32(4, static_cast<std::int32_t>(crc32(stored)));
  head.begin_struct(5);
  head.i32(1, static_cast<std::int32_t>(values.rows()));
  head.i32(2, plain);
  head.i32(3, rle);
  head.i32(4, rle);
  head.end_struct();
  head.end_struct();
  const std::uint64_t head_bytes = out.size() - begin;
  out.insert(out.end(), stored.begin(), stored.end());
  const chunk made{offset_,        head_bytes + page_.size(), head_bytes + stored.size(), values.nulls(),
                   values.least(), values.greatest()};
  offset_ += made.stored_bytes;
  return made;
}

result<void> file_writer::add_group(std::span<const columns::column_values> values, byte_vector& out) {
  if (auto valid = columns::check_group(table_.columns, values); !valid) return valid;
  if (values.front().rows() == 0) return {};
  group added{values.front().rows(), {}};
  for (const columns::column_values& each : values) {
    const auto made = add_page(each, out);
    if (!made) return fail(made.error());
    added.chunks.push_back(*made);
  }
  rows_ += added.rows;
  groups_.push_back(std::move(added));
  return {};
}

void file_writer::append_footer(byte_vector& out) const {
  compact_writer to(out);
  to.begin_struct();
  to.i32(1, 1);
  append_schema(table_.columns, to);
  to.u64(3, rows_);
  to.begin_list(4, compact_type::structure, groups_.size());
  for (const group& each : groups_) {
    std::uint64_t bytes = 0;
    for (const chunk& part : each.chunks) bytes += part.bytes;
    to.begin_struct();
    to.begin_list(1, compact_type::structure, each.chunks.size());
    for (std::size_t at = 0; at < each.chunks.size(); ++at) {
      const chunk& part = each.chunks[at];
      to.begin_struct();
      to.u64(2, part.offset);
      to.begin_struct(3);
      to.i32(1, physical(table_.columns[at].type));
      to.begin_list(2, compact_type::i32, 2);
      to.element(plain);
      to.element(rle);
      to.begin_list(3, compact_type::binary, 1);
      to.element(as_bytes(table_.columns[at].name));
      to.i32(4, number_of(table_.codec.codec()));
      to.u64(5, each.rows);
      to.u64(6, part.bytes);
      to.u64(7, part.stored_bytes);
      to.u64(9, part.offset);
      to.begin_struct(12);
      to.u64(3, part.nulls);
      if (table_.columns[at].type == column_type::integer && part.nulls != each.rows) {
        to.binary(5, bytes_of(part.greatest));
        to.binary(6, bytes_of(part.least));
      }
      to.end_struct();
      to.end_struct();
      to.end_struct();
    }
    to.u64(2, bytes);
    to.u64(3, each.rows);
    to.end_struct();
  }
  to.begin_list(5, compact_type::structure, table_.facts.size());
  for (const columns::key_value& each : table_.facts) {
    to.begin_struct();
    to.text(1, each.key);
    to.text(2, each.value);
    to.end_struct();
  }
  to.text(6, "tickreel");
  to.begin_list(7, compact_type::structure, table_.columns.size());
  for (std::size_t at = 0; at < table_.columns.size(); ++at) {
    to.begin_struct();
    to.begin_struct(1);
    to.end_struct();
    to.end_struct();
  }
  to.end_struct();
}

result<void> file_writer::finish(byte_vector& out) {
  const std::size_t begin = out.size();
  append_footer(out);
  const std::size_t bytes = out.size() - begin;
  if (bytes > max_page_bytes) {
    return fail(error_code::over_limit, error::no_offset,
                "the table has too many groups of rows and columns");
  }
  append_little(static_cast<std::uint32_t>(bytes), out);
  append_text(magic, out);
  return {};
}

}  // namespace tickreel::parquet
