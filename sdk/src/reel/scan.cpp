#include "scan.hpp"

#include <algorithm>
#include <cstring>

#include "record_table.hpp"

namespace tickreel::reel {

result<std::optional<std::uint64_t>> find_record(byte_source& from, std::uint64_t offset, std::uint64_t end,
                                                 const wire::reel_key& key) {
  constexpr std::byte first_byte{'T'};
  const std::size_t head_bytes = key.head_bytes();
  while (offset < end && end - offset >= head_bytes + wire::hash_bytes) {
    const auto bytes = from.view(offset, find_window_bytes);
    if (!bytes) return fail(bytes.error());
    if (bytes->size() < head_bytes) break;
    const std::size_t last = bytes->size() - head_bytes;
    for (std::size_t at = 0; at <= last; ++at) {
      const void* const found = std::memchr(bytes->data() + at, static_cast<int>(first_byte), last - at + 1);
      if (found == nullptr) break;
      at = static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes->data());
      const auto info = wire::read_head(bytes->subspan(at, head_bytes), offset + at, key);
      if (info && wire::end_of(*info) <= end) return offset + at;
    }
    offset += last + 1;
  }
  return std::optional<std::uint64_t>{};
}

namespace {

// One scan. Moved records are identified by their sequence.
class scanner {
 public:
  scanner(byte_source& from, const scan_options& options, table_of_contents& contents)
      : from_(from),
        options_(options),
        contents_(contents),
        // Followers of a living recorder rely on constant record numbers.
        takes_moved_(contents.records.empty()),
        bytes_to_doubt_(4 * contents.file_bytes),
        offset_(contents.valid_bytes),
        understood_(contents.valid_bytes) {}

  result<void> run() {
    while (offset_ < contents_.file_bytes) {
      const auto more = step();
      if (!more) return fail(more.error());
      if (!*more) break;
    }
    if (!moved_.empty()) merge_moved();
    if (contents_.end != reel_end::closed && understood_ < contents_.file_bytes) {
      contents_.end = reel_end::torn;
    }
    return {};
  }

 private:
  // The last record read. With a valid hash, its length leads to the next.
  struct step_before {
    record_info info;
    bool listed = false;
  };

  [[nodiscard]] bool closed() const noexcept { return contents_.end == reel_end::closed; }

  // After an end only missing earlier records matter.
  [[nodiscard]] bool is_done() const noexcept {
    return closed() && (!takes_moved_ || contents_.missing_records == 0);
  }

  // Reads the record at offset_, or searches the next. False at the end.
  result<bool> step() {
    const auto bytes = from_.view(offset_, options_.key.head_bytes());
    if (!bytes) return fail(bytes.error());
    auto info = wire::read_head(*bytes, offset_, options_.key);
    if (!info || wire::end_of(*info) > contents_.file_bytes || !is_within(*info, options_.limits)) {
      return search(info);
    }
    if (closed() || info->sequence < next_sequence(contents_)) return pass(*info);
    const bool is_last = wire::end_of(*info) == contents_.file_bytes;
    if (is_last || info->kind == record_kind::end || options_.verify_hashes) {
      const auto sound = hash_is_right(*info);
      if (!sound) return fail(sound.error());
      info->damaged = !*sound;
    }
    if (info->damaged && is_last) {
      contents_.torn_record = info;
      return go_to_record_from(offset_ + options_.key.head_bytes());
    }
    if (info->damaged && info->kind == record_kind::end) {
      before_ = step_before{*info};
      offset_ = wire::end_of(*info);
      return true;
    }
    if (auto fits = has_room(); !fits) return fail(fits.error());
    // Bytes between the last record and here are damaged if another record follows, otherwise a torn tail.
    const std::uint64_t whole_until = info->damaged ? wire::end_of(*info) : offset_;
    if (whole_until > contents_.valid_bytes) {
      contents_.damaged.push_back({contents_.valid_bytes, whole_until - contents_.valid_bytes});
    }
    list_record(contents_, *info);
    before_ = step_before{*info, true};
    offset_ = understood_ = wire::end_of(*info);
    return !is_done();
  }

  // A record that does not rise: it was moved, or remained of an earlier write, which is not part of the
  // reel.
  result<bool> pass(const record_info& info) {
    bool moved = false;
    if (takes_moved_ && is_missing(info.sequence) && may_doubt(info)) {
      const auto sound = hash_is_right(info);
      if (!sound) return fail(sound.error());
      moved = *sound;
    }
    if (moved) {
      if (auto fits = has_room(); !fits) return fail(fits.error());
      moved_.push_back(info);
    }
    if (moved || offset_ == understood_) understood_ = wire::end_of(info);
    before_ = step_before{info};
    offset_ = wire::end_of(info);
    return true;
  }

