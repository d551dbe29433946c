// The events of a reel that later ticks depend on, and when each is repeated: one bad bit must not lose such an event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

class reader;

class lasting_events {
 public:
  // Keeps an event, the first copy of which is record `sequence` of a reel of so many chunks. Recorders may append one
  // twice. Its bytes are bounded; further events are not repeated.
  void remember(const record_info& info, std::uint32_t sequence, std::uint32_t type, byte_span payload,
                std::uint64_t chunks);
  // Restores the events of the first `kept` records of `from`. Returns the number of chunks in these.
  result<std::uint64_t> restore(reader& from, std::size_t kept);

  // A sink joined without them: the next repeat() repeats all.
  void repeat_all() noexcept { repeat_all_ = !events_.empty(); }
  // Calls append(about, payload) for each event that is due: after the next chunk, then at growing intervals, and at the
  // end. False ends it: a disk that rejects one also rejects the next record, which reports that; the event is retried
  // after the next chunk.
  template <class Append>
  void repeat(std::uint64_t chunks, bool at_end, Append&& append) {
    for (lasting_event& each : events_) {
      if (!repeat_all_ && !is_due(each, chunks, at_end)) continue;
      if (!append(each.about, byte_span(each.payload))) return;
      note_copy(each, chunks);
    }
    repeat_all_ = false;
  }

 private:
  struct lasting_event {
    record_info about;
    std::uint32_t type = 0;
    byte_vector payload;
    std::uint32_t copies = 1;
    std::uint64_t copied_at = 0;  // chunks in the reel when the last copy was written
    std::uint64_t interval = 1;   // in chunks
  };
  [[nodiscard]] static bool is_due(const lasting_event& each, std::uint64_t chunks, bool at_end) noexcept {
    const std::uint64_t since = chunks - each.copied_at;
    return at_end ? since != 0 || each.copies == 1 : since >= each.interval;
  }
  static void note_copy(lasting_event& each, std::uint64_t chunks) noexcept;

  std::vector<lasting_event> events_;
  std::size_t bytes_ = 0;  // of all payloads
  bool repeat_all_ = false;
};

}  // namespace tickreel::reel
