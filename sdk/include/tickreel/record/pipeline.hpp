// What a recorder does on its writer thread, without knowing the state or the encoder. Used by recorder.hpp.
//
// It lives behind this header so that a game which includes the recorder gets no thread, clock, codec or file
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

// Ticks that are missing between `first` and `last`.
struct tick_loss {
  std::uint64_t count = 0;
  frame_stamp first;
  frame_stamp last;

  void add(std::uint64_t more, frame_stamp from, frame_stamp to) noexcept {
    if (more == 0) return;
    if (count == 0 || from.tick < first.tick) first = from;
    if (count == 0 || to.tick > last.tick) last = to;
    count += more;
  }
};

// The typed half of a recorder, as the pipeline sees it.
struct tick_source {
  void* self = nullptr;
  // Encodes up to `limit` waiting ticks through begin_frame()/end_frame(); returns how many.
  std::size_t (*drain)(void* self, std::size_t limit) noexcept = nullptr;
  // Null for an encoder without a header of its own.
  std::uint32_t (*header_revision)(const void* self) noexcept = nullptr;
  void (*write_header)(const void* self, byte_writer& out) noexcept = nullptr;
  // Null for who does not ask. The oldest `frames` that were not told of yet are in the reel, or are lost.
  void (*sealed)(void* self, bool written, std::uint32_t frames) noexcept = nullptr;
  // Null for who does not ask. An event that drain() added could not be written.
  void (*event_lost)(void* self, std::uint32_t type) noexcept = nullptr;
  // Null for who does not ask. Sinks have joined that have seen nothing of what was written.
  void (*sinks_joined)(void* self) noexcept = nullptr;
  // Null where each tick is a frame. Else rows are gathered, and written as one block when their chunk is
  // sealed; then clear_rows() is called, also when they are lost. Ticks come through begin_row()/end_row().
  void (*write_block)(void* self, byte_writer& out) noexcept = nullptr;
  void (*clear_rows)(void* self) noexcept = nullptr;
  std::size_t max_block_bytes = 0;
  std::size_t max_block_rows = 0;
  std::size_t max_header_bytes = 0;
  // 0: of any size, by frame().
  std::size_t max_frame_bytes = 0;
  std::string_view encoder_name;
  std::uint32_t encoder_version = 0;
};

// What an encoder has to say when everything that waited has been encoded, by close().
struct closing {
  void* self = nullptr;
  // May add frames, events and gaps, as drain() does.
  void (*last_frames)(void* self) noexcept = nullptr;
  // Appends a header that stands behind everything else, when all of that is in the reel or counted as lost.
  void (*last_header)(void* self, byte_vector& out) noexcept = nullptr;
};

class pipeline {
 public:
  // Creates the reel and writes its header. `path` empty: no file, only `sinks`, one at least.
  // `calls` null: the real system.
  static result<std::unique_ptr<pipeline>> create(const file_path& path, const tick_source& source,
                                                  const recorder_options& options,
                                                  std::vector<std::unique_ptr<reel::sink>> sinks,
                                                  system_calls* calls);
  ~pipeline();
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  // Starts the writer thread, if there is to be one.
  result<void> start();
  // Drains, seals, writes index and end, syncs. `unwritten`: what was dropped after the last push.
  result<close_report> close(const tick_loss& unwritten, const closing& last = {});
  // As far as the pipeline knows them: all but pushed, dropped and refused.
  void add_counters(recorder_counters& to) const noexcept;
  [[nodiscard]] std::optional<error> failure() const;

  // threading::pumped: what the writer thread would do.
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
  // The same for rows of a block. begin_row() may seal, and says which place in the block the tick has: a
  // keyframe is the first. `taken`: the encoder has it; `full`: it takes no more.
  [[nodiscard]] frame_kind begin_row(bool needs_keyframe) noexcept;
  void end_row(frame_stamp stamp, frame_kind kind, bool taken, bool full) noexcept;
  // The same from drain(), for frames of any size and a kind that the encoder chose: all of it from `parts`,
  // one behind the other. False when no chunk holds so much, or when it is a delta and making room lost what
  // it stands on: then the tick is lost, and counted.
  bool frame(frame_stamp stamp, frame_kind kind, std::span<const byte_span> parts) noexcept;
  // Somebody waits for a keyframe: force_keyframe() was called, or a sink joins.
  [[nodiscard]] bool wants_keyframe() const noexcept;
  void add_event(frame_stamp stamp, std::uint32_t type, byte_span bytes, bool needed_later = false);
  void lose_event(std::uint32_t type) noexcept;
  // Ticks that never came; as note_gap().
  void add_gap(const tick_loss& loss, reel::gap_reason reason) noexcept;
  // A tick that came, and of which no frame is made.
  void lose(frame_stamp stamp, reel::gap_reason reason) noexcept;
  // Frames, events and what else will stand in the reel, so far.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  struct state;
  explicit pipeline(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

// Microseconds of a clock that never goes back.
[[nodiscard]] std::int64_t steady_time_us() noexcept;

// Gives the processor away; longer with every attempt.
void wait_for_room(std::uint32_t attempt) noexcept;

}  // namespace detail
}  // namespace tickreel
