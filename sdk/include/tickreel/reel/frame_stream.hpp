// The only iterator over a reel: its frames, events, header updates and gaps in order, and every loss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "tickreel/reel/reader.hpp"

namespace tickreel::reel {

// Why recorded data cannot be returned.
enum class loss_cause : std::uint8_t {
  missing_records,    // sequence numbers jump: the records were removed, or their heads are damaged
  missing_beginning,  // the same before the first tick: the reel of a sink that joined late, or a truncated
                      // beginning
  damaged_record,     // its head is known, its payload or hash is wrong
  damaged_frames,     // the record is whole, but its content contradicts itself
  missing_baseline,   // whole, but deltas that depend on lost ticks
  missing_header,     // whole, but the header update that they depend on is lost, and there is no later one
  torn_record,        // the last record is incomplete, or its hash is wrong
};
[[nodiscard]] std::string_view name(loss_cause cause) noexcept;

// A loss. The `ticks` were between `first` and `last`.
struct loss {
  loss_cause cause = loss_cause::missing_records;
  std::uint64_t ticks = 0;
  // False if the number is unknown. `ticks` is then an estimate from the tick numbers, or 0 without an
  // estimate. True with 0 ticks: an event, a header update or the end was lost.
  bool exact = true;
  frame_stamp first;
  frame_stamp last;
  std::uint64_t records = 0;                  // number of affected records
  std::optional<record_kind> kind;            // of those, if known
  std::uint64_t offset = 0;                   // in the file
  error_code reason = error_code::malformed;  // the error of reading

  // For users: "ticks 61 to 120 (60): a damaged record".
  [[nodiscard]] std::string sentence() const;
};
// The reason that recovery writes into the gap for this loss.
[[nodiscard]] gap_reason reason_of(loss_cause cause) noexcept;
// Whether gaps of this reason are between ticks; a late beginning and the end of an unclosed reel are not.
[[nodiscard]] bool is_between_ticks(gap_reason reason) noexcept;

// Totals of the losses reported to date. Ticks returned, `ticks` and `gap_ticks` add up to the ticks
// recorded, as long as `unknown` is 0.
struct loss_totals {
  std::uint64_t losses = 0;
  std::uint64_t ticks = 0;      // in all of them
  std::uint64_t unknown = 0;    // losses without an exact number
  std::uint64_t gaps = 0;       // gap records: ticks that the recorder did not receive or accept
  std::uint64_t gap_ticks = 0;  // in all of them

  // All ticks between the first and the last that were not returned.
  [[nodiscard]] constexpr std::uint64_t missing_ticks() const noexcept { return ticks + gap_ticks; }
};

enum class item_kind : std::uint8_t {
  frame,
  loss,
  gap,
  event,
  header_update,
  other,  // a record of an unknown kind
};

// The next element of a reel: of frame, lost, gap and event, the one of its kind is set. Bytes are valid until the
// next call.
struct item {
  item_kind kind = item_kind::frame;
  reel::frame frame;
  reel::loss lost;
  reel::gap gap;
  reel::event event;
  // The record; null for a loss. For a header update and `other` it is the only content. For an event that
  // shares its record with others, `info` has the event's own tick and time.
  const record* in = nullptr;
};

struct stream_options {
  std::size_t first_record = 0;  // chunk_for_tick() returns a starting point
  // The reel is still being written: an incomplete last record is not a loss.
  bool live = false;
  // False: chunks are skipped unread, and no frame is returned. For readers of other records.
  bool chunks = true;
};
using walk_options [[deprecated("stream_options")]] = stream_options;

// Decides which repeated events to return: those whose first copy is unreadable, once each.
class repeat_filter {
 public:
  // For record `number` of `reel`, which repeats(). Fails if the file cannot be read.
  result<bool> takes(reader& reel, std::size_t number);
  void clear() noexcept { known_.clear(); }

