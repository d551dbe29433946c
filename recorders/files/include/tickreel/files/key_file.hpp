// Files with keys for signatures: Ed25519, one line of text.
//
//   tickreel-secret-key ed25519 <64 hexadecimal digits>    the 32 random bytes of a key pair
//   tickreel-public-key ed25519 <64 hexadecimal digits>
//
// The owner of the secret key file can sign with that identity.
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

// From the system's random source.
result<key_pair> make_key_pair();
[[nodiscard]] key_bytes public_key_of(const key_bytes& seed);

// 64 hexadecimal digits.
[[nodiscard]] std::string key_text(const key_bytes& key);

// Only its owner can read the secret file, if the system supports permissions.
result<void> write_secret_key(const file_path& path, const key_bytes& seed, bool overwrite);
result<void> write_public_key(const file_path& path, const key_bytes& key, bool overwrite);

// malformed if the file is not a secret key.
result<key_bytes> read_secret_key(const file_path& path);
// From the file of a public or secret key, or from the 64 digits.
result<key_bytes> read_public_key(std::string_view digits_or_path);

}  // namespace tickreel::files
