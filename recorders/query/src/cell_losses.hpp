// Values of a file's rows that no cell can hold, counted by reason.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tickreel::query {

// SQLite's limit of one text. Rows have NULL for a longer one.
inline constexpr std::size_t max_text_bytes = std::size_t{16} << 20;

// What was wrong in JSON that its parser rejects.
struct json_repairs {
  bool has_large_numbers = false;
  bool has_invalid_texts = false;  // not Unicode: half a surrogate pair, or bytes that are not UTF-8
  bool is_unreadable = false;      // even after repair: nested too deep, or too long
};

class cell_losses {
 public:
  // `of`: "tick" or "event", which has the JSON.
  explicit cell_losses(const char* of) noexcept : of_(of) {}

  void add(const json_repairs& repairs, std::optional<std::uint64_t> tick) noexcept;
  // Of a cell that had one.
  void add_long_text(std::optional<std::uint64_t> tick) noexcept { note(long_texts_, tick); }
  void clear() noexcept { *this = cell_losses(of_); }
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct tally {
    std::uint64_t count = 0;
    std::optional<std::uint64_t> first_tick = std::nullopt;
  };
  static void note(tally& to, std::optional<std::uint64_t> tick) noexcept {
    if (to.count++ == 0) to.first_tick = tick;
  }

  const char* of_;
  tally large_numbers_;
  tally invalid_texts_;
  tally unreadable_;
  tally long_texts_;
};

}  // namespace tickreel::query
