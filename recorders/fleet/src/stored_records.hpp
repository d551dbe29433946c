// The messages of one reel that its stream holds, compared by content: the basis of every confirmation.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "message_ids.hpp"
#include "tickreel/fleet/broker.hpp"
#include "tickreel/reel/stored_record.hpp"

namespace tickreel::fleet {

// A record by its sequence, or the reel's header by header_record_key, and the hash of its bytes.
struct record_content {
  std::uint64_t record = 0;
  std::uint64_t hash = 0;
  friend auto operator<=>(const record_content&, const record_content&) = default;
};
inline constexpr std::uint64_t header_record_key = UINT64_MAX;
// A record's own hash is its last field; for a header it is XXH3, 64 bits.
[[nodiscard]] std::uint64_t hash_of_record(byte_span record) noexcept;
[[nodiscard]] std::uint64_t hash_of_header(byte_span header) noexcept;
// Of a message's body: one part of a record.
[[nodiscard]] std::uint64_t hash_of_body(byte_span body) noexcept;

// A record that this process sent.
struct sent_record {
  std::uint64_t hash = 0;
  bool unanswered = false;  // on this connection
};

// A message that is in the stream.
struct stored_part {
  record_content content;
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
  reel::record_kind kind = reel::record_kind::chunk;
  bool entry = false;
  bool lasts = false;
  bool by_body = false;  // its bytes were read; otherwise the broker acknowledged it
};
[[nodiscard]] stored_part part_of_message(const message_head& head, std::uint64_t hash);

class stored_records {
 public:
  // `ids` made the ids of messages from this process; it must outlive this object.
  stored_records(match_subjects subjects, const message_ids& ids)
      : subjects_(std::move(subjects)), ids_(ids) {}
  // Sets the reel; call it first.
  result<void> set_reel(std::string id, byte_span header_bytes);

  // Compares the known messages with the stream, with a single request if nothing changed. Missing messages
  // are forgotten. `sent` returns what this process sent as a record. Only a message that the broker
  // acknowledged, at its position and with our id, needs no check of its body: other clients can copy ids and
  // headers.
  using sent_lookup = std::function<std::optional<sent_record>(std::uint64_t record)>;
  result<void> update(broker& from, const sent_lookup& sent);
  // Reads the headers of all messages of the match, and the bodies of unacknowledged ones.
  result<void> read_all(broker& from, const sent_lookup& sent);

  // The broker acknowledged a message as new.
  void note(std::uint64_t place, const stored_part& part);
  // Whether the message at that position of the stream is that part, sent by this process with that body.
  result<bool> is_at(broker& from, std::uint64_t place, const message_head& head, std::uint64_t hash,
                     std::uint64_t body_hash);

  [[nodiscard]] bool has(const record_content& content) const;
  // Whether the stream has another record with that sequence.
  [[nodiscard]] bool has_other(const record_content& content) const;
  // The highest and the lowest sequence of a complete record.
  [[nodiscard]] std::optional<std::uint64_t> last_record() const;
  [[nodiscard]] std::optional<std::uint64_t> first_record() const;
  // Whether the stream discarded the record because of its limits.
  [[nodiscard]] bool expired(const record_content& content) const { return expired_.contains(content); }
  [[nodiscard]] const std::map<std::uint64_t, stored_part>& parts() const noexcept { return parts_; }
  [[nodiscard]] const stream_facts& facts() const noexcept { return facts_; }
  // All messages under the subject, including those of other reels and publishers.
  [[nodiscard]] std::uint64_t messages() const noexcept { return parts_.size() + others_.size(); }
  // Changes whenever messages were found missing, or the stream is another one.
  [[nodiscard]] std::uint64_t losses() const noexcept { return losses_; }

 private:
  result<void> look(broker& from);
  result<void> read(broker& from, std::uint64_t first, bool with_bodies, const sent_lookup& sent);
  result<void> read_messages(broker& from, std::uint64_t first, bool with_bodies, const sent_lookup& sent,
                             std::optional<std::uint64_t>& unverified);
  [[nodiscard]] bool is_known(std::uint64_t place, const message_head& head, bool has_our_id) const;
  void forget_expired();
  void count_parts();
  [[nodiscard]] std::uint64_t known_to(std::uint64_t place) const;

  match_subjects subjects_;
  const message_ids& ids_;
  std::string reel_;
  std::optional<reel::record_check> check_;
  stream_facts facts_;
  bool read_once_ = false;
  bool deleted_some_ = false;  // since the previous check
  std::uint64_t read_to_ = 0;
  std::uint64_t losses_ = 0;
  std::map<std::uint64_t, stored_part> parts_;  // by position in the stream
  std::map<std::uint64_t, stored_part> known_;  // while all messages are read again
  std::set<std::uint64_t> others_;              // positions
  // The present parts, each with the number of parts: brokers with other limits get a record in another number.
  std::map<record_content, std::set<std::pair<std::uint32_t, std::uint32_t>>> whole_;
  std::set<record_content> expired_;
  // A difference to the broker's count although every message was read; it does not cause another read.
  std::int64_t accepted_difference_ = 0;
};

}  // namespace tickreel::fleet
