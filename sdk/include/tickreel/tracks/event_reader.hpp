// The events of a reel of described structs, known or not: the mirror of event_queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tracks/events.hpp"

namespace tickreel::tracks {

struct event_view {
  frame_stamp stamp;
  std::uint32_t type = 0;             // as it stands in the reel
  const schema* described = nullptr;  // null: bytes of which nobody says what they are
  byte_span bytes;                    // until the next call
  [[nodiscard]] std::string_view name() const noexcept {
    return described == nullptr ? std::string_view() : std::string_view(described->root().name);
  }
};

// One thread at a time.
class event_reader {
 public:
  // `source` must outlive it. `live`: the reel is still being recorded.
  explicit event_reader(reel::reader& source, bool live = false);

  // The next in the order in which they were written, which is that of ticks but for those that came late.
  // Descriptions are not given. False at the end; while it is recorded call again after reader::refresh().
  // Fails only when the file cannot be read.
  result<bool> next(event_view& out);

  // One of those of a record by its number in the table of contents, for those who want another order; false
  // where it is a description, or cannot be read. Counts nothing as lost. next() is where it was. Fast for
  // the one behind the last.
  result<bool> read(std::size_t record, std::uint32_t number, event_view& out);

  // What is known of each kind, by its number. Looks through the whole reel.
  result<const std::map<std::uint32_t, schema>*> kinds();

  // Records that next() missed and that were events, or of which nobody knows what they were.
  [[nodiscard]] const std::vector<reel::loss>& losses() const noexcept { return losses_; }
  // Events that it came by whose description is lost, or whose bytes do not fit it; given without one.
  [[nodiscard]] std::uint64_t unreadable() const noexcept { return unreadable_; }

 private:
  void learn(byte_span description);
  result<void> learn_all();
  [[nodiscard]] result<const schema*> described_as(std::uint32_t number);
  // False where its description is lost or is another's.
  result<bool> show(const frame_stamp& stamp, const reel::event& one, event_view& out);

  reel::reader* source_;
  reel::frame_stream walk_;
  std::map<std::uint32_t, schema> kinds_;
  std::size_t learned_records_ = 0;
  std::vector<reel::loss> losses_;
  std::uint64_t unreadable_ = 0;
  // What read() read last, and how many of its events it has seen.
  reel::record read_;
  std::optional<std::size_t> read_record_;
  std::optional<reel::event_cursor> read_events_;
  std::uint32_t read_number_ = 0;
};

}  // namespace tickreel::tracks
