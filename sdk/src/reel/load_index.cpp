// The index at the end of a reel.
#include <algorithm>
#include <limits>

#include "record_table.hpp"
#include "scan.hpp"

namespace tickreel::reel {

namespace {

// The records in the index `info`. Empty if it is unreadable or invalid.
result<std::optional<std::vector<record_info>>> read_index_record(byte_source& from,
                                                                  const scan_options& options,
                                                                  decompressor& codecs,
                                                                  const record_info& info) {
  const auto nothing = std::optional<std::vector<record_info>>{};
  if (!is_within(info, options.limits)) return nothing;
  const auto whole = from.view(info.offset, static_cast<std::size_t>(info.bytes));
  if (!whole) return fail(whole.error());
  if (whole->size() != info.bytes || !wire::hash_matches(*whole, options.key)) return nothing;
  byte_vector payload;
  if (!codecs.decompress(info.codec, whole->subspan(options.key.head_bytes(), info.stored_bytes),
                         options.limits.max_raw_bytes, payload, options.dictionary)) {
    return nothing;
  }
  // If the reel was truncated, its index names positions beyond the end.
  constexpr std::uint64_t anywhere = std::numeric_limits<std::uint64_t>::max();
  return wire::read_index(payload, options.header_bytes, anywhere, options.key);
}

// Whether the file begins with the records in the index. In a reel that was joined late, another record
// replaces the first omitted one, and may have its length by chance.
result<bool> begins_as_listed(byte_source& from, const wire::reel_key& key,
                              const std::vector<record_info>& listed) {
  for (const record_info& info : listed) {
    const auto bytes = from.view(info.offset, key.head_bytes());
    if (!bytes) return fail(bytes.error());
    const auto stored = wire::read_head(*bytes, info.offset, key);
    if (stored && (stored->sequence != info.sequence || stored->kind != info.kind)) return false;
    if (stored && stored->flags != info.flags) return false;
    if (!may_precede_beginning(info)) break;
  }
  return true;
}

// Whether a place that the index describes as damaged has a missing record after all. The index is that of a recorder
// whose disk had lost the record; an archive has taken it from the recorder's messages.
bool has_unlisted_record(byte_source& from, const scan_options& options, const table_of_contents& contents,
                         const damage& place) {
  const std::uint64_t end = place.offset + place.bytes;
  // Heads within records may repeat the search and the hashing of the same bytes.
  std::uint64_t bytes_to_doubt = (std::uint64_t{1} << 20) + 4 * place.bytes;
  for (std::uint64_t offset = place.offset;; ++offset) {
    // What cannot be read is what the index says: damaged.
    const auto next = find_record(from, offset, end, options.key);
    if (!next || !*next) return false;
    offset = **next;
    const auto head = from.view(offset, options.key.head_bytes());
    if (!head) return false;
    const auto info = wire::read_head(*head, offset, options.key);
    if (!info || find_window_bytes + info->bytes > bytes_to_doubt) return false;
    bytes_to_doubt -= find_window_bytes + info->bytes;
    const auto& records = contents.records;
    const auto listed = std::ranges::lower_bound(records, info->sequence, {}, &record_info::sequence);
    if (listed == records.end() || listed->sequence == info->sequence || !is_within(*info, options.limits))
      continue;
    const auto whole = from.view(offset, static_cast<std::size_t>(info->bytes));
    if (whole && whole->size() == info->bytes && wire::hash_matches(*whole, options.key)) return true;
  }
}

}  // namespace

result<bool> load_index(byte_source& from, const scan_options& options, decompressor& codecs,
                        table_of_contents& contents) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  const wire::reel_key& key = options.key;
  const std::uint64_t end_bytes = key.record_bytes(wire::end_payload_bytes);
  if (*size < options.header_bytes + end_bytes) return false;
  const std::uint64_t end_offset = *size - end_bytes;
  const auto tail = from.view(end_offset, static_cast<std::size_t>(end_bytes));
  if (!tail) return fail(tail.error());
  const auto end_info =
      wire::read_head(tail->first(std::min(tail->size(), key.head_bytes())), end_offset, key);
  if (!end_info || end_info->kind != record_kind::end || end_info->stored_bytes != wire::end_payload_bytes ||
      !wire::hash_matches(*tail, key)) {
    return false;
  }
  const auto end = wire::read_end(tail->subspan(key.head_bytes()));
  if (!end || end->index_offset < options.header_bytes || end->index_offset >= end_offset) return false;

