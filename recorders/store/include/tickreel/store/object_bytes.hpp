// An object as randomly readable bytes: the backend of byte_source for recordings in a store.
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "tickreel/io/byte_source.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

// Fetches blocks of 64 KiB, or up to 1 MiB for sequential reads, and keeps the last 2 MiB.
// After a failure it fetches nothing more.
class object_bytes final : public distant_bytes {
 public:
  static constexpr std::size_t block_bytes = std::size_t{64} << 10;

  // `from` must outlive it. Fetches at most `most` bytes; reading more fails with over_limit. Bytes of an object that
  // replaced the first one fail with checksum_mismatch, as far as the answers differ: see object_identity.
  object_bytes(object_store& from, std::string key, std::uint64_t bytes, std::uint64_t most)
      : store_(&from), key_(std::move(key)), bytes_(bytes), left_(most) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_; }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override;

  // Of the object from which all bytes were fetched. Empty before the first, and if any answer gave none.
  [[nodiscard]] std::string tag() const;

  // Readers may take bytes that could not be fetched for damage; this is the actual error.
  [[nodiscard]] std::optional<error> failure() const;

 private:
  using block = std::pair<std::uint64_t, byte_vector>;

  // The block of that number, valid until the next call.
  result<const byte_vector*> block_at(std::uint64_t number, std::uint64_t wanted);
  result<void> fetch(std::uint64_t first, std::uint64_t count);

  mutable std::mutex mutex_;
  object_store* store_;
  std::string key_;
  std::uint64_t bytes_;
  std::uint64_t left_;
  std::optional<object_identity> identity_;  // as far as any answer stated it
  bool every_answer_has_tag_ = true;
  std::list<block> blocks_;  // most recently used first
  std::unordered_map<std::uint64_t, std::list<block>::iterator> places_;
  std::uint64_t next_block_ = 0;  // after the last fetched blocks
  std::uint64_t run_ = 0;         // the number of those
  std::optional<error> failure_;
};

}  // namespace tickreel::store
