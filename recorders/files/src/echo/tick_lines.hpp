// The source lines of the ticks in a reel of columns: restored on demand, since most readers never ask for lines, and
// counted where they are missing. For reels that keep lines.
#pragma once

#include <cstdint>
#include <optional>

#include "restored_lines.hpp"
#include "tickreel/files/echo_source.hpp"

namespace tickreel::files {

class tick_lines {
 public:
  // `source` must outlive it.
  explicit tick_lines(reel::reader& source) noexcept : source_(&source) {}

  // Call it for each tick that is returned: the other functions are about the last one.
  void pass(std::uint64_t tick);
  // Back to the first tick.
  void restart();
  void forget_losses();

  // Cannot fail, since callers ask for lines where no error can be returned: take_failure() is for the next tick.
  const restored_lines& restore(const echo::line_reference& how, const echo::state& state);
  [[nodiscard]] std::optional<error> take_failure() noexcept { return lines_.take_failure(); }
  // The text after the last tick.
  std::string_view text_after();
  // Counts the line if the reel lacks data for it. Does not restore it.
  void count(const echo::line_reference& how);
  // Whether data that the line of `tick` needs may still be written. It is recorded after the tick: for the last tick
  // of a chunk it may be in a later record.
  bool waits(std::uint64_t tick, const echo::line_reference& how, std::size_t next_record);

  // Adds missing lines, and unreadable text around the lines of the ticks that were returned; `to_end`: also after the
  // last one. Texts are only read here, since losses are requested once.
  void report(source_losses& to, bool to_end, bool is_reel_damaged);

 private:
  void note_missing();

  reel::reader* source_;
  restored_lines lines_;
  std::uint64_t tick_ = 0;
  bool is_restored_ = false;
  bool is_missing_ = false;  // and counted
  // Since losses are counted.
  std::optional<std::uint64_t> first_tick_;
  std::uint64_t missing_lines_ = 0;
  std::uint64_t first_missing_line_ = 0;
};

}  // namespace tickreel::files
