#include "tickreel/fleet/follow.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/late_records.hpp"
#include "tickreel/record/clock.hpp"

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;
using steady = detail::steady_clock;

constexpr auto first_pause = 100ms;
constexpr auto longest_pause = 5000ms;
// A record may have been stored before those in front of it: the stream is read again from further back, at
// most this often.
constexpr auto look_back_after = 2000ms;
constexpr std::size_t max_at_once = 1024;

// Where to start reading a reel, as sequences of the stream.
struct entry {
  std::string reel;
  std::uint64_t first_at = 1;  // no message of the reel is before it
  std::uint64_t header_at = 0;
  bool header_in_parts = false;
  std::uint64_t update_at = 0;
  std::uint64_t keyframe_at = 0;
  std::uint64_t keyframe_sequence = 0;
  std::vector<std::uint64_t> lasting_at;
};

}  // namespace

struct follower::state {
  nats_url url;
  file_path spool;
  follow_options options;
  match_subjects subjects;
  std::optional<broker> from;
  std::optional<subscription> reading;
  // What the stream had when the reading began and the follower has not read yet.
  std::uint64_t unread = 0;
  std::optional<entry> begin;
  std::optional<assembler> out;
  // The last received message, to continue after it if it still exists.
  std::uint64_t last_at = 0;
  std::string last_id;
  std::chrono::milliseconds pause = first_pause;
  steady::time_point try_again{};
  std::optional<steady::time_point> missing_since;
  std::uint64_t missing = 0;
  steady::time_point looked_back{};
  std::optional<late_records> late;
  steady::time_point looked_further{};
  // Whether the last reading from further back began after the record was missing for the whole time.
  bool was_last_look = false;
  follow_counters counted;
  bool was_connected = false;
  fleet::retry_policy retry_policy;
  // The spool could not be created or written.
  std::optional<error> spool_failure;

  void lose_connection(const error& why) {
    reading.reset();
    from.reset();
    was_last_look = false;
    counted.connected = false;
    counted.last_error = why;
    try_again = steady::now() + pause;
    pause = std::min<std::chrono::milliseconds>(pause * 2, longest_pause);
  }

  result<std::optional<entry>> entry_from_status();
  result<std::optional<entry>> entry_from_headers();
  result<void> connect();
  result<void> subscribe(std::uint64_t from_sequence);
  result<void> begin_reel();
  // False if the broker failed: the connection is lost, and the message comes again. As an error, that the spool failed.
  result<bool> take(const message& one, std::size_t& written);
  result<void> mind_the_hole(std::size_t& written);
};

result<std::optional<entry>> follower::state::entry_from_status() {
  auto reported = from->last(status_stream, subjects.status);
  if (!reported) return fail(reported.error());
  if (!*reported) return std::nullopt;
  const auto status = read_status((*reported)->body());
  if (!status || status->header_at == 0 || status->keyframe_at == 0 || status->more_lasting) {
    return std::nullopt;
  }
  auto header = from->at(subjects.stream, status->header_at);
  if (!header) return fail(header.error());
  if (!*header) return std::nullopt;
  const auto head = (*header)->head();
  if (!head || !head->is_header() || head->reel != status->reel) return std::nullopt;
  return entry{.reel = status->reel,
               .first_at = std::min(std::max<std::uint64_t>(status->first_at, 1), status->header_at),
               .header_at = status->header_at,
               .header_in_parts = head->parts > 1,
               .update_at = status->update_at,
               .keyframe_at = status->keyframe_at,
               .keyframe_sequence = status->keyframe_sequence,
               .lasting_at = status->lasting_at};
}

// Without a status, or with one that is too old: from the headers of all messages of the match.
result<std::optional<entry>> follower::state::entry_from_headers() {
  auto heads = from->subscribe(subjects.stream, {.subject = subjects.records, .heads_only = true});
  if (!heads) {
    if (heads.error().code == error_code::not_found) return std::nullopt;
    return fail(heads.error());
  }
  // By reel. A resent header follows records of its reel.
  std::map<std::string, entry> reels;
  std::string newest;
  for (std::uint64_t left = heads->waiting_at_begin(); left > 0; --left) {
    const auto next = heads->next(5000ms);
    if (!next) return fail(next.error());
    if (!*next) return fail(error_code::timed_out, error::no_offset, "the broker does not answer");
    const auto head = (*next)->head();
    if (!head) continue;
    const std::uint64_t at = (*next)->stream_sequence();
    const auto [known, is_first] = reels.try_emplace(head->reel);
    entry& found = known->second;
    if (is_first) found.first_at = at;
    if (head->is_header()) {
      // A recorder repeats its first status; another reel is another match.
      if (found.header_at == 0) newest = head->reel;
      if (head->part == 0) found.header_at = at;
      found.header_in_parts = head->parts > 1;
      continue;
    }
    if (head->kind == reel::record_kind::header_update) found.update_at = at;
    if (head->lasts()) found.lasting_at.push_back(at);
    if (head->is_entry() && (found.keyframe_at == 0 || *head->sequence > found.keyframe_sequence)) {
      found.keyframe_at = at;
      found.keyframe_sequence = *head->sequence;
    }
  }
  if (newest.empty()) return std::nullopt;
  entry found = reels.at(newest);
  found.reel = newest;
  return found;
}

