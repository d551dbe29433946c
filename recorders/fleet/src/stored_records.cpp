#include "stored_records.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tickreel/bytes/reader.hpp"

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t hash_bytes = 8;
constexpr std::size_t max_joined_bytes = 64u << 20;
constexpr auto answer_timeout = 5000ms;

std::uint64_t key_of_head(const message_head& head) {
  return head.sequence ? std::uint64_t{*head.sequence} : header_record_key;
}

// Bodies of messages in several parts, until all parts are present.
struct joined_parts {
  std::map<std::uint32_t, byte_vector> bodies;
  std::vector<std::pair<std::uint64_t, stored_part>> places;
};

}  // namespace

std::uint64_t hash_of_record(byte_span record) noexcept {
  return record.size() < hash_bytes ? 0 : byte_reader(record.last(hash_bytes)).u64();
}

std::uint64_t hash_of_header(byte_span header) noexcept {
  return XXH3_64bits(header.data(), header.size());
}

std::uint64_t hash_of_body(byte_span body) noexcept {
  return XXH3_64bits(body.data(), body.size());
}

stored_part part_of_message(const message_head& head, std::uint64_t hash) {
  return {.content = {key_of_head(head), hash},
          .part = head.part,
          .parts = head.parts,
          .kind = head.kind,
          .entry = head.is_entry(),
          .lasts = head.lasts()};
}

result<void> stored_records::set_reel(std::string id, byte_span header_bytes) {
  reel_ = std::move(id);
  auto made = reel::record_check::create(header_bytes);
  if (!made) return fail(made.error());
  check_ = *made;
  return {};
}

void stored_records::note(std::uint64_t place, const stored_part& part) {
  others_.erase(place);
  parts_[place] = part;
  whole_[part.content].insert({part.parts, part.part});
  expired_.erase(part.content);
}

bool stored_records::has(const record_content& content) const {
  const auto found = whole_.find(content);
  if (found == whole_.end()) return false;
  std::uint32_t parts = 0;
  std::uint32_t present = 0;
  for (const auto& [of, part] : found->second) {
    present = of == parts ? present + 1 : 1;
    parts = of;
    if (present == parts) return true;
  }
  return false;
}

bool stored_records::has_other(const record_content& content) const {
  for (auto at = whole_.lower_bound({content.record, 0}); at != whole_.end(); ++at) {
    if (at->first.record != content.record) return false;
    if (at->first != content && has(at->first)) return true;
  }
  return false;
}

