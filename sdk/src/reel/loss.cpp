// Losses as sentences, and as gaps of a recovered reel.
#include "tickreel/counted.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/tick_range.hpp"

namespace tickreel::reel {

namespace {

std::string_view name_of(record_kind kind) noexcept {
  switch (kind) {
    case record_kind::chunk:
      return "chunk";
    case record_kind::event:
      return "event";
    case record_kind::header_update:
      return "header update";
    case record_kind::gap:
      return "gap";
    case record_kind::index:
      return "index";
    case record_kind::end:
      return "end";
    case record_kind::events:
      return "events";
  }
  return "record";
}

}  // namespace

std::string_view name(loss_cause cause) noexcept {
  switch (cause) {
    case loss_cause::missing_records:
      return "missing records";
    case loss_cause::missing_beginning:
      return "the beginning is missing";
    case loss_cause::damaged_record:
      return "a damaged record";
    case loss_cause::damaged_frames:
      return "damaged frames";
    case loss_cause::missing_baseline:
      return "they depend on lost ticks";
    case loss_cause::missing_header:
      return "the header that they rely on is lost";
    case loss_cause::torn_record:
      return "a record that was never completed";
  }
  return "";
}

gap_reason reason_of(loss_cause cause) noexcept {
  switch (cause) {
    case loss_cause::missing_baseline:
    case loss_cause::missing_header:
      return gap_reason::missing_baseline;
    case loss_cause::torn_record:
      return gap_reason::recorder_died;
    default:
      return gap_reason::damaged;
  }
}

bool is_between_ticks(gap_reason reason) noexcept {
  return reason != gap_reason::left_out && reason != gap_reason::recorder_died;
}

std::string loss::sentence() const {
  std::string text;
  if (ticks == 0 && exact) {
    text = kind ? std::string(name_of(*kind))
                : counted(records, "record without ticks", "records without ticks");
  } else {
    const std::string count = ticks == 0 ? "an unknown number"
                              : exact    ? tick_count_text(first.tick, last.tick, ticks)
                                         : "about " + std::to_string(ticks);
    text = tick_range_text(first.tick, last.tick) + " (" + count + ")";
    if (cause == loss_cause::missing_beginning) {
      return "begins at tick " + std::to_string(last.tick + 1) + ": " + text + " came before it";
    }
  }
  return text + ": " + std::string(reel::name(cause));
}

}  // namespace tickreel::reel
