// Bytes behind the end of a recording, as where two files were joined.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/io/path.hpp"

namespace tickreel {
class byte_source;
}

namespace tickreel::files {

struct trailing_bytes {
  std::uint64_t offset = 0;  // where the recording ends
  std::uint64_t bytes = 0;

  // "12 bytes behind the end at offset 345 are no part of this recording: ..."
  [[nodiscard]] std::string sentence() const;
};

// What lies behind the end that the recording tells of itself. Nothing where nothing does, where the file
// cannot be read or ends before, and for formats that go on to the end of the file by their nature. What may
// stand behind an end is no such thing: a zip's comment, an MPQ archive's signature.
[[nodiscard]] std::optional<trailing_bytes> find_trailing_bytes(const byte_source& from);
[[nodiscard]] std::optional<trailing_bytes> find_trailing_bytes(const file_path& path);

// Appends their sentence to the losses of a recording that was read to its end.
void add_trailing_bytes(const file_path& path, std::vector<std::string>& losses);

}  // namespace tickreel::files
