// Hashes of stored content, and comparisons of stored objects.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

struct content_hashes {
  std::string whole;               // SHA-256 in hexadecimal digits
  std::vector<std::string> parts;  // of every `part_bytes`; at least one
};

// Of the first `bytes`; truncated if there are fewer.
[[nodiscard]] result<content_hashes> hash_content(const byte_source& from, std::uint64_t bytes,
                                                  std::uint64_t part_bytes,
                                                  const std::function<bool()>& cancelled);

// checksum_mismatch if the content of the key in `from` differs.
[[nodiscard]] result<void> compare_stored(object_store& from, const object& that,
                                          const std::function<bool()>& cancelled);

// in_use if one of the keys has something else than the caller saw.
[[nodiscard]] result<void> check_unchanged(object_store& in, const std::vector<seen_object>& seen);
[[nodiscard]] tl::unexpected<error> fail_changed() noexcept;

}  // namespace tickreel::store
