#include "delivery.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "dropped.hpp"
#include "host_name.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t room_for_fields = 2048;
constexpr std::size_t hash_bytes = 8;

std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// A record's own hash stands at its end.
std::uint64_t hash_of(byte_span record) {
  return record.size() < hash_bytes ? 0 : byte_reader(record.last(hash_bytes)).u64();
}

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
      began_us_(now_us()) {
  status_.name = std::move(name);
  status_.host = options_.host.empty() ? host_name() : options_.host;
  status_.state = "recording";
}

result<void> reel_delivery::make_streams() {
  stream_settings records;
  records.name = subjects_.stream;
  records.subjects = {subjects_.league_subjects};
  records.replicas = options_.replicas;
  records.max_age = options_.keep_for;
  records.max_bytes = options_.keep_bytes;
  records.refuse_when_full = !options_.drop_oldest;
  stream_settings status;
  status.name = status_stream;
  status.subjects = {std::string(all_status_subjects), std::string(all_archived_subjects)};
  status.replicas = options_.replicas;
  status.max_per_subject = 1;
  status.refuse_when_full = false;
  stream_settings work;
  work.name = work_stream;
  work.subjects = {std::string(all_work_subjects)};
  work.replicas = options_.replicas;
  work.max_age = options_.keep_for;
  work.work_queue = true;
  for (const stream_settings* const each :
       {&std::as_const(records), &std::as_const(status), &std::as_const(work)}) {
    if (const auto made = broker_->ensure_stream(*each); !made) return made;
  }
  return {};
}

// Of this reel nothing below the answer can be missing: no recorder has more than the queue's limit
// unconfirmed, so what the stream holds last was sent when all but so many before it were confirmed.
result<std::uint64_t> reel_delivery::first_missing() {
  known_.reset();
  auto last = broker_->last(subjects_.stream, subjects_.records);
  if (!last) return fail(last.error());
  std::optional<message_head> head;
  if (*last) {
    if (auto read = (*last)->head(); read && read->reel == status_.reel) head = std::move(*read);
  }
  if (!head) {
    // Nothing of it, or no longer: what an archiver has need not come again.
    knows_first_ = true;
    auto told = broker_->last(status_stream, subjects_.archived);
    if (!told) return fail(told.error());
    confirmed_ = 0;
    if (*told) {
      const auto archived = read_archived((*told)->body());
      if (archived && archived->reel == status_.reel) confirmed_ = archived->records;
    }
    return confirmed_;
  }
  const std::uint64_t window = options_.queue.max_unconfirmed_records;
  const std::uint64_t behind = head->sequence.value_or(0);
  std::uint64_t from = head->is_header() ? head->confirmed : behind - std::min(behind, window);
  if (head->sequence) {
    // Whoever delivered it before said that all of it is there, up to this one.
    const auto ended = has_ended_with(behind);
    if (!ended) return fail(ended.error());
    if (*ended) from = behind;
  }
  if (head->sequence && head->parts == 1) known_ = {*head->sequence, hash_of((*last)->body())};
  // What was confirmed to us is still there, unless the stream lost its newest messages.
  const bool lost = (*last)->stream_sequence() < newest_stored_;
  confirmed_ = lost ? from : std::max(confirmed_, from);
  return confirmed_;
}

// Whether the last word on the match is that this reel ended with record `last`, all of it confirmed. One
// that lacks records is looked at again, so that this is told again.
result<bool> reel_delivery::has_ended_with(std::uint64_t last) {
  auto told = broker_->last(status_stream, subjects_.status);
  if (!told) return fail(told.error());
  if (!*told) return false;
  const auto before = read_status((*told)->body());
  return before && before->reel == status_.reel && before->state == "ended" &&
         before->confirmed == last + 1 && before->lost_records == 0;
}

// Whether the stream still has the header where we, or who delivered before us, left it.
result<bool> reel_delivery::has_header() {
  if (status_.header_at == 0) {
    auto told = broker_->last(status_stream, subjects_.status);
    if (!told) return fail(told.error());
    if (!*told) return false;
    const auto before = read_status((*told)->body());
    if (!before || before->reel != status_.reel) return false;
    status_.header_at = before->header_at;
    status_.update_at = before->update_at;
    status_.keyframe_at = before->keyframe_at;
    status_.keyframe_sequence = before->keyframe_sequence;
    status_.lasting_at = before->lasting_at;
    status_.more_lasting = before->more_lasting;
    if (before->first_at != 0) {
      status_.first_at = before->first_at;
      knows_first_ = true;
    }
  }
  auto there = broker_->at(subjects_.stream, status_.header_at);
  if (!there) return fail(there.error());
  if (!*there) return false;
  const auto head = (*there)->head();
  return head && head->is_header() && head->reel == status_.reel;
}

