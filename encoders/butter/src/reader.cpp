#include <algorithm>
#include <optional>

#include "frame_decode.hpp"
#include "header.hpp"

namespace tickreel::butter {

namespace {

class pieces_of_memory final : public file_pieces {
 public:
  explicit pieces_of_memory(byte_span file) : file_(file) {}
  result<byte_span> read(std::uint64_t offset, std::size_t count) override {
    if (offset >= file_.size()) return byte_span{};
    const byte_span there = file_.subspan(static_cast<std::size_t>(offset));
    return there.first(std::min(count, there.size()));
  }

 private:
  byte_span file_;
};

}  // namespace

struct reader::state {
  struct chunk_place {
    std::uint64_t offset;
    std::uint32_t bytes;
  };

  std::optional<pieces_of_memory> memory;
  file_pieces* pieces = nullptr;
  std::uint64_t file_bytes = 0;
  reader_options options;
  file_header header;
  file_facts facts;
  std::vector<chunk_place> chunks;
  decompressor codecs;

  std::size_t next_chunk = 0;
  byte_vector opened;
  std::optional<std::size_t> opened_number;  // of the whole chunk in `opened`
  byte_span content;                         // of the current chunk
  std::size_t consumed = 0;
  std::optional<error> chunk_ends_with;  // the error after the whole frames of a damaged chunk
  std::optional<error> failed;
  frame_position position;

  // Two alternating frames: differences refer to the one before.
  std::unique_ptr<echo::state> frames[2] = {std::make_unique<echo::state>(), std::make_unique<echo::state>()};
  bool has_before = false;
  std::unique_ptr<known_writer> repair;
  bool skips_bones = false;
  std::optional<std::uint8_t> skipped_bones;

  // For first_frame().
  byte_vector peeked;
  std::unique_ptr<echo::state> peeked_frame;

  // The existing part of a chunk, up to `most` bytes.
  result<byte_span> stored(const chunk_place& place, std::uint64_t most) const {
    const std::uint64_t there = place.offset < file_bytes ? file_bytes - place.offset : 0;
    const std::uint64_t count = std::min({there, std::uint64_t{place.bytes}, most});
    if (count == 0) return byte_span{};
    return pieces->read(place.offset, static_cast<std::size_t>(count));
  }
  void open_chunk();
  tl::unexpected<error> stop(const error& what) {
    failed = what;
    return fail(what);
  }
};

result<reader> reader::open(byte_span file, const reader_options& options) {
  pieces_of_memory rest(file);
  auto made = open(file, file.size(), rest, options);
  if (made) made->state_->pieces = &made->state_->memory.emplace(file);
  return made;
}

result<reader> reader::open(byte_span head_bytes, std::uint64_t file_bytes, file_pieces& rest,
                            const reader_options& options) {
  byte_reader in(head_bytes);
  auto head = read_header(in);
  if (!head) return fail(head.error());
  auto owned = std::make_unique<state>();
  owned->pieces = &rest;
  owned->file_bytes = file_bytes;
  owned->options = options;
  owned->header = std::move(head->values);
  owned->facts = facts_of(owned->header);
  owned->skips_bones = !options.bones;
  if (options.repair) owned->repair = std::make_unique<known_writer>();

  const std::uint64_t table_offset = in.offset();
  const std::uint32_t count = in.u32();
  if (!in.ok()) return in.failure("chunk table");
  if (count > options.limits.max_chunks) {
    return fail(error_code::over_limit, table_offset, "{} chunks", count);
  }
  if (in.remaining() / 4 < count) {
    return fail(error_code::truncated, in.offset(), "chunk table of {} chunk{s}", count);
  }
  std::uint64_t offset = in.offset() + std::uint64_t{4} * count;
  owned->chunks.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t bytes = in.u32();
    owned->chunks.push_back({offset, bytes});
    offset += bytes;
  }
  return reader(std::move(owned));
}

// Sets `content` to the readable part of the next chunk, and `chunk_ends_with` to the error of the rest.
void reader::state::open_chunk() {
  const std::size_t number = next_chunk++;
  const chunk_place& place = chunks[number];
  position.chunk = number;
  position.chunk_offset = place.offset;
  consumed = 0;
  content = {};
  chunk_ends_with.reset();
  if (opened_number == number) {
    content = opened;
    return;
  }
  opened_number.reset();
  if (pieces->unpacked(number, opened) && opened.size() <= options.limits.max_chunk_bytes) {
    content = opened;
    opened_number = number;
    return;
  }
  const auto read = stored(place, place.bytes);
  if (!read) {
    chunk_ends_with = read.error();
    return;
  }
  const byte_span packed = *read;
  if (packed.size() < place.bytes) {
    chunk_ends_with =
        error{error_code::truncated,
              file_bytes,
              "chunk {} is {} byte{s} short",
              {static_cast<std::int64_t>(number), static_cast<std::int64_t>(place.bytes - packed.size())}};
  }
  if (packed.empty()) return;
  const codec_id codec = codec_of(header.codec).codec;
  if (codec == codec_id::none) {
    // Copied, because the piece is only valid until the next read.
    if (!memory) opened.assign(packed.begin(), packed.end());
    content = memory ? packed : byte_span(opened);
    return;
  }
  const auto done = codecs.decompress(codec, packed, options.limits.max_chunk_bytes, opened);
  if (done) {
    content = opened;
    if (!chunk_ends_with) opened_number = number;
  } else if (chunk_ends_with && codecs.decompress_prefix(codec, packed, options.limits.max_chunk_bytes,
                                                         opened) != prefix_end::damaged) {
    // Truncated, not damaged: the existing part is valid.
    content = opened;
  } else {
    chunk_ends_with = done.error();
    chunk_ends_with->offset = place.offset;
  }
}

