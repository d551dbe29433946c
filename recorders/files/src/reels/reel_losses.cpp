#include "reel_losses.hpp"

#include <limits>
#include <utility>

#include "reel_facts.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/reel/tick_range.hpp"

namespace tickreel::files {

namespace {

using reel::gap_reason;

std::string_view name(gap_reason reason) {
  switch (reason) {
    case gap_reason::ring_full:
      return "the recorder could not keep up";
    case gap_reason::sink_failed:
      return "they could not be written";
    case gap_reason::source_failed:
      return "the source did not deliver them";
    case gap_reason::encoder_failed:
      return "the encoder wrote more than it had declared";
    case gap_reason::recorder_died:
      return "the recorder died";
    case gap_reason::damaged:
      return "their record was damaged or missing";
    case gap_reason::missing_baseline:
      return "they depended on missing ticks";
    case gap_reason::left_out:
      return "left out";
  }
  return "for an unknown reason";
}

// True for gaps that a copy reports, not the recorder.
bool was_recovered(gap_reason reason) {
  return reason >= gap_reason::recorder_died;
}

std::string sentence(const reel::gap& reported, const reel::record_info& info) {
  const bool one = info.first_tick == info.last_tick;
  std::string text = reel::tick_range_text(info.first_tick, info.last_tick);
  if (reported.reason == gap_reason::recorder_died && reported.ticks == 0)
    return "after " + text + ": the recorder died";
  const std::string count = reel::tick_count_text(info.first_tick, info.last_tick, reported.ticks);
  if (reported.reason == gap_reason::left_out) {
    const std::string begin = "begins at tick " + std::to_string(info.last_tick + 1) + ": ";
    if (reported.ticks == 0) return begin + "earlier ticks are missing";
    return begin + text + " (" + count + ") before it are missing";
  }
  if (one && reported.ticks == 0) text = "at " + text;
  text += reported.ticks == 0 ? " (an unknown number)" : " (" + count + ")";
  return text + ": " + std::string(name(reported.reason));
}

}  // namespace

void held_losses::restart(std::size_t record) {
  entrance_ = record;
  is_at_entrance_ = true;
  held_.clear();
}

void held_losses::note(const reel::item& next, std::size_t next_record, std::uint64_t first_tick,
                       reel_losses& into) {
  constexpr std::size_t max_held = 64;  // a recorder writes one for each reason
  const bool at_entrance = entrance_ != 0 && next_record <= entrance_;
  const bool is_gap = next.kind == reel::item_kind::gap;
  if ((is_gap ? next.in->info.last_tick : next.lost.last.tick) < first_tick) return;
  const bool is_held = is_gap || (at_entrance && next.kind == reel::item_kind::loss);
  if (!is_held || held_.size() >= max_held) return into.note(next);
  held_loss one{next, {}, next.lost.first.tick, next.lost.last.tick, at_entrance};
  if (is_gap) {
    one.info = next.in->info;
    one.first_tick = one.info.first_tick;
    one.last_tick = one.info.last_tick;
  }
  held_.push_back(std::move(one));
}

void held_losses::pass(std::uint64_t tick, bool is_skipped, reel_losses& into) {
  // Those before the first chunk are before the requested ticks.
  std::erase_if(held_, [&](const held_loss& each) {
    return is_at_entrance_ && each.at_entrance && tick > each.last_tick;
  });
  is_at_entrance_ = false;
  for (held_loss& each : held_) {
    if (tick > each.first_tick && !is_skipped) note(each, into);
  }
  std::erase_if(held_, [tick](const held_loss& each) { return tick > each.last_tick; });
}

void held_losses::note_all(reel_losses& into) {
  for (held_loss& each : held_) note(each, into);
  held_.clear();
}

void held_losses::forget() noexcept {
  for (held_loss& each : held_) each.is_noted = false;
}

void held_losses::note(held_loss& one, reel_losses& into) {
  if (std::exchange(one.is_noted, true)) return;
  reel::record in;
  in.info = one.info;
  one.what.in = &in;
  into.note(one.what);
  one.what.in = nullptr;
}

void reel_losses::note(const reel::item& next) {
  if (next.kind == reel::item_kind::loss) add(next.lost);
  if (next.kind != reel::item_kind::gap) return;
  ticks_ += next.gap.ticks;
  gap_ticks_ += next.gap.ticks;
  if (next.gap.ticks == 0 && reel::is_between_ticks(next.gap.reason)) ++unknown_places_;
  // These are reported as a sum.
  const bool while_recording = !was_recovered(next.gap.reason);
  if (while_recording) while_recording_ += next.gap.ticks;
  if (next.gap.reason == gap_reason::left_out) note_beginning(next.in->info.last_tick, next.gap.ticks);
  if (!while_recording && continues(next)) {
    gaps_.back().reported.ticks += next.gap.ticks;
    gaps_.back().info.last_tick = next.in->info.last_tick;
    return;
  }
  if (gaps_.size() < max_places) {
    gaps_.push_back({next.gap, next.in->info});
  } else {
    ++more_gaps_;
    if (!while_recording || next.gap.ticks == 0) has_more_ = true;
  }
}

void reel_losses::note_beginning(std::uint64_t last_before, std::uint64_t ticks) noexcept {
  begins_late_ = true;
  begins_at_ = last_before + 1;
  ticks_before_ += ticks;
}

// Whether the gap continues the previous one; items without ticks may be between them.
bool reel_losses::continues(const reel::item& next) const {
  if (gaps_.empty() || more_gaps_ != 0 || next.gap.ticks == 0) return false;
  const gap_place& before = gaps_.back();
  return before.reported.reason == next.gap.reason && before.reported.ticks != 0 &&
         before.info.last_tick + 1 == next.in->info.first_tick;
}

void reel_losses::add(const reel::loss& lost) {
  ticks_ += lost.ticks;
  if (lost.cause == reel::loss_cause::missing_beginning) {
    note_beginning(lost.last.tick, lost.ticks);
  } else if (lost.cause != reel::loss_cause::torn_record) {
    damaged_ = true;
    if (!lost.exact && lost.ticks == 0) ++unknown_places_;
  }
  merge(lost);
}

result<reel_losses> losses_of(reel::reader& source) {
  return losses_of(source, 0, std::numeric_limits<std::uint64_t>::max());
}

result<reel_losses> losses_of(reel::reader& source, std::uint64_t first_tick, std::uint64_t last_tick) {
  reel_losses all;
  reel::frame_stream walk(source);
  reel::item next;
  for (;;) {
    const auto more = walk.next(next);
    if (!more) return fail(more.error());
    if (!*more) return all;
    std::uint64_t first = next.lost.first.tick;
    std::uint64_t last = next.lost.last.tick;
    if (next.kind == reel::item_kind::gap) {
      first = next.in->info.first_tick;
      last = next.in->info.last_tick;
    } else if (next.kind != reel::item_kind::loss) {
      continue;
    }
    if (first <= last_tick && last >= first_tick) all.note(next);
  }
}

void reel_losses::merge(const reel::loss& lost) {
  if (!losses_.empty()) {
    reel::loss& before = losses_.back();
    const bool same = before.cause == lost.cause && before.exact == lost.exact && before.kind == lost.kind &&
                      before.last.tick + 1 >= lost.first.tick && before.last.tick <= lost.first.tick;
    if (same && lost.ticks != 0) {
      before.ticks += lost.ticks;
      before.records += lost.records;
      before.last = lost.last;
      return;
    }
  }
  if (losses_.size() < max_places) {
    losses_.push_back(lost);
  } else {
    ++more_losses_;
    has_more_ = true;
  }
}

std::vector<std::string> reel_losses::sentences() const {
  std::vector<std::string> all;
  for (const reel::loss& each : losses_) all.push_back(each.sentence());
  for (const gap_place& each : gaps_) {
    const bool counts = each.reported.reason != gap_reason::recorder_died || each.reported.ticks != 0;
    const bool is_in_sum = !was_recovered(each.reported.reason) && each.reported.ticks != 0;
    if (counts && !is_in_sum) all.push_back(sentence(each.reported, each.info));
  }
  if (while_recording_ != 0)
    all.push_back(counted(while_recording_, "tick was", "ticks were") + " lost while recording");
  if (has_more_) all.push_back("more losses than are listed here");
  return all;
}

void reel_losses::inspect(std::vector<finding>& out, bool being_recorded) const {
  for (const reel::loss& each : losses_) {
    // The torn end itself is reported by inspect_end().
    const bool is_torn = each.cause == reel::loss_cause::torn_record;
    const bool end_only = is_torn && each.ticks == 0;
    const bool is_late = each.cause == reel::loss_cause::missing_beginning;
    if (!end_only) {
      const severity level = is_torn && being_recorded ? severity::note
                             : is_late                 ? severity::warning
                                                       : severity::error;
      out.push_back({level, each.offset, each.sentence()});
    }
  }
  for (const gap_place& each : gaps_) {
    const bool counts = each.reported.reason != gap_reason::recorder_died || each.reported.ticks != 0;
    const bool is_lost = counts && each.reported.reason != gap_reason::left_out;
    out.push_back({counts ? severity::warning : severity::note, each.info.offset,
                   sentence(each.reported, each.info) + (is_lost ? "; lost" : "")});
  }
  const auto say_more = [&](severity level, std::uint64_t places, const char* one, const char* many) {
    if (places != 0)
      out.push_back({level, error::no_offset, counted(places, one, many) + " not listed here"});
  };
  say_more(severity::error, more_losses_, "more loss is", "more losses are");
  say_more(severity::warning, more_gaps_, "more gap is", "more gaps are");
}

std::vector<std::string> sentences_of_copy(const reel::recovery& done) {
  reel_losses losses;
  for (const reel::loss& each : done.losses) losses.add(each);
  std::vector<std::string> all = losses.sentences();
  // Of readable gap records; others are counted as losses.
  if (const std::uint64_t ticks = done.totals.gap_ticks; ticks != 0) {
    all.push_back(counted(ticks, "tick") + " that the reel already reports as lost");
  }
  if (done.unknown_gaps != 0) {
    all.push_back(counted(done.unknown_gaps, "place", "places") +
                  " where the reel already reports an unknown number of lost ticks");
  }
  if (done.found.end != reel::reel_end::closed) all.emplace_back(unsealed_ticks);
  return all;
}

}  // namespace tickreel::files
