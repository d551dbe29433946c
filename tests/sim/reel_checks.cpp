#include "reel_checks.hpp"

#include "tickreel/reel/reader.hpp"

namespace tickreel::sim {

reel_check check_reel(const std::string& path, std::uint64_t pushed, bool all) {
  reel_check made;
  auto opened = reel::reader::open(path, {}, true);
  require(opened.has_value(), path + " cannot be opened", opened);
  made.reel.emplace(std::move(*opened));
  made.is_closed = made.reel->contents().end == reel::reel_end::closed;
  made.is_damaged = !made.reel->contents().damaged.empty() || made.reel->contents().missing_records != 0;
  reel::frame_stream frames(*made.reel);
  reel::item next;
  bool is_exact = true;
  std::uint64_t last_accounted = 0;  // returned and missing when the last tick was returned
  bool tail_unknown = false;
  for (;;) {
    const auto more = frames.next(next);
    require(more.has_value(), path + " cannot be read", more);
    if (!*more) break;
    if (next.kind == reel::item_kind::loss) {
      if (next.lost.cause == reel::loss_cause::torn_record) {
        tail_unknown = true;
      } else if (!next.lost.exact) {
        is_exact = false;
      }
    }
    // An unknown number of ticks, perhaps beside a known one.
    if (next.kind == reel::item_kind::gap &&
        (next.gap.ticks == 0 || next.gap.reason == reel::gap_reason::recorder_died))
      tail_unknown = true;
    if (next.kind != reel::item_kind::frame) continue;
    const std::uint64_t number = next.frame.stamp.tick;
    require(number < pushed, path + " has tick " + std::to_string(number) + ", which was not pushed");
    require(made.numbers.empty() || number > made.numbers.back(), path + " has ticks out of order");
    made.numbers.push_back(number);
    last_accounted = made.numbers.size() + frames.totals().missing_ticks();
  }
  made.missing = frames.totals().missing_ticks();
  if (!is_exact) return made;
  const std::uint64_t accounted = made.numbers.size() + made.missing;
  require(accounted <= pushed,
          path + " accounts for " + std::to_string(accounted) + " ticks of " + std::to_string(pushed));
  if (!made.numbers.empty()) {
    require(last_accounted >= made.numbers.back() + 1,
            path + " returns tick " + std::to_string(made.numbers.back()) + ", and accounts for only " +
                std::to_string(last_accounted) + " ticks up to it");
  }
  if (all && made.is_closed && !tail_unknown && !made.is_damaged) {
    require(accounted == pushed, path + " is complete and accounts for " + std::to_string(accounted) +
                                     " ticks of " + std::to_string(pushed));
  }
  return made;
}

}  // namespace tickreel::sim