  // Continues at the next record if none begins at offset_. `torn` is one that does not fit into the file or
  // exceeds the limits: its length is not used.
  result<bool> search(const std::optional<record_info>& torn) {
    if (torn) {
      if (!closed() && torn->sequence >= next_sequence(contents_)) contents_.torn_record = torn;
      return go_to_record_from(offset_ + 1);
    }
    // The length that led here may belong to a record with missing or additional bytes.
    if (!before_ || !may_doubt(before_->info)) return go_to_record_from(offset_ + 1);
    const auto sound = hash_is_right(before_->info);
    if (!sound) return fail(sound.error());
    if (*sound) return go_to_record_from(offset_ + 1);
    return go_to_record_from(before_->info.offset + options_.key.head_bytes());
  }

  result<bool> go_to_record_from(std::uint64_t place) {
    const auto next = find_record(from_, place, contents_.file_bytes, options_.key);
    if (!next) return fail(next.error());
    if (!*next) return false;
    contents_.torn_record.reset();
    if (before_ && before_->listed && **next < wire::end_of(before_->info)) shorten_last(**next);
    understood_ = std::min(understood_, **next);
    offset_ = **next;
    before_.reset();
    return true;
  }

  // The record listed last ends at the next one at the latest.
  void shorten_last(std::uint64_t next) {
    record_info& last = contents_.records.back();
    if (last.damaged) {
      contents_.damaged.back().bytes -= wire::end_of(last) - next;
    } else {
      contents_.damaged.push_back({last.offset, next - last.offset});
    }
    last.damaged = true;
    last.bytes = next - last.offset;
    contents_.valid_bytes = next;
  }

  [[nodiscard]] bool is_missing(std::uint32_t sequence) const noexcept {
    const auto& records = contents_.records;
    const auto place = std::lower_bound(
        records.begin(), records.end(), sequence,
        [](const record_info& each, std::uint32_t wanted) { return each.sequence < wanted; });
    return place != records.end() && place->sequence != sequence;
  }

  // Limits repeated hashing of the same bytes for records inside records.
  [[nodiscard]] bool may_doubt(const record_info& info) noexcept {
    if (info.bytes > bytes_to_doubt_) return false;
    bytes_to_doubt_ -= info.bytes;
    return true;
  }

  result<bool> hash_is_right(const record_info& info) {
    const auto whole = from_.view(info.offset, static_cast<std::size_t>(info.bytes));
    if (!whole) return fail(whole.error());
    return wire::hash_matches(*whole, options_.key);
  }

  [[nodiscard]] result<void> has_room() const {
    if (contents_.records.size() + moved_.size() < options_.limits.max_records) return {};
    return fail(error_code::over_limit, offset_, "more than {} records",
                static_cast<std::int64_t>(options_.limits.max_records));
  }

  // Moves every moved record to the place of its sequence.
  void merge_moved() {
    std::stable_sort(moved_.begin(), moved_.end(),
                     [](const record_info& a, const record_info& b) { return a.sequence < b.sequence; });
    table_of_contents merged;
    merged.records.reserve(contents_.records.size() + moved_.size());
    std::uint64_t last_byte = contents_.valid_bytes;
    auto next = moved_.begin();
    for (const record_info& info : contents_.records) {
      for (; next != moved_.end() && next->sequence < info.sequence; ++next) {
        if (next->sequence < next_sequence(merged)) continue;  // a duplicate
        last_byte = std::max(last_byte, wire::end_of(*next));
        list_record(merged, *next);
      }
      list_record(merged, info);
    }
    merged.damaged = between(merged.records, last_byte);
    merged.end = contents_.end;
    merged.valid_bytes = last_byte;
    merged.file_bytes = contents_.file_bytes;
    merged.torn_record = contents_.torn_record;
    contents_ = std::move(merged);
  }

  // The bytes before `last_byte` that are not part of a whole record.
  [[nodiscard]] std::vector<damage> between(std::vector<record_info> records, std::uint64_t last_byte) const {
    std::erase_if(records, [](const record_info& info) { return info.damaged; });
    std::sort(records.begin(), records.end(),
              [](const record_info& a, const record_info& b) { return a.offset < b.offset; });
    std::vector<damage> all;
    std::uint64_t from_here = options_.header_bytes;
    for (const record_info& info : records) {
      if (info.offset > from_here) all.push_back({from_here, info.offset - from_here});
      from_here = wire::end_of(info);
    }
    if (last_byte > from_here) all.push_back({from_here, last_byte - from_here});
    return all;
  }

  byte_source& from_;
  const scan_options& options_;
  table_of_contents& contents_;
  const bool takes_moved_;
  std::uint64_t bytes_to_doubt_;
  std::uint64_t offset_;
  std::uint64_t understood_;  // all bytes before this are records, or remains of records
  std::optional<step_before> before_;
  std::vector<record_info> moved_;
};

}  // namespace

result<void> scan(byte_source& from, const scan_options& options, table_of_contents& contents) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  contents.file_bytes = *size;
  contents.torn_record.reset();
  if (contents.end == reel_end::closed) return {};
  contents.end = reel_end::open;
  return scanner(from, options, contents).run();
}

}  // namespace tickreel::reel
