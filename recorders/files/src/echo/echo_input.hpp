// What every Echo VR format tells beyond echo_source, for `info`, `verify` and `seek`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tickreel/butter/file.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// Where the tick stands that next() gave last.
struct tick_place {
  std::uint64_t tick = 0;
  std::uint64_t offset = 0;
  bool keyframe = false;
};

class echo_input : public echo_source {
 public:
  [[nodiscard]] virtual const tick_place& place() const noexcept = 0;
  [[nodiscard]] std::optional<std::uint64_t> tick_number() const noexcept final { return place().tick; }
  // See echo_options::tolerant. What is passed over is kept in faults().
  virtual void set_tolerant(bool tolerant) noexcept = 0;
  [[nodiscard]] virtual const std::vector<error>& faults() const noexcept = 0;

  // When the recording began, in recorded time, where its first ticks are missing and the file says it; else
  // it began with its first tick. Valid after the first next() behind rewind().
  [[nodiscard]] virtual std::optional<std::int64_t> start_ms() const noexcept { return std::nullopt; }

  // Puts next() at a tick that is not after `where`, as near as an index leads. Only for ticks and times.
  virtual result<void> approach(const moment& where) {
    (void)where;
    return rewind();
  }

  // The same where numbers of ticks are of no use, which may lead nearer; for a game clock before a tick at
  // which it stands above `where`, from which it falls to it. False: place() does not know numbers until the
  // next rewind().
  virtual result<bool> approach_without_number(const moment& where) {
    if (where.unit == moment::by::clock) return true_after(rewind());
    return true_after(approach(where));
  }

  // Whoever reads on wants the ticks' times and game clocks alone: where that spares work, the rest is as in
  // a fresh state. To be said before a rewind().
  virtual void keep_times_only(bool only) { (void)only; }
  // The members that a summary reads, and zeros for the others, if that saves time.
  virtual void keep_summary_only(bool only) { (void)only; }

  // See recording::entrances().
  [[nodiscard]] virtual std::vector<entrance> entrances() const { return {}; }
  virtual void learn(const std::vector<entrance>& known) { (void)known; }
  // See recording::extend().
  virtual result<growth> extend() {
    return fail(error_code::unsupported_operation, error::no_offset,
                "this format is not followed as it grows");
  }

  // Nothing that was lost or left out up to here is told by losses().
  virtual void forget_losses() = 0;

  // The first tick from here on that is not before number `tick`, without showing those in between.
  virtual result<bool> next_from(std::uint64_t tick, echo::state& out) {
    for (;;) {
      auto more = next(out);
      if (!more || !*more || place().tick >= tick) return more;
    }
  }

  // Counts the line of the tick that next() gave last where the recording says that it kept it and lacks what
  // it needs; without making it, which costs more than the tick.
  virtual void count_line() {}

  // Name, version, facts and players as far as the file's own structure tells them.
  virtual void describe(summary& out) const = 0;
  // What is wrong with the structure; complete after every tick was looked at.
  virtual void inspect(std::vector<finding>& out) const = 0;

 protected:
  static result<bool> true_after(const result<void>& done) {
    if (!done) return fail(done.error());
    return true;
  }
};

// What only a .butter has: the bytes of its frames, for those who keep them.
class butter_input_base : public echo_input {
 public:
  // Of the tick that next() gave last; until the next call.
  [[nodiscard]] virtual byte_span stored_frame() const noexcept = 0;
  // The file up to the table of its chunks.
  [[nodiscard]] virtual byte_span stored_head() const noexcept = 0;
  // Where the frame stands that next() gave last: in which chunk, from which byte of its content on, and how
  // many that has.
  struct frame_place {
    std::size_t chunk = 0;
    std::uint64_t offset = 0;
    std::size_t content_bytes = 0;
  };
  [[nodiscard]] virtual frame_place stored_place() const noexcept = 0;
  // A chunk as it stands in the file; nothing where the file lacks some of it. Until the next call.
  [[nodiscard]] virtual result<byte_span> stored_chunk(std::size_t chunk) = 0;
  [[nodiscard]] virtual const butter::file_header& head() const noexcept = 0;
};

// A .butter, an .echoreplay or a reel of either; told by content, as open_echo() does.
result<std::unique_ptr<echo_input>> open_echo_input(const byte_source& from, const echo_options& options);

// One per format: butter_input.cpp, echoreplay_input.cpp, reel_input.cpp.
result<std::unique_ptr<butter_input_base>> open_butter(const byte_source& from, const echo_options& options);
result<std::unique_ptr<echo_input>> open_echoreplay(const byte_source& from, const echo_options& options);
// unsupported_operation for a reel whose encoder is not an Echo VR one.
result<std::unique_ptr<echo_input>> open_echo_reel(const byte_source& from, const echo_options& options);

// Faults beyond this many are only counted.
inline constexpr std::size_t most_faults = 100;

}  // namespace tickreel::files
