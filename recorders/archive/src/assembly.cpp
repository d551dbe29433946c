#include "assembly.hpp"

#include <algorithm>
#include <chrono>

#include "tickreel/fleet/late_records.hpp"
#include "tickreel/fleet/status.hpp"
#include "tickreel/record/clock.hpp"

namespace tickreel::archive {

namespace {

using namespace std::chrono_literals;

// A stream that does not exist yet is empty.
template <class Value>
result<std::optional<Value>> or_nothing(result<std::optional<Value>> from) {
  if (!from && from.error().code == error_code::not_found) return std::optional<Value>();
  return from;
}

}  // namespace

result<reel_state> look_at(fleet::broker& from, const fleet::match_subjects& subjects,
                           const fleet::archive_work& work) {
  reel_state out;
  std::int64_t heard_us = work.reported_at_us;
  auto reported = or_nothing(from.last(fleet::status_stream, subjects.status));
  if (!reported) return fail(reported.error());
  if (*reported) {
    const auto status = fleet::read_status((*reported)->body());
    if (status && status->reel == work.reel) {
      out.ended = status->state == "ended";
      // The broker's clock, as for the records: the clocks of recorders may be wrong.
      heard_us = std::max(heard_us, (*reported)->stored_at_us());
      // Where the last message is from another publisher.
      if (status->confirmed != 0) out.records = status->confirmed;
    }
  }
  auto last = or_nothing(from.last(subjects.stream, subjects.records));
  if (!last) return fail(last.error());
  if (*last) {
    out.known = true;
    const auto head = (*last)->head();
    if (head && head->reel == work.reel) {
      const std::uint64_t newest = head->sequence ? std::uint64_t{*head->sequence} + 1 : 0;
      out.records = std::max(out.records.value_or(0), newest);
      out.ended = out.ended || (head->sequence && head->kind == reel::record_kind::end);
      out.newest_at_us = (*last)->stored_at_us();
      heard_us = std::max(heard_us, out.newest_at_us);
    }
  }
  if (heard_us > 0) out.silent_us = std::max<std::int64_t>(0, fleet::system_time_us() - heard_us);
  return out;
}

result<fleet::assembled> assemble(fleet::broker& from, const fleet::match_subjects& subjects,
                                  const std::string& reel, const file_path& into, bool take_what_there_is,
                                  const std::function<bool()>& cancelled, failure_source& source) {
  constexpr auto response_timeout = 10s;  // timeout for messages that the broker has not sent yet
  // The assembler fails with the file alone.
  const auto fail_in_spool = [&](const error& why) {
    source.use_file(into);
    return fail(why);
  };
  source.use(failure_origin::broker);
  auto made = fleet::assembler::create(into, reel, {.match = subjects});
  if (!made) return fail_in_spool(made.error());
  auto messages = from.subscribe(subjects.stream, {.subject = subjects.records});
  if (!messages) return fail(messages.error());
  std::optional<fleet::late_records> late;
  auto last_arrival = detail::steady_clock::now();
  for (std::uint64_t left = messages->waiting_at_begin(); left > 0;) {
    if (cancelled && cancelled()) return fail(error_code::interrupted);
    auto came = messages->next(250ms);
    if (!came) return fail(came.error());
    if (!*came) {
      if (detail::steady_clock::now() - last_arrival < response_timeout) continue;
      return fail(error_code::timed_out, error::no_offset,
                  "the broker does not send the records that it has of a reel");
    }
    last_arrival = detail::steady_clock::now();
    left = std::min(left - 1, (*came)->left());
    const auto head = (*came)->head();
    if (!head) {
      made->note_malformed();
      continue;
    }
    bool has_filled = false;
    for (;;) {
      const auto taken = made->take(*head, (*came)->body());
      if (taken) break;
      if (taken.error().code != error_code::over_limit) return fail_in_spool(taken.error());
      // Too many records wait: for a hole, or for the header. The stream may have it further on.
      const std::uint64_t here = (*came)->stream_sequence();
      if (!late) {
        auto found = fleet::late_records::find(from, subjects, reel, here, cancelled);
        if (!found) return fail(found.error());
        late = std::move(*found);
        has_filled = true;
      }
      const auto filled = late->fill(from, *made);
      if (!filled) return fail_in_spool(filled.error());
      if (filled->lost_broker) return fail(*filled->lost_broker);
      has_filled = has_filled || filled->some;
      if (filled->some) continue;
      if (!take_what_there_is) return made->counted();
      const std::uint64_t waited_for = made->counted().waiting_records;
      if (const auto given_up = made->give_up_hole(); !given_up) return fail_in_spool(given_up.error());
      if (made->counted().waiting_records == waited_for) return made->counted();
    }
    if (!has_filled) continue;
    // Meanwhile this reading stood still, so it may have missed something.
    messages = from.subscribe(subjects.stream,
                              {.subject = subjects.records, .from_sequence = (*came)->stream_sequence() + 1});
    if (!messages) return fail(messages.error());
    left = messages->waiting_at_begin();
    last_arrival = detail::steady_clock::now();
  }
  while (take_what_there_is && made->counted().missing && made->counted().waiting_records > 0) {
    const auto before = made->counted().waiting_records;
    if (auto given_up = made->give_up_hole(); !given_up) return fail_in_spool(given_up.error());
    if (made->counted().waiting_records == before) break;
  }
  const fleet::assembled counted = made->counted();
  if (auto closed = made->close(); !closed) return fail_in_spool(closed.error());
  return counted;
}

}  // namespace tickreel::archive
