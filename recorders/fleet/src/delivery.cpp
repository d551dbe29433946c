#include "delivery.hpp"

#include <algorithm>
#include <utility>

#include "dropped.hpp"
#include "host_name.hpp"
#include "make_streams.hpp"
#include "tickreel/fleet/status.hpp"

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t room_for_fields = 2048;

std::uint32_t parts_of(std::size_t bytes, std::size_t most) {
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, (bytes + most - 1) / most));
}

byte_span part_of(byte_span bytes, std::size_t most, std::uint32_t part) {
  return bytes.subspan(part * most, std::min(most, bytes.size() - part * most));
}

}  // namespace

reel_delivery::reel_delivery(nats_url url, match_name name, match_subjects subjects, publish_options options)
    : url_(std::move(url)),
      subjects_(std::move(subjects)),
      options_(std::move(options)),
      offer_(subjects_, ids_),
      stored_(subjects_, ids_),
      places_(status_) {
  status_.name = std::move(name);
  status_.host = options_.host.empty() ? host_name() : options_.host;
  status_.state = "recording";
}

// Records below this were sent and are not in the stream, except those in flight.
std::set<std::uint64_t> reel_delivery::holes(std::uint64_t below) const {
  std::set<std::uint64_t> out;
  for (const auto& [sequence, hash] : sent_) {
    if (sequence >= below) break;
    const record_content content{sequence, hash};
    if (open_.contains(sequence) || stored_.has(content) || stored_.expired(content)) continue;
    out.insert(sequence);
  }
  return out;
}

std::optional<sent_record> reel_delivery::find_sent(std::uint64_t record) const {
  if (record == header_record_key) return sent_record{.hash = hash_of_header(header_)};
  const auto found = sent_.find(record);
  if (found == sent_.end()) return std::nullopt;
  return sent_record{.hash = found->second, .unanswered = open_.contains(record)};
}

// The first record that the stream lacks.
result<std::uint64_t> reel_delivery::first_missing() {
  const auto compared = stored_.update(*broker_, [this](std::uint64_t record) { return find_sent(record); });
  if (!compared) return fail(compared.error());
  places_.note_all(stored_);
  if (sent_.empty()) {
    const auto is_archived = offer_.is_archived(*broker_, status_.reel);
    if (!is_archived) return fail(is_archived.error());
    const auto archived = *is_archived ? offer_.archived_records(*broker_, status_.reel) : 0;
    if (!archived) return fail(archived.error());
    next_ = *archived;
    // Records that a stream with limits discarded are reported as dropped.
    if (const auto first = stored_.first_record(); first && stored_.facts().expires) {
      const auto before = broker_->last(status_stream, subjects_.status);
      if (!before) return fail(before.error());
      const auto reported = *before ? read_status((*before)->body()) : result<match_status>(match_status{});
      const bool was_there = reported && reported->reel == status_.reel && reported->confirmed >= *first;
      if (was_there && reported->first_at != 0) status_.first_at = reported->first_at;
      if (was_there && stored_.facts().first_sequence > std::max<std::uint64_t>(reported->first_at, 1)) {
        next_ = std::max(next_, *first);
      }
    }
    return next_;
  }
  const std::uint64_t end_sequence = sent_.rbegin()->first + 1;
  const std::set<std::uint64_t> gone = holes(end_sequence);
  return gone.empty() ? end_sequence : *gone.begin();
}

bool reel_delivery::has_header() const {
  return stored_.has({header_record_key, hash_of_header(header_)});
}

