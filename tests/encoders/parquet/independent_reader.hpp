// Reads Parquet files with hyparquet, which runs in node: see hyparquet/read.mjs.
#pragma once

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "file_bytes.hpp"
#include "hex.hpp"
#include "lines.hpp"
#include "preconditions.hpp"
#include "scratch_folder.hpp"

namespace tickreel::test {

inline const auto with_hyparquet = needed(
    [] {
      return std::filesystem::exists(TICKREEL_HYPARQUET "/node_modules/hyparquet")
                 ? nullptr
                 : "no hyparquet; scripts/bootstrap --ci installs it";
    },
    "TICKREEL_REQUIRE_BINDINGS");

// As the reader prints them.
inline std::string cell_of(std::int64_t value) {
  return "i:" + std::to_string(value);
}
inline std::string cell_of(double value) {
  if (std::isnan(value)) return "d:nan";
  char text[32];
  std::snprintf(text, sizeof(text), "d:%llx",
                static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(value)));
  return text;
}
inline std::string cell_of(std::string_view value) {
  return "t:" + to_hex(as_bytes(value));
}

// The lines of hyparquet/read.mjs.
inline std::vector<std::string> read_parquet(const std::string& file) {
  const scratch_folder folder;
  const std::string out = folder / "rows";
  const std::string line =
      "node '" TICKREEL_PARQUET_READER "' '" TICKREEL_HYPARQUET "' '" + file + "' > '" + out + "'";
  BOOST_REQUIRE(std::system(line.c_str()) == 0);
  const byte_vector text = read_file(out);
  return lines_of(std::string(as_text(text)));
}

}  // namespace tickreel::test
