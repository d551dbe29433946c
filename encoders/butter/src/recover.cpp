#include "tickreel/butter/recover.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "header.hpp"

namespace tickreel::butter {
namespace {

// The offset of the table of chunks.
result<std::size_t> header_size(byte_span file) {
  byte_reader in(file);
  if (const auto head = read_header(in); !head) return fail(head.error());
  return in.position();
}

// The magic bytes of chunks with this compression; empty if there are none.
byte_span first_bytes(codec_id codec) noexcept {
  static constexpr std::byte gzip[] = {std::byte{0x1F}, std::byte{0x8B}, std::byte{0x08}};
  static constexpr std::byte zstd[] = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};
  if (codec == codec_id::gzip) return gzip;
  if (codec == codec_id::zstd) return zstd;
  return {};
}

// Whether a checksum covers a chunk that was decompressed.
bool has_checksum(codec_id codec, byte_span stored) noexcept {
  if (codec == codec_id::gzip) return true;
  // RFC 8878, 3.1.1.1.1: bit 2 of the frame header's descriptor, which follows the four bytes.
  constexpr std::size_t descriptor = 4;
  constexpr std::byte checksum_flag{4};
  return codec == codec_id::zstd && stored.size() > descriptor &&
         (stored[descriptor] & checksum_flag) != std::byte{0};
}

class chunk_finder {
 public:
  chunk_finder(byte_span file, codec_id codec, const reader_limits& limits)
      : file_(file), codec_(codec), limits_(limits), bytes_to_try_(4 * std::uint64_t{file.size()}) {}

  // The number of chunks in the table that can be decompressed.
  std::size_t count_sound(const reader& by_table) {
    std::size_t sound = 0;
    for (std::size_t chunk = 0; chunk < by_table.chunk_count(); ++chunk) {
      const std::uint64_t offset = by_table.chunk_offset(chunk);
      const std::uint32_t bytes = by_table.chunk_bytes(chunk);
      if (bytes == 0 || offset + bytes > file_.size()) continue;
      const byte_span stored = file_.subspan(static_cast<std::size_t>(offset), bytes);
      if (codecs_.decompress(codec_, stored, limits_.max_chunk_bytes, unpacked_)) ++sound;
    }
    return sound;
  }

  struct found {
    std::vector<byte_span> chunks;
    std::size_t sound = 0;
    std::optional<std::size_t> another;  // the start of another file: nothing after it was read
  };

  // Identifies the bytes from `begin` on. Unidentified bytes belong to the chunk before.
  found search(std::size_t begin) {
    const byte_span mark = first_bytes(codec_);
    found all;
    std::size_t last_end = begin;  // of the identified bytes
    std::size_t at = begin;
    while (all.chunks.size() < limits_.max_chunks) {
      const byte_span rest = file_.subspan(at);
      const auto next = std::search(rest.begin(), rest.end(), mark.begin(), mark.end());
      if (next == rest.end()) break;
      at += static_cast<std::size_t>(next - rest.begin());
      const auto bytes = first_at(at);
      if (!bytes) {
        ++at;
        continue;
      }
      if (at > last_end && !all.chunks.empty()) {
        all.another = head_before(last_end, at, *bytes);
        if (all.another) {
          if (*all.another > last_end) all.chunks.push_back(file_.subspan(last_end, *all.another - last_end));
          return all;
        }
        all.chunks.push_back(file_.subspan(last_end, at - last_end));
      }
      all.chunks.push_back(file_.subspan(at, *bytes));
      ++all.sound;
      at += *bytes;
      last_end = at;
    }
    if (last_end < file_.size() && !all.chunks.empty()) all.chunks.push_back(file_.subspan(last_end));
    return all;
  }

 private:
  // Limits repeated decompression of the same bytes after false magic bytes.
  std::optional<std::size_t> first_at(std::size_t at) {
    const byte_span rest = file_.subspan(at);
    if (bytes_to_try_ == 0) return std::nullopt;
    const auto bytes = codecs_.decompress_first(codec_, rest, limits_.max_chunk_bytes, unpacked_);
    const std::uint64_t cost = bytes ? *bytes : std::min<std::uint64_t>(bytes.error().offset, rest.size());
    bytes_to_try_ -= std::min(bytes_to_try_, cost + 1);
    if (!bytes) return std::nullopt;
    return *bytes;
  }

  // Bytes of a truncated chunk are unlikely to look like a head.
  [[nodiscard]] bool fits(const file_header& head) const {
    const auto is_letter = [](char each) { return each >= 0x20 && each < 0x7F; };
    return codec_of(head.codec).codec == codec_ && std::ranges::all_of(head.client_name, is_letter);
  }

