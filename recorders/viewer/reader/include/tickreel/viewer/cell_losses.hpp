// Values of ticks and events that no cell of a table can hold, counted by reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tickreel::viewer {

// What was wrong in JSON that its parser rejects.
struct json_repairs {
  bool has_large_numbers = false;
  bool has_invalid_texts = false;  // not Unicode: half a surrogate pair, or bytes that are not UTF-8
  bool is_unreadable = false;      // even after repair: nested too deep, or too long
};

// Makes JSON parseable that its grammar permits. U+FFFD replaces parts of texts that are not Unicode. An integer beyond
// 64 bits becomes a text of its digits, another number that no double holds becomes null.
json_repairs repair_json(std::string& json);

class cell_losses {
 public:
  // `of`: "tick" or "event", which has the JSON.
  explicit cell_losses(const char* of) noexcept : of_(of) {}

  void add(const json_repairs& repairs, std::optional<std::uint64_t> tick) noexcept;
  // Of a cell that had one of more than 16 MiB.
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

}  // namespace tickreel::viewer
