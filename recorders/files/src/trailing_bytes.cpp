#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/distant_files.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

std::string trailing_bytes::sentence() const {
  return counted(bytes, "byte") + " after the end at offset " + std::to_string(offset) +
         (bytes == 1 ? " is" : " are") +
         " not part of this recording: 'tickreel recover' reports whether another one begins there";
}

std::optional<trailing_bytes> find_trailing_bytes(const byte_source& from) {
  const auto found = detect(from);
  const auto size = from.size();
  if (!found || !size || (*found)->find_end == nullptr) return std::nullopt;
  byte_source reading = from;
  const std::optional<std::uint64_t> end = (*found)->find_end(reading, *size);
  if (!end || *end >= *size) return std::nullopt;
  return trailing_bytes{*end, *size - *end};
}

std::optional<trailing_bytes> find_trailing_bytes(const file_path& path) {
  const auto from = open_source(path);
  return from ? find_trailing_bytes(*from) : std::nullopt;
}

void add_trailing_bytes(const file_path& path, std::vector<std::string>& losses) {
  if (const auto trailing = find_trailing_bytes(path)) losses.push_back(trailing->sentence());
}

}  // namespace tickreel::files
