// The tables of Arrow's metadata, by the numbers of their members; others are absent.
//
//   Footer           0 version, 1 Schema, 2 [Block] of dictionaries: none, 3 [Block] of record batches
//   Block            i64 offset | i32 bytes of the metadata | i32 0 | i64 bytes of the body
//   Message          0 version, 1 kind of header, 2 header, 3 bytes of the body
//   Schema           1 [Field], 2 [KeyValue]
//   Field            0 name, 1 nullable, 2 kind of type, 3 type, 5 [Field] children, 6 [KeyValue]
//   Int              0 bits, 1 is signed
//   FloatingPoint    0 precision
//   Utf8             none
//   KeyValue         0 key, 1 value
//   RecordBatch      0 rows, 1 [FieldNode], 2 [Buffer], 3 BodyCompression
//   FieldNode        i64 rows | i64 nulls
//   Buffer           i64 offset in the body | i64 bytes
//   BodyCompression  0 codec, 1 method
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tickreel/arrow/file_writer.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/columns/column.hpp"

namespace tickreel::arrow {

// The buffers of a record batch.
struct batch_layout {
  std::uint64_t rows = 0;
  std::vector<std::int64_t> nodes;    // rows and nulls of each column
  std::vector<std::int64_t> buffers;  // offset and bytes of each
  std::uint64_t body_bytes = 0;
  bool has_zstd = false;
};

// Each appends a buffer.
void append_schema(std::span<const columns::column> all, std::span<const columns::key_value> facts,
                   byte_vector& out);
void append_batch(const batch_layout& of, byte_vector& out);
void append_footer(std::span<const columns::column> all, std::span<const columns::key_value> facts,
                   std::span<const block> batches, byte_vector& out);

}  // namespace tickreel::arrow
