// Hashes of what is put somewhere, and whether it arrived.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

struct content_hashes {
  std::string whole;               // SHA-256 in hexadecimal digits
  std::vector<std::string> parts;  // of every `part_bytes`; one at least
};

// Of the first `bytes`; truncated when there are fewer.
[[nodiscard]] result<content_hashes> hash_content(const byte_source& from, std::uint64_t bytes,
                                                  std::uint64_t part_bytes,
                                                  const std::function<bool()>& cancelled);

// checksum_mismatch when what `from` gives under the key is not that.
[[nodiscard]] result<void> compare_stored(object_store& from, const object& that,
                                          const std::function<bool()>& cancelled);

}  // namespace tickreel::store
