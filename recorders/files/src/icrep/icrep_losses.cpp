#include "icrep_losses.hpp"

#include <algorithm>

#include "tickreel/counted.hpp"
#include "tickreel/icrep/lost_content.hpp"

namespace tickreel::files {

namespace {

void append_gap(std::uint64_t first, std::uint64_t end, std::vector<std::string>& to) {
  if (first >= end) return;
  to.push_back("the orders of " + counted(end - first, "tick") + " from tick " + std::to_string(first) +
               " on are missing");
}

void append_damage(std::span<const icrep::stream_damage> damage, std::string_view what,
                   std::vector<std::string>& to) {
  for (const icrep::stream_damage& one : damage) {
    to.push_back(std::string(what) + " are missing: " + describe(one.what));
  }
}

}  // namespace

void append_reported_losses(const icrep::reader& match, std::vector<std::string>& to) {
  const auto reported = icrep::lost_content_of(match.facts());
  if (reported && reported->any()) {
    to.push_back("the recording reports that it lacks " + counted(reported->ticks, "tick") + ", " +
                 counted(reported->keyframes, "state") + ", and " +
                 counted(reported->events, "event or block of events", "events or blocks of them"));
    return;
  }
  if (match.header().live) {
    to.emplace_back("the recording was not ended: it is still running, or its recorder died");
    return;
  }
  const bool incomplete = match.header().incomplete && (match.first_tick() == 0 || reported);
  if (incomplete || match.header().lost_frame_count != 0) {
    to.emplace_back(marked_incomplete);
  }
}

std::optional<std::string> invalid_signatures_of(const icrep::reader& match) {
  const icrep::signature_report report = match.verify_signatures();
  if (report.state != icrep::signature_state::tampered) return std::nullopt;
  return "tampered: " + describe(report.why.value_or(error{error_code::checksum_mismatch}));
}

void append_invalid_signatures(const icrep::reader& match, std::vector<std::string>& to) {
  if (const auto why = invalid_signatures_of(match))
    to.push_back("the input's signatures are not valid (" + *why + ")");
}

void append_invalid_signatures(const file_path& match, std::vector<std::string>& to) {
  if (const auto opened = game::replay::open(match)) append_invalid_signatures(opened->file(), to);
}

void append_damage_found(const icrep::reader& match, std::vector<std::string>& to) {
  for (const icrep::finding& found : match.findings()) {
    if (found.severity != icrep::severity::damage) continue;
    std::string text = describe(found.what);
    const bool said = std::ranges::any_of(to, [&](const std::string& one) { return one.ends_with(text); });
    if (!said) to.push_back(std::move(text));
  }
}

void append_losses_between(const game::replay& match, std::uint64_t first_tick, std::uint64_t end_tick,
                           std::uint64_t named_from, bool events, std::vector<std::string>& to) {
  first_tick = std::max(first_tick, match.file().first_tick());
  if (first_tick >= end_tick) return;
  auto frames = match.orders(first_tick, end_tick);
  icrep::tick_frame frame;
  std::uint64_t expected = first_tick;
  std::vector<std::string> gaps;
  while (frames.next(frame)) {
    append_gap(std::max(expected, named_from), frame.tick, gaps);
    expected = frame.tick + 1;
  }
  append_gap(std::max(expected, named_from), end_tick, gaps);
  // The damage is listed before the ticks that are missing because of it.
  append_damage(frames.damage(), "orders", to);
  to.insert(to.end(), gaps.begin(), gaps.end());
  if (!events) return;
  icrep::event_filter filter;
  filter.first_tick = first_tick;
  filter.end_tick = end_tick;
  auto found = match.events(filter);
  icrep::event_record record;
  while (found.next(record)) {
    if (record.type < icrep::first_game_event_type) continue;
    if (const auto own = icrep::read_game_event(record.bytes); !own) {
      to.push_back("an event is missing: " + describe(own.error()));
    }
  }
  append_damage(found.damage(), "events", to);
}

}  // namespace tickreel::files
