// Files that hold keys for signatures: Ed25519, one line of text.
//
//   tickreel-secret-key ed25519 <64 hexadecimal digits>    the 32 random bytes a key pair comes from
//   tickreel-public-key ed25519 <64 hexadecimal digits>
//
// Whoever has the secret one can sign in its owner's name.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

using key_bytes = std::array<std::byte, 32>;

struct key_pair {
  key_bytes seed{};
  key_bytes public_key{};
};

// From the system's own source of random bytes.
result<key_pair> make_key_pair();
[[nodiscard]] key_bytes public_key_of(const key_bytes& seed);

// 64 hexadecimal digits.
[[nodiscard]] std::string key_text(const key_bytes& key);

// The secret file can be read by its owner only, where the system knows such a thing.
result<void> write_secret_key(const file_path& path, const key_bytes& seed, bool overwrite);
result<void> write_public_key(const file_path& path, const key_bytes& key, bool overwrite);

// malformed for a file that is no such key.
result<key_bytes> read_secret_key(const file_path& path);
// Of a public or a secret key's file, or the 64 digits themselves.
result<key_bytes> read_public_key(std::string_view digits_or_path);

}  // namespace tickreel::files
