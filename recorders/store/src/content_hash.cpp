#include "content_hash.hpp"

#include <algorithm>

#include "s3/signature.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::store {

namespace {

constexpr std::size_t hashed_piece_bytes = std::size_t{256} << 10;
constexpr std::size_t stored_piece_bytes = std::size_t{4} << 20;  // one request each

}  // namespace

result<content_hashes> hash_content(const byte_source& from, std::uint64_t bytes, std::uint64_t part_bytes,
                                    const std::function<bool()>& cancelled) {
  content_hashes out;
  const bool has_one_part = bytes <= part_bytes;  // then it is hashed once
  sha256_stream whole;
  byte_vector piece(static_cast<std::size_t>(std::min<std::uint64_t>(hashed_piece_bytes, bytes)));
  std::uint64_t at = 0;
  do {
    sha256_stream part;
    const std::uint64_t end = at + std::min(part_bytes, bytes - at);
    while (at < end) {
      if (cancelled && cancelled()) return fail(error_code::interrupted);
      const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), end - at));
      const auto read = from.read_at(std::span(piece).first(most), at);
      if (!read) return fail(read.error());
      if (*read != most) return fail(error_code::truncated, at + *read, "the file became shorter");
      if (!has_one_part) whole.add(std::span(piece).first(most));
      part.add(std::span(piece).first(most));
      at += most;
    }
    out.parts.push_back(text::to_hex(part.finish()));
  } while (at < bytes);
  out.whole = has_one_part ? out.parts.front() : text::to_hex(whole.finish());
  return out;
}

result<object> hash_file(const file_path& path, const std::function<bool()>& cancelled) {
  const auto source = byte_source::open(path);
  if (!source) return fail(source.error());
  const auto bytes = source->size();
  if (!bytes) return fail(bytes.error());
  auto hashes = hash_content(*source, *bytes, std::max<std::uint64_t>(*bytes, 1), cancelled);
  if (!hashes) return fail(hashes.error());
  return object{{}, *bytes, std::move(hashes->whole)};
}

result<object> hash_object(object_store& in, const object& which, const std::function<bool()>& cancelled) {
  sha256_stream hash;
  // One byte more than expected, to verify the end.
  byte_vector piece(static_cast<std::size_t>(std::min<std::uint64_t>(stored_piece_bytes, which.bytes + 1)));
  std::uint64_t at = 0;
  while (true) {
    if (cancelled && cancelled()) return fail(error_code::interrupted);
    object_identity identity;
    const auto read = in.read(which.key, at, piece, &identity);
    if (!read) return fail(read.error());
    if (!identity.may_be({.tag = which.tag})) return fail_changed();
    hash.add(std::span(piece).first(*read));
    at += *read;
    if (*read < piece.size()) break;
  }
  return object{which.key, at, text::to_hex(hash.finish()), which.tag};
}

result<void> compare_stored(object_store& from, const object& that, const std::function<bool()>& cancelled) {
  const auto stored = hash_object(from, {that.key, that.bytes}, cancelled);
  if (!stored) return fail(stored.error());
  if (stored->bytes == that.bytes && stored->sha256 == that.sha256) return {};
  return fail(error_code::checksum_mismatch, error::no_offset,
              "the stored content differs from the content sent");
}

result<void> check_unchanged(object_store& in, const std::vector<seen_object>& seen) {
  for (const seen_object& each : seen) {
    const auto now = in.head(each.key);
    if (!now) return fail(now.error());
    const bool has_tags = *now && each.tag && !each.tag->empty() && !(*now)->tag.empty();
    if (now->has_value() != each.tag.has_value() || (has_tags && (*now)->tag != *each.tag))
      return fail_changed();
  }
  return {};
}

tl::unexpected<error> fail_changed() noexcept {
  return fail(error_code::in_use, error::no_offset, "another program stored this object meanwhile");
}

}  // namespace tickreel::store
