// The formats of tables.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/columns/column_values.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::query {

// Appends the bytes of a file to `out`, as the encoders do.
class table_writer {
 public:
  virtual ~table_writer() = default;
  virtual result<void> add_group(std::span<const columns::column_values> values, byte_vector& out) = 0;
  virtual result<void> finish(byte_vector& out) = 0;
};

struct table_kind {
  const files::format* format = nullptr;
  const char* takes_codecs = nullptr;  // the sentence
  result<std::unique_ptr<table_writer>> (*create)(std::vector<columns::column> columns,
                                                  std::vector<columns::key_value> facts,
                                                  const codec_options& codec, byte_vector& out) = nullptr;

  [[nodiscard]] bool takes(codec_id codec) const noexcept;
};

[[nodiscard]] std::span<const table_kind> table_kinds() noexcept;
// Null for the name of another format.
[[nodiscard]] const table_kind* find_table_kind(std::string_view format) noexcept;

}  // namespace tickreel::query
