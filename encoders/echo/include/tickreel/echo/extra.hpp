// Values that a .butter cannot store, in a file beside it: NAME.extra.json, by ticks, and only at changes.
//
//   {"tickreel_extra":1,"ticks":3600,"until":3600,"session":{"sessionid":"...","map_name":"mpl_arena_a"},"changes":[
//   {"tick":0,"session":{"tournament_match":true,"disc":{"bounce_count":2},"teams":[{"team":"A"},{"team":"B"}]}},
//   {"tick":71,"session":{...}}
//   ]}
//
// One element per line, in the game's own notation; an element contains all extra values from its tick on.
// From tick `until` on nothing is known, because the size limit was reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/echo/json.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo {

// Possession, tournament flag, timers, bounces, error texts, names of teams, and combat's payload.
// Sets all of `to.match` but nothing else.
void take_extra(const state& from, state& to) noexcept;

class extra_writer {
 public:
  static constexpr std::size_t max_bytes = 64u << 20;

  explicit extra_writer(std::size_t limit_bytes = max_bytes);
  // Adds every tick, in order.
  void see(const state& tick);
  [[nodiscard]] bool is_empty() const noexcept { return blocks_.empty(); }
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  // Ticks whose values exceeded the size limit.
  [[nodiscard]] std::uint64_t lost_ticks() const noexcept { return until_ ? ticks_ - *until_ : 0; }
  // The whole file.
  [[nodiscard]] std::string file_text() const;

 private:
  std::size_t limit_bytes_;
  std::unique_ptr<state> part_;
  std::uint64_t ticks_ = 0;
  std::optional<std::uint64_t> until_;
  std::string sessionid_;
  std::string map_;
  std::string last_;
  std::string now_;
  // In blocks, because a growing text would be copied occasionally, while the recorder must not wait.
  std::vector<std::string> blocks_;
  std::size_t bytes_ = 0;
};

class extra_reader {
 public:
  static constexpr std::size_t max_line_bytes = 64u << 10;

  // `text` must outlive it. not_recognised for any other text, unsupported_version for a later one, malformed
  // with the offset.
  static result<extra_reader> open(std::string_view text);

  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  [[nodiscard]] std::uint64_t until() const noexcept { return until_; }
  [[nodiscard]] std::string_view sessionid() const noexcept;
  // Sets the extra values of tick `number`, which rises from call to call. malformed with the offset; then
  // later calls set nothing.
  result<void> apply(std::uint64_t number, state& tick);

 private:
  extra_reader() = default;
  result<void> next_line();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint64_t until_ = 0;
  std::unique_ptr<state> head_;
  std::unique_ptr<state> now_;   // of the current tick
  std::unique_ptr<state> next_;  // from tick next_tick_ on
  std::uint64_t next_tick_ = 0;
  bool has_now_ = false;
  bool has_next_ = false;
  bool failed_ = false;
  json_parser parser_;
};

}  // namespace tickreel::echo
