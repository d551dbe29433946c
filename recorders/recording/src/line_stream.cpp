#include "line_stream.hpp"

#include <algorithm>
#include <cstring>

namespace tickreel::recording {

line_stream::line_stream(std::unique_ptr<byte_stream> bytes)
    : bytes_(std::move(bytes)), buffer_(256u << 10) {}

result<void> line_stream::rewind() {
  begin_ = end_ = 0;
  buffer_offset_ = lines_ = 0;
  at_end_ = false;
  return bytes_->rewind();
}

// More bytes behind those in the buffer. False at the end of the text.
result<bool> line_stream::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    buffer_offset_ += begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(std::min(buffer_.size() * 2, longest_line + 1));
  auto count = bytes_->read(mutable_byte_span(buffer_).subspan(end_));
  if (!count) return fail(count.error());
  at_end_ = *count == 0;
  end_ += *count;
  return !at_end_;
}

result<bool> line_stream::next(text_line& out) {
  std::size_t searched = 0;
  bool too_long = false;
  std::uint64_t offset = buffer_offset_ + begin_;
  for (;;) {
    const std::byte* from = buffer_.data() + begin_ + searched;
    const std::size_t count = end_ - begin_ - searched;
    const void* found = count == 0 ? nullptr : std::memchr(from, '\n', count);
    if (found != nullptr) {
      const auto length =
          static_cast<std::size_t>(static_cast<const std::byte*>(found) - buffer_.data()) - begin_;
      out = {as_text(byte_span(buffer_).subspan(begin_, length)), ++lines_, offset, true, too_long};
      begin_ += length + 1;
      return true;
    }
    searched += count;
    if (searched > longest_line) {
      // Nobody's line: drop what there is and go on to its end.
      too_long = true;
      begin_ = end_;
      searched = 0;
    }
    auto more = fill();
    if (!more) return fail(more.error());
    if (!*more) break;
  }
  if (begin_ == end_ && !too_long) return false;
  out = {as_text(byte_span(buffer_).subspan(begin_, end_ - begin_)), ++lines_, offset, false, too_long};
  begin_ = end_;
  return true;
}

}  // namespace tickreel::recording
