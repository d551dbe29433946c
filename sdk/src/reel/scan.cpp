#include "scan.hpp"

#include <algorithm>
#include <cstring>

namespace tickreel::reel {

result<std::uint64_t> byte_source::size() const {
  if (file_) return file_->size();
  return std::uint64_t{memory_.size()};
}

result<byte_span> byte_source::view(std::uint64_t offset, std::size_t count) {
  if (!file_) {
    const std::uint64_t start = std::min<std::uint64_t>(offset, memory_.size());
    return memory_.subspan(static_cast<std::size_t>(start),
                           static_cast<std::size_t>(std::min<std::uint64_t>(count, memory_.size() - start)));
  }
  if (buffer_.size() < count) buffer_.resize(count);
  const auto done = file_->read_at(mutable_byte_span(buffer_).first(count), offset);
  if (!done) return fail(done.error());
  return byte_span(buffer_).first(*done);
}

namespace {

// The least sequence that the next record may have.
std::uint32_t next_sequence(const table_of_contents& contents) noexcept {
  return contents.records.empty() ? 0 : contents.records.back().sequence + 1;
}

// Takes a whole record into the table.
void list(table_of_contents& contents, const record_info& info) {
  contents.missing_records += info.sequence - next_sequence(contents);
  switch (info.kind) {
    case record_kind::chunk:
      contents.frames += info.frames;
      if ((info.flags & starts_with_keyframe) != 0) ++contents.keyframe_chunks;
      break;
    case record_kind::gap:
      contents.lost_ticks += info.frames;
      break;
    case record_kind::end:
      contents.end = reel_end::closed;
      break;
    default:
      break;
  }
  contents.records.push_back(info);
  contents.valid_bytes = wire::end_of(info);
}

bool within(const record_info& info, const limits& limits) noexcept {
  return info.stored_bytes <= limits.max_stored_bytes && info.raw_bytes <= limits.max_raw_bytes;
}

tl::unexpected<error> over_limits(const record_info& info) noexcept {
  return fail(error_code::over_limit, info.offset, "a record of {} bytes, {} decompressed", info.stored_bytes,
              info.raw_bytes);
}

// The first place from `offset` on where a record of this reel begins; nothing when there is none.
result<std::optional<std::uint64_t>> find_record(byte_source& from, std::uint64_t offset,
                                                 std::uint64_t file_bytes, std::uint64_t reel_hash) {
  constexpr std::size_t window = 64u << 10;
  constexpr std::byte first_byte{'T'};
  while (offset < file_bytes && file_bytes - offset >= wire::head_bytes + wire::hash_bytes) {
    const auto bytes = from.view(offset, window);
    if (!bytes) return fail(bytes.error());
    if (bytes->size() < wire::head_bytes) break;
    const std::size_t last = bytes->size() - wire::head_bytes;
    for (std::size_t at = 0; at <= last; ++at) {
      const void* const found = std::memchr(bytes->data() + at, static_cast<int>(first_byte), last - at + 1);
      if (found == nullptr) break;
      at = static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes->data());
      const auto info = wire::read_head(bytes->subspan(at, wire::head_bytes), offset + at, reel_hash);
      if (info && wire::end_of(*info) <= file_bytes) return offset + at;
    }
    offset += last + 1;
  }
  return std::optional<std::uint64_t>{};
}

}  // namespace

