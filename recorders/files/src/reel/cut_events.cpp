#include "cut_events.hpp"

#include "tickreel/echo/events.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"
#include "tickreel/tracks/events.hpp"

namespace tickreel::files {

bool cut_events::takes_along(std::uint64_t tick, const reel::event& one, std::uint64_t first_tick,
                             std::uint64_t last_tick) {
  switch (one.type) {
    case tracks::event_description_type:
      return true;
    case echoreplay::line_event:
      return tick < first_tick && echoreplay::line_restorer::is_shape(one.bytes);
    case echo::omission_event: {
      // Omissions are reported again at the end of a recording. The first report after the part may belong to
      // later ticks; the last one before it may have been repeated.
      echo::omission_tally known;
      return known.take_record(one.bytes) && !known.entries().empty() &&
             known.entries().front().first.tick <= last_tick;
    }
    default:
      return false;
  }
}

void cut_events::change(std::uint32_t type, byte_vector& bytes) {
  if (type == echo::omission_event) (void)unrecorded_.take_record(bytes);
  if (type != echo::event_record) return;
  const auto known = echo::read_event_record(bytes);
  if (!known) return;
  if (!first_number_) first_number_ = known->number;
  byte_vector again(echo::max_event_record_bytes);
  again.resize(echo::write_event_record(known->what, known->number - *first_number_, again));
  bytes = std::move(again);
}

void cut_events::apply_to(reel::cut_options& how) {
  how.takes_along = [first = how.first_tick, last = how.last_tick](std::uint64_t tick,
                                                                   const reel::event& one) {
    return takes_along(tick, one, first, last);
  };
  how.change_event = [this](std::uint32_t type, byte_vector& bytes) { change(type, bytes); };
}

}  // namespace tickreel::files
