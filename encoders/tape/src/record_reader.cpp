#include <algorithm>

#include "tickreel/bytes/varint.hpp"
#include "tickreel/tape/capture.hpp"
#include "tickreel/tape/container.hpp"

namespace tickreel::tape {

namespace {

constexpr std::size_t piece_bytes = 128u << 10;
// Records are returned when so much of a large zstd frame is decoded.
constexpr std::size_t step_bytes = 256u << 10;

bool begins_zstd(byte_span head) noexcept {
  if (head.size() < 4) return false;
  const auto magic = detail::load<std::endian::little, std::uint32_t>(head.data());
  return magic == 0xFD2FB528 || (magic & 0xFFFFFFF0) == 0x184D2A50;
}

}  // namespace

result<record_reader> record_reader::open(read_function read, std::uint64_t file_bytes) {
  record_reader made(std::move(read), file_bytes);
  const auto head = made.read_(0, 4);
  if (!head) return fail(head.error());
  if (begins_zstd(*head)) {
    auto stream = zstd_stream::create(largest_window_log);
    if (!stream) return fail(stream.error());
    made.stream_.emplace(std::move(*stream));
  }
  return made;
}

std::optional<record_reader::entry> record_reader::last_entry() const noexcept {
  if (!stream_) return entry{given_block_, 0, false};
  if (!begins_block_) return std::nullopt;
  return block_entry_;
}

void record_reader::seek(const entry& to) {
  if (stream_) stream_->reset();
  file_at_ = block_offset_ = given_block_ = to.offset;
  table_at_ = to.table_at;
  sizes_are_wrong_ = to.sizes_are_wrong;
  block_decoded_ = 0;
  piece_ = {};
  decoded_.clear();
  at_ = block_begin_ = 0;
  in_block_ = ended_ = begins_block_ = next_begins_block_ = false;
  problem_.reset();
}

result<byte_span> record_reader::input() {
  if (file_at_ < piece_offset_ || file_at_ >= piece_offset_ + piece_.size()) {
    const auto piece = read_(file_at_, piece_bytes);
    if (!piece) return fail(piece.error());
    piece_ = *piece;
    piece_offset_ = file_at_;
  }
  return piece_.subspan(static_cast<std::size_t>(file_at_ - piece_offset_));
}

void record_reader::end_block() {
  in_block_ = false;
  // Also without a table, which may be given later. The frame of the table itself follows the last entry.
  const std::size_t number = table_at_++;
  if (number >= table_.size()) return;
  const block_sizes& stated = table_[number];
  const std::uint64_t compressed = file_at_ - block_offset_;
  sizes_are_wrong_ = sizes_are_wrong_ || stated.compressed != compressed || stated.decoded != block_decoded_;
}

// Decodes up to the end of a zstd frame, or a step of a large one.
void record_reader::fill() {
  decoded_.erase(decoded_.begin(), decoded_.begin() + static_cast<std::ptrdiff_t>(at_));
  block_begin_ -= std::min(block_begin_, at_);
  at_ = 0;
  if (!stream_) return fill_plain();
  const std::size_t begin = decoded_.size();
  for (;;) {
    const auto from = input();
    if (!from) {
      problem_ = from.error();
      break;
    }
    if (from->empty()) {
      ended_ = true;
      if (in_block_)
        problem_ = error{error_code::truncated, block_offset_, "the file ends inside a zstd frame"};
      break;
    }
    if (!in_block_) {
      in_block_ = next_begins_block_ = true;
      block_begin_ = decoded_.size();
      block_offset_ = file_at_;
      block_entry_ = {file_at_, table_at_, sizes_are_wrong_};
      block_decoded_ = 0;
    }
    const std::size_t size = decoded_.size();
    decoded_.resize(size + piece_bytes);
    const auto done = stream_->decode(*from, mutable_byte_span(decoded_).subspan(size));
    if (!done) {
      // Nothing of a damaged frame is returned, unless a part of it was.
      decoded_.resize(std::min(size, std::max(block_begin_, begin)));
      problem_ = done.error();
      problem_->offset = block_offset_;
      break;
    }
    decoded_.resize(size + done->produced);
    file_at_ += done->consumed;
    block_decoded_ += done->produced;
    if (done->frame_ended) {
      const bool has_content = block_decoded_ != 0;
      end_block();
      if (has_content && decoded_.size() != begin) return;
      continue;
    }
    const std::size_t new_bytes = decoded_.size() - begin;
    if (block_decoded_ > max_buffered_bytes && new_bytes >= step_bytes) return;
  }
  if (problem_) ended_ = true;
}

void record_reader::fill_plain() {
  const auto from = input();
  if (!from) {
    problem_ = from.error();
    ended_ = true;
    return;
  }
  if (from->empty()) {
    ended_ = true;
    return;
  }
  decoded_.insert(decoded_.end(), from->begin(), from->end());
  file_at_ += from->size();
}

result<bool> record_reader::next(byte_span& record) {
  for (;;) {
    const byte_span rest = byte_span(decoded_).subspan(at_);
    if (!rest.empty()) {
      byte_reader from(rest);
      const std::uint64_t size = read_leb128(from);
      const std::uint64_t here = stream_ ? block_offset_ : file_at_ - static_cast<std::uint64_t>(rest.size());
      const bool is_whole_number = from.ok();
      if (!is_whole_number && rest.size() >= leb128_max_size) {
        return fail(error_code::malformed, here, "the length of a record is invalid");
      }
      if (is_whole_number && size > max_record_bytes) {
        return fail(error_code::over_limit, here, "a record of {} bytes",
                    static_cast<std::int64_t>(std::min<std::uint64_t>(size, std::uint64_t{1} << 62)));
      }
      if (is_whole_number && from.remaining() >= size) {
        record = from.bytes(static_cast<std::size_t>(size));
        begins_block_ = stream_ && next_begins_block_ && at_ == block_begin_;
        if (begins_block_) next_begins_block_ = false;
        given_block_ = here;
        at_ += from.position();
        return true;
      }
    }
    if (ended_) {
      if (problem_) return fail(*problem_);
      if (!rest.empty()) {
        at_ = decoded_.size();
        return fail(error_code::truncated, stream_ ? block_offset_ : file_at_ - rest.size(),
                    "the file ends inside a record");
      }
      return false;
    }
    fill();
  }
}

}  // namespace tickreel::tape
