#include "tickreel/reel/stored_record.hpp"

#include <algorithm>

#include "wire.hpp"

namespace tickreel::reel {

result<record_check> record_check::create(byte_span header_bytes, const limits& limits) {
  const auto size =
      wire::header_size(header_bytes.first(std::min(header_bytes.size(), wire::header_prefix_bytes)), limits);
  if (!size) return fail(size.error());
  if (*size != header_bytes.size()) {
    return fail(*size > header_bytes.size() ? error_code::truncated : error_code::malformed,
                header_bytes.size(), "the reel's header has {} bytes", static_cast<std::int64_t>(*size));
  }
  const auto opened = wire::read_header(header_bytes);
  if (!opened) return fail(opened.error());
  record_check out;
  out.version_ = opened->key.version;
  out.hash_ = opened->key.hash;
  out.limits_ = limits;
  return out;
}

std::optional<record_info> record_check::whole(byte_span record) const noexcept {
  const wire::reel_key key{version_, hash_};
  if (record.size() < key.head_bytes()) return std::nullopt;
  const auto info = wire::read_head(record.first(key.head_bytes()), 0, key);
  if (!info || info->stored_bytes > limits_.max_stored_bytes || info->raw_bytes > limits_.max_raw_bytes ||
      record.size() != key.record_bytes(info->stored_bytes) || !wire::hash_matches(record, key)) {
    return std::nullopt;
  }
  return info;
}

}  // namespace tickreel::reel