result<void> reel_delivery::publish_header() {
  message_head head;
  head.reel = status_.reel;
  head.confirmed = confirmed_;
  head.sent_at_us = system_time_us();
  const std::size_t most = broker_->max_message_bytes() - room_for_fields;
  const std::uint64_t hash = hash_of_header(header_);
  head.parts = parts_of(header_.size(), most);
  // It is resent because the stream lacks it: the broker must not reject it for an earlier id.
  ids_.renew();
  for (head.part = 0; head.part < head.parts; ++head.part) {
    header_fields fields = to_fields(head);
    fields.emplace_back("Nats-Msg-Id", ids_.of(head, hash));
    const byte_span body = part_of(header_, most, head.part);
    const auto stored = broker_->publish(subjects_.records, body, fields);
    if (!stored) return fail(stored.error());
    if (const auto taken = take_answer({head, hash, hash_of_body(body)}, *stored); !taken) return taken;
  }
  header_sent_ = detail::steady_clock::now();
  return {};
}

// Late subscribers and archivers need the header, which a stream with limits discards first.
result<void> reel_delivery::keep_header(std::chrono::seconds at_most) {
  if (has_header() && (!stored_.facts().expires || detail::steady_clock::now() - header_sent_ < at_most)) {
    return {};
  }
  return publish_header();
}

result<void> reel_delivery::offer() {
  if (!options_.offer_to_archivers) return {};
  return offer_.make(*broker_, {status_.name, status_.reel, system_time_us()});
}

result<std::uint64_t> reel_delivery::connect(const reel::header& head, byte_span header_bytes) {
  broker_.reset();
  open_.clear();
  sent_messages_.clear();
  lost_.reset();
  if (header_.empty()) {
    header_.assign(header_bytes.begin(), header_bytes.end());
    status_.reel = reel_id(header_bytes, subjects_);
    status_.encoder = head.encoder_name;
    status_.started_us = head.start_time_us;
    if (const auto known = stored_.set_reel(status_.reel, header_bytes); !known) return fail(known.error());
  }
  if (const auto done = connected(); !done) return fail(done.error());
  if (broker_->max_message_bytes() < 2 * room_for_fields) {
    return fail(error_code::unsupported_operation, error::no_offset, "the broker limits messages to {} bytes",
                static_cast<std::int64_t>(broker_->max_message_bytes()));
  }
  if (const auto made = make_streams(*broker_, subjects_, options_); !made) return fail(made.error());
  const auto from = first_missing();
  if (!from) return fail(from.error());
  confirmed_ = next_ = *from;
  if (!has_header()) {
    if (const auto sent = publish_header(); !sent) return fail(sent.error());
  }
  if (const auto offered = offer(); !offered) return fail(offered.error());
  compared_ = detail::steady_clock::now();
  publish_status();
  return *from;
}

result<void> reel_delivery::connected() {
  if (broker_ && broker_->is_open()) return {};
  auto made = broker::connect(url_, options_.broker);
  if (!made) return fail(made.error());
  broker_.emplace(std::move(*made));
  return {};
}

void reel_delivery::count(const reel::record_info& info) {
  status_.records = std::max<std::uint64_t>(status_.records, std::uint64_t{info.sequence} + 1);
  // Each once, however often it is sent.
  if (!knows_ticks_ && info.sequence >= counted_to_) {
    counted_to_ = std::uint64_t{info.sequence} + 1;
    if (info.kind == reel::record_kind::chunk) status_.ticks += info.frames;
    if (info.kind == reel::record_kind::gap) status_.lost_ticks += info.frames;
  }
}

