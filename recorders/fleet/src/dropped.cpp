#include "dropped.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;

// The sequences that the stream holds completely, from `first`.
result<std::set<std::uint64_t>> read_kept(broker& from, const match_subjects& subjects,
                                          const std::string& reel, std::uint64_t first) {
  std::set<std::uint64_t> kept;
  auto reading = from.subscribe(subjects.stream, {.subject = subjects.records, .heads_only = true});
  if (!reading) {
    if (reading.error().code == error_code::not_found) return kept;
    return fail(reading.error());
  }
  std::map<std::uint64_t, std::set<std::uint32_t>> parts;
  for (std::uint64_t left = reading->waiting_at_begin(); left > 0;) {
    const auto next = reading->next(5000ms);
    if (!next) return fail(next.error());
    if (!*next) return fail(error_code::timed_out, error::no_offset, "the broker does not answer");
    left = std::min(left - 1, (*next)->left());
    const auto head = (*next)->head();
    if (!head || head->reel != reel || !head->sequence || *head->sequence < first) continue;
    std::set<std::uint32_t>& of_record = parts[*head->sequence];
    of_record.insert(head->part);
    if (of_record.size() >= head->parts) kept.insert(*head->sequence);
  }
  return kept;
}

}  // namespace

result<missing_counts> missing_records(broker& from, const match_subjects& subjects,
                                       const match_status& reported, std::uint64_t archived,
                                       const stream_facts* facts) {
  if (facts != nullptr && reported.messages != 0 && reported.first_at != 0 &&
      facts->first_sequence <= reported.first_at) {
    const auto found = facts->subjects.find(subjects.records);
    const std::uint64_t messages = found == facts->subjects.end() ? 0 : found->second;
    const bool same =
        reported.state == "ended" ? messages == reported.messages : messages >= reported.messages;
    if (same) return missing_counts{};
  }
  return count_missing(from, subjects, reported, archived, facts);
}

result<missing_counts> count_missing(broker& from, const match_subjects& subjects,
                                     const match_status& reported, std::uint64_t archived,
                                     const stream_facts* facts) {
  missing_counts out;
  if (reported.confirmed <= archived) return out;
  std::set<std::uint64_t> kept;
  if (facts != nullptr) {
    auto read = read_kept(from, subjects, reported.reel, archived);
    if (!read) return fail(read.error());
    kept = std::move(*read);
  }
  kept.erase(kept.lower_bound(reported.confirmed), kept.end());
  const std::uint64_t sent =
      reported.confirmed - std::min(reported.confirmed, archived + reported.lost_records);
  const std::uint64_t missing = sent - std::min<std::uint64_t>(sent, kept.size());
  if (facts != nullptr && facts->expires) {
    const std::uint64_t first = kept.empty() ? reported.confirmed : *kept.begin();
    out.expired = std::min(missing, first - archived);
  }
  out.holes = missing - out.expired;
  return out;
}

}  // namespace tickreel::fleet
