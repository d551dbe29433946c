// Opens the optional recordings beside the project.
#pragma once

#include <zip.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "shared_data.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echoreplay/line.hpp"

namespace tickreel::test {

inline std::string text_of_echoreplay(const std::filesystem::path& path) {
  const byte_vector bytes = read_file(path);
  if (!as_text(bytes).starts_with("PK")) return std::string(as_text(bytes));
  zip_error_t problem;
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &problem);
  zip_t* archive = source != nullptr ? zip_open_from_source(source, ZIP_RDONLY, &problem) : nullptr;
  BOOST_REQUIRE(archive != nullptr);
  zip_stat_t facts;
  BOOST_REQUIRE(zip_stat_index(archive, 0, 0, &facts) == 0);
  std::string text(facts.size, '\0');
  zip_file_t* file = zip_fopen_index(archive, 0, 0);
  BOOST_REQUIRE(zip_fread(file, text.data(), text.size()) == static_cast<zip_int64_t>(text.size()));
  zip_fclose(file);
  zip_discard(archive);
  return text;
}

inline std::vector<echo::state> read_echoreplay(const std::filesystem::path& path) {
  const std::string text = text_of_echoreplay(path);
  echo::json_parser parser;
  std::vector<echo::state> states;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    states.emplace_back();
    BOOST_REQUIRE(echoreplay::parse_line(line, parser, states.back()).has_value());
  }
  return states;
}

inline std::string unzipped(const std::filesystem::path& path) {
  byte_vector text;
  BOOST_REQUIRE(decompressor().decompress(codec_id::gzip, read_file(path), 256u << 20, text).has_value());
  return std::string(as_text(text));
}

}  // namespace tickreel::test