result<bool> load_index(byte_source& from, const scan_options& options, decompressor& codecs,
                        table_of_contents& contents) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  if (*size < options.header_bytes + wire::end_record_bytes) return false;
  const std::uint64_t end_offset = *size - wire::end_record_bytes;
  const auto tail = from.view(end_offset, wire::end_record_bytes);
  if (!tail) return fail(tail.error());
  const auto end_info =
      wire::read_head(tail->first(std::min(tail->size(), wire::head_bytes)), end_offset, options.reel_hash);
  if (!end_info || end_info->kind != record_kind::end || end_info->stored_bytes != wire::end_payload_bytes ||
      !wire::hash_matches(*tail)) {
    return false;
  }
  const auto end = wire::read_end(tail->subspan(wire::head_bytes));
  if (!end || end->index_offset < options.header_bytes || end->index_offset >= end_offset) return false;

  const std::uint64_t stored = end_offset - end->index_offset;
  if (stored > options.limits.max_stored_bytes + wire::head_bytes + wire::hash_bytes) return false;
  const auto whole = from.view(end->index_offset, static_cast<std::size_t>(stored));
  if (!whole) return fail(whole.error());
  if (whole->size() < wire::head_bytes + wire::hash_bytes) return false;
  const auto index_info =
      wire::read_head(whole->first(wire::head_bytes), end->index_offset, options.reel_hash);
  if (!index_info || index_info->kind != record_kind::index || wire::end_of(*index_info) != end_offset ||
      !within(*index_info, options.limits) || !wire::hash_matches(*whole)) {
    return false;
  }
  byte_vector payload;
  if (!codecs.decompress(index_info->codec, whole->subspan(wire::head_bytes, index_info->stored_bytes),
                         options.limits.max_raw_bytes, payload, options.dictionary)) {
    return false;
  }
  const auto records = wire::read_index(payload, options.header_bytes, end->index_offset);
  if (!records || records->size() + 2 > options.limits.max_records) return false;

  table_of_contents found;
  found.valid_bytes = options.header_bytes;
  found.records.reserve(records->size() + 2);
  const auto take = [&found](const record_info& info) {
    if (info.offset > found.valid_bytes) {
      found.damaged.push_back({found.valid_bytes, info.offset - found.valid_bytes});
    }
    list(found, info);
  };
  for (const record_info& info : *records) {
    if (!within(info, options.limits) || info.kind == record_kind::end ||
        info.sequence < next_sequence(found)) {
      return false;
    }
    take(info);
  }
  if (index_info->sequence < next_sequence(found) || end_info->sequence <= index_info->sequence) return false;
  take(*index_info);
  take(*end_info);
  found.file_bytes = *size;
  found.from_index = true;
  contents = std::move(found);
  return true;
}

result<void> scan(byte_source& from, const scan_options& options, table_of_contents& contents) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  contents.file_bytes = *size;
  contents.torn_record.reset();
  if (contents.end == reel_end::closed) return {};
  contents.end = reel_end::open;

  // What lies between the last whole record and here is damaged if a whole record follows, else a torn tail.
  std::uint64_t offset = contents.valid_bytes;
  while (offset < contents.file_bytes) {
    const auto bytes = from.view(offset, wire::head_bytes);
    if (!bytes) return fail(bytes.error());
    const auto info = wire::read_head(*bytes, offset, options.reel_hash);
    const bool fits = info && wire::end_of(*info) <= contents.file_bytes;
    if (!fits) {
      if (info && offset == contents.valid_bytes) contents.torn_record = info;
      const auto next = find_record(from, offset + 1, contents.file_bytes, options.reel_hash);
      if (!next) return fail(next.error());
      if (!*next) break;
      contents.torn_record.reset();
      offset = **next;
      continue;
    }
    if (!within(*info, options.limits)) return over_limits(*info);
    if (info->sequence < next_sequence(contents)) {
      // What remained of an earlier write is not part of the reel.
      offset = wire::end_of(*info);
      continue;
    }
    const bool is_last = wire::end_of(*info) == contents.file_bytes;
    if (is_last || options.verify_hashes) {
      const auto whole = from.view(offset, static_cast<std::size_t>(wire::record_bytes(info->stored_bytes)));
      if (!whole) return fail(whole.error());
      if (!wire::hash_matches(*whole)) {
        if (is_last && offset == contents.valid_bytes) contents.torn_record = info;
        offset = wire::end_of(*info);
        continue;
      }
    }
    if (contents.records.size() >= options.limits.max_records) {
      return fail(error_code::over_limit, offset, "more than {} records",
                  static_cast<std::int64_t>(options.limits.max_records));
    }
    if (offset > contents.valid_bytes) {
      contents.damaged.push_back({contents.valid_bytes, offset - contents.valid_bytes});
    }
    list(contents, *info);
    offset = wire::end_of(*info);
    if (contents.end == reel_end::closed) return {};
  }
  if (contents.valid_bytes < contents.file_bytes) contents.end = reel_end::torn;
  return {};
}

}  // namespace tickreel::reel