 private:
  std::unordered_set<std::uint32_t> known_;  // sequences of first copies
  record first_copy_;
};

// Which frames of a stream remain after a decoder rejects one: those that depend on it are lost, up to the next
// keyframe.
class baseline_check {
 public:
  // Why `one` is lost; empty if `decode()` accepts it. A frame without a baseline is not decoded.
  template <class Decode>
  [[nodiscard]] std::optional<loss_cause> cause_of_loss(const frame& one, Decode&& decode) {
    if (one.kind == frame_kind::keyframe) lacks_baseline_ = false;
    if (lacks_baseline_) return loss_cause::missing_baseline;
    if (decode()) return std::nullopt;
    lacks_baseline_ = true;
    return loss_cause::damaged_frames;
  }

 private:
  bool lacks_baseline_ = false;
};

// Returns every readable tick in order, and every loss in its place. It never returns a tick that depends on
// missing data: each run of frames starts with a keyframe, so a decoder of every returned frame always has
// the right baseline. The reader must outlive it. One thread at a time.
class frame_stream {
 public:
  explicit frame_stream(reader& reel, const stream_options& options = {}) noexcept
      : reel_(&reel), options_(options) {
    restart(options.first_record);
  }

  // False at the end; if the reel is still being written, call again after reader::refresh(). Fails only if
  // the file cannot be read.
  result<bool> next(item& out);
  // The next frame; skips everything else, which totals() counts.
  result<bool> next(frame& out);

  // Continues at record `first`, or at the gaps directly before it; totals start at zero.
  void restart(std::size_t first) noexcept;

  // The record of the last frame.
  [[nodiscard]] const record_info& chunk() const noexcept { return record_.info; }
  // The number of the next record.
  [[nodiscard]] std::size_t next_record_number() const noexcept { return next_record_; }
  // The number of its frames that can be returned.
  [[nodiscard]] std::uint64_t sound_frames() const noexcept { return sound_frames_; }
  // Those frames are the whole payload, and as many as the head states.
  [[nodiscard]] bool is_sound_chunk() const noexcept {
    return sound_frames_ == record_.info.frames && sound_bytes_ == record_.payload.size();
  }

  [[nodiscard]] const loss_totals& totals() const noexcept { return totals_; }
  // The first losses that next(frame) skipped, at most `max_kept`.
  static constexpr std::size_t max_kept = 100;
  [[nodiscard]] const std::vector<loss>& skipped_losses() const noexcept { return skipped_losses_; }
  [[deprecated("skipped_losses")]] const std::vector<loss>& passed_over() const noexcept {
    return skipped_losses_;
  }

 private:
  enum class step : std::uint8_t { again, given, end };
  result<step> next_record(item& out);
  result<step> open_chunk(const record_info& info, item& out);
  result<step> open_small(const record_info& info, item& out);
  bool next_event(item& out);
  step report_loss(loss what, item& out);
  step report_tail(item& out);
  result<void> find_lost_header();
  [[nodiscard]] bool lacks_ticks_before(const record_info& info) const noexcept;
  [[nodiscard]] loss hole_before(const record_info& info) const;
  [[nodiscard]] loss lost(const record_info& info, loss_cause cause, error_code reason) const;
  void pass(const record_info& info) noexcept;
  [[nodiscard]] bool is_decodable(std::size_t chunk) const noexcept;
  void count_readable_frames() noexcept;

  reader* reel_;
  stream_options options_;
  std::size_t next_record_ = 0;
  bool hole_reported_ = false;  // the one before next_record_
  bool tail_reported_ = false;
  record record_;
  std::optional<frame_cursor> frames_;
  std::optional<event_cursor> events_;
  std::uint64_t sound_frames_ = 0;  // of the chunk in record_
  std::size_t sound_bytes_ = 0;
  std::uint64_t frames_given_ = 0;
  frame_stamp last_given_;
  bool has_baseline_ = false;
  std::size_t headerless_from_ = 0;
  std::size_t searched_records_ = static_cast<std::size_t>(-1);
  // The last chunk or gap before the current position, whole or not.
  std::optional<frame_stamp> last_stamp_;
  loss_totals totals_;
  std::vector<loss> skipped_losses_;
  repeat_filter repeats_;
};

}  // namespace tickreel::reel
