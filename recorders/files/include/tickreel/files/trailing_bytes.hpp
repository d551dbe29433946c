// Bytes after the end of a recording, for example of concatenated files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
class byte_source;
}

namespace tickreel::files {

struct trailing_bytes {
  std::uint64_t offset = 0;  // the end of the recording
  std::uint64_t bytes = 0;

  // "12 bytes after the end at offset 345 are not part of this recording: ..."
  [[nodiscard]] std::string sentence() const;
};

// Finds bytes after the end that the recording itself declares. Empty if there are none, if the file is
// unreadable or truncated, and for formats that always extend to the end of the file. Permitted trailers are
// excluded: a zip's comment, an MPQ archive's signature.
[[nodiscard]] std::optional<trailing_bytes> find_trailing_bytes(const byte_source& from);
// The same for a file, or for what is at an address: fails only if parts of that cannot be fetched.
result<std::optional<trailing_bytes>> find_trailing_bytes(const file_path& path);

// Appends the sentence to the losses of a recording that was read to its end.
result<void> add_trailing_bytes(const file_path& path, std::vector<std::string>& losses);

}  // namespace tickreel::files