result<void> follower::state::subscribe(std::uint64_t from_sequence) {
  reading.reset();
  auto made = from->subscribe(subjects.stream, {.subject = subjects.records, .from_sequence = from_sequence});
  if (!made) return fail(made.error());
  reading.emplace(std::move(*made));
  unread = reading->waiting_at_begin();
  return {};
}

// Creates the spool with the records before the first tick, and continues from there.
result<void> follower::state::begin_reel() {
  auto found = entry_from_status();
  if (!found) return fail(found.error());
  if (!*found) {
    found = entry_from_headers();
    if (!found) return fail(found.error());
  }
  retry_policy.worked();
  if (!*found) {
    const auto reported = from->last(status_stream, subjects.status);
    const auto status = reported && *reported ? read_status((*reported)->body())
                                              : result<match_status>(fail(error_code::not_found));
    const bool was_there = status && status->header_at != 0;
    return fail(error_code::not_found, error::no_offset,
                was_there ? "the broker no longer has records of this match: its stream discarded them"
                          : "the broker has no such match, or not yet");
  }
  begin = std::move(**found);
  assembler_options how = options.assembling;
  const bool joins_late = !options.from_start && begin->keyframe_at != 0;
  how.joins_late = joins_late;
  how.match = subjects;
  auto made = assembler::create(spool, begin->reel, how);
  if (!made) {
    spool_failure = made.error();
    return fail(made.error());
  }
  out.emplace(std::move(*made));
  if (!joins_late || begin->header_in_parts) {
    if (joins_late) out->begin_at(static_cast<std::uint32_t>(begin->keyframe_sequence));
    return subscribe(options.from_start ? 1 : begin->first_at);
  }
  std::vector<std::uint64_t> before = {begin->header_at, begin->update_at};
  before.insert(before.end(), begin->lasting_at.begin(), begin->lasting_at.end());
  for (const std::uint64_t at : before) {
    auto one = from->at(subjects.stream, at);
    if (!one) return fail(one.error());
    std::size_t written = 0;
    if (*one) {
      if (const auto taken = take(**one, written); !taken) {
        spool_failure = taken.error();
        return fail(taken.error());
      } else if (!*taken) {
        return fail(*counted.last_error);
      }
    }
  }
  out->begin_at(static_cast<std::uint32_t>(begin->keyframe_sequence));
  return subscribe(begin->keyframe_at);
}

result<void> follower::state::connect() {
  auto made = broker::connect(url, options.broker);
  if (!made) return fail(made.error());
  from.emplace(std::move(*made));
  if (!out) return begin_reel();
  // A broker that lost its newest messages has other ones under their sequences now.
  bool same = false;
  if (last_at != 0) {
    auto last = from->at(subjects.stream, last_at);
    if (!last) return fail(last.error());
    same = *last && (*last)->field("Nats-Msg-Id") == last_id;
  }
  // Positions in another stream under the same name are meaningless, and resent records may be anywhere.
  if (!same) begin->first_at = 1;
  return subscribe(same ? last_at + 1 : 1);
}

result<bool> follower::state::take(const message& one, std::size_t& written) {
  const auto head = one.head();
  if (!head) {
    out->note_malformed();
    return true;
  }
  ++counted.messages;
  if (options.seen && head->reel == begin->reel) options.seen(*head, one.body().size());
  const assembled before = out->counted();
  auto taken = out->take(*head, one.body());
  // Too many records wait. The stream may have what they wait for further on.
  while (!taken && taken.error().code == error_code::over_limit) {
    const auto now = steady::now();
    if (!late || now - looked_further > look_back_after) {
      auto found = late_records::find(*from, subjects, begin->reel, one.stream_sequence());
      if (!found) return lose_connection(found.error()), false;
      late = std::move(*found);
      looked_further = now;
    }
    const auto filled = late->fill(*from, *out);
    if (!filled) return fail(filled.error());
    if (filled->lost_broker) return lose_connection(*filled->lost_broker), false;
    if (!filled->some) {
      taken = out->take_past_holes(*head, one.body());
      break;
    }
    taken = out->take(*head, one.body());
  }
  if (out->counted().lost_records != before.lost_records) ++counted.holes_given_up;
  if (!taken) return fail(taken.error());
  written += static_cast<std::size_t>(out->counted().records - before.records);
  return true;
}

