#include "change_rows.hpp"

#include <algorithm>
#include <cstring>

#include "tickreel/bytes/varint.hpp"

namespace tickreel::tracks {

namespace {

// A block with more bytes accepts no further row.
constexpr std::size_t enough_block_bytes = 2u << 20;
// A row of more bytes, at worst, is coded by column.
constexpr std::size_t row_bytes_limit = 16u << 20;
// Records that a block changes, in bytes: bounds the time of a reader.
constexpr std::uint64_t enough_coded_bytes = 24u << 20;
constexpr unsigned kind_bits = 6;
static_assert(max_change_kinds == std::size_t{1} << kind_bits);

bool differs(const std::byte* a, const std::byte* b, std::size_t size) noexcept {
  std::uint64_t off = 0;
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    std::uint64_t x = 0, y = 0;
    std::memcpy(&x, a + i, 8);
    std::memcpy(&y, b + i, 8);
    off |= x ^ y;
  }
  for (; i < size; ++i) off |= std::to_integer<std::uint64_t>(a[i] ^ b[i]);
  return off != 0;
}

// The offset of the first byte from `from` on that differs; `end` if there is none before it.
std::size_t first_difference(const std::byte* a, const std::byte* b, std::size_t from,
                             std::size_t end) noexcept {
  for (; from + 8 <= end; from += 8) {
    std::uint64_t x = 0, y = 0;
    std::memcpy(&x, a + from, 8);
    std::memcpy(&y, b + from, 8);
    if (x != y) break;
  }
  while (from < end && a[from] == b[from]) ++from;
  return from;
}

// Calls found(record) for each record of the array that differs.
template <class Found>
void find_changes(const record_array& of, const std::byte* before, const std::byte* now,
                  Found&& found) noexcept {
  before += of.offset;
  now += of.offset;
  // Large enough that unchanged bytes are compared by vector instructions.
  constexpr std::size_t step = 256;
  const std::size_t all = std::size_t{of.record_bytes} * of.count;
  std::size_t next = 0;  // byte after the last record that was found
  for (std::size_t at = 0; at < all; at += step) {
    const std::size_t end = std::min(at + step, all);
    // The constant size makes the comparison a few instructions.
    if (end - at == step && !differs(before + at, now + at, step)) continue;
    for (next = std::max(next, at); next < end;) {
      const std::size_t differing = first_difference(before, now, next, end);
      if (differing == end) break;
      const std::size_t record = differing / of.record_bytes;
      found(record);
      next = (record + 1) * of.record_bytes;
    }
  }
}

}  // namespace

record_map::record_map(const shape& of) {
  if (of.records.empty() || of.records.size() > max_change_kinds) return;
  std::vector<shape> kinds;
  std::uint64_t offset = 0;
  std::size_t records = 0;
  std::size_t largest = max_tick_head_bytes;
  for (const record_array& each : of.records) {
    if (each.offset != offset || each.record_bytes == 0 || each.count == 0) return;
    if (each.columns == 0 || std::uint64_t{each.first_column} + each.columns > of.columns.size()) return;
    shape kind;
    kind.row_bytes = each.record_bytes;
    std::uint32_t inside = 0;
    for (std::uint32_t c = 0; c < each.columns; ++c) {
      column one = of.columns[each.first_column + c];
      // Values with a permitted error are smaller by column.
      if (one.offset != offset + inside || one.declared.tolerance != 0) return;
      one.offset = inside;
      one.declared = {};
      inside += one.size_bytes;
      kind.columns.push_back(one);
    }
    if (inside != each.record_bytes) return;
    offset += std::uint64_t{each.record_bytes} * each.count;
    records += each.count;
    largest += max_change_bytes(kind) * each.count;
    kinds.push_back(std::move(kind));
  }
  if (offset != of.row_bytes || largest > row_bytes_limit) return;
  arrays_ = of.records;
  kinds_ = std::move(kinds);
  records_ = records;
  max_row_bytes_ = largest;
}

std::size_t changed_record_bytes(const record_map& map, const std::byte* before,
                                 const std::byte* now) noexcept {
  std::size_t bytes = 0;
  for (const record_array& each : map.arrays()) {
    find_changes(each, before, now, [&](std::size_t) { bytes += each.record_bytes; });
  }
  return bytes;
}

change_row_writer::change_row_writer(const record_map& map, std::uint32_t row_bytes, std::uint32_t max_rows)
    : map_(map),
      row_bytes_(row_bytes),
      max_rows_(max_rows),
      last_(row_bytes),
      writer_(map.kinds(), float_coding::decimals) {
  std::uint32_t longest = 0;
  for (const record_array& each : map.arrays()) longest = std::max(longest, each.record_bytes);
  zeros_.resize(longest);
  bytes_.reserve(enough_block_bytes + map.max_row_bytes());
  sizes_.reserve(max_rows);
  places_.reserve(map.records());
  merged_.reserve(map.records());
  changes_.reserve(map.records());
  writer_.prepare(map.max_row_bytes());
}

void change_row_writer::clear() noexcept {
  continues_ = false;
  is_dense_ = false;
  coded_bytes_ = 0;
  bytes_.clear();
  sizes_.clear();
}

