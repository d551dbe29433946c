// A whole file in memory.
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// Everything that the file holds; over_limit, and no memory taken, when that is more than `most_bytes`. Of a
// file that becomes shorter meanwhile, what is left.
result<byte_vector> read_whole_file(const file_path& path, std::uint64_t most_bytes,
                                    system_calls& calls = system_calls::real());
result<byte_vector> read_whole_file(const file& opened, std::uint64_t most_bytes);

// The first `most_bytes` of a file; all of it when it is shorter.
result<byte_vector> read_file_head(const file_path& path, std::size_t most_bytes,
                                   system_calls& calls = system_calls::real());
result<byte_vector> read_file_head(const file& opened, std::size_t most_bytes);

}  // namespace tickreel
