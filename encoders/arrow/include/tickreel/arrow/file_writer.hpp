// Writes a table as the bytes of an Arrow IPC file, one group of rows after another.
//
//   file    = "ARROW1" | 0 0 | schema | record batch * | u32 0xFFFFFFFF | u32 0 | footer | u32 bytes of the footer | "ARROW1"
//   schema, record batch = u32 0xFFFFFFFF | u32 bytes of the metadata | metadata | body, only of a batch
//
// Metadata and the footer are FlatBuffers, see messages.hpp; body.hpp has the layout of a body. All columns may have
// nulls and are Int64, Float64 and Utf8. There are no dictionaries.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/columns/column.hpp"
#include "tickreel/columns/column_values.hpp"
#include "tickreel/result.hpp"

namespace tickreel::arrow {

// The last bytes of a file. The first ones are padded to the alignment.
inline constexpr std::string_view magic = "ARROW1";
inline constexpr std::string_view padded_magic("ARROW1\0\0", 8);

// Whether buffers can have this codec: none and zstd.
[[nodiscard]] bool takes(codec_id codec) noexcept;

// Where a record batch is.
struct block {
  std::uint64_t offset = 0;
  std::uint64_t metadata_bytes = 0;  // with the prefix of 8 bytes
  std::uint64_t body_bytes = 0;
};

// One thread at a time. Each function appends to `out`, which the caller writes and clears. Memory: a body, in which a
// null has 8 bytes, and 24 bytes per group until the end.
class file_writer {
 public:
  // `facts` are for the file's readers, in the schema's metadata. The unit and the meaning of a column are in the metadata
  // of its field. invalid_argument as columns::make_table(); over_limit for a schema of 2 GiB.
  static result<file_writer> create(std::vector<columns::column> columns,
                                    std::vector<columns::key_value> facts, const codec_options& codec,
                                    byte_vector& out);

  // Values of all columns, in their order. invalid_argument as columns::check_group(); over_limit for a column whose
  // texts have more than 2 GiB together.
  result<void> add_group(std::span<const columns::column_values> values, byte_vector& out);

  // over_limit for a footer of 2 GiB.
  result<void> finish(byte_vector& out);

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

 private:
  explicit file_writer(columns::table table) : table_(std::move(table)) {}
  result<void> add_message(byte_span metadata, byte_vector& out);

  columns::table table_;
  std::vector<block> batches_;
  std::uint64_t rows_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace tickreel::arrow
