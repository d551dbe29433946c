#include "change_rows.hpp"

#include <algorithm>
#include <cstring>

#include "tickreel/bytes/varint.hpp"

namespace tickreel::tracks {

namespace {

// A row of more bytes, at worst, is coded by column.
constexpr std::size_t row_bytes_limit = 16u << 20;

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
