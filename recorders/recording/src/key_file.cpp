#include "tickreel/recording/key_file.hpp"

#include <sodium.h>

#include <optional>
#include <span>
#include <system_error>

#include "byte_stream.hpp"
#include "tickreel/icrep/signature.hpp"

namespace tickreel::recording {

namespace {

constexpr std::string_view secret_head = "tickreel-secret-key ed25519 ";
constexpr std::string_view public_head = "tickreel-public-key ed25519 ";
constexpr std::size_t digits_of_key = 64;
constexpr std::uint64_t most_bytes = 4096;

std::optional<unsigned> digit_value(char digit) noexcept {
  if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
  if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
  return std::nullopt;
}

std::optional<key_bytes> key_from_text(std::string_view digits) noexcept {
  if (digits.size() != digits_of_key) return std::nullopt;
  key_bytes key{};
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto high = digit_value(digits[2 * i]);
    const auto low = digit_value(digits[2 * i + 1]);
    if (!high || !low) return std::nullopt;
    key[i] = static_cast<std::byte>(*high << 4 | *low);
  }
  return key;
}

result<void> write_line(const std::filesystem::path& path, std::string_view head, const key_bytes& key,
                        bool overwrite, bool secret) {
  auto file = published_file::create(utf8(path), overwrite);
  if (!file) return fail(file.error());
  if (secret) {
    using std::filesystem::perms;
    std::error_code failed;
    const std::string_view name = file->temporary_path();
    std::filesystem::permissions(std::filesystem::path(std::u8string(name.begin(), name.end())),
                                 perms::owner_read | perms::owner_write, failed);
    if (failed) return fail(error_code::permission_denied, error::no_offset, "making the key private");
  }
  std::string line(head);
  line += key_text(key);
  line += '\n';
  if (auto done = file->append(as_bytes(line)); !done) return done;
  return file->commit();
}

}  // namespace

result<key_pair> make_key_pair() {
  if (sodium_init() < 0)
    return fail(error_code::io_failed, error::no_offset, "the system has no random bytes");
  key_pair made;
  randombytes_buf(made.seed.data(), made.seed.size());
  made.public_key = public_key_of(made.seed);
  return made;
}

key_bytes public_key_of(const key_bytes& seed) {
  return icrep::chain_signer(seed, {}).chain().relay_public_key;
}

std::string key_text(const key_bytes& key) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte each : key) {
    text += digits[std::to_integer<std::size_t>(each) >> 4];
    text += digits[std::to_integer<std::size_t>(each) & 15];
  }
  return text;
}

result<void> write_secret_key(const std::filesystem::path& path, const key_bytes& seed, bool overwrite) {
  return write_line(path, secret_head, seed, overwrite, true);
}

result<void> write_public_key(const std::filesystem::path& path, const key_bytes& key, bool overwrite) {
  return write_line(path, public_head, key, overwrite, false);
}

result<key_bytes> read_secret_key(const std::filesystem::path& path) {
  const auto bytes = read_whole(path, most_bytes);
  if (!bytes) return fail(bytes.error());
  std::string_view text = as_text(*bytes);
  if (text.starts_with(public_head)) {
    return fail(error_code::malformed, 0, "this is the public key; signing needs the secret one");
  }
  if (!text.starts_with(secret_head)) return fail(error_code::malformed, 0, "not a secret key");
  text.remove_prefix(secret_head.size());
  const auto key = key_from_text(text.substr(0, text.find_last_not_of("\r\n") + 1));
  if (!key) return fail(error_code::malformed, secret_head.size(), "a key has 64 hexadecimal digits");
  return *key;
}

result<key_bytes> read_public_key(std::string_view digits_or_path) {
  if (const auto key = key_from_text(digits_or_path)) return *key;
  const std::filesystem::path path(std::u8string(digits_or_path.begin(), digits_or_path.end()));
  const auto bytes = read_whole(path, most_bytes);
  if (!bytes) return fail(bytes.error());
  std::string_view text = as_text(*bytes);
  const bool secret = text.starts_with(secret_head);
  if (!secret && !text.starts_with(public_head)) return fail(error_code::malformed, 0, "not a key");
  text.remove_prefix(secret ? secret_head.size() : public_head.size());
  const auto key = key_from_text(text.substr(0, text.find_last_not_of("\r\n") + 1));
  if (!key) return fail(error_code::malformed, public_head.size(), "a key has 64 hexadecimal digits");
  return secret ? public_key_of(*key) : *key;
}

}  // namespace tickreel::recording