result<void> reel_delivery::publish_header() {
  message_head head;
  head.reel = status_.reel;
  head.confirmed = confirmed_;
  head.sent_at_us = now_us();
  const std::size_t most = broker_->most_message_bytes() - room_for_fields;
  head.parts = parts_of(header_.size(), most);
  for (head.part = 0; head.part < head.parts; ++head.part) {
    const auto stored =
        broker_->publish(subjects_.records, part_of(header_, most, head.part), to_fields(head));
    if (!stored) return fail(stored.error());
    if (head.part == 0) status_.header_at = stored->stream_sequence;
  }
  header_sent_ = std::chrono::steady_clock::now();
  return {};
}

// Watchers that come late, and archivers, need the header: in a stream that lets go of its oldest messages it
// is the first to go.
result<void> reel_delivery::keep_header(std::chrono::seconds at_most) {
  if (options_.keep_for <= 0s && !options_.drop_oldest) return {};
  const auto there = has_header();
  if (!there) return fail(there.error());
  if (*there && std::chrono::steady_clock::now() - header_sent_ < at_most) return {};
  return publish_header();
}

result<void> reel_delivery::offer(std::uint64_t from) {
  if (offered_ || !options_.offer_to_archivers) return {};
  archive_work work{status_.name, status_.reel, now_us()};
  const std::string json = to_json(work);
  // Once for each time that somebody begins to deliver it: an archiver may have given up on it meanwhile.
  const auto stored = broker_->publish(
      subjects_.work, as_bytes(json),
      {{"Nats-Msg-Id", status_.reel + "-work-" + std::to_string(from) + "-" + std::to_string(began_us_)}});
  if (!stored) return fail(stored.error());
  offered_ = true;
  return {};
}

result<std::uint64_t> reel_delivery::connect(const reel::header& head, byte_span header_bytes) {
  broker_.reset();
  open_.clear();
  sequence_of_.clear();
  auto connected = broker::connect(url_, options_.broker);
  if (!connected) return fail(connected.error());
  broker_.emplace(std::move(*connected));
  if (broker_->most_message_bytes() < 2 * room_for_fields) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "the broker takes no messages of more than {} bytes",
                static_cast<std::int64_t>(broker_->most_message_bytes()));
  }
  if (header_.empty()) {
    header_.assign(header_bytes.begin(), header_bytes.end());
    status_.reel = reel_id(header_bytes, subjects_);
    status_.encoder = head.encoder_name;
    status_.started_us = head.start_time_us;
  }
  if (const auto made = make_streams(); !made) return fail(made.error());
  const auto from = first_missing();
  if (!from) return fail(from.error());
  const auto there = has_header();
  if (!there) return fail(there.error());
  if (!*there) {
    if (const auto sent = publish_header(); !sent) return fail(sent.error());
  }
  if (const auto offered = offer(*from); !offered) return fail(offered.error());
  next_ = *from;
  tell_status();
  return *from;
}

void reel_delivery::count(const reel::record_info& info, byte_span bytes) {
  status_.records = std::max<std::uint64_t>(status_.records, std::uint64_t{info.sequence} + 1);
  // Each once, however often it is sent.
  if (!knows_ticks_ && info.sequence >= counted_to_) {
    counted_to_ = std::uint64_t{info.sequence} + 1;
    if (info.kind == reel::record_kind::chunk) status_.ticks += info.frames;
    if (info.kind == reel::record_kind::gap) status_.lost_ticks += info.frames;
  }
  if (known_ && known_->sequence == info.sequence && known_->hash == hash_of(bytes)) known_.reset();
}

result<void> reel_delivery::send(const reel::record_info& info, byte_span bytes) {
  if (!broker_) return fail(error_code::connection_lost);
  if (known_ && known_->sequence == info.sequence && known_->hash != hash_of(bytes)) {
    return fail(
        error_code::already_exists, error::no_offset,
        "the broker has another record {} of this reel, from before it was recovered: publish it under "
        "another name",
        static_cast<std::int64_t>(info.sequence));
  }
  const bool is_there = known_ && known_->sequence == info.sequence;
  count(info, bytes);
  if (is_there) {
    next_ = std::uint64_t{info.sequence} + 1;
    return {};
  }
  message_head head = head_of_record(status_.reel, info);
  head.sent_at_us = now_us();
  const std::size_t most = broker_->most_message_bytes() - room_for_fields;
  head.parts = parts_of(bytes.size(), most);
  open_[info.sequence] = {.parts_left = head.parts,
                          .bytes = bytes.size(),
                          .kind = info.kind,
                          .entry = head.is_entry(),
                          .lasts = head.lasts(),
                          .first_at = std::numeric_limits<std::uint64_t>::max()};
  for (head.part = 0; head.part < head.parts; ++head.part) {
    const std::uint64_t token = next_token_++;
    sequence_of_[token] = info.sequence;
    const auto sent =
        broker_->publish_later(subjects_.records, part_of(bytes, most, head.part), to_fields(head), token);
    if (!sent) return sent;
  }
  ++handed_over_;
  next_ = std::uint64_t{info.sequence} + 1;
  return {};
}

void reel_delivery::know_ticks(std::uint64_t ticks, std::uint64_t lost_ticks) noexcept {
  status_.ticks = ticks;
  status_.lost_ticks = lost_ticks;
  knows_ticks_ = true;
}

