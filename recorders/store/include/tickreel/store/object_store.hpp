// Where finished recordings are kept: a folder, or a bucket of any store that speaks S3, behind one
// interface.
//
// An object is there whole or not at all, under both. Calls wait, and are of one thread at a time; open the
// store once for each thread that needs it. Memory does not depend on the sizes of objects.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/result.hpp"

namespace tickreel::store {

// Whether the store may answer otherwise later: it is away, or too busy.
[[nodiscard]] bool heals_by_waiting(const error& why) noexcept;

struct object {
  std::string key;          // without the store's own prefix
  std::uint64_t bytes = 0;  // how long it is
  // Of the content, 64 hexadecimal digits, as whoever put it here computed it. Empty where the store does not
  // know: in folders, in lists, and for objects of other programs.
  std::string sha256 = {};
  // In lists: another one whenever the content is another, whatever the store makes it of. Empty in folders.
  std::string tag = {};
};

// How long to wait, and how often to try again what a network or a busy server refused (a lost connection,
// a time that is up, status 408, 429 and 5xx): after a pause that doubles each time, less up to a half by
// chance, or as long as the server asks for.
struct patience {
  int attempts = 8;  // of each request
  std::chrono::milliseconds first_pause{200};
  std::chrono::milliseconds longest_pause{20'000};
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds stalled{30'000};   // nothing sent and nothing received
  std::chrono::milliseconds request{600'000};  // a request at all; more for one of more than 64 MiB
};

struct store_options {
  patience limits = {};
  // More than this goes to S3 in parts of this size, or of what makes at most 10,000 of them. S3 itself
  // refuses parts below 5 MiB.
  std::uint64_t part_bytes = std::uint64_t{16} << 20;
  // Asked while waiting; true ends the call with interrupted within a second or so. On the calling thread.
  std::function<bool()> cancelled = {};
};

// Since the store was opened.
struct traffic {
  std::uint64_t requests = 0;
  std::uint64_t retries = 0;  // of those
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
};

struct put_options {
  // Read what was stored again and compare, for stores that do not check what they get. Costs the same bytes
  // once more.
  bool read_back = false;
  std::string content_type = "application/octet-stream";
};

class object_store {
 public:
  virtual ~object_store() = default;

  // Puts all of `from` under `key`, in the place of what is there. Its hash goes along (S3 refuses what does
  // not fit it) and is in what is returned. checksum_mismatch when the bytes arrived changed, or changed
  // while they were read.
  virtual result<object> put(std::string_view key, const byte_source& from, const put_options& how = {}) = 0;
  // Reads until `into` is full or the object ends; returns how much it was. not_found when there is none.
  virtual result<std::size_t> read(std::string_view key, std::uint64_t offset, mutable_byte_span into) = 0;
  // Empty-handed when there is none.
  virtual result<std::optional<object>> head(std::string_view key) = 0;
  // Every object whose key begins with `prefix`, in the order of their keys' bytes, until `each` returns
  // false.
  virtual result<void> list(std::string_view prefix, const std::function<bool(const object&)>& each) = 0;
  // It is no error when there is none.
  virtual result<void> remove(std::string_view key) = 0;
  // Takes away what uploads of just this key left when they were killed; returns how many. Uploads that are
  // under way elsewhere fail, so this is for the one who owns the key.
  virtual result<std::uint64_t> discard_unfinished(std::string_view key) = 0;
  // Whether something can be put here: for telling at the start what would fail after an hour. Leaves
  // nothing.
  virtual result<void> probe();

  // For people and for indexes: s3://bucket/prefix/key, or a path. Holds no secrets.
  [[nodiscard]] virtual std::string url_of(std::string_view key) const = 0;
  [[nodiscard]] virtual traffic so_far() const noexcept = 0;
};

// Of a whole file; without a key.
[[nodiscard]] result<object> hash_file(const file_path& path, const std::function<bool()>& cancelled = {});

[[nodiscard]] bool is_s3_url(std::string_view where) noexcept;
// What open() refuses without looking anywhere: invalid_argument for an address that is none.
[[nodiscard]] result<void> check_place(std::string_view where);

// s3://bucket or s3://bucket/prefix, or a folder, which is made. unsupported_operation for s3:// when this
// build has no libcurl.
//
// Of S3 the environment says everything else, as for other programs: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL
// (http:// or https://; Amazon's own by default), AWS_REGION or AWS_DEFAULT_REGION (us-east-1),
// AWS_CA_BUNDLE; AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the profile AWS_PROFILE
// (default) of the file AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials). TICKREEL_S3_STYLE is "path" or
// "host", for where the bucket's name goes; by default path with an endpoint of one's own and for names with
// dots, host otherwise.
[[nodiscard]] result<std::unique_ptr<object_store>> open(const std::string& where,
                                                         const store_options& options = {});

}  // namespace tickreel::store