bool change_row_writer::is_full() const noexcept {
  return sizes_.size() >= max_rows_ || bytes_.size() >= enough_block_bytes || is_dense_ ||
         coded_bytes_ >= enough_coded_bytes;
}

// A seek then decodes at most the time of about three whole rows, and a file is at most half as large again.
bool change_row_writer::is_long() const noexcept {
  return bytes_since_ > 2 * std::max<std::size_t>(whole_bytes_, row_bytes_ / 8);
}

void change_row_writer::add(byte_span row) noexcept {
  places_.clear();
  changes_.clear();
  const std::size_t before = bytes_.size();
  const bool is_whole = sizes_.empty() && !continues_;
  if (is_whole) {
    add_first(row.data());
  } else {
    add_next(row.data());
  }
  sizes_.push_back(bytes_.size() - before);
  if (is_whole) whole_bytes_ = sizes_.back();
  bytes_since_ = is_whole ? 0 : bytes_since_ + sizes_.back();
}

// Places rise up to `own`, and from it on: makes all of them rise.
void change_row_writer::merge_places(std::size_t own) noexcept {
  if (own == 0 || own == places_.size()) return;
  merged_.resize(places_.size());
  const auto middle = places_.begin() + static_cast<std::ptrdiff_t>(own);
  std::merge(places_.begin(), middle, middle, places_.end(), merged_.begin());
  places_.swap(merged_);
}

void change_row_writer::add_first(const std::byte* row) noexcept {
  writer_.restart();
  const auto& arrays = map_.arrays();
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const std::size_t others = places_.size();
    const std::byte* record = row + arrays[a].offset;
    const std::size_t size = arrays[a].record_bytes;
    const std::byte* before = zeros_.data();
    for (std::uint64_t number = 0; number < arrays[a].count; ++number, before = record, record += size) {
      if (differs(before, record, size)) places_.push_back(number << kind_bits | a);
    }
    merge_places(others);
  }
  for (const std::uint64_t place : places_) {
    const auto kind = static_cast<std::uint32_t>(place & (max_change_kinds - 1));
    const auto number = static_cast<std::uint32_t>(place >> kind_bits);
    const std::size_t size = arrays[kind].record_bytes;
    const std::byte* record = row + arrays[kind].offset + number * size;
    changes_.push_back({number, kind, {number == 0 ? zeros_.data() : record - size, size}, {record, size}});
    coded_bytes_ += size;
  }
  writer_.write(changes_, bytes_);
  std::memcpy(last_.data(), row, row_bytes_);
}

void change_row_writer::add_next(const std::byte* row) noexcept {
  const auto& arrays = map_.arrays();
  std::size_t changed = 0;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const std::size_t others = places_.size();
    find_changes(arrays[a], last_.data(), row, [&](std::size_t number) {
      places_.push_back(std::uint64_t{number} << kind_bits | a);
      changed += arrays[a].record_bytes;
    });
    merge_places(others);
  }
  for (const std::uint64_t place : places_) {
    const auto kind = static_cast<std::uint32_t>(place & (max_change_kinds - 1));
    const auto number = static_cast<std::uint32_t>(place >> kind_bits);
    const std::size_t size = arrays[kind].record_bytes;
    const std::size_t at = arrays[kind].offset + number * size;
    changes_.push_back({number, kind, {last_.data() + at, size}, {row + at, size}});
  }
  writer_.write(changes_, bytes_);
  for (const record_change& each : changes_) {
    const std::size_t at =
        arrays[each.kind].offset + std::size_t{each.record} * arrays[each.kind].record_bytes;
    std::memcpy(last_.data() + at, each.now.data(), each.now.size());
  }
  coded_bytes_ += changed;
  is_dense_ = changed > row_bytes_ / 8;
}

std::size_t change_row_writer::size() const noexcept {
  return 2 + (1 + sizes_.size()) * prefix_varint_max_size + bytes_.size();
}
std::size_t change_row_writer::largest_size() const noexcept {
  return 2 + (1 + std::size_t{max_rows_}) * prefix_varint_max_size + enough_block_bytes +
         map_.max_row_bytes();
}

void change_row_writer::write(byte_writer& out) const noexcept {
  out.u8(change_block_version);
  write_prefix_varint(out, sizes_.size());
  if (sizes_.empty()) return;
  out.u8(continues_ ? 1 : 0);
  for (const std::size_t size : sizes_) write_prefix_varint(out, size);
  out.bytes(bytes_);
}

change_row_reader::change_row_reader(const shape& of)
    : map_(of), row_bytes_(of.row_bytes), reader_(map_.kinds(), float_coding::decimals) {
  done_.resize(map_.arrays().size());
}

void change_row_reader::close() noexcept {
  decoded_ = 0;
  bytes_.clear();
  ends_.clear();
  blocks_.clear();
}

