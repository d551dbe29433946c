#include "tickreel/files/key_file.hpp"

#include <sodium.h>

#include <optional>
#include <system_error>

#include "byte_stream.hpp"
#include "tickreel/icrep/signature.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

constexpr std::string_view secret_head = "tickreel-secret-key ed25519 ";
constexpr std::string_view public_head = "tickreel-public-key ed25519 ";
constexpr std::uint64_t max_key_file_bytes = 4096;

std::optional<key_bytes> key_from_text(std::string_view digits) noexcept {
  key_bytes key{};
  if (!text::from_hex(digits, key)) return std::nullopt;
  return key;
}

result<void> write_line(const file_path& path, std::string_view head, const key_bytes& key, bool overwrite,
                        bool secret) {
  auto file = published_file::create(path, overwrite);
  if (!file) return fail(file.error());
  if (secret) {
    using std::filesystem::perms;
    std::error_code failed;
    std::filesystem::permissions(filesystem_path(file->temporary_path()),
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
  return text::to_hex(key);
}

result<void> write_secret_key(const file_path& path, const key_bytes& seed, bool overwrite) {
  return write_line(path, secret_head, seed, overwrite, true);
}

result<void> write_public_key(const file_path& path, const key_bytes& key, bool overwrite) {
  return write_line(path, public_head, key, overwrite, false);
}

result<key_bytes> read_secret_key(const file_path& path) {
  const auto bytes = read_whole_file(path, max_key_file_bytes);
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
  const auto bytes = read_whole_file(digits_or_path, max_key_file_bytes);
  if (!bytes) return fail(bytes.error());
  std::string_view text = as_text(*bytes);
  const bool secret = text.starts_with(secret_head);
  if (!secret && !text.starts_with(public_head)) return fail(error_code::malformed, 0, "not a key");
  text.remove_prefix(secret ? secret_head.size() : public_head.size());
  const auto key = key_from_text(text.substr(0, text.find_last_not_of("\r\n") + 1));
  if (!key) return fail(error_code::malformed, public_head.size(), "a key has 64 hexadecimal digits");
  return secret ? public_key_of(*key) : *key;
}

}  // namespace tickreel::files
