// Reads the events of a reel of described structs, known or not: the inverse of event_queue.
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
  std::uint32_t type = 0;             // as stored in the reel
  const schema* described = nullptr;  // null: undescribed bytes
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

  // The next event in the order in which they were written: that of ticks, except for late events.
  // Descriptions are not returned. False at the end; during a recording call it again after
  // reader::refresh(). Fails only if the file cannot be read.
  result<bool> next(event_view& out);

  // One event of a record, by the record's number in the table of contents, for another order; false if it is
  // a description, or damaged. Fails if the file cannot be read. Does not count losses and does not affect next().
  // Fast for the event after the last one.
  result<bool> read(std::size_t record, std::uint32_t number, event_view& out);

  // The schema of each known kind, by its number. Scans the whole reel.
  result<const std::map<std::uint32_t, schema>*> kinds();

  // Records that next() missed and that were, or may have been, events.
  [[nodiscard]] const std::vector<reel::loss>& losses() const noexcept { return losses_; }
  // Events whose description is lost, or whose bytes do not match it; they are returned without a
  // description.
  [[nodiscard]] std::uint64_t unreadable() const noexcept { return unreadable_; }

 private:
  void learn(byte_span description);
  result<void> learn_all();
  [[nodiscard]] result<const schema*> described_as(std::uint32_t number);
  // False if its description is lost or belongs to another event.
  result<bool> show(const frame_stamp& stamp, const reel::event& one, event_view& out);

  reel::reader* source_;
  reel::frame_stream stream_;
  std::map<std::uint32_t, schema> kinds_;
  std::size_t learned_records_ = 0;
  std::vector<reel::loss> losses_;
  std::uint64_t unreadable_ = 0;
  // The last record of read(), and the number of its events that were read.
  reel::record read_;
  std::optional<std::size_t> read_record_;
  std::optional<reel::event_cursor> read_events_;
  std::uint32_t read_number_ = 0;
};

}  // namespace tickreel::tracks
