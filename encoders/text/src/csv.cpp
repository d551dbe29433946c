#include "tickreel/text/csv.hpp"

#include <charconv>

namespace tickreel::text {

namespace {

bool is_formula(std::string_view text) noexcept {
  if (text.empty()) return false;
  const bool begins_one = std::string_view("=+-@").find(text.front()) != std::string_view::npos ||
                          static_cast<unsigned char>(text.front()) < 0x20;
  if (!begins_one) return false;
  double number = 0;
  const auto [stopped, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code != std::errc{} || stopped != text.data() + text.size();
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
