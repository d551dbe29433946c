#include "tickreel/icrep/entry.hpp"

#include "tickreel/text/utf8.hpp"

namespace tickreel::icrep {

bool is_sound_text(std::string_view text, std::size_t most_bytes) noexcept {
  return text.size() <= most_bytes && text::is_utf8(text);
}

bool mend_text(std::string& text, std::size_t most_bytes) {
  if (is_sound_text(text, most_bytes)) return false;
  // Three bytes replace one, so bytes far after the end need not be examined.
  if (text.size() > most_bytes) {
    std::size_t end = most_bytes;
    // 10xxxxxx continues a character; no character is longer than four bytes.
    for (int back = 0; back < 3 && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80;
         ++back) {
      --end;
    }
    text.resize(end);
  }
  text::repair(text);
  if (text.size() > most_bytes) text.resize(text::utf8_prefix(std::string_view(text).substr(0, most_bytes)));
  return true;
}

}  // namespace tickreel::icrep
