#include "tickreel/analysis/json.hpp"

#include <charconv>
#include <cmath>

namespace tickreel::analysis {

namespace {

template <class Number>
void append_number(Number number, std::string& out) {
  // The longest shortest double, -1.7976931348623157e+308, has 24 characters.
  char spelled[32];
  const auto end = std::to_chars(spelled, spelled + sizeof(spelled), number).ptr;
  out.append(spelled, static_cast<std::size_t>(end - spelled));
}

}  // namespace

void json_text::value(std::string_view words) {
  constexpr char digits[] = "0123456789abcdef";
  separate();
  out_.push_back('"');
  for (const char c : words) {
    if (c == '"' || c == '\\') {
      out_.push_back('\\');
      out_.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out_.append("\\u00");
      out_.push_back(digits[static_cast<unsigned char>(c) >> 4]);
      out_.push_back(digits[static_cast<unsigned char>(c) & 15]);
    } else {
      out_.push_back(c);
    }
  }
  out_.push_back('"');
}

void json_text::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  append_number(number, out_);
}

void json_text::whole(std::int64_t number) {
  separate();
  append_number(number, out_);
}

void json_text::whole(std::uint64_t number) {
  separate();
  append_number(number, out_);
}

}  // namespace tickreel::analysis