result<void> change_row_reader::open(byte_reader& in, std::size_t rows, std::uint64_t memory_bytes,
                                     bool continues) {
  if (!continues) close();
  if (!map_.is_usable()) {
    return fail(error_code::malformed, 0, "changes of rows whose records are unknown");
  }
  const std::uint8_t kind = in.u8();
  if (!in.ok()) return in.failure("block of changed rows");
  if (kind > 1) return fail(error_code::malformed, in.offset(), "a block of changed rows");
  if ((kind == 1) != continues) {
    return fail(error_code::malformed, in.offset(),
                continues ? "a whole block of changed rows where one continues"
                          : "a block of changed rows that continues another");
  }
  if (continues && blocks_.empty()) {
    return fail(error_code::malformed, 0, "a block that continues one which is missing");
  }
  const std::uint64_t kept = bytes_.size() + (ends_.size() + rows) * sizeof(std::size_t);
  if (2 * std::uint64_t{row_bytes_} + kept > memory_bytes) {
    return fail(error_code::over_limit, 1, "a block of {} rows of {} bytes", static_cast<std::int64_t>(rows),
                row_bytes_);
  }
  // Each needs at least a byte for its size.
  if (rows > in.remaining()) return fail(error_code::truncated, in.offset(), "sizes of rows");
  const std::size_t first = ends_.size();
  const std::size_t begin = bytes_.size();
  ends_.reserve(first + rows);
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    size += std::min<std::uint64_t>(read_prefix_varint(in), std::uint64_t{1} << 40);
    if (!in.ok() || size > in.remaining()) {
      return fail(error_code::truncated, in.offset(), "changed rows");
    }
    ends_.push_back(begin + static_cast<std::size_t>(size));
  }
  const byte_span coded = in.bytes(static_cast<std::size_t>(size));
  bytes_.insert(bytes_.end(), coded.begin(), coded.end());
  blocks_.push_back(first);
  max_coded_bytes_ = memory_bytes;
  row_.resize(row_bytes_);
  return {};
}

std::byte* change_row_reader::record_at(std::size_t array, std::size_t number) noexcept {
  return row_.data() + map_.arrays()[array].offset + number * map_.arrays()[array].record_bytes;
}

result<byte_span> change_row_reader::row(std::size_t number) {
  number += blocks_.back();
  if (number + 1 < decoded_) decoded_ = 0;
  while (decoded_ <= number) {
    if (decoded_ == 0) reader_.restart();
    if (std::ranges::binary_search(blocks_, decoded_)) coded_bytes_ = 0;
    const std::size_t begin = decoded_ == 0 ? 0 : ends_[decoded_ - 1];
    const byte_span coded = byte_span(bytes_).subspan(begin, ends_[decoded_] - begin);
    const auto done = decoded_ == 0 ? decode_first(coded) : decode_next(coded);
    if (!done) {
      decoded_ = 0;
      return fail(done.error());
    }
    ++decoded_;
  }
  return byte_span(row_);
}

// The size of the record of the next change; 0 at the end.
result<std::size_t> change_row_reader::next_record(record_change& change) {
  const auto more = reader_.next(change);
  if (!more) return fail(more.error());
  if (!*more) return std::size_t{0};
  const record_array& of = map_.arrays()[change.kind];
  if (change.record >= of.count) {
    return fail(error_code::malformed, error::no_offset, "a change of record {} of {}", change.record,
                of.count);
  }
  coded_bytes_ += of.record_bytes;
  // Writers write at most one row more than this.
  if (coded_bytes_ > max_coded_bytes_) {
    return fail(error_code::over_limit, error::no_offset, "a block changes more than {} bytes of records",
                static_cast<std::int64_t>(max_coded_bytes_));
  }
  return std::size_t{of.record_bytes};
}

result<void> change_row_reader::decode_first(byte_span coded) {
  if (auto opened = reader_.open(coded, map_.records()); !opened) return opened;
  std::fill(done_.begin(), done_.end(), std::size_t{0});
  // Copies the record before into the next ones, until `end` of them are done.
  const auto repeat_until = [&](std::size_t array, std::size_t end) {
    const std::size_t size = map_.arrays()[array].record_bytes;
    for (std::size_t& next = done_[array]; next < end; ++next) {
      std::byte* record = record_at(array, next);
      if (next == 0) {
        std::memset(record, 0, size);
      } else {
        std::memcpy(record, record - size, size);
      }
    }
  };
  record_change change;
  for (;;) {
    const auto size = next_record(change);
    if (!size) return fail(size.error());
    if (*size == 0) break;
    repeat_until(change.kind, std::size_t{change.record} + 1);
    std::byte* record = record_at(change.kind, change.record);
    if (auto done = reader_.apply({record, *size}); !done) return done;
  }
  for (std::size_t a = 0; a < done_.size(); ++a) repeat_until(a, map_.arrays()[a].count);
  return {};
}

result<void> change_row_reader::decode_next(byte_span coded) {
  if (auto opened = reader_.open(coded, map_.records()); !opened) return opened;
  record_change change;
  for (;;) {
    const auto size = next_record(change);
    if (!size) return fail(size.error());
    if (*size == 0) return {};
    if (auto done = reader_.apply({record_at(change.kind, change.record), *size}); !done) return done;
  }
}

}  // namespace tickreel::tracks
