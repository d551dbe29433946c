// Reads a file record by record; record_fields.hpp reads the content of records, and layout.hpp has the table of them.
#include "tickreel/mcap/reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "layout.hpp"
#include "record_fields.hpp"
#include "tickreel/codec/crc32.hpp"

namespace tickreel::mcap {

namespace {

constexpr std::size_t piece_bytes = 1u << 20;
constexpr std::size_t max_names_bytes = 64u << 10;  // of an attachment's names

}  // namespace

reader::reader(read_function&& read, std::uint64_t file_bytes, const read_limits& limits) noexcept
    : read_(std::move(read)), file_bytes_(file_bytes), limits_(limits) {}

result<reader> reader::open(read_function read, std::uint64_t file_bytes, const read_limits& limits) {
  reader made(std::move(read), file_bytes, limits);
  if (auto begun = made.read_header(); !begun) return fail(begun.error());
  if (auto known = made.read_contents(); !known) return fail(known.error());
  made.rewind();
  return made;
}

void reader::rewind() {
  part_ = part::data;
  position_ = here_ = data_begin_;
  crc_ = header_crc_;
  is_crc_known_ = true;
  schemas_.clear();
  channels_.clear();
  channel_bytes_ = 0;
  chunks_ = messages_ = missing_ = 0;
  is_complete_ = false;
  records_ = {};
}

const stored_channel* reader::find_channel(std::uint16_t number) const noexcept {
  const auto found = channels_.find(number);
  return found == channels_.end() ? nullptr : &found->second;
}
const stored_schema* reader::find_schema(std::uint16_t number) const noexcept {
  const auto found = schemas_.find(number);
  return found == schemas_.end() ? nullptr : &found->second;
}

bool reader::report(item& out, error_code code, const char* detail, std::int64_t first,
                    std::int64_t second) noexcept {
  out.kind = item_kind::damage;
  out.why = {code, here_, detail, {first, second}, 0};
  return true;
}

bool reader::report_size(item& out, error_code code, std::int64_t first, std::uint64_t size,
                         const char* detail, const char* larger) noexcept {
  // The numbers of an error have a sign.
  constexpr auto largest = static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
  return report(out, code, size > largest ? larger : detail, first,
                static_cast<std::int64_t>(std::min(size, largest)));
}

bool reader::end_early(item& out) noexcept {
  part_ = part::end;
  return report(out, error_code::truncated, "the file ends without its footer");
}

void reader::take_bytes(byte_span bytes) noexcept {
  crc_ = crc32(bytes, crc_);
  position_ += bytes.size();
}

result<bool> reader::next(item& out) {
  out = {};
  for (;;) {
    const bool is_inner = !records_.empty();
    if (!is_inner && part_ == part::end) return false;
    const auto found = is_inner ? result<bool>(take_inner(out)) : take_record(out);
    if (!found) return found;
    if (!*found) continue;
    out.offset = here_;
    return true;
  }
}

result<bool> reader::take_record(item& out) {
  here_ = position_;
  const auto head = read_(position_, record_head_bytes);
  if (!head) return fail(head.error());
  byte_reader from(*head);
  record found{.kind = from.u8(), .offset = position_};
  found.bytes = from.u64();
  if (!from.ok()) return end_early(out);
  if (found.kind == 0 || found.bytes > file_bytes_ - position_ - record_head_bytes)
    return lose_place(found, out);
  const auto of = static_cast<kind>(found.kind);
  if (of == kind::attachment && part_ == part::data) return take_attachment(found, out);
  const bool is_known = of <= kind::data_end;
  if (!is_known || found.bytes > limits_.max_record_bytes) {
    const auto passed = pass(position_, record_head_bytes + found.bytes);
    if (!passed) return passed;
    if (!*passed) return end_early(out);
    if (is_known)
      return report_size(out, error_code::over_limit, found.kind, found.bytes,
                         "a record of kind {} with {} bytes", "a record of kind {} with more than {} bytes");
    out.kind = item_kind::unknown;
    return true;
  }
  const auto whole = read_(position_, record_head_bytes + static_cast<std::size_t>(found.bytes));
  if (!whole) return fail(whole.error());
  if (whole->size() < record_head_bytes + found.bytes) return end_early(out);
  const byte_span content = whole->subspan(record_head_bytes);
  if (of == kind::footer) return take_footer(found, content, out);
  if (of == kind::data_end && part_ == part::data) {
    position_ += whole->size();
    return check_data_end(content, out);
  }
  take_bytes(*whole);
  return take_content(found, content, out);
}

result<bool> reader::take_content(const record& found, byte_span content, item& out) {
  const auto of = static_cast<kind>(found.kind);
  switch (of) {
    case kind::schema:
      return add_schema(content, out);
    case kind::channel:
      return add_channel(content, out);
    case kind::statistics:
      return take_statistics(content, out);
    case kind::message:
    case kind::chunk:
    case kind::metadata:
      break;
    case kind::header:
    case kind::data_end:
    case kind::attachment:
      return report(out, error_code::malformed, "a record of kind {} at the wrong place", found.kind);
    default:
      // Indexes, which are not needed: their bytes are covered by the CRCs.
      return false;
  }
  if (part_ != part::data) {
    return report(out, error_code::malformed, "a record of kind {} at the wrong place", found.kind);
  }
  if (of == kind::message) return take_message(content, out);
  if (of == kind::chunk) return open_chunk(content, out);
  if (!read_metadata(content, out)) return report(out, error_code::malformed, "a metadata record");
  return true;
}

bool reader::take_inner(item& out) {
  byte_reader from(records_);
  const std::uint8_t number = from.u8();
  const std::uint64_t bytes = from.u64();
  if (!from.ok() || bytes > from.remaining()) {
    records_ = {};
    return report(out, error_code::malformed, "a record in a chunk is longer than the chunk");
  }
  const byte_span content = from.bytes(static_cast<std::size_t>(bytes));
  records_ = from.rest();
  switch (static_cast<kind>(number)) {
    case kind::schema:
      return add_schema(content, out);
    case kind::channel:
      return add_channel(content, out);
    case kind::message:
      return take_message(content, out);
    default:
      if (number > static_cast<std::uint8_t>(kind::data_end)) {
        out.kind = item_kind::unknown;
        return true;
      }
      return report(out, error_code::malformed, "a record of kind {} in a chunk", number);
  }
}

bool reader::take_message(byte_span content, item& out) {
  byte_reader from(content);
  message& read = out.message;
  read.channel = from.u16();
  read.sequence = from.u32();
  read.time_ns = from.u64();
  read.publish_time_ns = from.u64();
  read.data = from.rest();
  if (!from.ok())
    return report(out, error_code::malformed, "a message of {} bytes",
                  static_cast<std::int64_t>(content.size()));
  if (find_channel(read.channel) == nullptr && !adopt_channel(read.channel)) {
    return report(out, error_code::malformed, "a message of the unknown channel {}", read.channel);
  }
  ++messages_;
  out.kind = item_kind::message;
  return true;
}

bool reader::add_schema(byte_span content, item& out) {
  stored_schema added;
  const auto number = read_schema_record(content, added);
  if (!number) return report(out, error_code::malformed, "a schema");
  // The specification: invalid, and readers ignore it. Channels without a schema have this number.
  if (*number == 0) return false;
  if (const stored_schema* const known = find_schema(*number)) {
    if (*known == added) return false;
    return report(out, error_code::malformed, "another schema with the number {}", *number);
  }
  if (content.size() > limits_.max_channel_bytes - channel_bytes_) {
    return report(out, error_code::over_limit, "more than {} bytes of schemas and channels",
                  static_cast<std::int64_t>(limits_.max_channel_bytes));
  }
  channel_bytes_ += content.size();
  schemas_.emplace(*number, std::move(added));
  return false;
}

bool reader::add_channel(byte_span content, item& out) {
  stored_channel added;
  const auto number = read_channel_record(content, added);
  if (!number) return report(out, error_code::malformed, "a channel");
  if (const stored_channel* const known = find_channel(*number)) {
    if (*known == added) return false;
    return report(out, error_code::malformed, "another channel with the number {}", *number);
  }
  if (content.size() > limits_.max_channel_bytes - channel_bytes_) {
    return report(out, error_code::over_limit, "more than {} bytes of schemas and channels",
                  static_cast<std::int64_t>(limits_.max_channel_bytes));
  }
  channel_bytes_ += content.size();
  const std::uint16_t schema = added.schema;
  channels_.emplace(*number, std::move(added));
  if (schema == 0 || find_schema(schema) != nullptr) return false;
  return report(out, error_code::malformed, "channel {} has the unknown schema {}", *number, schema);
}

bool reader::open_chunk(byte_span content, item& out) {
  chunk_fields chunk;
  if (!read_chunk(content, chunk)) return report(out, error_code::malformed, "a chunk");
  ++chunks_;
  if (chunk.bytes > limits_.max_record_bytes) {
    return report_size(out, error_code::over_limit, static_cast<std::int64_t>(chunk.stored.size()),
                       chunk.bytes, "a chunk of {} bytes with {} bytes of records",
                       "a chunk of {} bytes with more than {} bytes of records");
  }
  records_ = chunk.stored;
  if (!chunk.compression.empty()) {
    const auto codec = codec_from_name(chunk.compression);
    records_ = {};
    if (!codec || (*codec != codec_id::zstd && *codec != codec_id::lz4) || !is_available(*codec)) {
      return report(out, error_code::unsupported_codec,
                    "a chunk is compressed with another codec than zstd and lz4");
    }
    const bool is_empty = chunk.bytes == 0 && chunk.stored.empty();
    const auto limit = static_cast<std::size_t>(chunk.bytes);
    if (is_empty) {
      unpacked_.clear();
    } else if (const auto done = unpacker_.decompress(*codec, chunk.stored, limit, unpacked_); !done) {
      return report(out, done.error().code, "a chunk cannot be decompressed");
    }
    records_ = unpacked_;
  }
  if (records_.size() != chunk.bytes) {
    const auto size = static_cast<std::int64_t>(records_.size());
    records_ = {};
    return report(out, error_code::malformed, "a chunk has {} bytes of records and states {}", size,
                  static_cast<std::int64_t>(chunk.bytes));
  }
  if (chunk.crc == 0 || crc32(records_) == chunk.crc) return false;
  records_ = {};
  return report(out, error_code::checksum_mismatch, "the CRC of a chunk");
}

bool reader::check_data_end(byte_span content, item& out) {
  byte_reader from(content);
  const std::uint32_t crc = from.u32();
  const bool is_valid = from.ok();
  const bool is_equal = crc == 0 || !is_crc_known_ || crc == crc_;
  part_ = part::summary;
  summary_begin_ = position_;
  crc_ = 0;
  is_crc_known_ = true;
  if (!is_valid) return report(out, error_code::malformed, "the end of the data");
  if (!is_equal)
    return report(out, error_code::checksum_mismatch, "the CRC of the data, which is everything before");
  return false;
}

bool reader::take_statistics(byte_span content, item& out) {
  byte_reader from(content);
  const std::uint64_t stated = from.u64();
  if (!from.ok()) return report(out, error_code::malformed, "the statistics");
  if (stated == messages_) return false;
  if (stated > messages_) missing_ = stated - messages_;
  return report_size(out, error_code::malformed, static_cast<std::int64_t>(messages_), stated,
                     "{} messages were read; the statistics count {}",
                     "{} messages were read; the statistics count more than {}");
}

result<bool> reader::take_footer(const record& found, byte_span content, item& out) {
  byte_reader from(content);
  const std::uint64_t summary = from.u64();
  (void)from.u64();
  const std::uint32_t crc = from.u32();
  const bool has_data_end = part_ == part::summary;
  const bool is_valid = from.ok() && content.size() == footer_bytes;
  if (is_valid && crc != 0) {
    const auto covered = read_(found.offset, record_head_bytes + 2 * sizeof(std::uint64_t));
    if (!covered) return fail(covered.error());
    crc_ = crc32(*covered, crc_);
  }
  const bool is_crc_right = crc == 0 || !is_crc_known_ || crc == crc_;
  position_ = found.offset + record_head_bytes + content.size();
  part_ = part::end;
  const auto end = read_(position_, magic.size());
  if (!end) return fail(end.error());
  if (as_text(*end) != magic) {
    return report(out, end->size() < magic.size() ? error_code::truncated : error_code::bad_magic,
                  "the magic after the footer");
  }
  position_ += magic.size();
  is_complete_ = true;
  if (!is_valid) return report(out, error_code::malformed, "the footer");
  if (!has_data_end) return report(out, error_code::malformed, "the end of the data is missing");
  const bool is_empty = found.offset == summary_begin_;
  if (summary != (is_empty ? 0 : summary_begin_) && !(is_empty && summary == found.offset)) {
    return report_size(out, error_code::malformed, static_cast<std::int64_t>(summary_begin_), summary,
                       "the summary is at offset {}, for the footer at {}",
                       "the summary is at offset {}, for the footer beyond {}");
  }
  if (!is_crc_right) return report(out, error_code::checksum_mismatch, "the CRC of the summary");
  return false;
}

result<bool> reader::pass(std::uint64_t offset, std::uint64_t bytes, std::uint32_t* content_crc) {
  for (std::uint64_t done = 0; done < bytes;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes - done, piece_bytes));
    const auto piece = read_(offset + done, wanted);
    if (!piece) return fail(piece.error());
    if (piece->size() < wanted) return false;
    take_bytes(*piece);
    if (content_crc != nullptr) *content_crc = crc32(*piece, *content_crc);
    done += wanted;
  }
  return true;
}