result<void> reel_delivery::send(const reel::record_info& info, byte_span bytes) {
  if (!broker_) return fail(error_code::connection_lost);
  if (lost_) return fail(*lost_);
  const record_content content{info.sequence, hash_of_record(bytes)};
  const bool is_there = stored_.has(content) || stored_.expired(content);
  if (!is_there && stored_.has_other(content)) {
    return fail(error_code::already_exists, error::no_offset,
                "the broker has another record {} of this reel, from before its recovery: publish it under "
                "another name",
                static_cast<std::int64_t>(info.sequence));
  }
  count(info);
  sent_[content.record] = content.hash;
  next_ = std::max(next_, content.record + 1);
  if (is_there) return {};
  message_head head = head_of_record(status_.reel, info);
  head.sent_at_us = system_time_us();
  const std::size_t most = broker_->max_message_bytes() - room_for_fields;
  head.parts = parts_of(bytes.size(), most);
  open_[content.record] = {.parts_left = head.parts, .bytes = bytes.size()};
  for (head.part = 0; head.part < head.parts; ++head.part) {
    const std::uint64_t token = next_token_++;
    const byte_span body = part_of(bytes, most, head.part);
    sent_messages_[token] = {head, content.hash, hash_of_body(body)};
    header_fields fields = to_fields(head);
    fields.emplace_back("Nats-Msg-Id", ids_.of(head, content.hash));
    const auto sent = broker_->publish_later(subjects_.records, body, fields, token);
    if (!sent) return sent;
  }
  ++handed_over_;
  return {};
}

void reel_delivery::know_ticks(std::uint64_t ticks, std::uint64_t lost_ticks) noexcept {
  status_.ticks = ticks;
  status_.lost_ticks = lost_ticks;
  knows_ticks_ = true;
}

result<std::uint64_t> reel_delivery::count_dropped() {
  if (const auto done = connected(); !done) return fail(done.error());
  const auto archived = offer_.archived_records(*broker_, status_.reel);
  if (!archived) return fail(archived.error());
  const auto facts = broker_->stream(subjects_.stream, subjects_.records);
  if (!facts) return fail(facts.error());
  const auto missing = count_missing(*broker_, subjects_, status_, *archived, &*facts);
  if (!missing) return fail(missing.error());
  return missing->expired + missing->holes;
}

result<std::uint64_t> reel_delivery::count_holes() {
  if (const auto done = connected(); !done) return fail(done.error());
  const auto read = stored_.read_all(*broker_, [this](std::uint64_t record) { return find_sent(record); });
  if (!read) return fail(read.error());
  std::set<std::uint64_t> gone = holes(next_);
  status_.holes = gone.size();
  status_.messages = stored_.messages();
  const std::uint64_t count = gone.size();
  missing_.merge(gone);
  if (count != 0) {
    ids_.renew();
  } else if (const auto kept = keep_header(600s); !kept) {
    return fail(kept.error());
  }
  return count;
}

// The broker discards a message with a used id, and returns the sequence of the message that used it: the
// record is stored only if that message is ours.
result<void> reel_delivery::take_answer(const sent_message& sent, const stored_at& stored) {
  if (stored.duplicate) {
    const auto same = stored_.is_at(*broker_, stored.stream_sequence, sent.head, sent.hash, sent.body_hash);
    if (!same) return fail(same.error());
    if (!*same) {
      ids_.renew();
      return fail(error_code::connection_lost, error::no_offset,
                  "the broker mistook a record for a duplicate: it is sent again");
    }
  }
  const stored_part part = part_of_message(sent.head, sent.hash);
  stored_.note(stored.stream_sequence, part);
  places_.note(stored.stream_sequence, part);
  return {};
}

result<void> reel_delivery::take_answers(std::chrono::milliseconds wait) {
  while (true) {
    auto came = broker_->next_answer(wait);
    if (!came) return fail(came.error());
    if (!*came) return {};
    wait = 0ms;
    if ((*came)->token == 0) {
      // Sends the status; its stream may have been deleted.
      if (!(*came)->stored && (*came)->stored.error().code == error_code::connection_lost) {
        if (const auto made = make_streams(*broker_, subjects_, options_); !made) return made;
      }
      continue;
    }
    const auto which = sent_messages_.find((*came)->token);
    if (which == sent_messages_.end()) continue;
    const sent_message sent = std::move(which->second);
    sent_messages_.erase(which);
    if (!(*came)->stored) return fail((*came)->stored.error());
    if (const auto taken = take_answer(sent, *(*came)->stored); !taken) return taken;
    const auto open = open_.find(*sent.head.sequence);
    if (open == open_.end() || --open->second.parts_left > 0) continue;
    status_.bytes += open->second.bytes;
    if (missing_.erase(open->first) != 0) ++status_.repaired;
    status_.holes = missing_.size();
    open_.erase(open);
  }
}

