#include "unrecorded.hpp"

#include "reel_encoders.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

void unrecorded_events::note(const reel::item& next) {
  if (next.kind == reel::item_kind::event && next.event.type == echo::omission_event) {
    (void)tally_.take_record(next.event.bytes);
  }
  if (next.kind == reel::item_kind::gap && next.gap.reason == reel::gap_reason::recorder_died) {
    recorder_died_ = true;
  }
}

void unrecorded_events::end(const reel::table_of_contents& contents) {
  tally_.set_at_least(recorder_died_ || contents.end != reel::reel_end::closed);
}

void unrecorded_events::clear() {
  tally_.clear();
  tally_.set_at_least(true);
  recorder_died_ = false;
}

result<echo::omission_tally> unrecorded_in(const file_path& reel) {
  auto source = reel::reader::open(reel);
  if (!source) return fail(source.error());
  const reel_encoder* const encoder = known_reel_encoder(source->head());
  if (encoder == nullptr || encoder->open_echo == nullptr) return echo::omission_tally();
  unrecorded_events found;
  reel::frame_stream items(*source, {.chunks = false});
  reel::item next;
  for (;;) {
    const auto more = items.next(next);
    if (!more) return fail(more.error());
    if (!*more) break;
    found.note(next);
  }
  found.end(source->contents());
  return found.tally();
}

std::string unrecorded_sentence(const std::string& omission) {
  return "while recording, " + omission;
}

void append_unrecorded(const echo::omission_tally& from, std::vector<std::string>& lost) {
  for (const std::string& each : from.sentences()) lost.push_back(unrecorded_sentence(each));
}

}  // namespace tickreel::files
