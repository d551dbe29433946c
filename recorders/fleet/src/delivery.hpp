// Delivers one reel to the broker. A record is confirmed when the stream holds its content; missing records
// are resent, even if they were stored before.
#pragma once

#include <map>
#include <optional>

#include "archive_offer.hpp"
#include "message_ids.hpp"
#include "starting_places.hpp"
#include "stored_records.hpp"
#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/publish.hpp"
#include "tickreel/record/clock.hpp"

namespace tickreel::fleet {

class reel_delivery final : public reel::delivery {
 public:
  reel_delivery(nats_url url, match_name name, match_subjects subjects, publish_options options);

  result<std::uint64_t> connect(const reel::header& head, byte_span header_bytes) override;
  result<void> send(const reel::record_info& info, byte_span bytes) override;
  result<std::uint64_t> confirmed(std::chrono::milliseconds wait) override;
  result<void> end() override;
  void report(const reel::queue_counters& counters) override;

  // Records passed to the broker, repeated ones included; not those that it already had.
  [[nodiscard]] std::uint64_t handed_over() const noexcept { return handed_over_; }
  // Totals of the reel from its file, for deliveries that see only a part of it.
  void know_ticks(std::uint64_t ticks, std::uint64_t lost_ticks) noexcept;
  [[nodiscard]] std::uint64_t repaired() const noexcept { return status_.repaired; }
  // Reads the stream, and returns how many of the sent records are missing. They are resent after the next
  // connect(). If none is, the stream has the header, too.
  [[nodiscard]] result<std::uint64_t> count_holes();
  // Confirmed records that the stream discarded, and that no archiver took.
  [[nodiscard]] result<std::uint64_t> count_dropped();

 private:
  // Of a record that is not confirmed completely.
  struct unconfirmed {
    std::uint32_t parts_left = 0;
    std::uint64_t bytes = 0;
  };
  // A message in flight.
  struct sent_message {
    message_head head;
    std::uint64_t hash = 0;  // of the record or the reel's header
    std::uint64_t body_hash = 0;
  };

  result<std::uint64_t> first_missing();
  [[nodiscard]] std::optional<sent_record> find_sent(std::uint64_t record) const;
  [[nodiscard]] std::set<std::uint64_t> holes(std::uint64_t below) const;
  [[nodiscard]] bool has_header() const;
  result<void> publish_header();
  result<void> offer();
  result<void> keep_header(std::chrono::seconds at_most);
  result<void> compare();
  result<void> connected();
  result<void> take_answers(std::chrono::milliseconds wait);
  result<void> take_answer(const sent_message& sent, const stored_at& stored);
  void publish_status();
  void count(const reel::record_info& info);

  nats_url url_;
  match_subjects subjects_;
  publish_options options_;
  std::optional<broker> broker_;
  byte_vector header_;
  detail::steady_clock::time_point header_sent_{};
  detail::steady_clock::time_point header_looked_{};
  detail::steady_clock::time_point compared_{};
  bool knows_ticks_ = false;
  std::uint64_t counted_to_ = 0;  // the sequence after the last record whose ticks were counted

  message_ids ids_;
  archive_offer offer_;
  stored_records stored_;
  std::map<std::uint64_t, std::uint64_t> sent_;  // the hash of each record, by sequence
  // of stored records that are missing, until they are stored again
  std::set<std::uint64_t> missing_;
  std::optional<error> lost_;  // why delivery must restart

  std::map<std::uint64_t, unconfirmed> open_;            // by sequence
  std::map<std::uint64_t, sent_message> sent_messages_;  // by token
  std::uint64_t next_token_ = 1;
  std::uint64_t handed_over_ = 0;
  std::uint64_t next_ = 0;       // after the last record that was sent on this connection
  std::uint64_t confirmed_ = 0;  // in this or an earlier connection

  match_status status_;
  starting_places places_;
};

}  // namespace tickreel::fleet