  const auto head = from.view(end->index_offset, key.head_bytes());
  if (!head) return fail(head.error());
  const auto index_info = wire::read_head(*head, end->index_offset, key);
  if (!index_info || index_info->kind != record_kind::index || wire::end_of(*index_info) != end_offset) {
    return false;
  }
  const auto records = read_index_record(from, options, codecs, *index_info);
  if (!records) return fail(records.error());
  if (!*records || (*records)->size() + 2 > options.limits.max_records) return false;
  const auto fits = begins_as_listed(from, key, **records);
  if (!fits || !*fits) return fits;

  table_of_contents found;
  found.valid_bytes = options.header_bytes;
  found.records.reserve((*records)->size() + 2);
  const auto take = [&found](const record_info& info) {
    if (info.offset > found.valid_bytes) {
      found.damaged.push_back({found.valid_bytes, info.offset - found.valid_bytes});
    }
    list_record(found, info);
  };
  for (const record_info& info : **records) {
    if (!is_within(info, options.limits) || info.kind == record_kind::end ||
        info.sequence < next_sequence(found) || wire::end_of(info) > end->index_offset) {
      return false;
    }
    take(info);
  }
  if (index_info->sequence < next_sequence(found) || end_info->sequence <= index_info->sequence) return false;
  take(*index_info);
  take(*end_info);
  for (const damage& place : found.damaged) {
    if (has_unlisted_record(from, options, found, place)) return false;
  }
  found.file_bytes = *size;
  found.from_index = true;
  contents = std::move(found);
  return true;
}

result<void> list_indexed_records(byte_source& from, const scan_options& options, decompressor& codecs,
                                  table_of_contents& contents) {
  const auto index = std::find_if(contents.records.rbegin(), contents.records.rend(),
                                  [](const record_info& info) { return info.kind == record_kind::index; });
  if (index == contents.records.rend()) return {};
  const auto named = read_index_record(from, options, codecs, *index);
  if (!named) return fail(named.error());
  if (!*named) return {};
  table_of_contents merged;
  merged.records.reserve(contents.records.size() + (*named)->size());
  auto next = (*named)->begin();
  for (const record_info& info : contents.records) {
    bool is_replaced = false;
    for (; next != (*named)->end() && next->sequence <= info.sequence; ++next) {
      if (next->sequence < next_sequence(merged) || next->sequence < contents.begins_at) continue;
      if (next->sequence == info.sequence) {
        if (info.tells_beginning() || is_same_record(*next, info)) continue;
        is_replaced = true;
      }
      record_info lost = *next;
      lost.damaged = true;
      const std::uint64_t from_here =
          merged.records.empty() ? options.header_bytes : wire::end_of(merged.records.back());
      const std::uint64_t to_here = is_replaced ? wire::end_of(info) : info.offset;
      if (lost.offset < from_here || wire::end_of(lost) > to_here) {
        // It was removed, so the index no longer fits.
        lost.offset = std::min(from_here, to_here);
        lost.bytes = 0;
      }
      list_record(merged, lost);
    }
    if (!is_replaced) list_record(merged, info);
  }
  merged.damaged = std::move(contents.damaged);
  merged.end = contents.end;
  merged.valid_bytes = contents.valid_bytes;
  merged.file_bytes = contents.file_bytes;
  merged.torn_record = contents.torn_record;
  contents = std::move(merged);
  return {};
}

}  // namespace tickreel::reel
