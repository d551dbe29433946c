// Where an MPQ archive ends in a longer file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tickreel/bytes/span.hpp"

namespace tickreel::mpq {

// Gives up to `bytes` bytes from `offset`, fewer at the end of the file and none on errors; valid until the
// next call.
using read_bytes = std::function<byte_span(std::uint64_t offset, std::size_t bytes)>;

// Of a file that begins with user data (user_data.hpp): the end of its archive, or of the strong signature after
// the archive, if there is one. Empty if no archive begins at the offset that the user data state.
[[nodiscard]] std::optional<std::uint64_t> find_archive_end(const read_bytes& read, std::uint64_t file_bytes);

}  // namespace tickreel::mpq