// Compares the delivered records with the stream.
result<void> reel_delivery::compare() {
  compared_ = detail::steady_clock::now();
  const auto looked = first_missing();
  if (!looked) return fail(looked.error());
  std::set<std::uint64_t> gone = holes(next_);
  status_.messages = stored_.messages();
  status_.holes = gone.size();
  if (gone.empty()) return has_header() ? result<void>() : publish_header();
  ids_.renew();
  const std::uint64_t count = gone.size();
  missing_.merge(gone);
  return fail(error_code::connection_lost, error::no_offset,
              "{} record{s} removed from the broker's stream, to be sent again",
              static_cast<std::int64_t>(count));
}

result<std::uint64_t> reel_delivery::confirmed(std::chrono::milliseconds wait) {
  if (!broker_) return fail(error_code::connection_lost);
  if (lost_) return fail(*lost_);
  if (const auto taken = take_answers(wait); !taken) return fail(taken.error());
  confirmed_ = open_.empty() ? next_ : open_.begin()->first;
  return confirmed_;
}

result<void> reel_delivery::end() {
  if (!broker_) return fail(error_code::connection_lost);
  if (lost_) return fail(*lost_);
  const auto gone = count_holes();
  if (!gone) return fail(gone.error());
  if (*gone != 0) {
    return fail(error_code::connection_lost, error::no_offset,
                "{} record{s} missing in the broker's stream, to be sent again",
                static_cast<std::int64_t>(*gone));
  }
  if (const auto last = stored_.last_record(); last && *last >= next_) {
    return fail(error_code::already_exists, error::no_offset,
                "the broker has more of this reel than its file, up to record {}: from before its recovery",
                static_cast<std::int64_t>(*last));
  }
  if (const auto offered = offer(); !offered) return offered;
  status_.messages = stored_.messages();
  status_.state = "ended";
  status_.last_error.clear();
  status_.confirmed = confirmed_;
  status_.lag_records = status_.lag_bytes = 0;
  status_.lag_seconds = 0;
  status_.reported_at_us = system_time_us();
  const std::string json = to_json(status_);
  const auto reported = broker_->publish(subjects_.status, as_bytes(json));
  if (!reported) return fail(reported.error());
  return {};
}

void reel_delivery::publish_status() {
  status_.reported_at_us = system_time_us();
  status_.confirmed = confirmed_;
  const std::string json = to_json(status_);
  // The result is ignored: the next status follows in a second. Token 0 belongs to no record.
  (void)broker_->publish_later(subjects_.status, as_bytes(json), {}, 0);
}

void reel_delivery::report(const reel::queue_counters& counters) {
  status_.records = std::max(status_.records, counters.accepted);
  status_.lag_records = counters.lag_records;
  status_.lag_bytes = counters.lag_bytes;
  status_.lag_seconds = counters.lag_seconds;
  status_.retried = counters.retried;
  status_.refilled = counters.refilled;
  status_.overflowed = counters.overflowed;
  status_.lost_records = counters.lost;
  status_.last_error = counters.trouble ? describe(*counters.trouble) : "";
  if (!broker_ || !broker_->is_open()) return;
  const auto now = detail::steady_clock::now();
  // An end was compared with the stream.
  if (status_.state != "ended" && !lost_ && now - compared_ > options_.compare_interval) {
    // A slow broker is asked again the next time.
    if (const auto same = compare(); !same && same.error().code != error_code::timed_out)
      lost_ = same.error();
  }
  if (now - header_looked_ > 5s && !lost_) {
    header_looked_ = now;
    (void)keep_header(options_.keep_for > 0s ? std::min(options_.keep_for / 3, std::chrono::seconds(600))
                                             : 600s);
  }
  publish_status();
}

}  // namespace tickreel::fleet
