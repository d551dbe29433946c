// The writing half of change_rows.hpp.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "change_models.hpp"
#include "change_rows.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/tracks/row_changes.hpp"

namespace tickreel::tracks {

namespace {

// A block with more bytes accepts no further row.
constexpr std::size_t enough_block_bytes = 2u << 20;
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
      saved_(row_bytes),
      writer_(map.kinds(), float_coding::decimals) {
  std::uint32_t longest = 0;
  std::size_t words = 0;
  for (const record_array& each : map.arrays()) {
    longest = std::max(longest, each.record_bytes);
    first_words_.push_back(words);
    words += (each.count + std::size_t{63}) / 64;
  }
  is_saved_.resize(words);
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

template <class Write>
void change_row_writer::add_row(Write&& write) noexcept {
  places_.clear();
  changes_.clear();
  const std::size_t before = bytes_.size();
  const bool is_whole = sizes_.empty() && !continues_;
  write(is_whole);
  sizes_.push_back(bytes_.size() - before);
  if (is_whole) whole_bytes_ = sizes_.back();
  bytes_since_ = is_whole ? 0 : bytes_since_ + sizes_.back();
}

void change_row_writer::add(byte_span row) noexcept {
  add_row([&](bool is_whole) { is_whole ? add_first(row.data()) : add_next(row.data()); });
}

// The same records as add() finds, so that the row has the same bytes.
void change_row_writer::add_changes(byte_span changes) noexcept {
  add_row([&](bool is_whole) {
    for (row_change each; next_change(changes, row_bytes_, each);) {
      if (!is_whole) save_records(each.offset, each.bytes.size());
      if (!each.bytes.empty()) std::memcpy(last_.data() + each.offset, each.bytes.data(), each.bytes.size());
    }
    if (is_whole) return add_first(last_.data());
    find_saved();
    write_places(saved_.data(), last_.data());
  });
}

// Keeps the records of the last row in which these bytes are.
void change_row_writer::save_records(std::uint32_t offset, std::size_t size) noexcept {
  const auto& arrays = map_.arrays();
  const std::size_t end = offset + size;
  std::size_t a = static_cast<std::size_t>(
      std::ranges::upper_bound(arrays, offset, {}, &record_array::offset) - arrays.begin() - 1);
  for (; a < arrays.size() && arrays[a].offset < end; ++a) {
    const record_array& of = arrays[a];
    const std::uint32_t from = std::max(offset, of.offset) - of.offset;
    const std::size_t until = std::min<std::size_t>(end - of.offset, std::size_t{of.record_bytes} * of.count);
    std::uint32_t number = from / of.record_bytes;
    for (std::size_t at = std::size_t{number} * of.record_bytes; at < until;
         at += of.record_bytes, ++number) {
      std::uint64_t& word = is_saved_[first_words_[a] + number / 64];
      const std::uint64_t bit = std::uint64_t{1} << (number % 64);
      if ((word & bit) != 0) continue;
      word |= bit;
      std::memcpy(saved_.data() + of.offset + at, last_.data() + of.offset + at, of.record_bytes);
    }
  }
}

// The places of the saved records that are different now.
void change_row_writer::find_saved() noexcept {
  const auto& arrays = map_.arrays();
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const std::size_t others = places_.size();
    const record_array& of = arrays[a];
    for (std::size_t first = 0; first < of.count; first += 64) {
      std::uint64_t bits = std::exchange(is_saved_[first_words_[a] + first / 64], 0u);
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t number = first + static_cast<std::size_t>(std::countr_zero(bits));
        const std::size_t at = of.offset + number * of.record_bytes;
        if (differs(saved_.data() + at, last_.data() + at, of.record_bytes)) {
          places_.push_back(std::uint64_t{number} << kind_bits | a);
        }
      }
    }
    merge_places(others);
  }
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
  if (row != last_.data()) std::memcpy(last_.data(), row, row_bytes_);
}

void change_row_writer::add_next(const std::byte* row) noexcept {
  const auto& arrays = map_.arrays();
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const std::size_t others = places_.size();
    find_changes(arrays[a], last_.data(), row,
                 [&](std::size_t number) { places_.push_back(std::uint64_t{number} << kind_bits | a); });
    merge_places(others);
  }
  write_places(last_.data(), row);
  for (const record_change& each : changes_) {
    const std::size_t at =
        arrays[each.kind].offset + std::size_t{each.record} * arrays[each.kind].record_bytes;
    std::memcpy(last_.data() + at, each.now.data(), each.now.size());
  }
}

// Both have these records at their places in a row.
void change_row_writer::write_places(const std::byte* before, const std::byte* now) noexcept {
  const auto& arrays = map_.arrays();
  std::size_t changed = 0;
  for (const std::uint64_t place : places_) {
    const auto kind = static_cast<std::uint32_t>(place & (max_change_kinds - 1));
    const auto number = static_cast<std::uint32_t>(place >> kind_bits);
    const std::size_t size = arrays[kind].record_bytes;
    const std::size_t at = arrays[kind].offset + number * size;
    changes_.push_back({number, kind, {before + at, size}, {now + at, size}});
    changed += size;
  }
  writer_.write(changes_, bytes_);
  coded_bytes_ += changed;
  is_dense_ = changed > row_bytes_ / 8;
}

std::size_t change_row_writer::size() const noexcept {
  return 2 + (1 + sizes_.size()) * prefix_varint_max_size + bytes_.size();
}
std::size_t change_row_writer::largest_size_of(const record_map& map, std::uint32_t max_rows) noexcept {
  return 2 + (1 + std::size_t{max_rows}) * prefix_varint_max_size + enough_block_bytes + map.max_row_bytes();
}
std::uint64_t change_row_writer::memory_of(const record_map& map, std::uint32_t row_bytes,
                                           std::uint32_t max_rows) noexcept {
  constexpr std::uint64_t memory_of_record = 2 * sizeof(std::uint64_t) + sizeof(record_change) + 1;
  return 3 * std::uint64_t{row_bytes} + enough_block_bytes + 2 * map.max_row_bytes() +
         std::uint64_t{max_rows} * sizeof(std::size_t) + map.records() * memory_of_record +
         change_models::memory_of(map.kinds());
}

void change_row_writer::write(byte_writer& out) const noexcept {
  out.u8(change_block_version);
  write_prefix_varint(out, sizes_.size());
  if (sizes_.empty()) return;
  out.u8(continues_ ? 1 : 0);
  for (const std::size_t size : sizes_) write_prefix_varint(out, size);
  out.bytes(bytes_);
}

}  // namespace tickreel::tracks
