#include "tickreel/icrep/entry.hpp"

#include "tickreel/text/utf8.hpp"

namespace tickreel::icrep {

bool is_sound_text(std::string_view text, std::size_t max_bytes) noexcept {
  return text.size() <= max_bytes && text::is_utf8(text);
}

bool fix_text(std::string& text, std::size_t max_bytes) {
  if (is_sound_text(text, max_bytes)) return false;
  // Three bytes replace one, so bytes far after the end need not be examined.
  if (text.size() > max_bytes) {
    std::size_t end = max_bytes;
    // 10xxxxxx continues a character; no character is longer than four bytes.
    for (int back = 0; back < 3 && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80;
         ++back) {
      --end;
    }
    text.resize(end);
  }
  text::repair(text);
  if (text.size() > max_bytes) text.resize(text::utf8_prefix(std::string_view(text).substr(0, max_bytes)));
  return true;
}

}  // namespace tickreel::icrep
