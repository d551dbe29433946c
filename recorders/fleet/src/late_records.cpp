#include "tickreel/fleet/late_records.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t no_record = std::numeric_limits<std::uint64_t>::max();
// Ten seconds for each message that the broker has and does not send.
constexpr int max_waits = 40;
constexpr auto one_wait = 250ms;

}  // namespace

result<late_records> late_records::find(broker& from, const match_subjects& subjects, const std::string& reel,
                                        std::uint64_t first, const std::function<bool()>& cancelled) {
  late_records out;
  out.stream_ = subjects.stream;
  auto heads = from.subscribe(subjects.stream,
                              {.subject = subjects.records, .from_sequence = first, .heads_only = true});
  if (!heads) return fail(heads.error());
  std::uint64_t newest = 0;
  int waits = 0;
  for (std::uint64_t left = heads->waiting_at_begin(); left > 0 && out.places_.size() < max_late;) {
    if (cancelled && cancelled()) return fail(error_code::interrupted);
    auto came = heads->next(one_wait);
    if (!came) return fail(came.error());
    if (!*came) {
      if (++waits < max_waits) continue;
      return fail(error_code::timed_out, error::no_offset, "the broker does not send the heads of a reel");
    }
    waits = 0;
    left = std::min(left - 1, (*came)->left());
    const auto head = (*came)->head();
    if (!head || head->reel != reel) continue;
    if (!head->sequence || *head->sequence < newest) {
      out.places_.push_back(
          {head->sequence ? std::uint64_t{*head->sequence} : no_record, (*came)->stream_sequence()});
    } else {
      newest = *head->sequence;
    }
  }
  std::ranges::stable_sort(out.places_, {}, &place::record);
  return out;
}

result<late_records::filled> late_records::fill(broker& from, assembler& into) const {
  filled out;
  for (;;) {
    const assembled& now = into.counted();
    if (now.has_header && !now.missing) return out;
    const std::uint64_t wanted = now.has_header ? *now.missing : no_record;
    for (auto each = std::ranges::lower_bound(places_, wanted, {}, &place::record);
         each != places_.end() && each->record == wanted; ++each) {
      auto one = from.at(stream_, each->at);
      if (!one) {
        out.lost_broker = one.error();
        return out;
      }
      const auto head = *one ? (*one)->head() : fail(error_code::not_found);
      if (!head) continue;
      if (const auto taken = into.take(*head, (*one)->body()); !taken) return fail(taken.error());
    }
    if (now.has_header ? now.missing == wanted : wanted == no_record) return out;
    out.some = true;
  }
}

}  // namespace tickreel::fleet