  // Finds a head between two positions whose table ends at the second and contains the size of the chunk
  // there.
  std::optional<std::size_t> head_before(std::size_t begin, std::size_t end, std::size_t chunk_bytes) {
    constexpr std::size_t longest = 16u << 10;  // of a head with 255 players of long names
    for (std::size_t at = end - std::min(end - begin, longest); at < end && bytes_to_try_ != 0; ++at) {
      byte_reader in(file_.subspan(at, end - at));
      const auto version = std::to_integer<unsigned>(file_[at]);
      if (version < 1 || version > 3) continue;
      const auto head = read_header(in);
      const std::uint32_t chunks = in.u32();
      bytes_to_try_ -= std::min<std::uint64_t>(bytes_to_try_, in.position() + 1);
      if (!head || !fits(head->values) || !in.ok() || chunks == 0) continue;
      if (in.remaining() / 4 != chunks || in.remaining() % 4 != 0) continue;
      if (in.u32() == chunk_bytes) return at;
    }
    return std::nullopt;
  }

  byte_span file_;
  codec_id codec_;
  reader_limits limits_;
  std::uint64_t bytes_to_try_;
  decompressor codecs_;
  byte_vector unpacked_;
};

}  // namespace

struct recovery_reader::state {
  byte_span file;
  std::size_t header_bytes = 0;
  byte_vector fixed;  // the file with a corrected table
  std::optional<butter::reader> reader;
  bool table_was_wrong = false;
  std::optional<std::uint64_t> another;

  std::size_t chunk = 0;            // the current one
  bool frame_waits = false;         // the reader is at its first frame
  std::optional<error> waiting;     // or at an error in its first frame
  std::size_t last_begin = 0;       // of the last frame that was counted
  std::int64_t before_last_ms = 0;  // recorded time of the one before that

  [[nodiscard]] byte_span bytes() const noexcept { return fixed.empty() ? file : byte_span(fixed); }
  [[nodiscard]] codec_id codec() const noexcept { return codec_of(reader->head().codec).codec; }

  result<void> fix_table(const reader_limits& limits);
  result<void> end_at(std::size_t place, const reader_limits& limits);
  void count_frame(recovered_chunk& out);
  void end_with(const error& what, recovered_chunk& out);
  void end_whole(std::size_t next, recovered_chunk& out) noexcept;
  [[nodiscard]] byte_span stored(std::size_t number) const noexcept {
    const byte_span all = bytes();
    const std::uint64_t begin = std::min<std::uint64_t>(reader->chunk_offset(number), all.size());
    const std::uint64_t count = std::min<std::uint64_t>(reader->chunk_bytes(number), all.size() - begin);
    return all.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
  }
};

// Whether a file with a readable first frame begins there.
bool is_file(byte_span bytes, const reader_limits& limits) {
  auto opened = reader::open(bytes, {.limits = limits});
  if (!opened || opened->chunk_count() == 0) return false;
  const auto more = opened->skip();
  return more && *more;
}

// The rest belongs to another file.
result<void> recovery_reader::state::end_at(std::size_t place, const reader_limits& limits) {
  another = place;
  file = file.first(place);
  if (!fixed.empty()) return {};  // which is written again
  auto again = butter::reader::open(file, {.limits = limits});
  if (!again) return fail(again.error());
  reader.emplace(std::move(*again));
  return {};
}

// A table that fits the file is correct, or wrong in a way that only chunks reveal.
result<void> recovery_reader::state::fix_table(const reader_limits& limits) {
  const std::size_t count = reader->chunk_count();
  const std::uint64_t end = count == 0 ? 0 : reader->chunk_offset(count - 1) + reader->chunk_bytes(count - 1);
  if (end == file.size()) return {};
  if (end != 0 && end < file.size() && is_file(file.subspan(static_cast<std::size_t>(end)), limits)) {
    return end_at(static_cast<std::size_t>(end), limits);
  }
  if (first_bytes(codec()).empty()) return {};
  chunk_finder finder(file, codec(), limits);
  const std::size_t sound = finder.count_sound(*reader);
  const auto found = finder.search(std::min(header_bytes + 4, file.size()));
  if (found.another) {
    if (auto ended = end_at(*found.another, limits); !ended) return ended;
  }
  if (found.sound <= sound) return {};
  std::vector<std::uint32_t> sizes;
  for (const byte_span each : found.chunks) {
    if (each.size() > UINT32_MAX) return {};
    sizes.push_back(static_cast<std::uint32_t>(each.size()));
  }
  auto head = encode_head(file.first(header_bytes), reader->head().keyframe_interval_ticks,
                          reader->head().codec, sizes);
  if (!head) return fail(head.error());
  fixed = std::move(*head);
  for (const byte_span each : found.chunks) fixed.insert(fixed.end(), each.begin(), each.end());
  auto again = butter::reader::open(fixed, {.limits = limits});
  if (!again) return fail(again.error());
  reader.emplace(std::move(*again));
  table_was_wrong = true;
  return {};
}

