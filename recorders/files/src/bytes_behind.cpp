#include "open_file.hpp"
#include "tickreel/files/behind.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

std::string bytes_behind::sentence() const {
  return std::to_string(bytes) + " bytes behind the end at offset " + std::to_string(offset) +
         " are no part of this recording: another one may stand there, which 'tickreel recover' tells";
}

std::optional<bytes_behind> find_bytes_behind(const byte_source& from) {
  const auto found = detect(from);
  const auto size = from.size();
  if (!found || !size || (*found)->find_end == nullptr) return std::nullopt;
  byte_source reading = from;
  const std::optional<std::uint64_t> end = (*found)->find_end(reading, *size);
  if (!end || *end >= *size) return std::nullopt;
  return bytes_behind{*end, *size - *end};
}

std::optional<bytes_behind> find_bytes_behind(const file_path& path) {
  const auto from = open_file(path);
  return from ? find_bytes_behind(*from) : std::nullopt;
}

}  // namespace tickreel::files
