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
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/parquet/column_values.hpp"
#include "tickreel/result.hpp"

namespace tickreel::parquet {

// The first and the last bytes of a file.
inline constexpr std::string_view magic = "PAR1";
// Readers have sizes of pages in i32.
inline constexpr std::size_t max_page_bytes = (std::size_t{1} << 31) - 1;

// Whether pages can have this codec: none, gzip and zstd. LZ4 of Parquet is another one.
[[nodiscard]] bool takes(codec_id codec) noexcept;

struct column {
  std::string name;
  column_type type = column_type::text;
};

struct key_value {
  std::string key;
  std::string value;
};

// One thread at a time. Each function appends to `out`, which the caller writes and clears. Memory: a page, and about
// 60 bytes per column of each group until the end.
class file_writer {
 public:
  // invalid_argument without columns, for a name that is empty, not UTF-8 or used twice, and for a codec that
  // is not possible.
  static result<file_writer> create(std::vector<column> columns, const codec_options& codec,
                                    byte_vector& out);

  // Values of all columns, in their order, with the same number of rows. invalid_argument otherwise; over_limit for a
  // page above max_page_bytes.
  result<void> add_group(std::span<const column_values> values, byte_vector& out);

  // Facts about the file for its readers. invalid_argument if one is not UTF-8, over_limit for a footer of 2 GiB.
  result<void> finish(std::span<const key_value> facts, byte_vector& out);

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

  file_writer(std::vector<column> columns, compressor codec);
  result<chunk> add_page(const column_values& values, byte_vector& out);
  void append_footer(std::span<const key_value> facts, byte_vector& out) const;

  std::vector<column> columns_;
  compressor codec_;
  std::vector<group> groups_;
  std::uint64_t rows_ = 0;
  std::uint64_t offset_ = 0;
  byte_vector page_;
  byte_vector stored_;
};

}  // namespace tickreel::parquet