result<bool> reader::next(echo::state& out) {
  auto more = skip();
  if (more && *more) echo::copy_state(out, frame());
  return more;
}

const echo::state& reader::frame() const noexcept {
  return *state_->frames[1];
}

result<bool> reader::skip() {
  state& self = *state_;
  if (self.failed) return fail(*self.failed);
  while (self.consumed == self.content.size()) {
    if (self.chunk_ends_with) return self.stop(*self.chunk_ends_with);
    if (self.next_chunk == self.chunks.size()) return false;
    self.open_chunk();
  }
  byte_reader in(self.content.subspan(self.consumed));
  echo::state& fresh = *self.frames[0];
  const echo::state* before = self.has_before ? self.frames[1].get() : nullptr;
  frame_decode work{self.facts, in, before, before, fresh, self.repair.get()};
  work.skips_bones = self.skips_bones;
  work.skipped_before = self.skipped_bones;
  if (!work.decode()) {
    const error_code reason = in.failure().value().code;
    if (self.chunk_ends_with && reason == error_code::truncated) return self.stop(*self.chunk_ends_with);
    return self.stop(error{reason,
                           self.position.chunk_offset,
                           work.problem,
                           {static_cast<std::int64_t>(self.position.chunk),
                            static_cast<std::int64_t>(self.consumed + in.position())}});
  }
  self.position.frame_offset = self.consumed;
  self.position.frame_bytes = static_cast<std::uint32_t>(in.position());
  self.position.keyframe = work.keyframe;
  self.consumed += in.position();
  self.skipped_bones = work.skipped;
  self.has_before = true;
  std::swap(self.frames[0], self.frames[1]);
  return true;
}

result<const echo::state*> reader::first_frame(std::size_t chunk) {
  state& self = *state_;
  if (chunk >= self.chunks.size()) return nullptr;
  const state::chunk_place& place = self.chunks[chunk];
  if (!self.peeked_frame) self.peeked_frame = std::make_unique<echo::state>();
  const codec_id codec = codec_of(self.header.codec).codec;
  // A keyframe of eight players with bones has 6 kB, most have less.
  constexpr std::size_t usual_bytes = 8u << 10;
  for (std::size_t limit = usual_bytes;; limit *= 16) {
    limit = std::min(limit, self.options.limits.max_chunk_bytes);
    // A compressed chunk exceeds its content by less than that.
    const auto stored = self.stored(place, limit + limit / 64 + 1024);
    if (!stored && is_damage(stored.error().code)) return nullptr;
    if (!stored) return fail(stored.error());
    const bool is_all = stored->size() == place.bytes;
    byte_span content = *stored;
    if (codec != codec_id::none) {
      if (self.codecs.decompress_prefix(codec, *stored, limit, self.peeked) == prefix_end::damaged) {
        return nullptr;
      }
      content = self.peeked;
    }
    byte_reader in(content);
    frame_decode work{self.facts, in, nullptr, nullptr, *self.peeked_frame, nullptr};
    if (work.decode()) return work.keyframe ? self.peeked_frame.get() : nullptr;
    const bool is_short = in.failure().value().code == error_code::truncated;
    if (!is_short || (is_all && content.size() < limit) || limit == self.options.limits.max_chunk_bytes)
      return nullptr;
  }
}

void reader::set_bones(bool wanted) noexcept {
  state_->options.bones = wanted;
}

result<void> reader::seek_chunk(std::size_t chunk) {
  state& self = *state_;
  if (chunk >= self.chunks.size()) {
    return fail(error_code::out_of_range, error::no_offset, "chunk {} of {}",
                static_cast<std::int64_t>(chunk), static_cast<std::int64_t>(self.chunks.size()));
  }
  self.next_chunk = chunk;
  self.content = {};
  self.consumed = 0;
  self.chunk_ends_with.reset();
  self.failed.reset();
  self.has_before = false;
  self.skips_bones = !self.options.bones;
  if (self.repair) *self.repair = {};
  return {};
}

reader::reader(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
reader::reader(reader&&) noexcept = default;
reader& reader::operator=(reader&&) noexcept = default;
reader::~reader() = default;

const file_header& reader::head() const noexcept {
  return state_->header;
}
std::size_t reader::chunk_count() const noexcept {
  return state_->chunks.size();
}
std::uint32_t reader::chunk_bytes(std::size_t chunk) const noexcept {
  return chunk < state_->chunks.size() ? state_->chunks[chunk].bytes : 0;
}
std::uint64_t reader::chunk_offset(std::size_t chunk) const noexcept {
  return chunk < state_->chunks.size() ? state_->chunks[chunk].offset : 0;
}
const frame_position& reader::position() const noexcept {
  return state_->position;
}
byte_span reader::chunk_content() const noexcept {
  return state_->content;
}

}  // namespace tickreel::butter
