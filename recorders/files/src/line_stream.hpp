// Lines of a text, one by one, in bounded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "byte_stream.hpp"
#include "tickreel/echoreplay/line.hpp"

namespace tickreel::files {

struct text_line {
  std::string_view text;      // without its end; valid until the next call
  std::uint64_t number = 0;   // from 1
  std::uint64_t offset = 0;   // of its first byte
  bool ended = false;         // false: the text ends without a line end
  bool too_long = false;      // the line exceeds the limit; `text` is empty
  std::string_view end = {};  // its line end
};

class line_stream {
 public:
  explicit line_stream(std::unique_ptr<byte_stream> bytes);

  // False at the end.
  result<bool> next(text_line& out);
  result<void> rewind();
  // Continues with a line that next() returned before. False if only rewind() is possible.
  result<bool> go_to(std::uint64_t offset, std::uint64_t number);
  [[nodiscard]] const byte_stream& bytes() const noexcept { return *bytes_; }
  // The offset of the next line in the text.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

 private:
  std::unique_ptr<byte_stream> bytes_;
  byte_vector block_;
  echoreplay::line_splitter splitter_;
  std::uint64_t lines_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t begin_ = 0;  // offset of the splitter's text
  bool at_end_ = false;
};

}  // namespace tickreel::files