result<recovery_reader> recovery_reader::open(byte_span file, const reader_limits& limits) {
  auto made = std::make_unique<state>();
  made->file = file;
  const auto size = header_size(file);
  if (!size) return fail(size.error());
  made->header_bytes = *size;
  if (auto opened = butter::reader::open(file, {.limits = limits})) {
    made->reader.emplace(std::move(*opened));
  } else {
    // An invalid number of chunks: treated as none.
    made->fixed.assign(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(*size));
    made->fixed.resize(*size + 4);
    auto without = butter::reader::open(made->fixed, {.limits = limits});
    if (!without) return fail(without.error());
    made->reader.emplace(std::move(*without));
  }
  if (auto fixed = made->fix_table(limits); !fixed) return fail(fixed.error());
  if (made->reader->chunk_count() == 0) return fail(error_code::truncated, *size, "there are no chunks");
  return recovery_reader(std::move(made));
}

void recovery_reader::state::count_frame(recovered_chunk& out) {
  const frame_position& at = reader->position();
  before_last_ms = out.last_time_ms;
  last_begin = static_cast<std::size_t>(at.frame_offset);
  out.last_time_ms = reader->frame().recorded_time_ms;
  if (out.frame_count++ == 0) {
    out.first_time_ms = out.last_time_ms;
    out.starts_with_keyframe = at.keyframe;
  }
  out.frames = reader->chunk_content().first(last_begin + at.frame_bytes);
}

void recovery_reader::state::end_whole(std::size_t next, recovered_chunk& out) noexcept {
  out.stored = stored(chunk);
  out.frames = {};  // the reader has gone on
  chunk = next;
}

// The reader cannot return the rest of the chunk: continues after it.
void recovery_reader::state::end_with(const error& what, recovered_chunk& out) {
  const byte_span there = stored(chunk);
  const bool is_cut = there.size() < reader->chunk_bytes(chunk);
  const bool is_unpacked = codec() == codec_id::none || !reader->chunk_content().empty();
  if (what.code == error_code::missing_keyframe && out.frame_count == 0) {
    out.fate = chunk_fate::unfounded;
  } else if (is_cut && what.code == error_code::truncated) {
    out.fate = chunk_fate::cut;
  } else {
    out.fate = is_unpacked ? chunk_fate::contradictory : chunk_fate::damaged;
  }
  // A writer may have left out a baseline: the error then shows no wrong byte.
  const bool shows_damage = what.code != error_code::missing_keyframe;
  const bool vouched_for = !shows_damage || (!is_cut && has_checksum(codec(), there));
  if (out.fate == chunk_fate::contradictory && !vouched_for && out.frame_count != 0) {
    --out.frame_count;
    out.frames = out.frames.first(last_begin);
    out.last_time_ms = before_last_ms;
  }
  ++chunk;
  if (chunk < reader->chunk_count()) (void)reader->seek_chunk(chunk);
}

bool recovery_reader::next(recovered_chunk& out) {
  state& self = *state_;
  butter::reader& reader = *self.reader;
  const std::size_t count = reader.chunk_count();
  out = {};
  while (self.chunk < count && reader.chunk_bytes(self.chunk) == 0) ++self.chunk;
  if (self.chunk >= count) return false;
  out.number = self.chunk;
  if (std::exchange(self.frame_waits, false)) self.count_frame(out);
  for (;;) {
    if (self.waiting) {
      self.end_with(*std::exchange(self.waiting, std::nullopt), out);
      return true;
    }
    const auto more = reader.skip();
    if (more && !*more) {
      self.end_whole(count, out);
      return true;
    }
    const std::size_t at = reader.position().chunk;
    if (at != self.chunk) self.end_whole(at, out);
    if (!more) {
      self.waiting = more.error();
    } else if (at != out.number) {
      self.frame_waits = true;
    } else {
      self.count_frame(out);
    }
    if (at != out.number) return true;
  }
}

recovery_reader::recovery_reader(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
recovery_reader::recovery_reader(recovery_reader&&) noexcept = default;
recovery_reader& recovery_reader::operator=(recovery_reader&&) noexcept = default;
recovery_reader::~recovery_reader() = default;

const file_header& recovery_reader::head() const noexcept {
  return state_->reader->head();
}
byte_span recovery_reader::header() const noexcept {
  return state_->file.first(state_->header_bytes);
}
std::size_t recovery_reader::chunk_count() const noexcept {
  return state_->reader->chunk_count();
}
std::optional<std::uint64_t> recovery_reader::another_begins_at() const noexcept {
  return state_->another;
}
bool recovery_reader::table_was_wrong() const noexcept {
  return state_->table_was_wrong;
}
std::uint64_t recovery_reader::bytes_done() const noexcept {
  const butter::reader& reader = *state_->reader;
  return state_->chunk < reader.chunk_count() ? reader.chunk_offset(state_->chunk) : state_->bytes().size();
}

}  // namespace tickreel::butter
