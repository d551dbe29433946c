// A column of a table, and facts about the table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/result.hpp"

namespace tickreel::columns {

// i64, f64, UTF-8. Every column may have nulls.
enum class column_type : std::uint8_t { integer, real, text };

struct column {
  std::string name;
  column_type type = column_type::text;
  std::string unit = {};     // "m/s"; empty if unknown
  std::string meaning = {};  // "direction"; empty if unknown
};

struct key_value {
  std::string key;
  std::string value;
};

// What readers of every format require. invalid_argument without columns, for a name that is empty or used twice, and
// for a text that is not UTF-8.
result<void> check_columns(std::span<const column> columns, std::span<const key_value> facts);

// A table that is written: its columns, its facts, and the compressor of its values.
struct table {
  std::vector<column> columns;
  std::vector<key_value> facts;
  compressor codec;
};

// `takes` is whether the format has the codec, and `codecs` the sentence about those that it has. invalid_argument as
// check_columns(), and for a codec that the format lacks.
result<table> make_table(std::vector<column> columns, std::vector<key_value> facts,
                         const codec_options& codec, bool takes, const char* codecs);

}  // namespace tickreel::columns
