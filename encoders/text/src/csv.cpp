#include "tickreel/text/csv.hpp"

#include "tickreel/text/ascii.hpp"

namespace tickreel::text {

namespace {

bool is_formula(std::string_view text) noexcept {
  if (text.empty()) return false;
  const bool begins_one = std::string_view("=+-@").find(text.front()) != std::string_view::npos ||
                          static_cast<unsigned char>(text.front()) < 0x20;
  return begins_one && !parse_number<double>(text);
}

}  // namespace

void append_csv_text(std::string_view text, std::string& out) {
  const bool quoted = text.find_first_of(",\"\r\n") != std::string_view::npos;
  if (quoted) out += '"';
  if (is_formula(text)) out += '\'';
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += letter;
  }
  if (quoted) out += '"';
}

}  // namespace tickreel::text
