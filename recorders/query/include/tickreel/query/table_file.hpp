// The rows of a statement as a file for data tools: Parquet or Arrow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/result.hpp"

namespace tickreel::query {

// Writes rows beside the output until all are known, because a column of SQLite may have values of several types. Then
// it writes the file. Memory: a group of rows, of 32 MiB or one row, a few times; and 60 bytes per column and group.
//
// A column of integers has 64 bits; one of reals, or of reals and integers up to 2^53, has doubles. One without values
// has its type in SQL. Any other column is a text: one with larger integers beside reals, and one with texts and numbers.
class table_file {
 public:
  // `format`: a name for which is_table_format() holds. already_exists as published_file::create(). Empty `codec`: the usual one of the
  // format, or none if this build lacks it; invalid_argument for one that the format does not take.
  static result<table_file> create(const file_path& output, std::string_view format, bool overwrite,
                                   std::optional<codec_options> codec = std::nullopt);
  table_file(table_file&&) noexcept;
  table_file& operator=(table_file&&) noexcept;
  // Without commit() no file remains.
  ~table_file();

  // Call it once, before the first row. invalid_argument for a name that is empty, not UTF-8, or used twice.
  result<void> columns(const std::vector<std::string>& names);
  // A name of two columns, which columns() rejects.
  [[nodiscard]] const std::string& name_used_twice() const noexcept;
  result<void> row(const std::vector<value>& values);

  // Publishes the file, with the statement and what `about` says about files in its metadata. Appends sentences about
  // columns with values of several types to `notes`. Returns the file's size; interrupted if `cancelled` is set and
  // returns true.
  result<std::uint64_t> commit(std::string_view sql, const report& about, std::vector<std::string>& notes,
                               const std::function<bool()>& cancelled = {});

 private:
  struct state;
  explicit table_file(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::query