result<std::uint64_t> reel_delivery::count_dropped() {
  if (!broker_ || !broker_->is_open()) {
    auto connected = broker::connect(url_, options_.broker);
    if (!connected) return fail(connected.error());
    broker_.emplace(std::move(*connected));
  }
  auto told = broker_->last(status_stream, subjects_.archived);
  if (!told) return fail(told.error());
  archived_reel archived;
  if (*told) {
    if (auto read = read_archived((*told)->body()); read && read->reel == status_.reel) archived = *read;
  }
  const auto facts = broker_->stream(subjects_.stream);
  if (!facts) return fail(facts.error());
  return dropped_records(*broker_, subjects_, status_, archived.records, facts->first_sequence);
}

void reel_delivery::note_place(std::uint64_t sequence, const unconfirmed& stored) {
  if (knows_first_) {
    status_.first_at = status_.first_at == 0 ? stored.first_at : std::min(status_.first_at, stored.first_at);
  }
  if (stored.kind == reel::record_kind::header_update) status_.update_at = stored.first_at;
  if (stored.lasts) note_lasting(stored.first_at);
  if (stored.entry && (status_.keyframe_at == 0 || sequence > status_.keyframe_sequence)) {
    status_.keyframe_at = stored.first_at;
    status_.keyframe_sequence = sequence;
  }
  // Stored by an earlier connection, before a record in front of it.
  if (sequence > status_.keyframe_sequence) {
    status_.keyframe_at = std::min(status_.keyframe_at, stored.first_at);
  }
}

void reel_delivery::note_lasting(std::uint64_t place) {
  std::vector<std::uint64_t>& known = status_.lasting_at;
  if (std::ranges::find(known, place) != known.end()) return;
  if (known.size() < most_lasting_told) {
    known.push_back(place);
  } else {
    status_.more_lasting = true;
  }
}

result<void> reel_delivery::take_answers(std::chrono::milliseconds wait) {
  while (true) {
    auto came = broker_->next_answer(wait);
    if (!came) return fail(came.error());
    if (!*came) return {};
    const auto which = sequence_of_.find((*came)->token);
    if (which == sequence_of_.end()) continue;  // of the status
    wait = 0ms;
    const auto open = open_.find(which->second);
    sequence_of_.erase(which);
    if (!(*came)->stored) return fail((*came)->stored.error());
    const std::uint64_t place = (*came)->stored->stream_sequence;
    newest_stored_ = std::max(newest_stored_, place);
    if (open == open_.end()) continue;
    open->second.first_at = std::min(open->second.first_at, place);
    if (--open->second.parts_left > 0) continue;
    status_.bytes += open->second.bytes;
    note_place(open->first, open->second);
    open_.erase(open);
  }
}

result<std::uint64_t> reel_delivery::confirmed(std::chrono::milliseconds wait) {
  if (!broker_) return fail(error_code::connection_lost);
  if (const auto taken = take_answers(wait); !taken) return fail(taken.error());
  confirmed_ = open_.empty() ? next_ : open_.begin()->first;
  return confirmed_;
}

result<void> reel_delivery::end() {
  if (!broker_) return fail(error_code::connection_lost);
  if (known_ && known_->sequence >= next_) {
    return fail(
        error_code::already_exists, error::no_offset,
        "the broker has more of this reel than its file, up to record {}: from before it was recovered",
        static_cast<std::int64_t>(known_->sequence));
  }
  if (const auto kept = keep_header(600s); !kept) return kept;
  status_.state = "ended";
  status_.last_error.clear();
  status_.confirmed = confirmed_;
  status_.behind_records = status_.behind_bytes = 0;
  status_.behind_seconds = 0;
  status_.told_at_us = now_us();
  const std::string json = to_json(status_);
  const auto told = broker_->publish(subjects_.status, as_bytes(json));
  if (!told) return fail(told.error());
  return {};
}

void reel_delivery::tell_status() {
  status_.told_at_us = now_us();
  status_.confirmed = confirmed_;
  const std::string json = to_json(status_);
  // Whether it is stored nobody asks: the next one comes in a second. Token 0 is of no record.
  (void)broker_->publish_later(subjects_.status, as_bytes(json), {}, 0);
}

void reel_delivery::tell(const reel::queue_counters& counters) {
  status_.records = std::max(status_.records, counters.accepted);
  status_.behind_records = counters.behind_records;
  status_.behind_bytes = counters.behind_bytes;
  status_.behind_seconds = counters.behind_seconds;
  status_.retried = counters.retried;
  status_.refilled = counters.refilled;
  status_.overflowed = counters.overflowed;
  status_.lost_records = counters.lost;
  status_.last_error = counters.trouble ? describe(*counters.trouble) : "";
  if (!broker_ || !broker_->is_open()) return;
  if (const auto now = std::chrono::steady_clock::now(); now - header_looked_ > 5s) {
    header_looked_ = now;
    (void)keep_header(options_.keep_for > 0s ? std::min(options_.keep_for / 3, std::chrono::seconds(600))
                                             : 600s);
  }
  tell_status();
}

}  // namespace tickreel::fleet
