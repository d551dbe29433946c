// The header at the beginning of a file, and the summary at its end: for places that are needed without reading everything before.
#include <algorithm>

#include "layout.hpp"
#include "record_fields.hpp"
#include "tickreel/codec/crc32.hpp"

namespace tickreel::mcap {

namespace {

// Of two short texts.
constexpr std::uint64_t max_header_bytes = 1u << 20;

}  // namespace

result<void> reader::read_header() {
  const std::size_t head_bytes = magic.size() + record_head_bytes;
  const auto head = read_(0, head_bytes);
  if (!head) return fail(head.error());
  if (!as_text(head->first(std::min(head->size(), magic.size()))).starts_with(magic)) {
    return fail(error_code::bad_magic, 0);
  }
  byte_reader from(head->subspan(magic.size()), magic.size());
  const std::uint8_t kind = from.u8();
  const std::uint64_t bytes = from.u64();
  if (!from.ok()) return from.failure("the header");
  if (kind != static_cast<std::uint8_t>(kind::header)) {
    return fail(error_code::malformed, magic.size(), "no header at the beginning");
  }
  if (bytes > max_header_bytes) return fail(error_code::over_limit, magic.size(), "the header's length");
  const auto whole = read_(0, head_bytes + static_cast<std::size_t>(bytes));
  if (!whole) return fail(whole.error());
  if (whole->size() < head_bytes + bytes) return fail(error_code::truncated, whole->size(), "the header");
  byte_reader content(whole->subspan(head_bytes), head_bytes);
  profile_ = read_text(content);
  library_ = read_text(content);
  if (!content.ok()) return content.failure("the header");
  data_begin_ = whole->size();
  header_crc_ = crc32(*whole);
  return {};
}

// Without a valid summary nothing is found.
result<void> reader::read_contents() {
  constexpr std::size_t end_bytes = record_head_bytes + footer_bytes + 8;
  static_assert(magic.size() == 8);
  if (file_bytes_ < data_begin_ + end_bytes) return {};
  const std::uint64_t footer_at = file_bytes_ - end_bytes;
  const auto end = read_(footer_at, end_bytes);
  if (!end) return fail(end.error());
  byte_reader from(*end);
  const bool is_footer = from.u8() == static_cast<std::uint8_t>(kind::footer) && from.u64() == footer_bytes;
  const std::uint64_t summary = from.u64();
  (void)from.u64();
  const std::uint32_t crc = from.u32();
  if (!from.ok() || !is_footer || as_text(from.rest()) != magic) return {};
  if (summary < data_begin_ || summary > footer_at || footer_at - summary > limits_.max_record_bytes) {
    return {};
  }
  const auto size = static_cast<std::size_t>(footer_at - summary);
  const auto covered = read_(summary, size + record_head_bytes + 2 * sizeof(std::uint64_t));
  if (!covered) return fail(covered.error());
  if (covered->size() < size || (crc != 0 && crc32(*covered) != crc)) return {};
  contents_.summary = summary;
  read_contents(covered->first(size));
  return {};
}

void reader::read_contents(byte_span summary) {
  std::size_t channel_bytes = 0;
  for (byte_reader from(summary); !from.at_end();) {
    const auto of = static_cast<kind>(from.u8());
    const std::uint64_t bytes = from.u64();
    if (!from.ok() || bytes > from.remaining()) return;
    byte_reader content(from.bytes(static_cast<std::size_t>(bytes)));
    if (of == kind::chunk_index) {
      content.skip(2 * sizeof(std::uint64_t));
      const std::uint64_t offset = content.u64();
      if (content.ok()) contents_.chunks.push_back(offset);
    } else if (of == kind::metadata_index) {
      const std::uint64_t offset = content.u64();
      const std::uint64_t length = content.u64();
      const std::string_view name = read_text(content);
      if (content.ok()) contents_.metadata.insert_or_assign(std::string(name), std::pair(offset, length));
    } else if (of == kind::schema && content.remaining() <= limits_.max_channel_bytes - channel_bytes) {
      channel_bytes += content.remaining();
      stored_schema read;
      // See add_schema().
      if (const auto number = read_schema_record(content.rest(), read); number && *number != 0)
        contents_.schemas.emplace(*number, std::move(read));
    } else if (of == kind::channel && content.remaining() <= limits_.max_channel_bytes - channel_bytes) {
      channel_bytes += content.remaining();
      stored_channel read;
      if (const auto number = read_channel_record(content.rest(), read))
        contents_.channels.emplace(*number, std::move(read));
    }
  }
  std::ranges::sort(contents_.chunks);
}

// A channel whose record was lost with a chunk.
bool reader::adopt_channel(std::uint16_t number) {
  const auto found = contents_.channels.find(number);
  if (found == contents_.channels.end()) return false;
  const auto schema = contents_.schemas.find(found->second.schema);
  if (schema != contents_.schemas.end()) schemas_.insert(*schema);
  channels_.insert(*found);
  return true;
}

// Whether the file has its footer, and the magic after it.
result<bool> reader::has_footer() {
  constexpr std::size_t bytes = record_head_bytes + footer_bytes + magic.size();
  if (file_bytes_ < bytes) return false;
  const auto end = read_(file_bytes_ - bytes, bytes);
  if (!end) return fail(end.error());
  byte_reader from(*end);
  return from.u8() == static_cast<std::uint8_t>(kind::footer) && from.u64() == footer_bytes &&
         end->size() == bytes && as_text(end->last(magic.size())) == magic;
}

// The record has no kind, or is longer than the rest of the file, and no index leads to the next one.
result<bool> reader::end_within(const record& found, item& out) {
  const auto is_ended = has_footer();
  if (!is_ended) return is_ended;
  if (found.kind == 0 && !*is_ended) return end_early(out);
  part_ = part::end;
  if (found.kind == 0)
    return report(out, error_code::malformed, "no valid record: what follows cannot be read");
  if (*is_ended) {
    return report_size(
        out, error_code::malformed, found.kind, found.bytes,
        "a record of kind {} has a wrong length, {} bytes: what follows cannot be read",
        "a record of kind {} has a wrong length, more than {} bytes: what follows cannot be read");
  }
  return report_size(out, error_code::truncated, found.kind, found.bytes,
                     "the file ends within a record of kind {} and {} bytes, without its footer",
                     "the file ends within a record of kind {} and more than {} bytes, without its footer");
}

// Continues with the next chunk that the summary lists, or with the summary.
result<bool> reader::lose_place(const record& found, item& out) {
  const std::uint64_t summary = contents_.summary;
  if (part_ != part::data || summary <= position_) return end_within(found, out);
  const auto next = std::ranges::upper_bound(contents_.chunks, position_);
  is_crc_known_ = false;
  if (next != contents_.chunks.end() && *next < summary) {
    position_ = *next;
  } else {
    position_ = summary_begin_ = summary;
    part_ = part::summary;
    crc_ = 0;
    is_crc_known_ = true;
  }
  return report(out, error_code::malformed, "no valid record; {} bytes are skipped",
                static_cast<std::int64_t>(position_ - here_));
}

result<bool> reader::find_metadata(std::string_view name, item& out) {
  const auto found = contents_.metadata.find(name);
  if (found == contents_.metadata.end()) return false;
  const auto [offset, bytes] = found->second;
  if (bytes < record_head_bytes || bytes > limits_.max_record_bytes || offset > file_bytes_) return false;
  const auto whole = read_(offset, static_cast<std::size_t>(bytes));
  if (!whole) return fail(whole.error());
  byte_reader from(*whole);
  const bool is_metadata = from.u8() == static_cast<std::uint8_t>(kind::metadata);
  if (from.u64() != from.remaining() || !from.ok() || !is_metadata) return false;
  out = {};
  out.offset = offset;
  return read_metadata(from.rest(), out) && out.name == name;
}

std::optional<std::uint64_t> find_end(const read_function& read, std::uint64_t file_bytes) {
  std::uint64_t at = magic.size();
  while (file_bytes > at && file_bytes - at >= record_head_bytes) {
    const auto head = read(at, record_head_bytes);
    if (!head) return std::nullopt;
    byte_reader from(*head);
    const auto of = static_cast<kind>(from.u8());
    const std::uint64_t bytes = from.u64();
    at += record_head_bytes;
    if (!from.ok() || bytes > file_bytes - at) return std::nullopt;
    at += bytes;
    if (of != kind::footer) continue;
    const auto end = read(at, magic.size());
    if (!end || as_text(*end) != magic) return std::nullopt;
    return at + magic.size();
  }
  return std::nullopt;
}

}  // namespace tickreel::mcap
