// What a page asks of a recording: any format that tickreel reads, from memory. Every answer is text: JSON,
// or lines of it as the program prints them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"
#include "tickreel/viewer/held_recording.hpp"

namespace tickreel::viewer {

// Ticks have the numbers that the recording gives them, which may have holes. An answer is valid until the
// next call. What goes wrong is answered too: {"error":{"code":..,"message":..,"offset":..}}. One thread at a
// time; memory does not grow with what is asked.
class reader {
 public:
  reader();
  ~reader();

  // Where the recording is to be copied to before open(); null when it is too large. Ends the one before.
  std::byte* room(std::uint64_t bytes) noexcept;
  // Where more of the same recording goes, which grew behind what is there, before reopen().
  std::byte* append(std::uint64_t bytes) noexcept;

  // {"ok":true,"info":{as `info --json`, without "file"},"ticks":..,"first_tick":..,"first_time_ms":..,
  // "last_time_ms":..}, or {"ok":false,"error":{..},"recoverable":..}: whether `recover` may save some of it.
  const std::string& open();
  const std::string& reopen();

  // The line that `cat` prints for that tick, without its end; that of the next one where there is none of
  // that number; empty behind the last.
  const std::string& state(std::uint64_t tick);
  // Several, from there on, with a newline between them: at most `count`, and no more once they have 1 MB.
  const std::string& range(std::uint64_t from, std::uint32_t count);

  // What `events` prints. A format without events has none.
  const std::string& events();
  // What `verify --json` prints, without "file".
  const std::string& verify();
  // {"losses":[sentences]}: what was passed over since the recording was last begun with.
  const std::string& lost();

  [[nodiscard]] const std::string& answer() const noexcept { return answer_; }

 private:
  const std::string& refuse(const error& what);
  // Goes to that tick or the one behind it. False behind the last.
  result<bool> go_to(std::uint64_t tick);
  result<bool> next();
  // Appends the line of the tick at hand.
  result<void> append_line();
  void forget_place() noexcept { placed_ = false; }

  held_recording bytes_;
  std::unique_ptr<files::recording> open_;
  std::string answer_;
  bool placed_ = false;  // next() has gone to a tick, which position() is of
};

}  // namespace tickreel::viewer