result<bool> reader::take_attachment(const record& found, item& out) {
  const std::uint64_t begin = found.offset + record_head_bytes;
  const auto names = static_cast<std::size_t>(std::min<std::uint64_t>(found.bytes, max_names_bytes));
  // Its own memory, because names must outlive the content that is read next.
  const auto head = read_(begin, names);
  if (!head) return fail(head.error());
  unpacked_.assign(head->begin(), head->end());
  attachment_fields fields;
  const bool is_valid = read_attachment(unpacked_, found.bytes, fields);
  std::uint32_t crc = 0;
  auto passed = pass(found.offset, record_head_bytes);
  const std::uint64_t covered = is_valid ? fields.content_at + fields.content_bytes : found.bytes;
  if (passed && *passed) passed = pass(begin, covered, &crc);
  if (!passed) return passed;
  if (!*passed) return end_early(out);
  if (!is_valid) return report(out, error_code::malformed, "an attachment");
  const auto stored = read_(position_, sizeof crc);
  if (!stored) return fail(stored.error());
  const std::uint32_t stored_crc = byte_reader(*stored).u32();
  // Fields of later versions of the format may follow the CRC.
  passed = pass(position_, begin + found.bytes - position_);
  if (!passed) return passed;
  if (!*passed) return end_early(out);
  out.name = fields.name;
  if (stored_crc != 0 && stored_crc != crc) {
    return report(out, error_code::checksum_mismatch, "the CRC of an attachment");
  }
  out.kind = item_kind::attachment;
  out.media_type = fields.media_type;
  out.time_ns = fields.time_ns;
  out.content_offset = begin + fields.content_at;
  out.content_bytes = fields.content_bytes;
  return true;
}

}  // namespace tickreel::mcap
