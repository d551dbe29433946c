#include "match_container.hpp"

#include "reels/reel_losses.hpp"

namespace tickreel::files {

result<match_container> container_of(const byte_source& reel) {
  auto source = tickreel::reel::reader::open(reel);
  if (!source) return fail(source.error());
  const auto losses = losses_of(*source);
  if (!losses) return fail(losses.error());
  match_container container;
  losses->inspect(container.findings, source->is_being_written());
  inspect_end(*source, container.findings);
  // A header update contains the end of a match. If the recorder was destroyed, its reel is closed without
  // one.
  const auto last_words = source->last_header_update();
  container.recovered = is_recovered(source->head());
  const bool ended = (last_words && !last_words->empty()) || container.recovered;
  const bool closed = source->contents().end == tickreel::reel::reel_end::closed;
  if (closed && !ended) {
    container.findings.push_back({severity::warning, source->contents().valid_bytes,
                                  "the match was not ended: its recorder was destroyed without end()"});
  }
  container.losses = losses->sentences();
  container.ended = closed && ended;
  if (!closed) container.end_sentence = why_unfinished(*source);
  container.whole = !losses->damaged() && container.ended;
  return container;
}

}  // namespace tickreel::files