std::optional<std::uint64_t> stored_records::last_record() const {
  for (auto at = whole_.rbegin(); at != whole_.rend(); ++at) {
    if (at->first.record != header_record_key && has(at->first)) return at->first.record;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> stored_records::first_record() const {
  for (const auto& [content, parts] : whole_) {
    if (content.record != header_record_key && has(content)) return content.record;
  }
  return std::nullopt;
}

std::uint64_t stored_records::known_to(std::uint64_t place) const {
  const auto count = [&](const auto& places) {
    return static_cast<std::uint64_t>(std::distance(places.begin(), places.upper_bound(place)));
  };
  return count(parts_) + count(others_);
}

void stored_records::count_parts() {
  whole_.clear();
  for (const auto& [place, part] : parts_) {
    whole_[part.content].insert({part.parts, part.part});
  }
}

void stored_records::forget_expired() {
  const auto kept = parts_.lower_bound(facts_.first_sequence);
  others_.erase(others_.begin(), others_.lower_bound(facts_.first_sequence));
  if (kept == parts_.begin()) return;
  std::set<record_content> gone;
  for (auto at = parts_.begin(); at != kept; ++at) gone.insert(at->second.content);
  parts_.erase(parts_.begin(), kept);
  count_parts();
  std::erase_if(gone, [this](const record_content& each) { return has(each); });
  if (gone.empty()) return;
  // A stream without limits discards nothing: the messages were deleted.
  if (facts_.expires) {
    expired_.insert(gone.begin(), gone.end());
  } else {
    ++losses_;
  }
}

result<void> stored_records::look(broker& from) {
  auto facts = from.stream(subjects_.stream, subjects_.records);
  if (!facts) return fail(facts.error());
  if (facts_.created_ns != 0 && facts->created_ns != facts_.created_ns) {
    ++losses_;
    parts_.clear();
    others_.clear();
    whole_.clear();
    expired_.clear();
    known_.clear();
    read_to_ = 0;
    read_once_ = false;
    accepted_difference_ = 0;
  }
  deleted_some_ = facts->deleted > facts_.deleted;
  facts_ = std::move(*facts);
  forget_expired();
  return {};
}

result<void> stored_records::update(broker& from, const sent_lookup& sent) {
  constexpr int max_tries = 3;  // messages arrive meanwhile
  for (int each = 0; each < max_tries; ++each) {
    if (const auto looked = look(from); !looked) return looked;
    if (!read_once_) return read_all(from, sent);
    const auto counted = facts_.subjects.find(subjects_.records);
    const std::uint64_t there = counted == facts_.subjects.end() ? 0 : counted->second;
    const auto difference =
        static_cast<std::int64_t>(there) - static_cast<std::int64_t>(known_to(facts_.last_sequence));
    if (deleted_some_) break;
    if (difference == accepted_difference_) return {};
    if (difference < accepted_difference_) break;
    if (const auto done = read(from, read_to_ + 1, false, sent); !done) return done;
  }
  return read_all(from, sent);
}

result<void> stored_records::read_all(broker& from, const sent_lookup& sent) {
  if (const auto looked = look(from); !looked) return looked;
  const auto before = std::exchange(whole_, {});
  known_ = std::exchange(parts_, {});
  others_.clear();
  read_to_ = 0;
  if (const auto done = read(from, 1, !read_once_, sent); !done) {
    // The known set is incomplete: read all of it the next time.
    ++losses_;
    read_once_ = false;
    return done;
  }
  known_.clear();
  read_once_ = true;
  for (const auto& [content, parts] : before) {
    if (has(content) || expired_.contains(content)) continue;
    ++losses_;
    break;
  }
  const auto counted = facts_.subjects.find(subjects_.records);
  const std::uint64_t there = counted == facts_.subjects.end() ? 0 : counted->second;
  accepted_difference_ =
      static_cast<std::int64_t>(there) - static_cast<std::int64_t>(known_to(facts_.last_sequence));
  return {};
}

// The same message as before: a broker that lost its newest messages has other ones at their positions.
bool stored_records::is_known(std::uint64_t place, const message_head& head, bool has_our_id) const {
  const auto known = known_.find(place);
  if (known == known_.end()) return false;
  const stored_part& part = known->second;
  return part.content.record == key_of_head(head) && part.part == head.part && part.parts == head.parts &&
         (part.by_body || has_our_id);
}

// Every current message under the subject, from that position.
result<void> stored_records::read(broker& from, std::uint64_t first, bool with_bodies,
                                  const sent_lookup& sent) {
  std::optional<std::uint64_t> unverified;
  if (const auto done = read_messages(from, first, with_bodies, sent, unverified); !done) return done;
  if (!unverified) return {};
  return read_messages(from, *unverified, true, sent, unverified);
}

// `unverified` becomes the first position of a message that may be ours and whose body was not read.
result<void> stored_records::read_messages(broker& from, std::uint64_t first, bool with_bodies,
                                           const sent_lookup& sent,
                                           std::optional<std::uint64_t>& unverified) {
  auto reading = from.subscribe(
      subjects_.stream, {.subject = subjects_.records, .from_sequence = first, .heads_only = !with_bodies});
  if (!reading) {
    if (reading.error().code == error_code::not_found) return {};
    return fail(reading.error());
  }
  // By the record and the number of parts.
  std::map<std::pair<std::uint64_t, std::uint32_t>, joined_parts> joined;
  std::size_t joined_bytes = 0;
  for (std::uint64_t left = reading->waiting_at_begin(); left > 0;) {
    const auto next = reading->next(answer_timeout);
    if (!next) return fail(next.error());
    if (!*next) return fail(error_code::timed_out, error::no_offset, "the broker does not answer");
    const message& one = **next;
    left = std::min(left - 1, one.left());
    const std::uint64_t place = one.stream_sequence();
    read_to_ = std::max(read_to_, place);
    if (parts_.contains(place)) continue;
    others_.insert(place);
    const auto head = one.head();
    if (!head || head->reel != reel_) continue;
    const auto ours = sent(key_of_head(*head));
    const bool has_our_id = ours && ids_.are_ours(one.field("Nats-Msg-Id"), *head, ours->hash);
    if (is_known(place, *head, has_our_id)) {
      note(place, known_.at(place));
      continue;
    }
    // The response shows whether it is the message that was sent.
    if (has_our_id && ours->unanswered) continue;
    if (!with_bodies && has_our_id && !unverified) unverified = place;
    if (!with_bodies) continue;
    const std::uint64_t key = key_of_head(*head);
    const auto take = [&](byte_span whole, std::span<const std::pair<std::uint64_t, stored_part>> places) {
      std::uint64_t hash = hash_of_header(whole);
      if (key != header_record_key) {
        const auto info = check_->whole(whole);
        if (!info || info->sequence != key) return;
        hash = hash_of_record(whole);
      }
      for (auto [at, part] : places) {
        part.content.hash = hash;
        part.by_body = true;
        note(at, part);
      }
    };
    if (head->parts == 1) {
      const std::pair<std::uint64_t, stored_part> only{place, part_of_message(*head, 0)};
      take(one.body(), std::span(&only, 1));
      continue;
    }
    joined_parts& parts = joined[{key, head->parts}];
    if (joined_bytes + one.body().size() > max_joined_bytes) continue;
    if (!parts.bodies.try_emplace(head->part, one.body().begin(), one.body().end()).second) continue;
    joined_bytes += one.body().size();
    parts.places.emplace_back(place, part_of_message(*head, 0));
    if (parts.bodies.size() < head->parts) continue;
    byte_vector whole;
    for (const auto& [number, bytes] : parts.bodies) whole.insert(whole.end(), bytes.begin(), bytes.end());
    take(whole, parts.places);
    joined_bytes -= whole.size();
    joined.erase({key, head->parts});
  }
  return {};
}

result<bool> stored_records::is_at(broker& from, std::uint64_t place, const message_head& head,
                                   std::uint64_t hash, std::uint64_t body_hash) {
  const auto there = from.at(subjects_.stream, place);
  if (!there) return fail(there.error());
  if (!*there || (*there)->subject() != subjects_.records) return false;
  const auto found = (*there)->head();
  return found && found->reel == head.reel && found->sequence == head.sequence && found->part == head.part &&
         found->parts == head.parts && ids_.are_ours((*there)->field("Nats-Msg-Id"), head, hash) &&
         hash_of_body((*there)->body()) == body_hash;
}

}  // namespace tickreel::fleet
