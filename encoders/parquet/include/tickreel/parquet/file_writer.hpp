// Writes a table as the bytes of a Parquet file, one group of rows after another.
//
//   file = "PAR1" | row group * | footer | u32 bytes of the footer | "PAR1"
//   row group = per column: page header | page, compressed
//
// The headers and the footer are structs of Thrift's compact protocol: see file_writer.cpp. All columns are optional
// and flat, pages are data pages of version 1 with the encoding PLAIN, and each column has one page per group.
#pragma once

#include <cstddef>
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

namespace tickreel::parquet {

// The first and the last bytes of a file.
inline constexpr std::string_view magic = "PAR1";
// Readers have sizes of pages and of the footer in i32.
inline constexpr std::size_t max_page_bytes = columns::max_bytes;

// Whether pages can have this codec: none, gzip and zstd. LZ4 of Parquet is another one.
[[nodiscard]] bool takes(codec_id codec) noexcept;

// One thread at a time. Each function appends to `out`, which the caller writes and clears. Memory: a page, and about
// 60 bytes per column of each group until the end.
class file_writer {
 public:
  // `facts` are for the file's readers. The units of columns are not written. invalid_argument as columns::make_table().
  static result<file_writer> create(std::vector<columns::column> columns,
                                    std::vector<columns::key_value> facts, const codec_options& codec,
                                    byte_vector& out);

  // Values of all columns, in their order. invalid_argument as columns::check_group(); over_limit for a page above
  // max_page_bytes.
  result<void> add_group(std::span<const columns::column_values> values, byte_vector& out);

  // over_limit for a footer of 2 GiB.
  result<void> finish(byte_vector& out);

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

 private:
  struct chunk {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;         // with the page header, uncompressed
    std::uint64_t stored_bytes = 0;  // with the page header
    std::size_t nulls = 0;
    std::int64_t least = 0;
    std::int64_t greatest = 0;
  };
  struct group {
    std::uint64_t rows = 0;
    std::vector<chunk> chunks;
  };

  explicit file_writer(columns::table table) : table_(std::move(table)) {}
  result<chunk> add_page(const columns::column_values& values, byte_vector& out);
  void append_footer(byte_vector& out) const;

  columns::table table_;
  std::vector<group> groups_;
  std::uint64_t rows_ = 0;
  std::uint64_t offset_ = 0;
  byte_vector page_;
  byte_vector stored_;
};

}  // namespace tickreel::parquet
