// Rows of CSV as spreadsheets write them (RFC 4180): cells may be quoted, and then contain separators, line
// ends and doubled quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::text {

// Appends `text` as one cell, quoted if necessary. Text that spreadsheets would interpret as a formula,
// because it begins with one of = + - @ or a control character and is not a number, gets a leading
// apostrophe, which they do not show.
void append_csv_text(std::string_view text, std::string& out);

// The separator of the first line outside of quotes: tab before semicolon before comma, which is the default.
[[nodiscard]] inline char csv_separator(std::string_view text) noexcept {
  bool tab = false, semicolon = false, quoted = false;
  for (const char each : text) {
    if (each == '"') quoted = !quoted;
    if (quoted) continue;
    if (each == '\n') break;
    tab = tab || each == '\t';
    semicolon = semicolon || each == ';';
  }
  return tab ? '\t' : semicolon ? ';' : ',';
}

// Iterates over rows; the text must outlive it.
class csv_rows {
 public:
  csv_rows(std::string_view text, char separator) noexcept : left_(text), separator_(separator) {}

  // False at the end. Blanks around unquoted cells are removed. An unclosed quote extends to the end of the
  // text.
  bool next(std::vector<std::string>& cells) {
    cells.clear();
    if (left_.empty()) return false;
    line_ = next_line_;
    for (;;) {
      cells.push_back(cell());
      if (left_.empty()) return true;
      const char ends = left_.front();
      left_.remove_prefix(1);
      if (ends == separator_) {
        if (left_.empty()) cells.emplace_back();
        if (left_.empty()) return true;
        continue;
      }
      ++next_line_;
      return true;
    }
  }
  // Of the last row, counted from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  static bool blank(char each) noexcept { return each == ' ' || each == '\t' || each == '\r'; }
  [[nodiscard]] bool at_blank() const noexcept {
    return !left_.empty() && left_.front() != separator_ && blank(left_.front());
  }

  std::string cell() {
    while (at_blank()) left_.remove_prefix(1);
    std::string out;
    if (!left_.empty() && left_.front() == '"') {
      left_.remove_prefix(1);
      while (!left_.empty()) {
        const char each = left_.front();
        left_.remove_prefix(1);
        if (each == '\n') ++next_line_;
        if (each == '"') {
          if (left_.empty() || left_.front() != '"') break;
          left_.remove_prefix(1);
        }
        out += each;
      }
      // Characters between the closing quote and the separator are ignored.
      while (!left_.empty() && left_.front() != separator_ && left_.front() != '\n') left_.remove_prefix(1);
      return out;
    }
    while (!left_.empty() && left_.front() != separator_ && left_.front() != '\n') {
      out += left_.front();
      left_.remove_prefix(1);
    }
    while (!out.empty() && blank(out.back())) out.pop_back();
    return out;
  }

  std::string_view left_;
  char separator_;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;
};

}  // namespace tickreel::text
