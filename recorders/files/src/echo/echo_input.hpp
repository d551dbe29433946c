// The interface of all Echo VR formats beyond echo_source, for `info`, `verify` and `seek`.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tickreel/butter/file.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// The position of the current tick.
struct tick_place {
  std::uint64_t tick = 0;
  std::uint64_t offset = 0;
  bool keyframe = false;
};

class echo_input : public echo_source {
 public:
  [[nodiscard]] virtual const tick_place& place() const noexcept = 0;
  [[nodiscard]] std::optional<std::uint64_t> tick_number() const noexcept final { return place().tick; }
  // See echo_options::tolerant. Skipped damage is collected in faults().
  virtual void set_tolerant(bool tolerant) noexcept = 0;
  [[nodiscard]] virtual const std::vector<error>& faults() const noexcept = 0;

  // The start of the recording in recorded time, if its first ticks are missing and the file contains the
  // start; otherwise it started with its first tick. Valid after the first next() that follows rewind().
  [[nodiscard]] virtual std::optional<std::int64_t> start_ms() const noexcept { return std::nullopt; }

  // Moves to a tick at or before `where`, as close as an index allows. Only for ticks and times.
  virtual result<void> approach(const moment& where) {
    (void)where;
    return rewind();
  }

  // The same when tick numbers are not needed, which may get closer. For a game clock: to a tick at which it
  // is above `where` and from which it falls to it. False: place() has no tick numbers until the next
  // rewind().
  virtual result<bool> approach_without_number(const moment& where) {
    if (where.unit == moment::by::clock) return true_after(rewind());
    return true_after(approach(where));
  }

  // The caller needs only times and game clocks: inputs that save work by it return all other fields as in a
  // default state. Takes effect at the next rewind().
  virtual void keep_times_only(bool only) { (void)only; }
  // The members that a summary reads, and zeros for the others, if that saves time.
  virtual void keep_summary_only(bool only) { (void)only; }

  // The time, the clock, the score and the disc, and zeros for the others, from the next rewind() on. False if that
  // saves no time.
  virtual bool keep_disc_only(bool only) {
    (void)only;
    return false;
  }

  // See recording::entrances().
  [[nodiscard]] virtual std::vector<entrance> entrances() const { return {}; }
  virtual void learn(const std::vector<entrance>& known) { (void)known; }
  // See recording::extend().
  virtual result<growth> extend() {
    return fail(error_code::unsupported_operation, error::no_offset,
                "this format cannot be followed while it is written");
  }

  // Checks what a checksum of the whole recording covers, whatever part of it is read: is_doubtful() is final
  // from then on. Does not affect next().
  virtual result<void> check_content(const monitor& watch) {
    (void)watch;
    return {};
  }

  // Losses before this place are no longer part of losses(), except those that shift the places of what
  // follows: `by_number` where places are numbers of ticks, else they are times.
  virtual void forget_losses(bool by_number) = 0;
  // See recording::is_shifted(). Not for clocks.
  [[nodiscard]] virtual bool is_shifted(moment::by unit) const noexcept {
    (void)unit;
    return false;
  }

  // The first tick from here that is at or after `tick`, without returning the ticks between.
  virtual result<bool> next_from(std::uint64_t tick, echo::state& out) {
    for (;;) {
      auto more = next(out);
      if (!more || !*more || place().tick >= tick) return more;
    }
  }

  // Counts the current tick's line as missing if the recording declares that it stores lines and lacks data
  // for this one. Does not restore the line, which would cost more than the tick.
  virtual void count_line() {}

  // Adds name, version, facts and players that the file's own structure contains.
  virtual void describe(summary& out) const = 0;
  // Findings about the structure; complete after every tick was read.
  virtual void inspect(std::vector<finding>& out) const = 0;

 protected:
  static result<bool> true_after(const result<void>& done) {
    if (!done) return fail(done.error());
    return true;
  }
};

// The frames' bytes of a .butter, for callers that copy them.
class butter_input_base : public echo_input {
 public:
  // The bytes of the current tick's frame; valid until the next call.
  [[nodiscard]] virtual byte_span stored_frame() const noexcept = 0;
  // The file up to the table of chunks.
  [[nodiscard]] virtual byte_span stored_head() const noexcept = 0;
  // The position of the current frame: its chunk, its offset in the chunk's content, and the size of that
  // content.
  struct frame_place {
    std::size_t chunk = 0;
    std::uint64_t offset = 0;
    std::size_t content_bytes = 0;
    std::uint64_t damaged_before = 0;  // chunks that were skipped since rewind()
  };
  [[nodiscard]] virtual frame_place stored_place() const noexcept = 0;
  // A compressed chunk of the file; empty if the file is truncated inside it. Valid until the next call.
  [[nodiscard]] virtual result<byte_span> stored_chunk(std::size_t chunk) = 0;
  [[nodiscard]] virtual const butter::file_header& head() const noexcept = 0;
};

// Opens a .butter, an .echoreplay or a reel of either, detected by content as in open_echo().
result<std::unique_ptr<echo_input>> open_echo_input(const byte_source& from, const echo_options& options);

// One function per format.
result<std::unique_ptr<butter_input_base>> open_butter(const byte_source& from, const echo_options& options);
result<std::unique_ptr<echo_input>> open_echoreplay(const byte_source& from, const echo_options& options);
// unsupported_operation for a reel of another game's encoder.
result<std::unique_ptr<echo_input>> open_echo_reel(const byte_source& from, const echo_options& options);

// Further faults are only counted.
inline constexpr std::size_t max_faults = 100;

}  // namespace tickreel::files
