#include "line_stream.hpp"

namespace tickreel::files {

line_stream::line_stream(std::unique_ptr<byte_stream> bytes) : bytes_(std::move(bytes)), block_(256u << 10) {}

result<void> line_stream::rewind() {
  splitter_ = echoreplay::line_splitter();
  lines_ = offset_ = begin_ = 0;
  at_end_ = false;
  return bytes_->rewind();
}

result<bool> line_stream::go_to(std::uint64_t offset, std::uint64_t number) {
  auto gone = bytes_->go_to(offset);
  if (!gone || !*gone) return gone;
  splitter_ = echoreplay::line_splitter();
  lines_ = number - 1;
  offset_ = begin_ = offset;
  at_end_ = false;
  return true;
}

result<bool> line_stream::next(text_line& out) {
  for (;;) {
    if (const auto line = splitter_.next()) {
      ++lines_;
      if (*line) {
        out = {**line,
               lines_,
               begin_ + splitter_.line_offset(),
               splitter_.line_was_ended(),
               false,
               splitter_.line_end()};
        offset_ = out.offset + out.text.size();
        return true;
      }
      if (line->error().code != error_code::over_limit) return fail(line->error());
      out = {{}, lines_, begin_ + line->error().offset, true, true};
      return true;
    }
    if (at_end_) return false;
    auto count = bytes_->read(block_);
    if (!count) return fail(count.error());
    at_end_ = *count == 0;
    if (at_end_) {
      splitter_.finish();
    } else if (auto fed = splitter_.feed(as_text(byte_span(block_).first(*count))); !fed) {
      return fail(fed.error());
    }
  }
}

}  // namespace tickreel::files