// A record that the stream has is never left out, however slow the broker or this process is: it is given up
// only after the stream was read to its end by a reading that began after `wait_for_missing`.
result<void> follower::state::mind_the_hole(std::size_t& written) {
  const auto missing_now = out->counted().missing;
  if (!missing_now || !missing_since || *missing_now != missing) {
    missing_since.reset();
    was_last_look = false;
    if (missing_now) {
      missing_since = looked_back = steady::now();
      missing = *missing_now;
    }
    return {};
  }
  // Without a broker no records can arrive.
  if (!from || unread != 0) return {};
  const auto now = steady::now();
  const bool is_late = now - *missing_since > options.wait_for_missing;
  if (is_late && was_last_look) {
    ++counted.holes_given_up;
    const auto gone_on = out->give_up_hole();
    if (!gone_on) return fail(gone_on.error());
    written += *gone_on;
    missing_since.reset();
    was_last_look = false;
  } else if (is_late || now - looked_back > look_back_after) {
    looked_back = now;
    was_last_look = is_late;
    if (const auto back = subscribe(begin->first_at); !back) lose_connection(back.error());
  }
  return {};
}

result<follower> follower::create(const nats_url& match, const file_path& spool,
                                  const follow_options& options) {
  if (const auto there = require_broker(); !there) return fail(there.error());
  if (match.league.empty() || match.match.empty()) {
    return fail(error_code::invalid_argument, error::no_offset,
                "the address names no match: nats://host:port/league/match");
  }
  auto subjects = subjects_of({match.league, match.match});
  if (!subjects) return fail(subjects.error());
  auto made = std::make_unique<state>();
  made->url = match;
  made->spool = spool;
  made->options = options;
  made->subjects = std::move(*subjects);
  return follower(std::move(made));
}

follower::follower(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
follower::follower(follower&&) noexcept = default;
follower& follower::operator=(follower&&) noexcept = default;
follower::~follower() = default;

result<std::size_t> follower::pump(std::chrono::milliseconds wait) {
  state& at = *state_;
  std::size_t written = 0;
  if (ended()) return written;
  if (!at.from) {
    if (const auto now = steady::now(); now < at.try_again) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(at.try_again - now);
      detail::sleep_for(std::min(wait, left));
      if (left > wait) return written;
    }
    if (const auto connected = at.connect(); !connected) {
      // Not a fault of the broker; a retry would fail, too.
      if (at.spool_failure) return fail(*at.spool_failure);
      at.lose_connection(connected.error());
      at.counted.refused = at.retry_policy.ends_with(connected.error());
      if (at.counted.refused) return fail(connected.error());
      return written;
    }
    if (std::exchange(at.was_connected, true)) ++at.counted.reconnects;
    at.counted.connected = true;
  }
  for (std::size_t taken = 0; taken < max_at_once && at.reading; ++taken) {
    auto next = at.reading->next(taken == 0 ? wait : 0ms);
    if (!next) {
      at.lose_connection(next.error());
      break;
    }
    if (!*next) break;
    at.pause = first_pause;
    at.unread = std::min(at.unread - std::min<std::uint64_t>(at.unread, 1), (*next)->left());
    const auto done = at.take(**next, written);
    if (!done) return fail(done.error());
    if (!*done) break;
    at.last_at = (*next)->stream_sequence();
    at.last_id = (*next)->field("Nats-Msg-Id");
    if (ended()) break;
  }
  if (!ended() && at.out) {
    if (const auto minded = at.mind_the_hole(written); !minded) return fail(minded.error());
  }
  return written;
}

bool follower::ended() const noexcept {
  return state_->out && state_->out->counted().ended;
}
bool follower::begun() const noexcept {
  return state_->out && state_->out->counted().has_header;
}

follow_counters follower::counters() const {
  follow_counters out = state_->counted;
  if (state_->out) out.reel = state_->out->counted();
  return out;
}

}  // namespace tickreel::fleet
