#include "dropped.hpp"

#include <algorithm>
#include <set>

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;

// Those of the reel that the stream has, from `first` on.
result<std::uint64_t> count_kept(broker& from, const match_subjects& subjects, const std::string& reel,
                                 std::uint64_t first) {
  const auto last = from.last(subjects.stream, subjects.records);
  if (!last) return fail(last.error());
  if (!*last) return 0;
  auto reading = from.subscribe(subjects.stream, {.subject = subjects.records, .heads_only = true});
  if (!reading) return fail(reading.error());
  std::set<std::uint64_t> kept;
  for (std::uint64_t left = reading->waiting_at_begin(); left > 0;) {
    const auto next = reading->next(5000ms);
    if (!next) return fail(next.error());
    if (!*next) return fail(error_code::timed_out, error::no_offset, "the broker does not answer");
    left = std::min(left - 1, (*next)->left());
    const auto head = (*next)->head();
    if (!head || head->reel != reel || !head->sequence || *head->sequence < first) continue;
    // The first part is the first to go.
    if (head->part == 0) kept.insert(*head->sequence);
  }
  return kept.size();
}

}  // namespace

result<std::uint64_t> dropped_records(broker& from, const match_subjects& subjects, const match_status& told,
                                      std::uint64_t archived, std::uint64_t first_kept) {
  if (first_kept <= std::max<std::uint64_t>(told.first_at, 1) || told.confirmed <= archived) return 0;
  const auto kept = count_kept(from, subjects, told.reel, archived);
  if (!kept) return fail(kept.error());
  const std::uint64_t sent = told.confirmed - std::min(told.confirmed, archived + told.lost_records);
  return sent - std::min(sent, *kept);
}

}  // namespace tickreel::fleet
