// The writer thread's part of a recorder, independent of state and encoder. Used by recorder.hpp.
//
// It is hidden behind this header, so that a game that includes the recorder gets no thread, clock, codec or file
// header with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "tickreel/io/path.hpp"
#include "tickreel/record/encoder.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

class system_calls;

namespace detail {

// Number of missing ticks between `first` and `last`.
struct tick_loss {
  std::uint64_t count = 0;
  frame_stamp first;
  frame_stamp last;

  bool has_unknown = false;  // and an unknown number more

  [[nodiscard]] bool empty() const noexcept { return count == 0 && !has_unknown; }
  void add(const tick_loss& more) noexcept {
    if (more.empty()) return;
    if (empty() || more.first.tick < first.tick) first = more.first;
    if (empty() || more.last.tick > last.tick) last = more.last;
    count += more.count;
    has_unknown = has_unknown || more.has_unknown;
  }
  void add(std::uint64_t more, frame_stamp from, frame_stamp to) noexcept { add({more, from, to}); }
};

// The interface of the typed half of a recorder to the pipeline.
struct tick_source {
  void* self = nullptr;
  // Encodes up to `limit` waiting ticks through begin_frame()/end_frame(); returns how many.
  std::size_t (*drain)(void* self, std::size_t limit) noexcept = nullptr;
  // Null for an encoder without its own header.
  std::uint32_t (*header_revision)(const void* self) noexcept = nullptr;
  void (*write_header)(const void* self, byte_writer& out) noexcept = nullptr;
  // May be null. The oldest `frames` that were not reported before are in the reel, or are lost.
  void (*sealed)(void* self, bool written, std::uint32_t frames) noexcept = nullptr;
  // May be null. An event that drain() added could not be written.
  void (*event_lost)(void* self, std::uint32_t type) noexcept = nullptr;
  // May be null. New sinks have joined, which have none of the earlier records.
  void (*sinks_joined)(void* self) noexcept = nullptr;
  // Null if each tick is a frame. Otherwise rows are collected, and written as one block when their chunk is
  // sealed. clear_rows() follows, also if they are lost. Ticks arrive through begin_row()/end_row().
  void (*write_block)(void* self, byte_writer& out) noexcept = nullptr;
  void (*clear_rows)(void* self) noexcept = nullptr;
  std::size_t max_block_bytes = 0;
  std::size_t max_block_rows = 0;
  std::size_t max_header_bytes = 0;
  // 0: frames of any size, by frame().
  std::size_t max_frame_bytes = 0;
  std::string_view encoder_name;
  std::uint32_t encoder_version = 0;
};

// Final calls to the encoder by close(), after all waiting ticks were encoded.
struct closing {
  void* self = nullptr;
  // May add frames, events and gaps, as drain() does.
  void (*last_frames)(void* self) noexcept = nullptr;
  // Appends a header that follows all other records, after all of them are in the reel or counted as lost.
  void (*last_header)(void* self, byte_vector& out) noexcept = nullptr;
};

class pipeline {
 public:
  // Creates the reel and writes its header. With an empty `path` there is no file, only `sinks`, at least
  // one. `calls` null: the real system.
  static result<std::unique_ptr<pipeline>> create(const file_path& path, const tick_source& source,
                                                  const recorder_options& options,
                                                  std::vector<std::unique_ptr<reel::sink>> sinks,
                                                  system_calls* calls);
  ~pipeline();
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  // Starts the writer thread, if the options require one.
  result<void> start();
  // Drains, seals, writes index and end, syncs. `unwritten`: ticks dropped after the last push.
  result<close_report> close(const tick_loss& unwritten, const closing& last = {});
  // The pipeline's counters: all except pushed, dropped and refused.
  void add_counters(recorder_counters& to) const noexcept;
  [[nodiscard]] std::optional<error> failure() const;

  // threading::pumped: performs the work of the writer thread.
  std::size_t pump(std::size_t max_ticks) noexcept;
  [[nodiscard]] bool is_pumped() const noexcept;

  // From any thread.
  void force_keyframe() noexcept;
  bool event(frame_stamp stamp, std::uint32_t type, byte_span bytes, bool needed_later = false);
  void note_gap(const tick_loss& loss, reel::gap_reason reason);
  void add_sink(std::unique_ptr<reel::sink> sink);

  // From drain() only. begin_frame() may seal; then encode into room(), then end_frame().
  void note_dropped(const tick_loss& loss) noexcept;
  [[nodiscard]] frame_kind begin_frame(frame_stamp stamp, bool needs_keyframe) noexcept;
  [[nodiscard]] mutable_byte_span room() noexcept;
  void end_frame(frame_stamp stamp, frame_kind kind, const byte_writer& frame) noexcept;
  // The same for rows of a block. begin_row() may seal. It returns a keyframe for the first row of a block, and a delta
  // for all others; also a delta for the first row if the encoder's next block `continues` the one before, and the
  // intervals of keyframes permit it. `taken`: the encoder has added it; `full`: it accepts no more.
  [[nodiscard]] frame_kind begin_row(frame_stamp stamp, bool continues) noexcept;
  void end_row(frame_stamp stamp, frame_kind kind, bool taken, bool full) noexcept;
  // From drain(), for frames of any size and a kind that the encoder chose; `parts` in order are the frame.
  // False if it is larger than a chunk, or is a delta and its predecessor was lost while space was made for
  // it. The tick is then counted as lost.
  bool frame(frame_stamp stamp, frame_kind kind, std::span<const byte_span> parts) noexcept;
  // force_keyframe() was called, or a sink joins.
  [[nodiscard]] bool wants_keyframe() const noexcept;
  void add_event(frame_stamp stamp, std::uint32_t type, byte_span bytes, bool needed_later = false);
  void lose_event(std::uint32_t type) noexcept;
  // Ticks that never arrived; as note_gap().
  void add_gap(const tick_loss& loss, reel::gap_reason reason) noexcept;
  // A tick that arrived, but has no frame.
  void lose(frame_stamp stamp, reel::gap_reason reason) noexcept;
  // Bytes of frames, events and other records up to now.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  struct state;
  explicit pipeline(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

// Microseconds of a monotonic clock.
[[nodiscard]] std::int64_t steady_time_us() noexcept;

// Yields the processor; longer with every attempt.
void wait_for_room(std::uint32_t attempt) noexcept;

}  // namespace detail
}  // namespace tickreel
