// Whole files as bytes and as text.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tickreel/bytes/span.hpp"

namespace tickreel::test {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline byte_vector read_file(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  const byte_span bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

// Throws unless all bytes were written.
inline void write_file(const std::filesystem::path& path, byte_span bytes) {
  std::ofstream file(path, std::ios::binary);
  const std::string_view text = as_text(bytes);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace tickreel::test
