#include "tickreel/text/csv.hpp"

namespace tickreel::text {

void append_csv_text(std::string_view text, std::string& out) {
  const bool quoted = text.find_first_of(",\"\r\n") != std::string_view::npos;
  const bool formula =
      !text.empty() && (std::string_view("=+-@").find(text.front()) != std::string_view::npos ||
                        static_cast<unsigned char>(text.front()) < 0x20);
  if (quoted) out += '"';
  if (formula) out += '\'';
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += letter;
  }
  if (quoted) out += '"';
}

}  // namespace tickreel::text
