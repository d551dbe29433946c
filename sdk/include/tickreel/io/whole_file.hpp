// A whole file in memory.
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// The whole content; over_limit, without allocating, if it has more than `max_bytes`. If the file shrinks
// meanwhile, the remaining content.
result<byte_vector> read_whole_file(const file_path& path, std::uint64_t max_bytes,
                                    system_calls& calls = system_calls::real());
result<byte_vector> read_whole_file(const file& opened, std::uint64_t max_bytes);

}  // namespace tickreel
