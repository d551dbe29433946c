#include "tickreel/echoreplay/line.hpp"

namespace tickreel::echoreplay {

result<void> line_splitter::feed(std::string_view block) noexcept {
  if (finished_ || !block_.empty()) {
    return fail(error_code::wrong_state, error::no_offset, "a block given before the last one was used up");
  }
  block_ = block;
  return {};
}

std::optional<result<std::string_view>> line_splitter::next() {
  if (pending_was_returned_) {
    pending_.clear();
    pending_was_returned_ = false;
  }
  while (!block_.empty()) {
    const std::size_t end = block_.find('\n');
    const bool ended = end != std::string_view::npos;
    const std::string_view part = block_.substr(0, end);
    const std::size_t used = ended ? end + 1 : block_.size();
    block_.remove_prefix(used);
    consumed_ += used;
    // One byte more for the CR, which is not part of the line.
    if (pending_.size() + part.size() > line_limit_bytes_ + 1) too_long_ = true;
    if (too_long_) {
      pending_.clear();
      if (ended) return take({}, true);
      continue;
    }
    if (ended && pending_.empty()) return take(part, true);
    pending_ += part;
    if (ended) return take(pending_, true);
  }
  if (!finished_ || consumed_ == next_line_offset_) return std::nullopt;
  return take(pending_, false);
}

std::optional<result<std::string_view>> line_splitter::take(std::string_view text, bool ended) noexcept {
  line_offset_ = next_line_offset_;
  next_line_offset_ = consumed_;
  line_was_ended_ = ended;
  pending_was_returned_ = true;
  const bool has_cr = text.ends_with('\r');
  if (has_cr) text.remove_suffix(1);
  line_end_ = has_cr ? (ended ? "\r\n" : "\r") : ended ? "\n" : "";
  if (too_long_ || text.size() > line_limit_bytes_) {
    too_long_ = false;
    return fail(error_code::over_limit, line_offset_, "a line longer than {} bytes",
                static_cast<std::int64_t>(line_limit_bytes_));
  }
  return result<std::string_view>(text);
}

}  // namespace tickreel::echoreplay
