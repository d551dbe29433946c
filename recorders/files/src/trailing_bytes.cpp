#include "tickreel/files/trailing_bytes.hpp"
#include "distant_recording.hpp"
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

result<std::optional<trailing_bytes>> find_trailing_bytes(const file_path& path) {
  if (!is_distant(path)) {
    const auto from = open_source(path);
    return from ? find_trailing_bytes(*from) : std::nullopt;
  }
  const auto there = open_distant_bytes(path);
  if (!there) return fail(there.error());
  const auto found = find_trailing_bytes(byte_source(there->bytes, path));
  if (const auto why = there->failure()) return fail(*why);
  return found;
}

result<void> add_trailing_bytes(const file_path& path, std::vector<std::string>& losses) {
  const auto trailing = find_trailing_bytes(path);
  if (!trailing) return fail(trailing.error());
  if (*trailing) losses.push_back((*trailing)->sentence());
  return {};
}

}  // namespace tickreel::files
