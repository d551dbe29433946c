#include "tickreel/store/object_bytes.hpp"

#include <algorithm>

namespace tickreel::store {

namespace {
constexpr std::uint64_t max_blocks = 32;
constexpr std::uint64_t longest_run = 16;
}  // namespace

result<std::size_t> object_bytes::read_at(mutable_byte_span into, std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  if (failure_) return fail(*failure_);
  if (offset >= bytes_) return std::size_t{0};
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), bytes_ - offset));
  std::size_t filled = 0;
  while (filled < wanted) {
    const std::uint64_t at = offset + filled;
    const std::uint64_t last = (offset + wanted - 1) / block_bytes;
    const std::uint64_t number = at / block_bytes;
    const auto found = block_at(number, last - number + 1);
    if (!found) {
      failure_ = found.error();
      return fail(found.error());
    }
    const byte_span content(**found);
    const auto begin = static_cast<std::size_t>(at % block_bytes);
    if (begin >= content.size()) {
      failure_ = {error_code::truncated, at, "the store returned fewer bytes of an object than it declared"};
      return fail(*failure_);
    }
    const std::size_t count = std::min(wanted - filled, content.size() - begin);
    std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(begin), count,
                into.begin() + static_cast<std::ptrdiff_t>(filled));
    filled += count;
  }
  return filled;
}

std::string object_bytes::tag() const {
  const std::lock_guard lock(mutex_);
  return identity_ && every_answer_has_tag_ ? identity_->tag : std::string();
}

std::optional<error> object_bytes::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

result<const byte_vector*> object_bytes::block_at(std::uint64_t number, std::uint64_t wanted) {
  auto found = places_.find(number);
  if (found == places_.end()) {
    // Sequential reads are likely to continue.
    const std::uint64_t run = number == next_block_ && run_ != 0 ? run_ * 2 : 1;
    const std::uint64_t all = (bytes_ + block_bytes - 1) / block_bytes;
    const std::uint64_t count = std::min({std::max(run, wanted), longest_run, all - number});
    if (auto fetched = fetch(number, count); !fetched) return fail(fetched.error());
    found = places_.find(number);
    if (found == places_.end()) return fail(error_code::truncated, number * block_bytes);
  }
  blocks_.splice(blocks_.begin(), blocks_, found->second);
  return &found->second->second;
}

result<void> object_bytes::fetch(std::uint64_t first, std::uint64_t count) {
  const std::uint64_t offset = first * block_bytes;
  count = std::min(count, left_ / block_bytes);
  if (count == 0) {
    return fail(error_code::over_limit, offset, "more of this object would have to be fetched");
  }
  const std::uint64_t size = std::min(count * block_bytes, bytes_ - offset);
  byte_vector content(static_cast<std::size_t>(size));
  left_ -= count * block_bytes;
  object_identity now;
  const auto came = store_->read(key_, offset, content, &now);
  if (!came) return fail(came.error());
  if (!identity_) identity_.emplace();
  if (!identity_->may_be(now)) {
    return fail(error_code::checksum_mismatch, error::no_offset,
                "the object was replaced while it was read: read it again");
  }
  every_answer_has_tag_ = every_answer_has_tag_ && !now.tag.empty();
  // A server may state less in another answer.
  if (!now.tag.empty()) identity_->tag = std::move(now.tag);
  if (!now.modified.empty()) identity_->modified = std::move(now.modified);
  if (now.bytes) identity_->bytes = now.bytes;
  content.resize(*came);
  run_ = 0;
  for (std::size_t at = 0; at < content.size(); at += block_bytes) {
    const std::size_t length = std::min(block_bytes, content.size() - at);
    const std::uint64_t number = first + run_++;
    if (const auto old = places_.find(number); old != places_.end()) {
      blocks_.erase(old->second);
      places_.erase(old);
    }
    const auto begin = content.begin() + static_cast<std::ptrdiff_t>(at);
    blocks_.emplace_front(number, byte_vector(begin, begin + static_cast<std::ptrdiff_t>(length)));
    places_[number] = blocks_.begin();
    while (blocks_.size() > max_blocks) {
      places_.erase(blocks_.back().first);
      blocks_.pop_back();
    }
  }
  next_block_ = first + run_;
  return {};
}

}  // namespace tickreel::store
