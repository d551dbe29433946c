// Stores of finished recordings: a folder, or a bucket of any S3-compatible service, behind one interface.
// In both, an object exists completely or not at all. Calls block. Use a store from one thread at a time;
// open it once per thread. Memory does not depend on the sizes of objects.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/result.hpp"

namespace tickreel::store {

// Whether a retry may succeed: the store is unreachable or too busy.
[[nodiscard]] bool is_transient(const error& why) noexcept;
[[deprecated("is_transient")]] inline bool heals_by_waiting(const error& why) noexcept {
  return is_transient(why);
}

struct object {
  std::string key;          // without the store's own prefix
  std::uint64_t bytes = 0;  // its size
  // Of the content, 64 hexadecimal digits, as computed by the uploader. Empty if the store does not know it:
  // in folders, in lists, and for objects of other programs.
  std::string sha256 = {};
  // Changes whenever the content changes; its form depends on the store, and for some in lists differs from that of
  // head(), read() and put(). Empty in lists of folders, and if the store gives none.
  std::string tag = {};
};

// What an answer states of the object from which its bytes are; empty where it states nothing.
struct object_identity {
  std::string tag = {};                     // as object::tag
  std::string modified = {};                // a date, in the form of the store
  std::optional<std::uint64_t> bytes = {};  // of the whole object

  // False if the other answer is of another object: compares tags if both have one, otherwise dates and sizes.
  [[nodiscard]] bool may_be(const object_identity& other) const noexcept {
    if (!tag.empty() && !other.tag.empty()) return tag == other.tag;
    const bool other_date = !modified.empty() && !other.modified.empty() && modified != other.modified;
    return !other_date && (!bytes || !other.bytes || *bytes == *other.bytes);
  }
};

// Timeouts and retries after failures of the network or a busy server (a lost connection, a timeout, status
// 408, 429 and 5xx). The pause doubles each time, is shortened by up to a half at random, or is the one that
// the server requests.
struct retry_limits {
  int attempts = 8;  // of each request
  std::chrono::milliseconds first_pause{200};
  std::chrono::milliseconds longest_pause{20'000};
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds stalled{30'000};   // without any byte sent or received
  std::chrono::milliseconds request{600'000};  // of a request; more for one of more than 64 MiB
};

struct store_options {
  retry_limits limits = {};
  // Larger objects are uploaded to S3 in parts of this size, or larger so that there are at most 10,000. S3
  // rejects parts below 5 MiB.
  std::uint64_t part_bytes = std::uint64_t{16} << 20;
  // Polled while waiting; true ends the call with interrupted within about a second. On the calling thread.
  std::function<bool()> cancelled = {};
  // Called once if the server rejects conditional requests: see put_options::unless_changed.
  std::function<void()> lacks_conditions = {};
};

// Since the store was opened.
struct traffic {
  std::uint64_t requests = 0;
  std::uint64_t retries = 0;  // of those
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
};

// What a caller saw under a key.
struct seen_object {
  std::string key;
  // Of head(), read() or put(); no value: there was no object. Objects without a tag are not compared.
  std::optional<std::string> tag = {};
};

struct put_options {
  // Read stored content again and compare, for stores that do not verify uploads. Transfers the same bytes
  // again.
  bool read_back = false;
  std::string content_type = "application/octet-stream";
  // Stores the object only if each of these keys still has what the caller saw; otherwise fails with in_use. All
  // writers of the keys must use it. In a folder, keys that differ only in their ending are compared and stored
  // in one step, where the file system has locks; timed_out if another process stops during that step. On S3, a
  // conditional request does this for the object itself; other keys are compared immediately before. So is the
  // object itself if the server rejects conditional requests.
  std::vector<seen_object> unless_changed = {};
};

class object_store {
 public:
  virtual ~object_store() = default;

  // Stores all of `from` under `key` and replaces existing content. Sends its hash (S3 rejects content that
  // does not match) and returns it with the object's tag. checksum_mismatch if the bytes arrived changed, or
  // changed while they were read.
  virtual result<object> put(std::string_view key, const byte_source& from, const put_options& how = {}) = 0;
  // Reads until `into` is full or the object ends; returns the number of bytes. not_found if it does not
  // exist. `from`, if not null, receives what the store states of the object from which the bytes are.
  virtual result<std::size_t> read(std::string_view key, std::uint64_t offset, mutable_byte_span into,
                                   object_identity* from = nullptr) = 0;
  // Empty if it does not exist.
  virtual result<std::optional<object>> head(std::string_view key) = 0;
  // Every object whose key begins with `prefix`, in byte order of the keys, until `each` returns false.
  virtual result<void> list(std::string_view prefix, const std::function<bool(const object&)>& each) = 0;
  // Succeeds if it does not exist.
  virtual result<void> remove(std::string_view key) = 0;
  // Discards what killed uploads of exactly this key left; returns their number. Uploads in progress
  // elsewhere fail, so only the owner of the key may call it.
  virtual result<std::uint64_t> discard_unfinished(std::string_view key) = 0;
  // Checks that objects can be stored, so that a later failure is reported at the start. Leaves nothing.
  virtual result<void> probe();

  // For users and indexes: s3://bucket/prefix/key, or a path. Contains no secrets.
  [[nodiscard]] virtual std::string url_of(std::string_view key) const = 0;
  [[nodiscard]] virtual traffic transferred() const noexcept = 0;
};

// Of a whole file; without a key.
[[nodiscard]] result<object> hash_file(const file_path& path, const std::function<bool()>& cancelled = {});
// Of the content under the key of `which`, which is read. in_use if that is another object by its tag.
[[nodiscard]] result<object> hash_object(object_store& in, const object& which,
                                         const std::function<bool()>& cancelled = {});

inline constexpr std::string_view s3_scheme = "s3://";
[[nodiscard]] constexpr bool is_s3_url(std::string_view where) noexcept {
  return where.starts_with(s3_scheme);
}
// The checks of open() that need no access: invalid_argument for an invalid address.
[[nodiscard]] result<void> check_place(std::string_view where);

// s3://bucket or s3://bucket/prefix, or a folder, which is created. unsupported_operation for s3:// when this
// build has no libcurl.
//
// The environment configures S3, as for other programs: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL (http:// or
// https://; Amazon's own by default), AWS_REGION or AWS_DEFAULT_REGION (us-east-1), AWS_CA_BUNDLE;
// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the profile AWS_PROFILE (default) of the
// file AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials). TICKREEL_S3_STYLE is "path" or "host", for where the
// bucket's name goes; by default path with a custom endpoint and for names with dots, host otherwise.
[[nodiscard]] result<std::unique_ptr<object_store>> open(const std::string& where,
                                                         const store_options& options = {});

}  // namespace tickreel::store
